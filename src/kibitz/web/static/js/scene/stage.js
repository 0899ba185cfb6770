/** The stage: the panels of the scene that is shown, redrawn for each position, with flights between them. */

import { make } from "../page/element.js";
import { drawPanel } from "./drawing.js";
import { flights, whereabouts } from "./animation.js";
import { markMove, markShares } from "./marks.js";

export class Stage {
  /**
   * @param {HTMLElement} board holds the first panel
   * @param {HTMLElement} side holds the others
   * @param {HTMLElement[]} slots hold the panels that belong to a seat
   */
  constructor(board, side, slots) {
    this.board = board;
    this.side = side;
    this.slots = slots;
    /** @type {import("./drawing.js").Drawing[]} */
    this.drawings = [];
  }

  /** All targets of the scene. @returns {import("./drawing.js").Target[]} */
  get targets() {
    return this.drawings.flatMap((drawing) => drawing.targets);
  }

  /**
   * Show a scene.
   * @param {import("./drawing.js").Scene} scene
   * @param {{animate?: boolean, last?: string[], since?: string[]}} [how] keys of the last move, and of those since one's turn
   */
  show(scene, { animate = true, last = [], since = [] } = {}) {
    const before = whereabouts(this.drawings);
    const first = !this.drawings.length;
    this.drawings = scene.panels.map((panel, i) => this.#drawn(panel, i === 0));
    this.#place();
    this.board.setAttribute("aria-label", scene.title);
    const moved = flights(this.drawings, before, animate && !first);
    this.#mark("since", since.filter((key) => !last.includes(key)), moved);
    this.#mark("last", last, moved);
  }

  /** @param {Map<number, number>} shares */
  markShares(shares) {
    markShares(this.drawings, shares);
  }

  /** @param {number|null} move */
  markMove(move) {
    markMove(this.drawings, move);
  }

  #drawn(panel, isBoard) {
    const drawing = drawPanel(panel);
    if (!isBoard) drawing.svg.setAttribute("preserveAspectRatio", "xMinYMid");
    drawing.svg.dataset.name = panel.name;
    drawing.svg.setAttribute("role", "group");
    drawing.svg.setAttribute("aria-label", panel.title || panel.name);
    return drawing;
  }

  /** Put the board, the panels of seats, and the others where they belong. */
  #place() {
    const [board, ...others] = this.drawings;
    const owned = ({ panel }) => panel.seat !== null && panel.seat !== undefined;
    this.board.replaceChildren(this.#framed(board, ""));
    this.slots.forEach((slot, seat) => slot.replaceChildren(...others.filter(({ panel }) => panel.seat === seat).map((drawing) => this.#framed(drawing, ""))));
    this.side.replaceChildren(...others.filter((drawing) => !owned(drawing)).map((drawing) => this.#framed(drawing, drawing.panel.title || "")));
  }

  #framed({ svg }, words) {
    return make("figure", { class: "panel" }, words ? make("figcaption", {}, words) : null, svg);
  }

  /** Mark the things with some keys; of identical things, the one that moved. */
  #mark(how, keys, moved) {
    const keyed = this.drawings.flatMap((drawing) => drawing.keyed);
    for (const key of keys) {
      const alike = keyed.filter((thing) => thing.key === key);
      const meant = alike.length === 1 ? alike : alike.filter(({ node }) => moved.has(node));
      if (meant.length === 1) meant[0].node.classList.add(how);
    }
  }
}
