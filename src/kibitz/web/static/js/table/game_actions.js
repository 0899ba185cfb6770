/** Actions on the game as a whole: take back, rematch. */

import { button, make } from "../page/element.js";
import { inherit } from "../page/tokens.js";

export class GameActions {
  /** @param {import("./game_table.js").GameTable} table */
  constructor(table) {
    this.table = table;
    this.undo = button("Take back", () => table.send({ type: "undo" }), { class: "small" });
    this.rematch = button("Rematch", () => { this.asked = true; table.send({ type: "rematch" }); }, { class: "small main" });
    this.onward = make("a", { class: "button small main" }, "To the rematch");
    this.node = make("div", { class: "acts" }, this.undo, this.rematch, this.onward);
    this.asked = false; // whether this browser asked for the rematch, and so goes there automatically
    table.on("state", () => this.#show());
  }

  #show() {
    const { state } = this.table;
    const playing = state.you.length > 0 || state.bench;
    const made = this.table.log.some(({ seat, auto }) => seat !== null && (state.bench || (!auto && state.you.includes(seat))));
    this.undo.hidden = !playing || !made || (state.undo_asked_by ?? null) !== null || state.read_only === true;
    this.rematch.hidden = !state.over || !state.you.length || Boolean(state.rematch);
    this.onward.hidden = !state.rematch;
    if (state.rematch) {
      inherit(this.table.id, state.rematch);
      this.onward.href = `/t/${state.rematch}`;
      if (this.asked) location.assign(this.onward.href);
    }
  }
}
