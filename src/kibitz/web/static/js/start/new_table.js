/** Starting a table: ask the server, keep the tokens, go there. */

import * as api from "../page/api.js";
import { notice } from "../page/notice.js";
import { keepTable } from "../page/tokens.js";

const SLOW_MS = 800;
const AGAIN_MS = 4000; // before the notice goes away
const SLOW = "Preparing the game. The first time, its rules are compiled for this computer; that can take a minute…";

/** Wait for something, and say so if that takes long. @param {Promise<any>} work @param {(words: string) => void} say */
async function waited(work, say) {
  let timer = setTimeout(function again() {
    say(SLOW);
    timer = setTimeout(again, AGAIN_MS);
  }, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Start a table and open it.
 * @param {Object<string, any>} what as POST /api/tables takes it
 * @param {(words: string) => void} [say] shows that it takes long
 */
export async function startTable(what, say = notice) {
  const made = await waited(api.newTable(what), say);
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
