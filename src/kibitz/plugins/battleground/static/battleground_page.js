/**
 * The page of a battleground: ladders, and the games that are being played, as the server sends them.
 * @typedef {import("./battleground_messages.js").BattlegroundMessage} BattlegroundMessage
 * @typedef {import("./battleground_messages.js").LadderEntry} LadderEntry
 * @typedef {import("./battleground_messages.js").OfferedGame} OfferedGame
 * @typedef {import("./battleground_messages.js").RunningGame} RunningGame
 */

import { byId, count, make } from "/static/js/page/element.js";
import { fillHeader } from "/static/js/page/header.js";
import { title } from "/static/js/page/rules_dialog.js";
import { pictureOf } from "/static/js/scene/picture.js";

const AGAIN_MS = 2000;

/** @param {number} value @param {number} digits */
const number = (value, digits) => make("td", { class: "number" }, value.toFixed(digits));
const RIVALS = ["skill", "±", "won"]; // columns that have no meaning where all seats earn the same
const HEADS = [["", "Place"], ["bot", ""], ["skill", "what it is worth at least, in all likelihood"], ["±", "the uncertainty of its rating"], ["games", ""], ["won", ""], ["payoff", "of a game, on average"]];

/** The ladder of one game. @param {OfferedGame} game */
function ladder({ ladder: rungs, unit, shared }) {
  if (!rungs.length) return make("p", { class: "faint" }, "Nobody has finished a game yet.");
  const rows = rungs.map((rung, at) => make("tr", {},
    make("td", { class: "number" }, at + 1), make("th", { class: "agent", scope: "row" }, rung.name),
    ...(shared ? [] : [number(rung.skill, 1), number(rung.sigma, 1)]), number(rung.games, 0), ...(shared ? [] : [number(rung.wins, 0)]), number(rung.mean_payoff, unit ? 2 : 3)));
  const heads = HEADS.filter(([words]) => !shared || !RIVALS.includes(words)).map(([words, help]) => [words === "payoff" && unit ? unit : words, help]);
  const head = heads.map(([words, help], at) => make("th", { scope: "col", class: at === 1 ? "agent" : "number", title: help }, words || make("span", { class: "faint" }, "#")));
  return make("table", { class: "standings ladder" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}

/** A game that is being played. @param {OfferedGame} game @param {RunningGame} running */
function board(game, running) {
  const players = running.names.map((name, seat) => make("span", { class: seat === running.turn ? "to-move" : "" }, `${game.seat_names[seat]}: ${name}`));
  const separated = players.flatMap((player, at) => (at ? [" · ", player] : [player]));
  return make("li", {}, make("div", { class: "players" }, ...separated),
    make("div", { class: "faint" }, `game ${running.number + 1}, ${count(running.ply, "move")}`), pictureOf(running.scene));
}

/** One game that is offered. @param {OfferedGame} game */
function section(game) {
  const waiting = game.waiting.length ? `${game.waiting.join(", ")} ${game.waiting.length === 1 ? "waits" : "wait"} for others.` : "";
  const playing = game.playing ? `${count(game.playing, "game")} being played.` : "No game is being played.";
  return make("section", {}, make("h2", {}, title(game.game)), ladder(game),
    make("p", { class: "faint" }, [playing, waiting].filter(Boolean).join(" ")),
    game.running.length ? make("ul", { class: "boards" }, ...game.running.map((one) => board(game, one))) : null);
}

/** Games in use first. @param {OfferedGame} game */
const order = (game) => (game.running.length ? 0 : game.ladder.length || game.waiting.length ? 1 : 2);

/** @param {BattlegroundMessage} state */
function show(state) {
  const games = [...state.games].sort((a, b) => order(a) - order(b));
  byId("main").replaceChildren(make("h1", {}, "Battleground"), make("p", { class: "faint" }, `Channel ${state.channel}`), ...games.map(section));
}

function follow() {
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws${location.search}`);
  socket.addEventListener("message", (event) => show(JSON.parse(event.data)));
  socket.addEventListener("close", () => setTimeout(follow, AGAIN_MS));
}

fillHeader();
byId("main").className = "tournaments";
byId("main").append(make("h1", {}, "Battleground"), make("p", { class: "faint" }, "Waiting for the server…"));
follow();
