/** The banner that says when the connection is lost, and that it came back. */

import { button, make } from "../page/element.js";

const BACK_MS = 2500;
const PATIENCE_MS = 700; // a short interruption is not worth a message

export class Banner {
  /** @param {import("./game_table.js").GameTable} table */
  constructor(table) {
    this.words = make("span", {});
    this.again = button("Try now", () => table.connection.again(), { class: "small" });
    this.node = make("div", { class: "banner", role: "status", hidden: true }, this.words, this.again);
    this.lost = 0;
    this.timer = 0;
    table.on("connection", ({ up }) => (up ? this.#back() : this.#away()));
    table.on("bye", ({ sentence }) => { clearTimeout(this.timer); this.#say(sentence, false); });
  }

  #away() {
    if (this.lost) return;
    this.lost = Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#say("The connection is lost; trying again. Nothing of the game is lost.", true), PATIENCE_MS);
  }

  #back() {
    clearTimeout(this.timer);
    if (this.lost && !this.node.hidden) {
      this.#say("Connected again.", false);
      this.timer = setTimeout(() => { this.node.hidden = true; }, BACK_MS);
    }
    this.lost = 0;
  }

  #say(sentence, retry) {
    this.words.textContent = sentence;
    this.again.hidden = !retry;
    this.node.hidden = false;
  }
}
