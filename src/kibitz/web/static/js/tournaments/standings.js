/** The standings of a tournament: what counts first, then ratings with their error bars, wins and scores. */

import { make } from "../page/element.js";
import { ratingBar, scaleOf } from "./rating_bar.js";

const digits = (value, places = 2) => (value === null || value === undefined ? "–" : value.toFixed(places));
const number = (text) => make("td", { class: "number" }, text);
const head = (text) => (text ? make("th", { scope: "col", class: text === "agent" ? "" : "number" }, text) : make("td", {}));

/** A mean with its interval. @param {{mean_payoff: number|null, payoff_interval: [number|null, number|null]}} entry */
const mean = ({ mean_payoff: payoff, payoff_interval: [least, most] }) => `${digits(payoff)} (${digits(least)} … ${digits(most)})`;

/**
 * The columns after the agent: headings and cells.
 * @param {import("../messages.js").TournamentPage} found
 * @returns {{heading: string, cell: (entry: import("../messages.js").StandingEntry) => Node}[]}
 */
function columns({ standings: rows, unit, shared }) {
  const scale = scaleOf(rows.map(({ rating, interval }) => ({ rating, low: interval?.[0] ?? null, high: interval?.[1] ?? null })));
  const games = [{ heading: "games", cell: (entry) => number(entry.games) }];
  const payoff = [{ heading: unit || "payoff", cell: (entry) => number(mean(entry)) }];
  if (shared) return [...payoff, ...games];
  const rating = [{ heading: "rating", cell: (entry) => number(ratingText(entry)) }, { heading: "", cell: (entry) => make("td", { class: "rating" }, bar(entry, scale)) }];
  const wins = ["wins", "draws", "losses"].map((heading) => ({ heading, cell: (entry) => number(entry[heading]) }));
  return unit ? [...payoff, ...games, ...wins, ...rating] : [...rating, ...games, ...wins, ...payoff];
}

/** @param {import("../messages.js").StandingEntry} entry */
function ratingText({ rating, interval }) {
  const [low, high] = interval ?? [null, null];
  const error = low === null || high === null ? "" : ` (${Math.round(low)} … ${Math.round(high)})`;
  return rating === null ? "–" : `${Math.round(rating)}${error}`;
}

/** @param {import("../messages.js").StandingEntry} entry @param {[number, number]} scale */
function bar({ rating, interval }, scale) {
  return rating === null ? null : ratingBar({ rating, low: interval?.[0] ?? null, high: interval?.[1] ?? null }, scale);
}

/** A table that can be scrolled sideways. */
const table = (label, heads, rows) => make("div", { class: "wide", tabIndex: 0, role: "group", "aria-label": label },
  make("table", { class: "standings" }, make("thead", {}, make("tr", {}, ...heads.map(head))), make("tbody", {}, ...rows)));

/** What everyone scores with everyone. @param {import("../messages.js").TournamentPage} found */
function pairs({ standings: rows, pairs: scores, unit }) {
  const cell = (one, other) => {
    const found = scores.find((pair) => pair.rank === Math.min(one, other) && pair.other_rank === Math.max(one, other));
    return number(found ? mean(found) : "never");
  };
  const lines = rows.map((entry, at) => make("tr", {}, number(at + 1), make("th", { scope: "row", class: "agent" }, entry.agent),
    ...rows.map((_, other) => cell(at + 1, other + 1))));
  return [make("h2", {}, "Everyone with everyone"), table("Everyone with everyone", ["", "agent", ...rows.map((_, at) => String(at + 1))], lines),
    make("p", { class: "faint" }, `Mean ${unit} of a game; on the diagonal, copies of one agent.`)];
}

/** Make the table of standings. @param {import("../messages.js").TournamentPage} found */
export function standings(found) {
  const shown = columns(found);
  const rows = found.standings.map((entry, place) => make("tr", {}, number(place + 1), make("th", { scope: "row", class: "agent" }, entry.agent), ...shown.map(({ cell }) => cell(entry))));
  return make("section", { "aria-label": "Standings" }, table("Standings", ["", "agent", ...shown.map(({ heading }) => heading)], rows),
    ...(found.shared && found.standings.length ? pairs(found) : []),
    ...(found.notes || []).map((note) => make("p", { class: "faint" }, note)));
}
