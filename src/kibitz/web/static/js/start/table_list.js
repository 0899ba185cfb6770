/** The tables on the start page: your own first, then those to watch. */

import { make, count } from "../page/element.js";
import { title } from "../page/rules_dialog.js";
import { ownTables } from "../page/tokens.js";

const SHOWN = 8; // tables; the rest is folded

const ago = (seconds) => {
  if (seconds < 90) return "just now";
  if (seconds < 5400) return `${Math.round(seconds / 60)} minutes ago`;
  return seconds < 129600 ? `${Math.round(seconds / 3600)} hours ago` : `${Math.round(seconds / 86400)} days ago`;
};

/** Return the age in seconds of a date. @param {string} created */
const age = (created) => (Date.now() - Date.parse(created)) / 1000;

/** Say in words how far a game is. @param {import("../messages.js").TableEntry} table */
function progress({ over, read_only: record, paused }) {
  if (over) return "over";
  if (record) return "unfinished record";
  return paused ? "paused, as nobody watches" : "running";
}

/** @param {import("../messages.js").TableEntry} table */
function row(table) {
  const seats = table.seats.join(", ");
  const facts = [progress(table), count(table.ply, "move"), ago(age(table.created))].join(" · ");
  return make("li", {}, make("a", { href: `/t/${table.id}` }, make("strong", {}, title(table.game.split("(")[0]))),
    make("span", { class: "faint" }, seats), make("span", { class: "faint facts", title: facts }, facts));
}

/** Fill a section with tables. @param {import("../messages.js").TableEntry[]} tables */
export function tableList(tables) {
  const own = new Set(ownTables());
  const mine = tables.filter((table) => own.has(table.id));
  const others = tables.filter((table) => !own.has(table.id));
  const part = (heading, rows) => {
    if (!rows.length) return [];
    const rest = rows.slice(SHOWN);
    const more = rest.length ? make("details", {}, make("summary", {}, `${rest.length} more`), make("ul", { class: "rows" }, ...rest.map(row))) : null;
    return [make("h2", {}, heading), make("ul", { class: "rows" }, ...rows.slice(0, SHOWN).map(row)), ...(more ? [more] : [])];
  };
  return [...part("Your tables", mine), ...part("Tables to watch", others)];
}
