/** A rating with its interval, drawn on a scale that all rows share. */

import { shape } from "../page/element.js";

const WIDTH = 200;
const HEIGHT = 24;
const EDGE = 8;

/**
 * Return the least and greatest rating of all intervals.
 * @param {{rating: number|null, low: number|null, high: number|null}[]} rows
 * @returns {[number, number]}
 */
export function scaleOf(rows) {
  const known = rows.flatMap(({ rating, low, high }) => [rating, low, high]).filter((value) => value !== null);
  const least = Math.min(...known);
  const most = Math.max(...known);
  return most > least ? [least, most] : [least - 1, most + 1];
}

/** Draw a rating. @param {{rating: number, low: number|null, high: number|null}} row @param {[number, number]} scale */
export function ratingBar({ rating, low, high }, [least, most]) {
  const x = (value) => EDGE + ((WIDTH - 2 * EDGE) * (value - least)) / (most - least);
  const y = HEIGHT / 2;
  const known = low !== null && high !== null;
  const words = `rating ${Math.round(rating)}${known ? `, between ${Math.round(low)} and ${Math.round(high)}` : ""}`;
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words }, shape("title", {}, words),
    shape("line", { x1: EDGE, x2: WIDTH - EDGE, y1: y, y2: y, class: "track" }));
  if (known) svg.append(shape("line", { x1: x(low), x2: x(high), y1: y, y2: y, class: "interval" }));
  svg.append(shape("circle", { cx: x(rating), cy: y, r: 5, class: "middle" }));
  return svg;
}
