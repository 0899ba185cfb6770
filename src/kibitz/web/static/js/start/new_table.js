/** Starting a table: ask the server, keep the tokens, go there. */

import * as api from "../page/api.js";
import { keepTable } from "../page/tokens.js";

const PREPARING = "Preparing the game…"; // the first table of a game may take a while
const LOOK_EVERY = 400; // milliseconds between two looks at how far it is
let making = false; // whether a table is being made; one at a time

/**
 * Start a table and open it.
 * @param {import("../messages.js").NewTable} what
 * @param {HTMLButtonElement|null} [pressed] the button that waits meanwhile, and says so
 */
export async function startTable(what, pressed = null) {
  if (making) throw new Error("A game is being prepared already; it opens by itself.");
  making = true;
  const release = pressed ? hold(pressed, nameOf(what.game)) : () => {};
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

/** @param {import("../messages.js").NewTable["game"]} game */
const nameOf = (game) => (typeof game === "object" && game ? game.name : game || "").split("(")[0];

/**
 * Let a button wait, with a bar on it while the game is compiled; return what lets it be pressed again.
 * @param {HTMLButtonElement} node @param {string} game
 */
function hold(node, game) {
  const [words, label, begun] = [node.textContent, node.getAttribute("aria-label"), Date.now()];
  let part = 0;
  /** @param {string} text */
  const say = (text) => {
    node.textContent = text;
    if (label) node.setAttribute("aria-label", text);
  };
  const look = async () => {
    const { number = 0, of = 0, seconds_left: left = 0 } = await api.preparation(game);
    if (!number || !node.disabled) return;
    const waited = (Date.now() - begun) / 1000;
    part = Math.max(part, waited / (waited + left));
    node.style.setProperty("--part", `${Math.round(100 * part)}%`);
    say(`Compiling ${number} of ${of}, ${Math.max(1, Math.round(left))} s left`);
  };
  node.disabled = true;
  node.classList.add("waits");
  say(PREPARING);
  const clock = game ? setInterval(() => look().catch(() => {}), LOOK_EVERY) : 0;
  return () => {
    clearInterval(clock);
    node.disabled = false;
    node.classList.remove("waits");
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
