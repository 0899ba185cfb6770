/** The prompt: what is asked, the choice so far, moves without a shape, the move box, and why a try was refused. */

import { button, capital, make } from "../page/element.js";
import { icon } from "../page/icon.js";

const MOST_BUTTONS = 24;
const ELSEWHERE = new Set(["analyse", "tree", "preview"]); // refusals that the analysis shows

export class Prompt {
  /**
   * @param {import("./game_table.js").GameTable} table
   * @param {import("../scene/touch.js").Touch} touch
   * @param {HTMLElement} acts what can be done to the game as a whole
   */
  constructor(table, touch, acts) {
    this.table = table;
    this.touch = touch;
    this.asked = make("p", { class: "asked", "aria-live": "polite" });
    this.refusal = make("p", { class: "refusal", role: "alert" });
    this.crumbs = make("p", { class: "crumbs" });
    this.bare = make("div", { class: "bare" });
    this.answer = make("div", { class: "answer" });
    this.texts = make("datalist", { id: "move-texts" });
    this.box = make("input", { type: "text", id: "move-box", class: "mono", placeholder: "type a move ( / )", "aria-label": "Type a move in the game's notation",
      autocomplete: "off", autocapitalize: "off", spellcheck: false });
    this.box.setAttribute("list", "move-texts");
    this.form = make("form", { class: "move-form", onsubmit: (event) => this.#say(event) }, this.box, this.texts);
    this.node = make("section", { class: "prompt", "aria-label": "What to do" }, this.asked, this.refusal, this.crumbs, this.bare, this.answer, make("div", { class: "prompt-foot" }, this.form, acts));
    table.on("shown", () => this.#ask());
    table.on("state", () => { this.refusal.textContent = table.state.trouble || ""; });
    table.on("refusal", ({ about, sentence }) => {
      if (!ELSEWHERE.has(about)) this.refusal.textContent = capital(sentence);
      this.show();
    });
  }

  /** Show the choice as it stands now. */
  show() {
    const { choice } = this.touch;
    const texts = new Map(this.table.shown.legal.map(({ move, text }) => [move, text]));
    const chosen = choice.chosen.map((target) => target.title).filter(Boolean);
    this.crumbs.replaceChildren(...(chosen.length ? [make("span", {}, chosen.join(" › ")), button(icon("close"), () => this.touch.back(), { class: "quiet small icon", "aria-label": "Take back this choice (Escape)" })] : []));
    const moves = this.table.sending ? [] : choice.bare.slice(0, MOST_BUTTONS);
    this.bare.replaceChildren(...moves.map((move) => button(texts.get(move) ?? String(move), () => this.table.play(move), { "data-move": move })));
  }

  #ask() {
    const { state, shown, mine } = this.table;
    const words = this.#words();
    if (this.asked.textContent !== words) this.asked.textContent = words;
    this.node.classList.toggle("yours", mine && !this.table.sending);
    this.form.hidden = !mine;
    this.texts.replaceChildren(...(mine ? shown.legal : []).map(({ text }) => make("option", { value: text })));
    this.#answer(state);
    this.show();
  }

  #words() {
    const { state, shown, mine } = this.table;
    if (shown.preview) return "What the computer expects";
    if (!shown.live) return `After ${shown.ply} of ${state.ply} moves`;
    if (state.over) return state.result ? `${capital(state.result)}.` : "The game is over.";
    const name = capital(state.seat_names[shown.turn] ?? "");
    const asked = state.prompt || shown.scene.prompt || "";
    const named = asked.toLowerCase().startsWith(name.toLowerCase()) || (asked && state.you.length === 1 && !state.bench);
    if (mine) return named ? capital(asked) : `${name}: ${asked || "your move"}`;
    return state.seats[shown.turn]?.who === "agent" ? `${name} is thinking` : `${name} is to move`;
  }

  #answer(state) {
    const asks = state.undo_asked_by;
    const other = asks !== null && asks !== undefined && !state.you.includes(asks);
    const nodes = [];
    if (other && state.you.length) {
      nodes.push(make("span", {}, `${capital(state.seat_names[asks])} asks to take back a move.`),
        button("Allow", () => this.table.send({ type: "answer", yes: true })), button("Refuse", () => this.table.send({ type: "answer", yes: false })));
    } else if (asks !== null && asks !== undefined) nodes.push(make("span", { class: "faint" }, "The others are asked whether the move may be taken back."));
    this.answer.replaceChildren(...nodes);
  }

  #say(event) {
    event.preventDefault();
    const text = this.box.value.trim();
    if (!text) return;
    this.table.say(text);
    this.box.value = "";
  }
}
