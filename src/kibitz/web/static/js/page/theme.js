/** The theme: the system's, or the one chosen with the switch, kept in this browser. */

import { button } from "./element.js";
import { icon } from "./icon.js";

const KEY = "kibitz.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

const current = () => document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");

/** Return the switch between light and dark. */
export function themeSwitch() {
  const node = button("", () => {
    const next = current() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem(KEY, next);
    show();
  }, { class: "quiet icon" });
  const show = () => {
    node.replaceChildren(icon(current() === "dark" ? "sun" : "moon"));
    node.setAttribute("aria-label", current() === "dark" ? "Light theme" : "Dark theme");
    node.title = node.getAttribute("aria-label");
  };
  dark.addEventListener("change", show);
  show();
  return node;
}
