/** The start page: games as pictures, running tables, records and tournaments. */

import * as api from "../page/api.js";
import { byId, make } from "../page/element.js";
import { fillHeader } from "../page/header.js";
import { gameCard } from "./game_card.js";
import { recordUpload } from "./record_upload.js";
import { tableList } from "./table_list.js";

const AGAIN_MS = 10000;
const PICTURES_MS = 1500;

/** Show the games; where pictures are still being made, ask again for those. */
async function showGames(cards, shown = new Map()) {
  let games;
  try {
    games = await api.games();
  } catch (error) {
    cards.replaceChildren(make("li", { class: "refusal" }, error.message));
    return;
  }
  if (!shown.size) cards.replaceChildren();
  for (const game of games) {
    const before = shown.get(game.name);
    if (before?.done) continue;
    const card = gameCard(game);
    if (!before) cards.append(card);
    else if (!game.example || before.card.querySelector("button:disabled")) continue; // the next round has the picture; or the game is about to open
    else before.card.replaceWith(card);
    shown.set(game.name, { card, done: Boolean(game.example) });
  }
  if (!games.every((game) => game.example)) setTimeout(() => showGames(cards, shown), PICTURES_MS);
}

/** Refresh the list of tables, unless somebody is reading or walking through the list. */
async function refresh(place) {
  if (place.querySelector("details[open]") || place.contains(document.activeElement)) return;
  try {
    place.replaceChildren(...tableList(await api.tables()));
  } catch {
    // the list stays; the next round asks again
  }
}

/** Fill the header with links to all pages, those that packages add included. @param {import("../messages.js").PageLink[]} added */
function showPages(added) {
  const pages = [{ title: "Tournaments", path: "/tournaments" }, ...added];
  fillHeader([], pages.map(({ title, path }) => make("a", { href: path, class: "button quiet" }, title)));
}

function open() {
  showPages([]);
  api.pages().then(showPages, () => {});
  const main = byId("main");
  main.className = "start";
  const tables = make("section", { class: "tables", "aria-label": "Tables" });
  const cards = make("ul", { class: "cards" }, make("li", { class: "faint" }, "Setting out the games…"));
  main.append(
    make("div", { class: "hello" }, make("h1", {}, "What shall we play?"),
      make("p", { class: "faint" }, "Play against the computer or each other, look over the computer's shoulder, or study a position.")),
    cards,
    make("div", { class: "beside" }, recordUpload(), make("span", { class: "faint" }, "A record of a game or match, to replay and analyse; it can also be dropped on this page.")),
    tables);
  refresh(tables);
  setInterval(() => { if (!document.hidden) refresh(tables); }, AGAIN_MS);
  showGames(cards);
}

open();
