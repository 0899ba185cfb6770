/** Marks of the analysis on a drawing: how much of the thinking went to each target, and which move is pointed at. */

import { shape as element } from "../page/element.js";

const LEAST_SHARE = 0.01;
const RADIUS_PX = 11;

/**
 * Draw a share at the corner of every target that carries moves with visits.
 * @param {import("./drawing.js").Drawing[]} drawings
 * @param {Map<number, number>} shares by move, 0 to 1
 */
export function markShares(drawings, shares) {
  for (const { svg, targets } of drawings) {
    svg.querySelector(":scope > .shares")?.remove();
    const layer = element("g", { class: "shares", "aria-hidden": "true" });
    for (const { node, moves } of targets) {
      const share = [...moves].reduce((sum, move) => sum + (shares.get(move) || 0), 0);
      if (share >= LEAST_SHARE) layer.append(badge(svg, node, Math.min(share, 1)));
    }
    if (layer.childNodes.length) svg.append(layer);
  }
}

/** A pie with the share in per cent, in units of the drawing but the same size on any screen. */
function badge(svg, node, share) {
  const frame = svg.getBoundingClientRect();
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const scale = Math.min(frame.width / width, frame.height / height) || 1;
  const box = node.getBoundingClientRect();
  const r = RADIUS_PX / scale;
  const left = frame.left + (frame.width - width * scale) / 2;
  const top = frame.top + (frame.height - height * scale) / 2;
  const x = Math.min(width - r, Math.max(r, (box.right - left) / scale - r * 0.6));
  const y = Math.min(height - r, Math.max(r, (box.top - top) / scale + r * 0.6));
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
