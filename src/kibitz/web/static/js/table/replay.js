/** The replay bar: slider, steps, jump and autoplay through the moves of the table. */

import { button, make } from "../page/element.js";
import { icon } from "../page/icon.js";
import { SCRUB } from "./scrub.js";

const PACES = { slow: 2000, usual: 1000, fast: 400 };

export class Replay {
  /** @param {import("./game_table.js").GameTable} table @param {() => void} branch plays on from what is shown */
  constructor(table, branch) {
    this.table = table;
    this.timer = 0;
    const step = (name, label, to) => button(icon(name), () => this.#go(to()), { class: "quiet icon", "aria-label": label, title: label });
    this.slider = make("input", { type: "range", min: "0", value: "0", "aria-label": "Position in the game", oninput: () => this.#go(Number(this.slider.value)) });
    this.auto = button(icon("play"), () => (this.timer ? this.#stop() : this.#start()), { class: "quiet icon", "aria-label": "Play the moves", title: "Play the moves" });
    this.pace = make("select", { class: "small", "aria-label": "Pace", title: "Pace" }, ...Object.keys(PACES).map((name) => make("option", { value: name, selected: name === "usual" }, name)));
    this.where = make("output", { class: "where-ply" });
    this.branch = button("Play on from here", branch, { class: "small" });
    this.back = button("Back to the game", () => this.#go(table.state.ply), { class: "small" });
    this.node = make("section", { class: "replay", "aria-label": "Replay", onkeydown: (event) => this.#key(event) },
      step("first", "To the start", () => 0), step("back", "One move back", () => table.at - 1), this.slider,
      step("forward", "One move forward", () => table.at + 1), step("last", "To the end", () => table.state.ply),
      this.auto, this.pace, this.where);
    table.on("shown", () => this.#show());
  }

  #go(ply) {
    this.#stop();
    this.table.look(ply);
  }

  /** Arrow keys step from any button here; the slider has its own. */
  #key(event) {
    const step = SCRUB[event.key];
    if (!step || event.target === this.slider || event.target === this.pace) return;
    event.preventDefault();
    this.#go(step(this.table.at));
  }

  #show() {
    const { state, at } = this.table;
    this.slider.max = String(state.ply);
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", `after ${at} of ${state.ply} moves`);
    this.where.textContent = `${at} / ${state.ply}`;
    const past = at < state.ply;
    const unfinished = state.read_only && !state.over;
    this.branch.hidden = !(past || unfinished) || (state.hidden && !state.over && !state.bench && !state.read_only);
    this.back.hidden = !past || state.over;
    this.node.classList.toggle("past", past);
  }

  #start() {
    if (this.table.at >= this.table.state.ply) this.table.look(0);
    this.auto.replaceChildren(icon("pause"));
    this.auto.setAttribute("aria-label", "Pause");
    const next = () => {
      if (this.table.wanted === null && this.table.at >= this.table.state.ply) return this.#stop();
      if (this.table.wanted === null) this.table.look(this.table.at + 1);
      this.timer = setTimeout(next, PACES[this.pace.value]);
      return undefined;
    };
    this.timer = setTimeout(next, PACES[this.pace.value] / 2);
    this.#show();
  }

  #stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.auto.replaceChildren(icon("play"));
    this.auto.setAttribute("aria-label", "Play the moves");
    this.#show();
  }
}
