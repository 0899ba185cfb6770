/** The curtain of a hot seat: the next hand is asked for only when its owner says so. */

import { button, capital, make } from "../page/element.js";
import { seatMark } from "./seat_mark.js";

export class Curtain {
  /** @param {import("./game_table.js").GameTable} table */
  constructor(table) {
    this.table = table;
    this.node = make("dialog", { class: "curtain", "aria-label": "Hand over" });
    this.node.addEventListener("cancel", (event) => event.preventDefault());
    table.on("state", () => this.#show());
  }

  #show() {
    const { state } = this.table;
    const seat = state.hand_over ?? null;
    if (seat === null) {
      if (this.node.open) this.node.close();
      return;
    }
    const name = capital(state.seat_names[seat]);
    this.node.replaceChildren(make("div", {}, seatMark(state.seat_names, seat)), make("h2", {}, `Hand over to ${name}`),
      make("p", { class: "faint" }, "The hand is shown when its owner is ready."),
      button(`I am ${name}: show my cards`, () => this.table.send({ type: "ready", seat }), { class: "main", autofocus: true }));
    if (!this.node.open) this.node.showModal();
  }
}
