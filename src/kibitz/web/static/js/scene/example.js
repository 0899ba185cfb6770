/** The example position of a game as a picture: drawn from a scene it follows the theme; a finished picture is shown as it is. */

import { make } from "../page/element.js";
import { pictureOf } from "./picture.js";

/** Return whether the server has made the example of a game. @param {any} game as GET /api/games describes it */
export const hasExample = (game) => Boolean(game?.thumbnail);

/** Make the picture. @param {any} game @returns {Element} */
export function exampleOf(game) {
  if (game.thumbnail.panels) return pictureOf(game.thumbnail);
  return make("img", { src: `/api/games/${encodeURIComponent(game.name)}/thumbnail`, alt: `A position of ${game.name}` });
}
