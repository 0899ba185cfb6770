/** The standings of a tournament: ratings with their error bars, wins and scores. */

import { make } from "../page/element.js";
import { ratingBar, scaleOf } from "./rating_bar.js";

const HEADS = ["", "agent", "rating", "", "games", "wins", "draws", "losses", "payoff"];

const digits = (value, places = 2) => (value === null || value === undefined ? "–" : value.toFixed(places));

/** @param {import("../messages.js").StandingEntry} entry @param {number} place @param {[number, number]} scale */
function row(entry, place, scale) {
  const [low, high] = entry.interval;
  const number = (text) => make("td", { class: "number" }, text);
  const [least, most] = entry.payoff_interval;
  const error = low === null || high === null ? "" : ` (${Math.round(low)} … ${Math.round(high)})`;
  return make("tr", {}, number(place + 1), make("th", { scope: "row", class: "agent" }, entry.agent),
    number(entry.rating === null ? "–" : `${Math.round(entry.rating)}${error}`),
    make("td", { class: "rating" }, entry.rating === null ? null : ratingBar({ rating: entry.rating, low, high }, scale)),
    number(entry.games), number(entry.wins), number(entry.draws), number(entry.losses),
    number(`${digits(entry.mean_payoff)} (${digits(least)} … ${digits(most)})`));
}

/** Make the table of standings. @param {import("../messages.js").StandingEntry[]} rows @param {string[]} notes */
export function standings(rows, notes) {
  const scale = scaleOf(rows.map((entry) => ({ rating: entry.rating, low: entry.interval[0], high: entry.interval[1] })));
  return make("section", { "aria-label": "Standings" },
    make("div", { class: "wide", tabIndex: 0, role: "group", "aria-label": "Standings" }, make("table", { class: "standings" },
      make("thead", {}, make("tr", {}, ...HEADS.map((head) => (head ? make("th", { scope: "col", class: head === "agent" ? "" : "number" }, head) : make("td", {}))))),
      make("tbody", {}, ...rows.map((entry, place) => row(entry, place, scale))))),
    ...(notes || []).map((note) => make("p", { class: "faint" }, note)));
}
