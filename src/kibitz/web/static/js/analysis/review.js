/**
 * The review of a finished game: how every move is graded, the turning points, and playing on from them.
 * @typedef {import("../messages.js").GradesMessage} GradesMessage
 */

import { button, capital, count, make } from "../page/element.js";
import { playOn } from "../table/branch.js";
import { seatMark } from "../table/seat_mark.js";
import { valueText } from "./value_text.js";

const GRADES = ["best", "good", "inaccuracy", "mistake", "blunder"];

export class Review {
  /** @param {import("../table/game_table.js").GameTable} table */
  constructor(table) {
    this.table = table;
    this.ask = button("Grade every move", () => { this.#wait(0); table.send({ type: "grade" }); });
    this.progress = make("progress", { max: 1, hidden: true, "aria-label": "Grading" });
    this.found = make("div", {});
    this.node = make("section", { class: "review group", hidden: true }, make("h2", {}, "Review"), this.ask, this.progress, this.found);
    table.on("state", () => { this.node.hidden = !(table.state.over || table.state.bench) || table.state.ply === 0; });
    table.on("grades", (message) => this.#take(message));
    table.on("refusal", ({ about }) => { if (about === "grade") { this.progress.hidden = true; this.ask.disabled = false; } });
  }

  #wait(part) {
    this.ask.disabled = true;
    this.progress.hidden = false;
    this.progress.value = part;
  }

  /** @param {GradesMessage} message */
  #take(message) {
    this.#wait(message.progress);
    if (!message.done) return;
    this.ask.disabled = false;
    this.progress.hidden = true;
    this.found.replaceChildren(this.#counts(message.moves), ...this.#turning(message));
  }

  /** @param {GradesMessage["moves"]} moves */
  #counts(moves) {
    const { state, log } = this.table;
    const seat = new Map(log.map((entry) => [entry.ply, entry.seat]));
    const rows = state.seat_names.map((name, i) => {
      const own = moves.filter((grade) => seat.get(grade.ply) === i);
      return make("tr", {}, make("th", { scope: "row", title: name }, seatMark(state.seat_names, i), make("span", { class: "unseen" }, name)), ...GRADES.map((grade) => make("td", {}, own.filter((one) => one.grade === grade).length)));
    });
    return make("div", { class: "wide" }, make("table", { class: "counts" }, make("thead", {}, make("tr", {}, make("td", {}), ...GRADES.map((grade) => make("th", { scope: "col" }, grade)))), make("tbody", {}, ...rows)));
  }

  /** @param {GradesMessage} message */
  #turning({ moves, turning_points: plies }) {
    if (!plies?.length) return [make("p", { class: "faint" }, "No single move turned the game.")];
    const { log, state } = this.table;
    const items = plies.map((ply) => {
      const entry = log[ply];
      const grade = moves.find((one) => one.ply === ply);
      const words = `${ply + 1}. ${capital(state.seat_names[entry?.seat ?? -1] ?? "")} ${entry?.text ?? ""}`;
      return make("li", {}, button(words, () => this.table.look(ply), { class: "quiet", title: "Look at the position before this move" }),
        grade ? make("span", { class: "faint" }, `${grade.grade}, lost ${valueText(grade.loss)}; ${grade.best_text} was better`) : null,
        button("Play on from here", () => playOn(this.table, { ply, turn: entry?.seat }), { class: "small" }));
    });
    return [make("h3", {}, count(plies.length, "turning point")), make("ul", { class: "turning-points" }, ...items)];
  }
}
