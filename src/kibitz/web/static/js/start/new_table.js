/** Starting a table: ask the server, keep the tokens, go there. */

import * as api from "../page/api.js";
import { keepTable } from "../page/tokens.js";

const PREPARING = "Preparing the game…"; // the first table of a game may take a minute
let making = false; // whether a table is being made; one at a time

/**
 * Start a table and open it.
 * @param {import("../messages.js").NewTable} what
 * @param {HTMLButtonElement|null} [pressed] the button that waits meanwhile, and says so
 */
export async function startTable(what, pressed = null) {
  if (making) throw new Error("A game is being prepared already; it opens by itself.");
  making = true;
  const release = pressed ? hold(pressed) : () => {};
  const again = () => { making = false; release(); };
  try {
    const made = await api.newTable(what);
    keepTable(made.id, made);
    addEventListener("pageshow", again, { once: true }); // a person who comes back to this page can start another
    location.assign(`/t/${made.id}`);
  } catch (error) {
    again();
    throw error;
  }
}

/** Let a button wait; return what lets it be pressed again. @param {HTMLButtonElement} node */
function hold(node) {
  const [words, label] = [node.textContent, node.getAttribute("aria-label")];
  node.disabled = true;
  node.textContent = PREPARING;
  if (label) node.setAttribute("aria-label", PREPARING);
  return () => {
    node.disabled = false;
    node.textContent = words;
    if (label) node.setAttribute("aria-label", label);
  };
}

/** Return the names of a game's seats. @param {import("../messages.js").GameEntry} game @param {number} seats @returns {string[]} */
export const seatNames = (game, seats) => game.seat_names_by_seats?.[String(seats)] || Array.from({ length: seats }, (_, i) => `seat ${i + 1}`);

/** Start the usual table: you against the club level. @param {import("../messages.js").GameEntry} game @param {HTMLButtonElement} pressed */
export function startUsual(game, pressed) {
  const level = game.levels?.club ? "club" : Object.keys(game.levels || {})[0];
  /** @type {import("../messages.js").SeatChoice} */
  const other = level ? { kind: "level", level } : { kind: "agent", text: game.agents[0].name };
  /** @type {import("../messages.js").SeatChoice[]} */
  const seats = Array.from({ length: game.usual_seats }, (_, i) => (i ? other : { kind: "me" }));
  return startTable({ game: game.name, seats, bench: false }, pressed);
}
