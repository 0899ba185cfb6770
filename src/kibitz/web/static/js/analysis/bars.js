/** Bars: what a position is worth to each seat. */

import { capital, make } from "../page/element.js";
import { seatColour, seatMark } from "../table/seat_mark.js";
import { range, valueText } from "./value_text.js";

/**
 * Make a bar for each seat.
 * @param {string[]} names
 * @param {number[]} values
 */
export function bars(names, values) {
  const [least, most] = range([values]);
  return make("ul", { class: "bars", "aria-label": "Worth to each seat" }, ...values.map((value, seat) => {
    const fill = make("span", { class: "fill" });
    fill.style.width = `${(100 * (value - least)) / (most - least)}%`;
    fill.style.background = seatColour(names, seat);
    return make("li", {}, seatMark(names, seat), make("span", { class: "name" }, capital(names[seat])), make("span", { class: "bar", "aria-hidden": "true" }, fill), make("span", { class: "value" }, valueText(value)));
  }));
}
