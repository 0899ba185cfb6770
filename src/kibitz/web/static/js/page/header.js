/** The header of every page: the name, the current location, and the switches. */

import { make } from "./element.js";
import { themeSwitch } from "./theme.js";

/**
 * Fill the page's header.
 * @param {Node[]} middle what stands beside the name
 * @param {Node[]} tools buttons before the theme switch
 */
export function fillHeader(middle = [], tools = []) {
  document.querySelector("header")?.replaceChildren(
    make("a", { href: "/", class: "brand" }, make("img", { src: "/static/favicon.svg", alt: "", width: 24, height: 24 }), "Kibitz"),
    make("div", { class: "where" }, ...middle),
    make("nav", { class: "tools", "aria-label": "Page" }, ...tools, themeSwitch()),
  );
}
