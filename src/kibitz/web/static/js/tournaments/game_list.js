/** The games of a tournament, a page at a time; each opens as a table to replay. */

import * as api from "../page/api.js";
import { button, make } from "../page/element.js";
import { told } from "../page/notice.js";

/** Open a game at a new table. @param {string} name @param {number} number */
const open = (name, number) => told(async () => {
  const { id } = await api.tournamentGame(name, number);
  location.assign(`/t/${id}`);
});

/** Who sat where and what each earned; the best is set in bold, unless all share. @param {import("../messages.js").PlayedGame} game @param {import("../messages.js").TournamentPage} found */
function players(game, { agents, unit, shared }) {
  const best = Math.max(...game.payoff);
  const earned = (seat) => Number(game.payoff[seat].toFixed(2));
  if (shared) return [`${game.seating.map((agent) => agents[agent] ?? agent).join(", ")}: `, make("strong", {}, `${earned(0)} ${unit}`)];
  return game.seating.flatMap((agent, seat) => {
    const words = `${agents[agent] ?? agent} ${earned(seat)}`;
    return [seat ? ", " : "", make(game.payoff[seat] === best ? "strong" : "span", {}, words)];
  });
}

/**
 * Make the list.
 * @param {import("../messages.js").TournamentPage} found
 * @param {(page: number) => void} turn shows another page
 */
export function gameList(found, turn) {
  const rows = found.games.map((game) => make("tr", {},
    make("td", {}, button(`Game ${game.number + 1}`, () => open(found.name, game.number), { class: "small" })),
    make("td", {}, ...players(game, found)), make("td", { class: "faint" }, `${game.plies} moves`), make("td", { class: "faint" }, game.reason)));
  const pager = found.pages > 1 ? make("div", { class: "pager" },
    button("Earlier", () => turn(found.page - 1), { class: "small", disabled: found.page === 0 }),
    make("span", { class: "faint" }, `page ${found.page + 1} of ${found.pages}`),
    button("Later", () => turn(found.page + 1), { class: "small", disabled: found.page + 1 >= found.pages })) : null;
  return make("section", { "aria-label": "Games" }, make("h2", {}, "Games"), pager,
    make("div", { class: "wide", tabIndex: 0, role: "group", "aria-label": "Games" }, make("table", { class: "games" }, make("tbody", {}, ...rows))));
}
