/**
 * The prompt: what is asked, the choice so far, moves without a shape, the move box, and why an attempt was refused.
 * @typedef {import("../messages.js").StateMessage} StateMessage
 */

import { button, capital, make } from "../page/element.js";
import { icon } from "../page/icon.js";
import { invitesOf } from "../page/tokens.js";
import { mayGive, openGiveSeat, takesPart } from "./give_seat.js";
import { copy, inviteAddress } from "./invitation.js";

const MOST_BUTTONS = 24;
const NARROW = matchMedia("(max-width: 46rem)");
const TALLEST_HELD = { narrow: 148, wide: 176 }; // pixels that are kept free, so that what lies below does not jump
const ELSEWHERE = new Set(["analyse", "tree", "preview"]); // refusals that the analysis shows

export class Prompt {
  /**
   * @param {import("./game_table.js").GameTable} table
   * @param {import("../scene/touch.js").Touch} touch
   * @param {HTMLElement} acts what can be done to the game as a whole
   * @param {import("../start/seat_field.js").Players} game
   */
  constructor(table, touch, acts, game) {
    this.table = table;
    this.game = game;
    this.touch = touch;
    this.asked = make("p", { class: "asked", "aria-live": "polite" });
    this.refusal = make("p", { class: "refusal", role: "alert" });
    this.crumbs = make("p", { class: "crumbs" });
    this.since = make("p", { class: "since-words" });
    this.held = 0;
    this.bare = make("div", { class: "bare" });
    this.answer = make("div", { class: "answer" });
    this.caution = make("p", { class: "faint" });
    this.texts = make("datalist", { id: "move-texts" });
    this.box = make("input", { type: "text", id: "move-box", class: "mono", placeholder: "type a move ( / )", "aria-label": "Type a move in the game's notation",
      autocomplete: "off", autocapitalize: "off", spellcheck: false });
    this.box.setAttribute("list", "move-texts");
    this.form = make("form", { class: "move-form", onsubmit: (event) => this.#say(event) }, this.box, this.texts);
    this.foot = make("div", { class: "prompt-foot" }, this.form, acts);
    this.node = make("section", { class: "prompt", "aria-label": "What to do" }, this.asked, this.refusal, this.crumbs, this.since, this.bare, this.answer, this.caution, this.foot);
    addEventListener("resize", () => { this.held = 0; this.node.style.minHeight = ""; });
    table.on("shown", () => { this.refusal.textContent = table.state.trouble || ""; this.#ask(); });
    table.on("sending", () => this.#ask());
    table.on("thinking", () => this.#ask());
    table.on("invite", () => this.#ask());
    table.on("refusal", ({ about, sentence }) => {
      if (!about || !ELSEWHERE.has(about)) this.refusal.textContent = capital(sentence);
      this.show();
    });
  }

  /** Show the choice as it stands now. */
  show() {
    const { choice } = this.touch;
    const texts = new Map(this.table.shown.legal.map(({ move, text }) => [move, text]));
    const chosen = choice.chosen.map((target) => target.title).filter(Boolean);
    this.crumbs.replaceChildren(...(chosen.length ? [make("span", {}, chosen.join(" › ")), button(icon("close"), () => this.touch.back(), { class: "quiet small icon", "aria-label": "Take back this choice (Escape)" })] : []));
    if (chosen.length) this.refusal.textContent = "";
    const moves = choice.bare.slice(0, MOST_BUTTONS);
    this.bare.replaceChildren(...moves.map((move) => button(texts.get(move) ?? String(move), () => this.table.play(move), { "data-move": move })));
    this.#hold();
  }

  /** Say why nothing happened when something was clicked. @param {string} title what it is */
  explain(title) {
    const { state, shown, mine, sending } = this.table;
    if (sending || state.over || shown.preview || !(state.you.length || state.bench)) return;
    const { chosen } = this.touch.choice;
    const name = capital(state.turn === null ? "" : state.seat_names[state.turn]);
    if (!shown.live) this.refusal.textContent = "This is an earlier position; go back to the game to move.";
    else if (!mine) this.refusal.textContent = `It is ${name}'s turn, so nothing can be chosen yet.`;
    else if (chosen.length) this.refusal.textContent = `No move joins “${chosen.map((target) => target.title).join(", ")}” and “${title}”; what can be chosen is highlighted.`;
    else this.refusal.textContent = `“${title}” cannot be chosen now; what can be chosen is highlighted.`;
    this.#hold();
  }

  /** Keep the greatest height so far. */
  #hold() {
    const height = Math.min(this.node.offsetHeight, NARROW.matches ? TALLEST_HELD.narrow : TALLEST_HELD.wide);
    if (height <= this.held) return;
    this.held = height;
    this.node.style.minHeight = `${height}px`;
  }

  /** Show what the others did since this person's last turn; while one of them thinks, its progress. */
  #tellSince() {
    const { state, shown, mine, log } = this.table;
    const note = shown.live && !mine && state.thinking?.note;
    this.since.title = "";
    if (note) return this.since.replaceChildren(capital(note));
    const since = mine && state.since ? log.slice(state.since.ply).filter((entry) => !state.you.includes(entry.seat ?? -1)) : [];
    const told = since.map((entry) => this.#told(entry)).filter(Boolean);
    const lead = log.some(({ seat }) => state.you.includes(seat ?? -1)) ? "Since your turn: " : "So far: ";
    this.since.replaceChildren(...(told.length ? [make("strong", {}, lead), told.join(". "), "."] : []));
    this.since.title = told.join(".\n");
    return undefined;
  }

  /** @param {import("../messages.js").LogEntry} entry */
  #told({ seat, text, news }) {
    if (news?.length) return news.map(capital).join(". ");
    return text === null ? "" : `${seat === null ? "Chance" : capital(this.table.state.seat_names[seat])}: ${text}`;
  }

  #ask() {
    const { state, shown, mine } = this.table;
    const words = this.#words();
    if (this.asked.textContent !== words) this.asked.textContent = words;
    this.node.classList.toggle("yours", mine && !this.table.sending);
    this.form.hidden = !mine;
    this.texts.replaceChildren(...(mine ? shown.legal : []).map(({ text }) => make("option", { value: text })));
    this.#answer(state);
    this.caution.textContent = state.caution || "";
    this.#tellSince();
    this.show();
  }

  #words() {
    const { state, shown, mine } = this.table;
    if (shown.preview) return "What the computer expects";
    if (!shown.live) return `After ${shown.ply} of ${state.ply} moves`;
    if (state.over || shown.turn === null) return this.#ending(state);
    const name = capital(state.seat_names[shown.turn]);
    if (state.trouble) return `The agent of ${name} has failed${mine ? "; you can move for it" : ""}`;
    const asked = state.prompt || shown.scene.prompt || "";
    const named = asked.toLowerCase().startsWith(name.toLowerCase()) || (asked && state.you.length === 1 && !state.bench);
    if (mine) return named ? capital(asked) : `${name}: ${asked || "your move"}`;
    const { who, connected } = state.seats[shown.turn];
    if (state.read_only) return `Unfinished game, ${state.seat_names[shown.turn]} to move`;
    if (who === "open") return `Waiting for somebody to play ${name}`;
    if (who === "agent") return `${name} is thinking`;
    return connected === false ? `${name} is to move, and is away just now` : `${name} is to move`;
  }

  /** How the game ended: the words of the scene's title, which may tell why, else who has won. @param {StateMessage} state */
  #ending({ result, scene }) {
    const why = scene.title.split(": ").slice(1).join(": ");
    return `${capital(why || result || "the game is over")}.`;
  }

  /** @param {StateMessage} state */
  #answer(state) {
    const asks = state.undo_asked_by;
    const other = asks !== null && asks !== undefined && !state.you.includes(asks);
    const nodes = [];
    if (other && state.you.length) {
      nodes.push(make("span", {}, `${capital(state.seat_names[asks])} asks to take back a move.`),
        button("Allow", () => this.table.send({ type: "answer", yes: true })), button("Refuse", () => this.table.send({ type: "answer", yes: false })));
    } else if (asks !== null && asks !== undefined) nodes.push(make("span", { class: "faint" }, "The others are asked whether the move may be taken back."));
    const free = state.over ? [] : state.seats.flatMap(({ who }, seat) => (who === "open" ? [seat] : []));
    for (const seat of free) {
      const name = capital(state.seat_names[seat]);
      const invite = invitesOf(this.table.id)[seat];
      nodes.push(make("span", { class: "faint" }, `${name} is still free.`),
        invite ? button("Copy the link", () => copy(inviteAddress(this.table.id, invite), `The link for ${name}`), { class: "small main" }) : null);
    }
    this.answer.replaceChildren(...[...nodes, ...this.#replacements(state)].filter(Boolean));
  }

  /** What helps where the seat to move makes no move: its agent has failed, or its person is away. @param {StateMessage} state */
  #replacements(state) {
    const { turn, trouble } = state;
    if (turn === null || !takesPart(state)) return [];
    const { who, connected, you } = state.seats[turn];
    const away = who === "person" && !you && connected === false;
    return [
      trouble ? button("Try again", () => this.table.send({ type: "step" }), { class: "small main" }) : null,
      (trouble || away) && mayGive(state, turn) ? button("Give the seat to…", () => openGiveSeat(this.table, this.game, turn), { class: "small" }) : null,
    ];
  }

  #say(event) {
    event.preventDefault();
    const text = this.box.value.trim();
    if (!text) return;
    this.table.say(text);
    this.box.value = "";
  }
}
