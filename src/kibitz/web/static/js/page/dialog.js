/** A dialog with a heading, a close button and whatever it holds; it is removed when closed. */

import { button, make } from "./element.js";
import { icon } from "./icon.js";

/**
 * Open a dialog.
 * @param {string} title
 * @param {Node[]} inside
 * @param {Node[]} [actions] buttons at its foot
 * @param {string} [kind] a class
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, inside, actions = [], kind = "") {
  const heading = make("h2", { id: "dialog-title" }, title);
  const box = make("dialog", { class: kind, "aria-labelledby": "dialog-title" },
    make("div", { class: "dialog-head" }, heading, button(icon("close"), () => box.close(), { class: "quiet icon", "aria-label": "Close" })),
    make("div", { class: "dialog-body", tabIndex: 0, role: "group", "aria-label": title }, ...inside),
    actions.length ? make("div", { class: "dialog-foot" }, ...actions) : null);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}
