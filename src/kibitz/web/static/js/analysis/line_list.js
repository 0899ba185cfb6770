/**
 * The best moves with values, visits and expected play; each opens into what may follow it, level by level.
 * @typedef {import("../messages.js").AnalysisLine} AnalysisLine
 * @typedef {Pick<import("../messages.js").AnalysisMessage, "seat" | "lines">} Below what is known of a position
 */

import { capital, make } from "../page/element.js";
import { icon } from "../page/icon.js";
import { valueText } from "./value_text.js";

const HOVER_MS = 120;

export class LineList {
  /**
   * @param {{point: (moves: number[]) => void, open: (moves: number[]) => void, name: (seat: number) => string}} acts
   *   point: show the position after moves (none: the position before); open: ask for the analysis after moves; name: a seat's
   */
  constructor({ point, open, name }) {
    this.acts = { point, open, name };
    this.node = make("ol", { class: "lines" });
    /** @type {Map<string, Below|null>} by moves: what is known below */
    this.opened = new Map();
    /** @type {AnalysisLine[]} */
    this.lines = [];
    /** @type {number|null} */
    this.seat = null;
    this.deep = true; // whether lines open; not where later positions are secret
    this.timer = 0;
    this.node.addEventListener("mouseleave", () => this.#point([]));
    this.node.addEventListener("focusout", (event) => { if (!this.node.contains(event.relatedTarget)) this.#point([]); });
  }

  /** Forget the levels that were opened. */
  close() {
    this.opened.clear();
  }

  /** Show the lines of a position. @param {AnalysisLine[]} lines @param {number|null} [seat] whose moves they are */
  show(lines, seat = null) {
    this.lines = lines;
    this.seat = seat;
    const held = this.node.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.at : null;
    this.node.replaceChildren(...lines.map((line) => this.#item(line, [], seat)));
    if (held) this.node.querySelector(`[data-at="${CSS.escape(held)}"]`)?.focus();
  }

  /** Add the analysis of the position after some moves. @param {import("../messages.js").AnalysisMessage} found */
  grow({ moves_before: moves, seat, lines }) {
    if (!this.opened.has(moves.join())) return;
    this.opened.set(moves.join(), { seat, lines });
    this.#redraw();
  }

  #redraw() {
    this.show(this.lines, this.seat);
  }

  /** Say for which seat the numbers of a list are. @param {number|null} seat */
  #whose(seat) {
    return seat === null ? "" : `worth to ${this.acts.name(seat)}`;
  }

  /** @param {AnalysisLine} line @param {number[]} before @param {number|null} seat */
  #item(line, before, seat) {
    const path = [...before, line.move];
    const key = path.join();
    const below = this.opened.get(key);
    const open = this.opened.has(key);
    const toggle = !this.deep ? make("span", {}) : make("button", { type: "button", class: "quiet toggle", "data-at": `toggle ${key}`, "aria-expanded": String(open), "aria-label": `What may follow ${line.text}`, onclick: () => this.#toggle(key, path) }, icon(open ? "opened" : "closed"));
    const share = make("span", { class: "share", title: line.visits ? `${line.visits} visits` : "" });
    if (line.share !== null && line.share !== undefined) {
      const fill = make("span", { class: "fill" });
      fill.style.width = `${100 * line.share}%`;
      share.append(fill, make("span", { class: "per-cent" }, `${Math.round(100 * line.share)} %`));
    }
    return make("li", {},
      make("div", { class: "line" }, toggle, this.#step(line.text, path, "first"), make("span", { class: "value", title: this.#whose(seat) }, valueText(line.worth)), share,
        make("span", { class: "rest" }, ...this.#rest(line, path))),
      open ? make("ol", { class: "lines" }, ...(below ? this.#below(below, path) : [make("li", { class: "faint" }, "thinking…")])) : null);
  }

  /** @param {Below} below @param {number[]} path */
  #below({ seat, lines }, path) {
    return [make("li", { class: "whose faint" }, capital(this.#whose(seat))), ...lines.map((line) => this.#item(line, path, seat))];
  }

  /** @param {AnalysisLine} line @param {number[]} path */
  #rest(line, path) {
    const steps = (line.line || []).slice(1);
    return steps.map((step, i) => this.#step(step.text, [...path, ...steps.slice(0, i + 1).map((one) => one.move)], "later"));
  }

  #step(text, moves, kind) {
    const show = () => this.#point(moves);
    return make("button", { type: "button", class: `quiet step ${kind}`, "data-at": moves.join(), onmouseenter: show, onfocus: show, onclick: show }, text);
  }

  #point(moves) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.acts.point(moves), HOVER_MS);
  }

  #toggle(key, path) {
    if (this.opened.has(key)) this.opened.delete(key);
    else {
      this.opened.set(key, null);
      this.acts.open(path);
    }
    this.#redraw();
  }
}
