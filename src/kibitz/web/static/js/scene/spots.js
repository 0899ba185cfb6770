/** Spots: targets that mean the same thing, and those at which a move begins. */

import { distance, middle } from "./compass.js";

const ONE_PLACE = 0.25; // centres closer than this fraction of the shorter side count as one place

const alike = (one, other) => one.key && one.key === other.key && one.moves.size === other.moves.size && [...one.moves].every((move) => other.moves.has(move));

/**
 * Note for every target its place, which a thing shares with the cell it stands on, and its spot, which it shares also
 * with things alike that carry the same moves, such as two cards of one kind.
 * @param {import("./drawing.js").Target[]} targets
 */
export function findSpots(targets) {
  const places = [];
  targets.forEach((target, i) => {
    const box = target.node.getBoundingClientRect();
    const here = { ...middle(target.node), reach: ONE_PLACE * Math.min(box.width, box.height), spot: i };
    const same = places.findIndex((other) => distance(other, here) < Math.min(other.reach, here.reach));
    target.place = same >= 0 ? same : places.push(here) - 1;
    const twin = targets.slice(0, i).find((other) => alike(other, target));
    if (twin && same < 0) places[target.place].spot = twin.spot;
    target.spot = places[target.place].spot;
  });
}

/**
 * Return the spots at which a move begins: in each panel, of the targets that carry it, the one that is drawn last, for
 * a piece is drawn above the places that it may go to.
 * @param {import("./drawing.js").Drawing[]} drawings
 * @param {Set<number>} legal
 * @returns {Set<number>}
 */
export function beginnings(drawings, legal) {
  const spots = new Set();
  for (const { targets } of drawings) {
    const last = new Map();
    for (const target of targets) for (const move of target.moves) if (legal.has(move)) last.set(move, target.spot);
    for (const spot of last.values()) spots.add(spot);
  }
  return spots;
}
