/**
 * A half-made choice: clicks on targets narrow the legal moves until one is left. It knows no rules and no elements.
 * @typedef {{moves: Set<number>, spot: string|number}} Candidate a target; targets on one spot count as one
 */

/** @template {Candidate} T the targets */
export class Choice {
  /**
   * @param {number[]} legal
   * @param {T[]} targets
   */
  constructor(legal, targets) {
    this.legal = legal;
    this.targets = targets;
    /** @type {T[]} */
    this.chosen = [];
    this.sealed = false;
  }

  /** Lock the choice: the move has been sent. */
  seal() {
    this.legal = [];
    this.sealed = true;
  }

  /** The moves that fit what was chosen so far. @returns {number[]} */
  get open() {
    return this.legal.filter((move) => this.chosen.every((target) => target.moves.has(move)));
  }

  /** Return whether a target would narrow the choice or begin one. @param {T} target */
  fits(target) {
    return !this.#taken(target) && this.open.some((move) => target.moves.has(move));
  }

  /** The moves that no further target carries: they are shown as buttons. @returns {number[]} */
  get bare() {
    const left = this.targets.filter((target) => !this.#taken(target));
    return this.open.filter((move) => !left.some((target) => target.moves.has(move)));
  }

  /**
   * Choose a target: narrow, take back (a chosen target), or start over (one that does not fit).
   * @param {T} target
   * @returns {number|null} the move, once it is decided
   */
  choose(target) {
    if (this.sealed) return null;
    if (this.#taken(target)) {
      this.chosen.length = this.chosen.findIndex((other) => other.spot === target.spot);
      return null;
    }
    if (!this.fits(target)) this.chosen = [];
    if (!this.fits(target)) return null;
    this.chosen.push(target);
    const { open } = this;
    if (open.length !== 1) return null;
    const alone = !this.targets.some((other) => !this.#taken(other) && other.moves.has(open[0]));
    return this.chosen.length > 1 || alone ? open[0] : null;
  }

  /** Take back the last target. @returns {boolean} whether there was one */
  back() {
    return !this.sealed && Boolean(this.chosen.pop());
  }

  /** @param {T} target */
  #taken(target) {
    return this.chosen.some((other) => other.spot === target.spot);
  }
}
