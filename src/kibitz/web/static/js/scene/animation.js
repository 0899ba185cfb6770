/** Flights: a keyed thing that stands elsewhere in the next scene moves there, also from one panel to another. */

import { distance, middle } from "./compass.js";

const FLIGHT_MS = 320;
const STILL = 1.5; // pixels that count as not moved
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Note where every keyed thing stands.
 * @param {import("./drawing.js").Drawing[]} drawings
 */
export function whereabouts(drawings) {
  const places = new Map();
  for (const { svg, keyed } of drawings) {
    const frame = svg.getBoundingClientRect();
    for (const { node, key } of keyed) {
      const place = middle(node);
      const list = places.get(key) || places.set(key, []).get(key);
      list.push({ ...place, size: node.getBoundingClientRect().width, panel: svg.dataset.name, inX: place.x - frame.left, inY: place.y - frame.top });
    }
  }
  return places;
}

/**
 * Match the things of a new scene with where they stood, and return those that moved or are new.
 * A thing that kept its place within its panel has not moved, wherever the panel went.
 */
function moved(drawings, before) {
  const left = new Map([...before].map(([key, places]) => [key, [...places]]));
  const waiting = [];
  for (const { svg, keyed } of drawings) {
    const frame = svg.getBoundingClientRect();
    for (const { node, key } of keyed) {
      const place = middle(node);
      const places = left.get(key) || [];
      const same = places.findIndex((old) => old.panel === svg.dataset.name
        && Math.hypot(old.inX - (place.x - frame.left), old.inY - (place.y - frame.top)) < STILL);
      if (same >= 0) places.splice(same, 1);
      else waiting.push({ node, key, svg, place });
    }
  }
  return waiting.map((thing) => {
    const places = left.get(thing.key) || [];
    places.sort((a, b) => distance(a, thing.place) - distance(b, thing.place));
    return { ...thing, from: places.shift() || null };
  });
}

const PLACED = /^translate\(([-\d.]+) ([-\d.]+)\)$/;

/** Fly one thing from where it stood, starting at the size it had there. */
function fly({ node, svg, place, from }) {
  const frame = svg.getBoundingClientRect();
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const scale = Math.min(frame.width / width, frame.height / height) || 1;
  const at = PLACED.exec(node.getAttribute("transform") || "");
  const grown = at && from.size ? from.size / node.getBoundingClientRect().width : 1;
  // the browser also scales the distance of the thing from the corner, so the path makes up for that
  const way = (axis, now) => (from[axis] - now) / scale + (at ? (1 - grown) * Number(at[axis === "x" ? 1 : 2]) : 0);
  const first = { translate: `${way("x", place.x)}px ${way("y", place.y)}px`, scale: grown, transformBox: "fill-box", transformOrigin: "center" };
  const last = { ...first, translate: "0px 0px", scale: 1 };
  svg.classList.add("flying");
  const flight = node.animate([first, last], { duration: FLIGHT_MS, easing: "cubic-bezier(.3,.1,.2,1)" });
  flight.finished.catch(() => {}).then(() => svg.classList.remove("flying"));
}

/**
 * Let things fly from where they stood; return the elements that moved or appeared.
 * @param {import("./drawing.js").Drawing[]} drawings
 * @param {Map<string, any[]>} before as noted by whereabouts
 * @param {boolean} animate
 * @returns {Set<Element>}
 */
export function flights(drawings, before, animate) {
  const things = moved(drawings, before);
  if (animate && !calm.matches) {
    for (const thing of things) {
      if (thing.from) fly(thing);
      else thing.node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FLIGHT_MS });
    }
  }
  return new Set(things.map((thing) => thing.node));
}
