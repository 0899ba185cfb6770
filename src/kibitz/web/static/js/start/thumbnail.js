/** The picture of a game: drawn from its scene, so that it follows the theme. */

import { make } from "../page/element.js";
import { pictureOf } from "../scene/picture.js";

/** Return whether the server has made the picture of a game. */
export const pictured = (game) => Boolean(game.thumbnail?.panels);

/** Make the picture of a game. @param {any} game as GET /api/games describes it */
export const thumbnail = (game) => make("div", { class: "card-picture" }, pictured(game) ? pictureOf(game.thumbnail) : make("span", { class: "faint" }, "the picture is being made…"));
