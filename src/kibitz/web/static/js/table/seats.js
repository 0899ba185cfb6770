/** The seats: who sits where, whose turn it is, who is away, and how far the thinking is. */

import { button, make } from "../page/element.js";
import { invitesOf, keepTable } from "../page/tokens.js";
import { notice } from "../page/notice.js";
import { seatMark } from "./seat_mark.js";

const TICK_MS = 200;

/** Copy a text and say so; where that is not allowed, show it. @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} copied.`);
  } catch {
    prompt(`${what}:`, text);
  }
}

export class Seats {
  /** @param {import("./game_table.js").GameTable} table */
  constructor(table) {
    this.table = table;
    this.node = make("ul", { class: "seats", "aria-label": "Seats" });
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
    this.node.replaceChildren(...state.seat_names.map((name, seat) => this.#seat(name, seat, thinking?.seat === seat ? thinking : null)));
    this.#turn();
    this.#tick();
  }

  #seat(name, seat, thinking) {
    const { state } = this.table;
    const { who, label, agent, connected } = state.seats[seat];
    const you = state.you.includes(seat);
    const words = you && who === "person" ? "you" : who === "open" ? "waiting for a person" : label || who;
    const payoff = state.over && state.payoff ? make("strong", { class: "payoff", title: "payoff" }, number(state.payoff[seat])) : null;
    const invite = who === "open" && invitesOf(this.table.id)[seat];
    return make("li", { class: "seat", "data-seat": seat },
      seatMark(state.seat_names, seat),
      make("span", { class: "seat-words" }, make("strong", {}, name), make("span", { class: "faint label", title: agent || words }, words),
        who === "person" && !you && connected === false ? make("span", { class: "faint" }, "(away)") : null),
      invite ? button("Copy link", () => copy(`${location.origin}/t/${this.table.id}#invite=${invite}`, `The link for ${name}`), { class: "small" }) : null,
      payoff,
      thinking ? make("span", { class: "thinking", role: "status" },
        thinking.budget_s ? make("progress", { max: thinking.budget_s, "aria-label": `${name} is thinking` }) : make("span", { class: "dots", "aria-label": `${name} is thinking` }, "…"),
        make("small", { class: "faint" }, thinking.note || "")) : null);
  }

  #turn() {
    const { turn } = this.table.shown;
    for (const row of this.node.children) {
      const here = Number(row.dataset.seat) === turn;
      row.classList.toggle("turn", here);
      if (here) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  #tick() {
    const bar = this.node.querySelector("progress");
    if (bar) bar.value = Math.min(bar.max, (performance.now() - this.since) / 1000);
  }
}

/** Write a number in few digits. @param {number} value */
export const number = (value) => (Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3))));
