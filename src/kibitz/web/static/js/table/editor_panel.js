/** The editor: move for any seat, let the computer move, change seats, see everything, branch, set up positions. */

import { button, make } from "../page/element.js";
import { told } from "../page/notice.js";
import { seatField } from "../start/seat_field.js";
import { startTable } from "../start/new_table.js";
import { playOn } from "./branch.js";

export class EditorPanel {
  /**
   * @param {import("./game_table.js").GameTable} table
   * @param {import("../start/seat_field.js").Players} game
   */
  constructor(table, game) {
    this.table = table;
    this.game = game;
    this.mover = seatField(game, "who moves", { start: "club", people: false });
    this.running = make("input", { type: "checkbox", id: "play-on", onchange: () => table.send({ type: "play_on", on: this.running.checked }) });
    this.eyes = make("select", { id: "eyes", onchange: () => this.#see() });
    this.seats = make("div", { class: "seat-fields" });
    this.position = make("textarea", { id: "editor-position", class: "mono", rows: 3, spellcheck: false });
    this.computer = make("section", { class: "group" }, make("h2", {}, "The computer"), this.mover.node,
      button("Make just this move", () => this.#step()),
      make("div", { class: "field checkbox" }, make("label", { htmlFor: "play-on" }, "Agents play on by themselves"), this.running));
    this.change = make("details", { class: "group" }, make("summary", {}, "Give seats to others"), this.seats);
    this.set = make("details", { class: "group" }, make("summary", {}, "Position as text"), make("label", { htmlFor: "editor-position" }, "The position shown last; change it to set up another"), this.position,
      button("Set up at a new table", ({ currentTarget: pressed }) => this.#setUp(pressed)));
    this.node = make("div", { class: "editor-panel" },
      this.computer,
      make("section", { class: "group" }, make("h2", {}, "See and branch"),
        make("div", { class: "field" }, make("label", { htmlFor: "eyes" }, "Seen by"), this.eyes),
        button("Branch here", () => playOn(table, { ply: table.at, editor: true, turn: table.shown.turn }))),
      this.change, this.set);
    table.on("state", () => this.#fill());
  }

  #fill() {
    const { state } = this.table;
    this.computer.hidden = !state.bench;
    this.change.hidden = !state.bench;
    this.running.checked = state.playing_on;
    if (document.activeElement !== this.position && state.position_text) this.position.value = state.position_text;
    this.#fillSeats();
    if (this.eyes.children.length) return;
    const eyes = [["", "as you sit"], ["all", "everything open"], ...state.seat_names.map((name, seat) => [String(seat), name])];
    this.eyes.append(...eyes.map(([value, words]) => make("option", { value }, words)));
  }

  /** Show who sits where; redraw it when that has changed. */
  #fillSeats() {
    const { state } = this.table;
    const now = JSON.stringify(state.seats.map(({ who, label, agent }) => [who, label, agent]));
    if (now === this.seated) return;
    this.seated = now;
    this.seats.replaceChildren(...state.seat_names.map((name, seat) => {
      const { who, label, agent } = state.seats[seat];
      const start = who === "agent" ? (this.game.levels?.[label] ? label : "agent") : who === "open" ? "invite" : "me";
      const field = seatField(this.game, name, { start, agent: start === "agent" ? agent : "" });
      return make("div", { class: "give" }, field.node, button("Seat it", () => this.table.send({ type: "seat", seat, to: field.value() }), { class: "small", "aria-label": `Give ${name} to this one` }));
    }));
  }

  #see() {
    const { value } = this.eyes;
    this.table.see(value === "" ? null : value === "all" ? { all: true } : { seat: Number(value) });
  }

  #step() {
    const agent = this.mover.value();
    this.table.send({ type: "step", agent: agent.kind === "agent" ? agent.text : this.game.levels[/** @type {import("../messages.js").LevelSeat} */ (agent).level] });
  }

  #setUp(pressed) {
    const { state } = this.table;
    /** @type {import("../messages.js").SeatChoice[]} */
    const seats = state.seats.map((_, i) => (state.you.includes(i) || !state.you.length ? { kind: "me" } : { kind: "level", level: "club" }));
    return told(() => startTable({ game: state.game_text, seats, bench: true, position: this.position.value.trim() }, pressed));
  }
}
