/** Elements made by DOM calls: untrusted text only ever becomes a text node. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. Keys of `props` that start with "on" are listeners, "class" and "data-*" and "aria-*" attributes,
 * others properties where the element has them.
 * @param {string} tag
 * @param {Object<string, any>} [props]
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {any}
 */
export function make(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name in node && !name.includes("-")) node[name] = value;
    else node.setAttribute(name, String(value));
  }
  node.append(...children.flat().filter((child) => child || child === 0).map((c) => (c instanceof Node ? c : String(c))));
  return node;
}

/**
 * Make an SVG element with attributes.
 * @param {string} tag
 * @param {Object<string, string|number>} [at]
 * @param {...(Node|string)} children
 * @returns {any}
 */
export function shape(tag, at = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(at)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** Make a button. @param {string|Node} words @param {(event: Event) => void} act @param {Object<string, any>} [props] */
export function button(words, act, props = {}) {
  return make("button", { type: "button", onclick: act, ...props }, words);
}

/** Find the one element that bears an id. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Begin a sentence with a capital letter. @param {string} words */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** Count things in words: "1 move", "3 moves". @param {number} n @param {string} thing */
export const count = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;
