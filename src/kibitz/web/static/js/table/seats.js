/** The seats: who sits where, whose turn it is, who is away, and how far the thinking is. */

import { capital, make } from "../page/element.js";
import { keepTable } from "../page/tokens.js";
import { seatMark } from "./seat_mark.js";

const TICK_MS = 200;

export class Seats {
  /** @param {import("./game_table.js").GameTable} table */
  constructor(table) {
    this.table = table;
    this.heads = table.state.seat_names.map(() => make("div", { class: "seat-head" }));
    this.slots = table.state.seat_names.map(() => make("div", { class: "seat-panels" }));
    this.rows = this.heads.map((head, seat) => make("li", { class: "seat" }, head, this.slots[seat]));
    this.node = make("ul", { class: "seats", "aria-label": "Seats" }, ...this.rows);
    this.since = 0;
    table.on("state", () => this.#draw());
    table.on("shown", () => this.#turn());
    table.on("thinking", () => this.#draw());
    table.on("invite", ({ seat, invite }) => { keepTable(table.id, { invites: { [seat]: invite } }); this.#draw(); });
    setInterval(() => this.#tick(), TICK_MS);
  }

  #draw() {
    const { state } = this.table;
    const thinking = state.thinking;
    if (thinking) this.since = performance.now() - 1000 * (thinking.since_s || 0);
    state.seat_names.forEach((name, seat) => {
      this.heads[seat].replaceChildren(...this.#head(name, seat, thinking?.seat === seat ? thinking : null).filter(Boolean));
      this.rows[seat].classList.toggle("you", state.you.includes(seat));
    });
    this.#turn();
    this.#tick();
  }

  /** @param {string} name @param {number} seat @param {import("../messages.js").Thinking|null} thinking */
  #head(name, seat, thinking) {
    const { state } = this.table;
    const { who, label, agent, connected } = state.seats[seat];
    const you = state.you.includes(seat);
    const words = you && who === "person" ? "you" : who === "open" ? "waiting for a person" : label || who;
    return [
      seatMark(state.seat_names, seat),
      make("span", { class: "seat-words" }, make("strong", {}, capital(name)), make("span", { class: "faint label", title: agent || words }, words),
        who === "person" && !you && connected === false ? make("span", { class: "faint" }, "(away)") : null),
      state.over && state.payoff ? make("strong", { class: "payoff", title: state.unit || "payoff" }, number(state.payoff[seat])) : null,
      thinking ? this.#thinking(name, thinking) : null,
    ];
  }

  /** @param {string} name @param {import("../messages.js").Thinking} thinking */
  #thinking(name, { budget_s: budget, note }) {
    const label = `${name} is thinking`;
    return make("span", { class: "thinking", role: "status" },
      budget ? make("progress", { max: budget, "aria-label": label }) : make("span", { class: "dots", role: "img", "aria-label": label }, "…"),
      make("small", { class: "faint elapsed", "aria-hidden": "true", title: note }));
  }

  #turn() {
    const { turn } = this.table.shown;
    this.rows.forEach((row, seat) => {
      const here = seat === turn;
      row.classList.toggle("turn", here);
      if (here) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  }

  #tick() {
    const seconds = (performance.now() - this.since) / 1000;
    const bar = this.node.querySelector("progress");
    if (bar) bar.value = Math.min(bar.max, seconds);
    const clock = this.node.querySelector(".elapsed");
    if (clock && seconds >= 1) clock.textContent = `${seconds.toFixed(0)} s`;
  }
}

/** Write a number in few digits. @param {number} value */
export const number = (value) => (Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3))));
