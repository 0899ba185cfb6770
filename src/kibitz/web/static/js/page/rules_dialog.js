/** The rules of a game in a dialog, with the game's picture. */

import * as api from "./api.js";
import { openDialog } from "./dialog.js";
import { capital, make } from "./element.js";
import { fromMarkdown } from "./markdown.js";
import { told } from "./notice.js";
import { wholePictureOf } from "../scene/picture.js";

/**
 * Open the rules of a game.
 * @param {string} name
 */
export function openRules(name) {
  return told(async () => {
    const [{ markdown }, games] = await Promise.all([api.rules(name), api.games()]);
    const game = games.find((one) => one.name === name);
    const picture = (words) => (game?.example ? make("figure", {}, wholePictureOf(game.example), make("figcaption", {}, words)) : make("p", {}, words));
    const first = markdown.includes("![") || !game?.example ? [] : [picture(`A position of ${title(name)}`)];
    openDialog(`Rules of ${title(name)}`, [...first, ...fromMarkdown(markdown, picture)], [], "rules");
  });
}

/** Return a game's name as a heading. @param {string} name */
export const title = (name) => capital((name.split("/").pop() ?? "").replace(/\.py$/, "").replaceAll("_", " "));
