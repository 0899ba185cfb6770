/** Playing on from a position of this table at a new one. */

import { told } from "../page/notice.js";
import { tokensOf } from "../page/tokens.js";
import { startTable } from "../start/new_table.js";

const HUMAN = "human"; // the name of people in records

/**
 * Return who sits in a seat, as the request for a new table says it.
 * @param {import("../messages.js").ShownSeat} seat
 * @returns {import("../messages.js").SeatChoice}
 */
const same = ({ who, agent }) => (who === "agent" && agent && agent !== HUMAN ? { kind: "agent", text: agent } : { kind: "level", level: "club" });

/**
 * Start a table that goes on from a ply: you take the seat to move, or keep the seats you had.
 * @param {import("./game_table.js").GameTable} table
 * @param {{ply: number, editor?: boolean, turn?: number|null}} from
 */
export function playOn(table, { ply, editor = false, turn = null }) {
  const { state } = table;
  const yours = state.you.length ? state.you : [turn ?? table.log[ply]?.seat ?? 0];
  /** @type {import("../messages.js").SeatChoice[]} */
  const seats = state.seats.map((seat, i) => (yours.includes(i) ? { kind: "me" } : same(seat)));
  return told(() => startTable({ game: state.game_text, seats, bench: editor || state.bench, from: { table: table.id, ply }, tokens: tokensOf(table.id) }));
}
