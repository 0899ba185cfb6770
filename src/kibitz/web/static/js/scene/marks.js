/** Marks of the analysis on a drawing: how much of the thinking went to each target, and which move is pointed at. */

import { shape as element } from "../page/element.js";
import { middle } from "./compass.js";

const LEAST_SHARE = 0.01;
const RADIUS_PX = 10;
const RIM = 0.27; // inset, as a fraction of the size of a round target
const LARGE = 8; // radii: a target of this size or more has room for its badge inside

/** How many targets cover the centre of a target: a thing on its cell has two, an empty cell one. */
function crowd(target, boxes) {
  const { x, y } = middle(target.node);
  return boxes.filter((box) => box.left < x && x < box.right && box.top < y && y < box.bottom).length;
}

/**
 * Draw shares on the targets: each move counts for the emptiest place it touches, and there for the target that
 * carries the fewest other moves, which is where it leads rather than where it begins.
 * @param {import("./drawing.js").Drawing[]} drawings
 * @param {Map<number, number>} shares by move, 0 to 1
 */
export function markShares(drawings, shares) {
  const targets = drawings.flatMap(({ svg, targets: own }) => own.map((target) => ({ svg, rank: 0, ...target })));
  const boxes = targets.map(({ node }) => node.getBoundingClientRect());
  for (const target of targets) target.rank = shares.size ? 1000 * crowd(target, boxes) + target.moves.size : 0;
  const sums = new Map();
  for (const [move, share] of shares) {
    const carriers = targets.filter((target) => target.moves.has(move));
    const best = carriers.reduce((least, target) => (!least || target.rank <= least.rank ? target : least), carriers[0]);
    if (best) sums.set(best, (sums.get(best) || 0) + share);
  }
  for (const { svg } of drawings) svg.querySelector(":scope > .shares")?.remove();
  for (const [{ svg, node }, share] of sums) {
    if (share < LEAST_SHARE) continue;
    const layer = svg.querySelector(":scope > .shares") || svg.appendChild(element("g", { class: "shares", "aria-hidden": "true" }));
    layer.append(badge(svg, node, Math.min(share, 1)));
  }
}

/** Where a badge hides least of a target: within a large one, at the rim of a round one, at the corner of others. */
function corner(node) {
  const { right, top, bottom, width, height } = node.getBoundingClientRect();
  if (!node.querySelector(":scope > rect.outline")) return { x: right - RIM * width, y: top + RIM * height };
  const roomy = width > LARGE * RADIUS_PX && height > LARGE * RADIUS_PX;
  return roomy ? { x: right - 1.4 * RADIUS_PX, y: bottom - 1.4 * RADIUS_PX } : { x: right - 0.3 * RADIUS_PX, y: top + 0.3 * RADIUS_PX };
}

/** A pie with the share in per cent at a corner, in units of the drawing but the same size on any screen. */
function badge(svg, node, share) {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const { a: scale, e: left, f: top } = svg.getScreenCTM();
  const r = RADIUS_PX / scale;
  const place = corner(node);
  const x = Math.min(width - r, Math.max(r, (place.x - left) / scale));
  const y = Math.min(height - r, Math.max(r, (place.y - top) / scale));
  const group = element("g", { transform: `translate(${x} ${y})` }, element("circle", { r, class: "share-back", "stroke-width": 1.5 / scale }));
  const ring = r * 0.82;
  const around = 2 * Math.PI * ring;
  group.append(element("circle", { r: ring, class: "share-pie", "stroke-width": 3 / scale, "stroke-dasharray": `${share * around} ${around}`, transform: "rotate(-90)" }));
  group.append(element("text", { class: "share-text", "font-size": r * 0.86, y: r * 0.32 }, String(Math.round(share * 100))));
  return group;
}

/**
 * Mark the targets that carry a move, or none.
 * @param {import("./drawing.js").Drawing[]} drawings
 * @param {number|null} move
 */
export function markMove(drawings, move) {
  for (const { targets } of drawings) {
    for (const { node, moves } of targets) node.classList.toggle("pointed", move !== null && moves.has(move));
  }
}
