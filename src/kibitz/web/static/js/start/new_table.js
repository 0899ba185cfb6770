/** Starting a table: ask the server, keep the tokens, go there. */

import * as api from "../page/api.js";
import { keepTable } from "../page/tokens.js";

/** Start a table and open it. @param {Object<string, any>} what as POST /api/tables takes it */
export async function startTable(what) {
  const made = await api.newTable(what);
  keepTable(made.id, made);
  location.assign(`/t/${made.id}`);
}

/** Return the names of a game's seats. @param {any} game @param {number} seats @returns {string[]} */
export const seatNames = (game, seats) => game.seat_names_by_seats?.[String(seats)] || Array.from({ length: seats }, (_, i) => `seat ${i + 1}`);

/** Start the usual table: you against the club level. */
export function startUsual(game) {
  const level = game.levels?.club ? "club" : Object.keys(game.levels || {})[0];
  const other = level ? { kind: "level", level } : { kind: "agent", text: game.agents[0].name };
  const seats = Array.from({ length: game.usual_seats }, (_, i) => (i ? other : { kind: "me" }));
  return startTable({ game: game.name, seats, bench: false });
}
