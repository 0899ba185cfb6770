/** The start page: games as pictures, running tables, records and tournaments. */

import * as api from "../page/api.js";
import { byId, make } from "../page/element.js";
import { fillHeader } from "../page/header.js";
import { gameCard } from "./game_card.js";
import { recordUpload } from "./record_upload.js";
import { tableList } from "./table_list.js";

const AGAIN_MS = 10000;

async function refresh(place) {
  try {
    place.replaceChildren(...tableList(await api.tables()));
  } catch {
    // the list stays as it was; the next round asks again
  }
}

async function open() {
  fillHeader([], [make("a", { href: "/tournaments", class: "button quiet" }, "Tournaments")]);
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
  try {
    cards.replaceChildren(...(await api.games()).map(gameCard));
  } catch (error) {
    cards.replaceChildren(make("li", { class: "refusal" }, error.message));
  }
}

open();
