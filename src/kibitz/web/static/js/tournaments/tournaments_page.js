/** The tournaments page: all runs, or the live standings of one. */

import * as api from "../page/api.js";
import { byId, make, count } from "../page/element.js";
import { fillHeader } from "../page/header.js";
import { gameList } from "./game_list.js";
import { standings } from "./standings.js";

const AGAIN_MS = 2000;
const name = decodeURIComponent(location.pathname.split("/")[2] || "");
let page = 0;

/** How far a run is. */
const progress = ({ played, planned }) => make("div", { class: "played" },
  make("progress", { max: Math.max(1, planned), value: played, "aria-label": "Games played" }), make("span", { class: "faint" }, `${played} of ${count(planned, "game")}`));

async function list() {
  const runs = await api.tournaments();
  const rows = runs.map((run) => make("li", {},
    make("div", {}, make("a", { href: `/tournaments/${encodeURIComponent(run.name)}` }, make("strong", {}, run.name)), make("div", { class: "faint" }, `${run.game}: ${run.agents.join(", ")}`)), progress(run)));
  const none = make("p", { class: "faint" }, "No tournaments here. Play one with “kibitz tournament --db results.db” and start the server with “--ledger results.db”; it can be watched while it runs.");
  return { nodes: [make("h1", {}, "Tournaments"), rows.length ? make("ul", { class: "rows" }, ...rows) : none], live: runs.some((run) => run.played < run.planned) };
}

async function one() {
  const found = await api.tournament(name, page);
  document.title = `${found.name} – Kibitz`;
  const turn = (next) => { page = next; show(); };
  return { nodes: [make("p", {}, make("a", { href: "/tournaments" }, "All tournaments")), make("h1", {}, found.name), make("p", { class: "faint mono" }, found.game), progress(found),
    standings(found), gameList(found, turn)], live: !found.done };
}

/** Show the page; keep the focus and the scroll position. */
async function show() {
  const main = byId("main");
  try {
    const { nodes, live } = await (name ? one() : list());
    const held = main.contains(document.activeElement) ? [...main.querySelectorAll("a, button, [tabindex]")].indexOf(document.activeElement) : -1;
    main.replaceChildren(...nodes);
    if (held >= 0) main.querySelectorAll("a, button, [tabindex]")[held]?.focus({ preventScroll: true });
    return live;
  } catch (error) {
    main.replaceChildren(make("h1", {}, "Tournaments"), make("p", { class: "refusal" }, error.message));
    return true;
  }
}

async function follow() {
  const live = document.hidden || await show();
  if (live) setTimeout(follow, AGAIN_MS);
}

fillHeader();
byId("main").className = "tournaments";
follow();
