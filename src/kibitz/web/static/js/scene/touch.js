/**
 * Touch: clicks, drags and keys on the targets of a stage, until a move is chosen.
 * @typedef {import("./drawing.js").Target} Target
 * @typedef {import("./compass.js").Place} Place
 */

import { Choice } from "./choice.js";
import { distance, isArrow, middle, nearest } from "./compass.js";
import { letDrag } from "./drag.js";
import { beginnings, findSpots } from "./spots.js";

export class Touch {
  /**
   * @param {import("./stage.js").Stage} stage
   * @param {HTMLElement} root holds the stage's panels
   * @param {{onmove: (move: number) => void, onchange: () => void, onstray: (title: string) => void}} heard
   *   onstray hears what was clicked where nothing can be chosen
   */
  constructor(stage, root, { onmove, onchange, onstray }) {
    this.stage = stage;
    this.root = root;
    this.onmove = onmove;
    this.onchange = onchange;
    this.onstray = onstray;
    /** @type {Target[]} */
    this.targets = [];
    /** @type {Set<number>} the spots at which moves begin */
    this.beginnings = new Set();
    /** @type {Choice<Target>} */
    this.choice = new Choice([], []);
    /** @type {Place|null} where the keyboard's focus was last */
    this.at = null;
    this.held = false; // whether the focus was on the stage when it was redrawn
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("focusin", (event) => { this.at = middle(/** @type {Element} */ (event.target)); });
    letDrag(root, {
      take: (event) => this.#take(this.#under(event)),
      drop: (event, taken) => {
        const target = event && this.#under(event);
        if (target && target.node !== taken && this.choice.fits(target)) return this.#press(target);
        const title = event && !target ? this.#titleUnder(event) : "";
        if (title) this.onstray(title);
        return this.back();
      },
    });
  }

  /** Note the focus before the stage is redrawn. */
  leave() {
    this.held = this.held || this.root.contains(document.activeElement) && Boolean(document.activeElement?.closest(".target"));
  }

  /**
   * Take up the targets of a new drawing.
   * @param {number[]} legal moves that may be played now
   */
  enter(legal) {
    const may = new Set(legal);
    this.targets = this.stage.targets.filter((target) => [...target.moves].some((move) => may.has(move)));
    findSpots(this.targets);
    this.beginnings = beginnings(this.stage.drawings, may);
    for (const target of this.targets) {
      target.node.setAttribute("role", "button");
      target.node.setAttribute("aria-label", target.title || "choice");
    }
    this.choice = new Choice(legal, this.targets);
    this.#highlight();
    if (this.held && this.targets.length) {
      this.held = false;
      this.#focus(this.#nearestTo(this.at));
    }
  }

  /** Allow no choice until the next drawing or refusal. */
  rest() {
    this.choice.seal();
    this.#highlight();
  }

  /** Take back the last target chosen. @returns {boolean} whether there was one */
  back() {
    const was = this.choice.back();
    if (was) this.#highlight();
    return was;
  }

  /** Put the focus on the board. */
  focus() {
    this.#focus(this.fitting.find((target) => target.node.tabIndex === 0) || this.fitting[0]);
  }

  get fitting() {
    return this.targets.filter((target) => this.choice.fits(target));
  }

  #highlight() {
    const roving = this.#nearestTo(this.at);
    const begun = this.choice.chosen.length > 0;
    for (const target of this.targets) {
      const chosen = this.choice.chosen.some((other) => other.place === target.place);
      const fits = this.choice.fits(target);
      const first = begun || this.beginnings.has(target.spot);
      target.node.classList.toggle("highlighted", fits && first);
      target.node.classList.toggle("hint", fits && !first);
      target.node.classList.toggle("chosen", chosen);
      target.node.setAttribute("aria-pressed", String(chosen));
      target.node.setAttribute("tabindex", target === roving ? "0" : "-1");
    }
    this.onchange();
  }

  /** @param {Place|null} place @returns {Target|undefined} */
  #nearestTo(place) {
    const { fitting } = this;
    const first = fitting.filter((target) => target.node.classList.contains("highlighted") || this.beginnings.has(target.spot));
    const near = first.length ? first : fitting;
    if (!place) return near[0];
    return near.reduce((best, target) => (!best || distance(middle(target.node), place) < distance(middle(best.node), place) ? target : best), /** @type {Target|undefined} */ (undefined));
  }

  /** @param {Target|undefined} target */
  #focus(target) {
    if (!target) return;
    for (const other of this.targets) other.node.setAttribute("tabindex", other === target ? "0" : "-1");
    target.node.focus();
  }

  /** @param {Element} node */
  #of(node) {
    const found = node.closest?.(".target");
    return this.targets.find((target) => target.node === found);
  }

  /** The target under the pointer: a highlighted one, even below something that cannot be chosen; else whichever is on top. @param {MouseEvent} event */
  #under(event) {
    if (!this.targets.length) return undefined;
    const stack = [/** @type {Element} */ (event.target), ...document.elementsFromPoint(event.clientX, event.clientY)].filter((node) => this.root.contains(node));
    const found = stack.flatMap((node) => this.#of(node) ?? []);
    return found.find((target) => this.choice.fits(target)) || found[0];
  }

  #click(event) {
    const target = this.#under(event);
    if (target) return this.#press(target);
    const title = event.target.closest?.(".panel") && this.#titleUnder(event);
    return title ? this.onstray(title) : undefined;
  }

  /** What the thing under the pointer is, in words. @param {MouseEvent} event */
  #titleUnder(event) {
    for (const node of document.elementsFromPoint(event.clientX, event.clientY)) {
      for (let at = /** @type {Element|null} */ (node); at instanceof SVGElement && at.ownerSVGElement; at = at.parentElement) {
        const title = at.querySelector(":scope > title");
        if (title) return title.textContent;
      }
    }
    return "";
  }

  /** @param {Target|undefined} target */
  #press(target) {
    if (!target) return;
    const move = this.choice.choose(target);
    this.#highlight();
    if (move !== null) this.onmove(move);
  }

  /** Take a target in hand; return its element, or null if it cannot be dropped anywhere. @param {Target|undefined} target */
  #take(target) {
    if (!target) return null;
    if (this.choice.chosen.some((other) => other.spot === target.spot)) return target.node;
    const elsewhere = this.targets.some((other) => other.spot !== target.spot && [...target.moves].some((move) => other.moves.has(move)));
    if (!elsewhere || !this.choice.fits(target)) return null;
    const before = [...this.choice.chosen];
    const move = this.choice.choose(target);
    if (move !== null) this.choice.chosen = before;
    this.#highlight();
    return move === null ? target.node : null;
  }

  #key(event) {
    const target = this.#of(event.target);
    if (!target) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#press(target);
    } else if (isArrow(event.key)) {
      event.preventDefault();
      const others = this.fitting.filter((other) => other !== target);
      const found = nearest(middle(target.node), others.map((other) => middle(other.node)), event.key);
      if (found >= 0) this.#focus(others[found]);
    }
  }
}
