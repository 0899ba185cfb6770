/**
 * The log: every move in words, who lost what, and what computers spent on it; arrow keys scrub.
 * @typedef {import("../messages.js").LogEntry} LogEntry
 * @typedef {import("../messages.js").MoveGrade} MoveGrade
 */

import { capital, make } from "../page/element.js";
import { SCRUB } from "./scrub.js";
import { chanceMark, seatMark } from "./seat_mark.js";

const SIGNS = { best: "", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

export class Log {
  /** @param {import("./game_table.js").GameTable} table */
  constructor(table) {
    this.table = table;
    /** @type {Map<number, MoveGrade>} by ply */
    this.grades = new Map();
    this.list = make("ol", { class: "log", "aria-label": "Moves" });
    this.said = make("p", { class: "unseen", "aria-live": "polite" });
    this.empty = make("p", { class: "faint" }, "No move yet. What happens is told here in words.");
    this.node = make("div", { class: "log-panel", onkeydown: (event) => this.#key(event) }, this.empty, this.list, this.said);
    table.on("state", ({ grown }) => this.#fill(grown));
    table.on("shown", () => this.#mark());
    table.on("grades", (message) => { if (message.done) this.#grade(message.moves); });
  }

  #fill(grown) {
    const { log } = this.table;
    let same = 0;
    while (same < log.length && this.list.children[same]?.entry === log[same]) same += 1;
    while (this.list.children.length > same) this.list.lastChild.remove();
    this.list.append(...log.slice(same).map((entry) => this.#row(entry)));
    this.empty.hidden = log.length > 0;
    const last = log.at(-1);
    if (grown && last && same > 0) this.said.textContent = this.#sentence(last);
  }

  /** @param {LogEntry} entry */
  #sentence(entry) {
    const name = entry.seat === null ? "Chance" : this.table.state.seat_names[entry.seat] ?? "";
    return [`${name}: ${entry.text ?? "a hidden move"}`, ...(entry.news || [])].join(". ");
  }

  /** @param {LogEntry} entry */
  #row(entry) {
    const names = this.table.state.seat_names;
    const grade = this.grades.get(entry.ply);
    const spent = this.#spent(entry);
    const row = make("li", {},
      make("button", { type: "button", class: "ply", onclick: () => this.table.look(entry.ply + 1), "aria-label": `Move ${entry.ply + 1}, ${this.#sentence(entry)}` },
        make("span", { class: "nr" }, entry.ply + 1), entry.seat === null ? chanceMark() : seatMark(names, entry.seat),
        make("span", { class: "text" }, entry.text ?? "(hidden)"),
        grade && SIGNS[grade.grade] ? make("span", { class: `grade ${grade.grade}`, title: `${grade.grade}: ${grade.best_text} was better` }, SIGNS[grade.grade]) : null,
        spent ? make("span", { class: "spent faint" }, spent) : null),
      (entry.news || []).length ? make("p", { class: "news faint" }, entry.news.map(capital).join(". ")) : null,
      entry.why ? make("p", { class: "news faint" }, `Why: ${entry.why}`) : null);
    row.entry = entry;
    return row;
  }

  /** Say what a computer spent on a move: time, positions, depth. @param {LogEntry} entry */
  #spent({ seat, seconds, nodes, depth, auto }) {
    const parts = auto && seat !== null ? ["the only move"] : [];
    if (seconds !== null && seconds !== undefined) parts.push(seconds < 0.01 ? "< 0.01 s" : `${Number(seconds.toPrecision(2))} s`);
    if (nodes) parts.push(nodes >= 10000 ? `${Math.round(nodes / 1000)}k pos.` : `${nodes} pos.`);
    if (depth) parts.push(`depth ${depth}`);
    return parts.join(" · ");
  }

  /** @param {MoveGrade[]} moves */
  #grade(moves) {
    this.grades = new Map(moves.map((grade) => [grade.ply, grade]));
    this.list.replaceChildren();
    this.#fill(false);
    this.#mark();
  }

  #mark() {
    const { at, state, mine } = this.table;
    const from = mine && state.since ? state.since.ply : Infinity;
    for (const row of this.list.children) {
      const here = row.entry.ply + 1 === at;
      row.classList.toggle("here", here);
      row.classList.toggle("new", row.entry.ply >= from && !state.you.includes(row.entry.seat ?? -1));
      if (here) this.#into(row);
    }
  }

  /** Scroll the list, not the page, so that a row is seen. */
  #into(row) {
    const box = this.node;
    const top = row.offsetTop;
    if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  }

  #key(event) {
    const step = SCRUB[event.key];
    if (!step) return;
    event.preventDefault();
    this.table.look(step(this.table.at));
  }
}
