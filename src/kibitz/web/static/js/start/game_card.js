/** A game on the start page: its picture, a sentence, and the ways to start it. */

import { button, capital, make } from "../page/element.js";
import { told } from "../page/notice.js";
import { openRules, title } from "../page/rules_dialog.js";
import { pictureOf } from "../scene/picture.js";
import { startUsual } from "./new_table.js";
import { openSetup } from "./setup_dialog.js";

/** Make the card of a game. @param {import("../messages.js").GameEntry} game */
export function gameCard(game) {
  const name = title(game.name);
  const [least, most] = game.seats;
  const facts = [least === most ? `${least} seats` : `${least} to ${most} seats`, game.hidden ? "with secrets" : "all in the open"].join(" · ");
  return make("li", { class: "card" },
    make("div", { class: "card-picture" }, game.example ? pictureOf(game.example) : make("span", { class: "faint" }, "the picture is being made…")),
    make("div", { class: "card-words" }, make("h2", {}, name), make("p", {}, capital(game.sentence)), make("p", { class: "facts" }, facts)),
    make("div", { class: "card-acts" },
      button("Play", ({ currentTarget: pressed }) => told(() => startUsual(game, /** @type {HTMLButtonElement} */ (pressed))), { class: "main", "aria-label": `Play ${name} against the computer` }),
      button("Set up…", () => openSetup(game), { "aria-label": `Set up ${name}` }),
      button("Rules", () => openRules(game.name), { class: "quiet", "aria-label": `Rules of ${name}` })));
}
