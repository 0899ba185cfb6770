/** The table page: it puts the parts of a table together. */

import * as api from "../page/api.js";
import { button, byId, capital, make } from "../page/element.js";
import { fillHeader } from "../page/header.js";
import { told } from "../page/notice.js";
import { openRules, title } from "../page/rules_dialog.js";
import { makeTabs } from "../page/tabs.js";
import { keepTable } from "../page/tokens.js";
import { AnalysisPanel } from "../analysis/analysis_panel.js";
import { Review } from "../analysis/review.js";
import { Stage } from "../scene/stage.js";
import { Touch } from "../scene/touch.js";
import { GameActions } from "./game_actions.js";
import { Banner } from "./banner.js";
import { EditorPanel } from "./editor_panel.js";
import { playOn } from "./branch.js";
import { Curtain } from "./curtain.js";
import { GameTable } from "./game_table.js";
import { Log } from "./log.js";
import { Prompt } from "./prompt.js";
import { Replay } from "./replay.js";
import { Seats } from "./seats.js";
import { sharePanel } from "./share_panel.js";
import { click, soundSwitch } from "./sound.js";

const id = location.pathname.split("/").pop() ?? "";

/** Accept an invitation in the address, and remove it from there. */
async function claimInvite() {
  const invite = new URLSearchParams(location.hash.slice(1)).get("invite");
  if (!invite) return;
  history.replaceState(null, "", location.pathname + location.search);
  await told(async () => {
    const { seat, token } = await api.claim(id, invite);
    keepTable(id, { tokens: { [seat]: token } });
  });
}

/** Build the board and all that touches it. @param {GameTable} table @param {import("../start/seat_field.js").Players} game */
function buildStage(table, game) {
  const board = make("div", { class: "board", role: "group" });
  const side = make("div", { class: "panels" });
  const seats = new Seats(table);
  const stage = new Stage(board, side, seats.slots);
  const root = byId("main");
  const touch = new Touch(stage, root, { onmove: (move) => table.play(move), onchange: () => prompt.show(), onstray: (title) => prompt.explain(title) });
  const prompt = new Prompt(table, touch, new GameActions(table).node, game);
  let drawn = null;
  table.on("shown", () => {
    const { scene, last, legal, preview, live } = table.shown;
    touch.leave();
    if (scene !== drawn) stage.show(scene, { last: last.keys || [], since: (live && table.state.since?.keys) || [] });
    drawn = scene;
    board.classList.toggle("preview", preview);
    touch.enter(table.mine ? legal.map(({ move }) => move) : []);
  });
  table.on("sending", () => touch.rest());
  table.on("refusal", () => touch.enter(table.mine ? table.shown.legal.map(({ move }) => move) : []));
  return { board, side: make("div", { class: "side", tabIndex: 0, role: "region", "aria-label": "Seats and what lies beside the board" }, seats.node, side), stage, touch, prompt };
}

/** Keys that work anywhere on the page. @param {GameTable} table @param {Touch} touch @param {Prompt} prompt */
function listen(table, touch, prompt) {
  addEventListener("keydown", (event) => {
    const typing = /** @type {Element} */ (event.target).closest("input, textarea, select, dialog");
    if (event.key === "Escape" && event.target === prompt.box) { prompt.box.value = ""; touch.focus(); }
    else if (event.key === "Escape" && !typing) touch.back();
    else if (event.key === "/" && !typing && !prompt.form.hidden) { event.preventDefault(); prompt.box.focus(); }
  });
}

/**
 * Put the page together once the first state has come.
 * @param {GameTable} table
 * @param {import("../start/seat_field.js").Players} game
 * @param {ReturnType<typeof buildStage>} parts
 */
function build(table, game, parts) {
  const { board, side, stage, prompt } = parts;
  const log = new Log(table);
  const analysis = new AnalysisPanel(table, stage, game);
  const review = new Review(table);
  analysis.node.append(review.node);
  const editor = new EditorPanel(table, game);
  const tabs = makeTabs("About the game", [
    { name: "moves", title: "Moves", panel: log.node },
    { name: "analysis", title: "Analysis", panel: analysis.node },
    { name: "editor", title: "Tools", panel: editor.node },
    { name: "share", title: "Share", panel: sharePanel(table) },
  ]);
  table.on("state", () => tabs.hide("editor", !(table.state.bench || table.state.over)));
  const replay = new Replay(table, () => playOn(table, { ply: table.at, turn: table.shown.turn }));
  prompt.foot.append(replay.branch, replay.back);
  byId("main").append(prompt.node, board, side, replay.node, tabs.node, new Curtain(table).node);
}

/** Say in the head of the page what is played here. @param {GameTable} table */
function nameGame(table) {
  const name = title(table.state.game.split("(")[0]);
  document.title = `${name} – Kibitz`;
  fillHeader([make("h1", {}, name), table.state.bench ? make("span", { class: "tag" }, "editor") : null,
    !table.state.you.length && !table.state.over && !table.state.bench ? make("span", { class: "tag", title: table.state.while_watched ? "The agents pause when nobody watches" : "" }, table.state.read_only ? "record" : "watching") : null],
  [button("Rules", () => openRules(table.state.game.split("(")[0]), { class: "quiet" }), soundSwitch()]);
}

async function open() {
  fillHeader();
  const main = byId("main");
  main.className = "table";
  await claimInvite();
  const table = new GameTable(id);
  main.append(new Banner(table).node);
  const games = await told(() => api.games()) || [];
  table.on("first", () => {
    const name = table.state.game.split("(")[0];
    const game = games.find((one) => one.name === name) || { name, levels: {}, agents: [] };
    const parts = buildStage(table, game);
    build(table, game, parts);
    listen(table, parts.touch, parts.prompt);
    const ply = new URLSearchParams(location.search).get("ply");
    if (ply !== null) queueMicrotask(() => table.look(Number(ply)));
  });
  table.on("refusal", ({ sentence }) => {
    if (!table.state) main.replaceChildren(make("div", { class: "nothing" }, make("h1", {}, "No table"), make("p", {}, capital(sentence)), make("a", { href: "/", class: "button main" }, "To the games")));
  });
  table.on("state", ({ grown }) => {
    nameGame(table);
    if (grown) click();
  });
  table.connect();
}

open();
