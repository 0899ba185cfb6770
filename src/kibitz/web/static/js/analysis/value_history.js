/** What every position of the game seemed worth to each seat, by the scale of the numbers. */

export const PAYOFF = "payoff";

export class ValueHistory {
  /** @param {import("../table/game_table.js").GameTable} table */
  constructor(table) {
    this.table = table;
    /** @type {Map<string, Map<number, number[]>>} by scale, then by ply */
    this.scales = new Map([[PAYOFF, new Map()]]);
  }

  /** Note the worth of a position. @param {number} ply @param {number[]|null|undefined} values @param {string} [scale] */
  note(ply, values, scale = PAYOFF) {
    if (!values) return;
    const plies = this.scales.get(scale) ?? new Map();
    this.scales.set(scale, plies.set(ply, values));
  }

  /** Add what agents thought of their moves, and forget positions that were taken back. */
  gather() {
    for (const { ply, values, scale } of this.table.log) if (!this.scales.get(/** @type {string} */ (scale))?.has(ply)) this.note(ply, values, scale);
    for (const plies of this.scales.values()) for (const ply of plies.keys()) if (ply > this.table.state.ply) plies.delete(ply);
  }

  /** The scale that most positions have values of, payoffs first. @returns {[Map<number, number[]>, string]} */
  get fullest() {
    const [scale, values] = [...this.scales].reduce((best, one) => (one[1].size > best[1].size ? one : best));
    return [values, scale];
  }
}
