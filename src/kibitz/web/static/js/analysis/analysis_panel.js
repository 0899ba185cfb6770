/**
 * The analysis tab: live analysis with bars, best moves, explanations, and the graph over the game.
 * @typedef {import("../messages.js").AnalysisMessage} AnalysisMessage
 */

import { button, capital, make } from "../page/element.js";
import { bars } from "./bars.js";
import { LineList } from "./line_list.js";
import { ValueGraph } from "./value_graph.js";
import { PAYOFF, ValueHistory } from "./value_history.js";

export class AnalysisPanel {
  /**
   * @param {import("../table/game_table.js").GameTable} table
   * @param {import("../scene/stage.js").Stage} stage
   * @param {import("../start/seat_field.js").Players} game
   */
  constructor(table, stage, game) {
    this.table = table;
    this.stage = stage;
    this.on = false;
    /** @type {number|null} the ply that is analysed */
    this.asked = null;
    this.history = new ValueHistory(table);
    /** @type {number[]} */
    this.turning = [];
    /** @type {AnalysisMessage|null} */
    this.found = null;
    this.switch = button("Analyse", () => this.#turn(!this.on), { class: "main", "aria-pressed": "false" });
    this.agent = make("select", { "aria-label": "Who analyses", onchange: () => this.#again() }, make("option", { value: "" }, "the usual agent"),
      ...Object.entries(game.levels || {}).map(([level, text]) => make("option", { value: text }, level)), ...(game.agents || []).map(({ name }) => make("option", { value: name }, name)));
    this.note = make("p", { class: "faint note", role: "status" });
    this.bars = make("div", {});
    this.why = make("p", { class: "why" });
    this.lines = new LineList({ point: (moves) => this.#point(moves), open: (moves) => table.send({ type: "tree", ply: this.table.at, moves, agent: this.agent.value || null }), name: (seat) => table.state.seat_names[seat] });
    this.graph = new ValueGraph(table);
    this.node = make("div", { class: "analysis-panel" }, make("div", { class: "row" }, this.switch, this.agent), this.note, this.bars, this.lines.node, this.why, this.graph.node);
    table.on("analysis", (message) => this.#take(message));
    table.on("tree", (message) => this.lines.grow(message));
    table.on("state", () => this.history.gather());
    table.on("shown", () => this.#follow());
    table.on("grades", (message) => this.#grades(message));
    table.on("connection", ({ up }) => { if (up) this.asked = null; });
    table.on("refusal", ({ about, sentence }) => { if (["analyse", "tree", "preview"].includes(about ?? "")) this.note.textContent = capital(sentence); });
  }

  /** Switch it on or off. @param {boolean} on */
  #turn(on) {
    this.on = on;
    this.switch.setAttribute("aria-pressed", String(on));
    this.switch.textContent = on ? "Stop" : "Analyse";
    this.asked = null;
    if (on) return this.#ask();
    this.note.textContent = "";
    this.stage.markShares(new Map());
    return this.table.send({ type: "analyse", on: false, ply: null, agent: null });
  }

  #again() {
    this.asked = null;
    this.lines.close();
    if (this.on) this.#ask();
  }

  #ask() {
    const { at, state } = this.table;
    if (this.asked === at) return;
    this.asked = at;
    this.found = null;
    this.lines.close();
    this.#draw();
    if (at === state.ply && state.over) {
      this.note.textContent = "The game is over here; step back to analyse a position.";
      return;
    }
    this.note.textContent = "Thinking…";
    this.table.send({ type: "analyse", on: true, ply: at === state.ply ? null : at, agent: this.agent.value || null });
  }

  #follow() {
    if (this.on && !this.table.preview) this.#ask();
    if (this.found && !this.table.preview) this.#mark();
    this.graph.show(...this.history.fullest, this.turning);
  }

  /** @param {AnalysisMessage} message */
  #take(message) {
    if (!this.on || message.ply !== this.table.at || message.moves_before?.length) return;
    this.found = message;
    const searched = message.lines.reduce((sum, line) => sum + (line.visits || 0), 0);
    const depth = Math.max(0, ...message.lines.map((line) => line.depth || 0));
    const parts = [message.agent, `${message.seconds.toFixed(1)} s`, searched ? `${searched.toLocaleString("en")} visits` : "", depth ? `depth ${depth}` : "", message.scale || ""];
    this.note.textContent = `${message.done ? "" : "Deepening: "}${parts.filter(Boolean).join(" · ")}`;
    this.history.note(message.ply, message.seat_values, message.scale);
    this.#draw();
    this.#mark();
    this.graph.show(...this.history.fullest, this.turning);
  }

  #draw() {
    const { found } = this;
    const { state } = this.table;
    this.lines.deep = !state.hidden || state.over || state.bench;
    this.bars.replaceChildren(...(found?.seat_values ? [bars(this.table.state.seat_names, found.seat_values)] : []));
    this.lines.show(found?.lines || [], found?.seat ?? null);
    this.why.textContent = found?.why ? `Why: ${found.why}` : "";
  }

  #mark() {
    const shares = this.on && this.found?.ply === this.table.at ? this.found.lines.filter((line) => line.share) : [];
    this.stage.markShares(new Map(shares.map((line) => [line.move, line.share ?? 0])));
  }

  #point(moves) {
    this.stage.markMove(moves.length ? moves[0] : null);
    this.table.point(moves.length > 1 && this.lines.deep ? moves : []);
    if (moves.length <= 1) this.stage.markMove(moves[0] ?? null);
  }

  /** @param {import("../messages.js").GradesMessage} message */
  #grades({ done, values_by_ply: rows, turning_points: turning }) {
    (rows || []).forEach((row, ply) => this.history.note(ply, row, PAYOFF));
    if (done) this.turning = turning || [];
    this.graph.show(...this.history.fullest, this.turning);
  }
}
