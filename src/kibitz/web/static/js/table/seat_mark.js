/** The mark of a seat: a shape and a letter, so that it does not depend on colour alone; and that of chance. */

import { shape } from "../page/element.js";

const HUES = ["#0072b2", "#c2590a", "#00785a", "#a3478a", "#6b6200", "#4a4a9c"];
const NAMED = { red: "#c23b3b", green: "#2f7d3f", blue: "#2f64b5", yellow: "#8a6d00", white: "#7a7366", black: "#3a3a3a", orange: "#b85c00", purple: "#7b4aa8", violet: "#7b4aa8", brown: "#7a4f2b", pink: "#b8447f" };
/** @type {[string, Object<string, string|number>][]} */
const FORMS = [
  ["circle", { cx: 10, cy: 10, r: 9.5 }],
  ["rect", { x: 1, y: 1, width: 18, height: 18, rx: 3 }],
  ["path", { d: "M10 -0.5 21 18.5H-1Z" }],
  ["path", { d: "M10 -2 22 10 10 22-2 10Z" }],
  ["path", { d: "M10 -1 21 7.5 17 20H3L-1 7.5Z" }],
  ["path", { d: "M5 0H15L21 10 15 20H5L-1 10Z" }],
];

/** Return the colour of a seat: that of its name, where the name is a colour. @param {string[]} names @param {number} seat */
export const seatColour = (names, seat) => NAMED[names[seat]?.toLowerCase()] || HUES[seat % HUES.length];

/** Return the letter of a seat: the first of its name, or its number where names begin alike. @param {string[]} names @param {number} seat */
export function seatLetter(names, seat) {
  const firsts = names.map((name) => name.charAt(0).toUpperCase());
  return new Set(firsts).size === names.length ? firsts[seat] : String(seat + 1);
}

/** Draw the mark of chance: a die. */
export const chanceMark = () => shape("svg", { viewBox: "-2 -2 24 24", class: "seat-mark chance", "aria-hidden": "true" },
  shape("rect", { x: 0, y: 0, width: 20, height: 20, rx: 4, fill: "none", stroke: "currentcolor", "stroke-width": 2 }),
  ...[[5, 5], [10, 10], [15, 15]].map(([cx, cy]) => shape("circle", { cx, cy, r: 2, fill: "currentcolor" })));

/** Draw the mark. @param {string[]} names @param {number} seat */
export function seatMark(names, seat) {
  const [tag, at] = FORMS[seat % FORMS.length];
  const low = seat % FORMS.length === 2 ? 16 : 14;
  return shape("svg", { viewBox: "-2 -2 24 24", class: "seat-mark", "aria-hidden": "true" },
    shape(tag, { ...at, fill: seatColour(names, seat) }),
    shape("text", { x: 10, y: low, "text-anchor": "middle", "font-size": 11.5, "font-weight": 700, fill: "#fff" }, seatLetter(names, seat)));
}
