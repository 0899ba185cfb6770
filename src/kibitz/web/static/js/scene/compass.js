/** Places on the screen: which is the nearest in a direction. @typedef {{x: number, y: number}} Place */

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const SIDEWAYS = 2.2; // a step sideways counts as this many steps ahead
const LEAST = 2; // pixels ahead that count as ahead

/** Return the middle of an element. @param {Element} node @returns {Place} */
export function middle(node) {
  const box = node.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** Return the distance between two places. @param {Place} a @param {Place} b */
export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * Return the index of the place that lies nearest in the direction of an arrow key, or -1.
 * @param {Place} from
 * @param {Place[]} places
 * @param {string} arrow
 */
export function nearest(from, places, arrow) {
  const [dx, dy] = WAYS[arrow];
  let best = -1;
  let least = Infinity;
  places.forEach((place, i) => {
    const ahead = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    const far = ahead + SIDEWAYS * aside;
    if (ahead > LEAST && far < least) [best, least] = [i, far];
  });
  return best;
}

/** Return whether a key is an arrow. @param {string} key */
export const isArrow = (key) => key in WAYS;
