/** A sentence that appears at the bottom of the page for a while. */

import { make } from "./element.js";

const SHOWN_MS = 5000;
let box;
let timer;

/** Show a sentence; it is read out by screen readers. @param {string} sentence */
export function notice(sentence) {
  if (!box) {
    box = make("div", { class: "notice", role: "status" });
    document.body.append(box);
  }
  box.textContent = sentence;
  box.classList.add("on");
  clearTimeout(timer);
  timer = setTimeout(() => box.classList.remove("on"), SHOWN_MS);
}

/** Run an action and show its error as a notice. @param {() => Promise<any>} act */
export async function told(act) {
  try {
    return await act();
  } catch (error) {
    notice(error.message);
    return undefined;
  }
}
