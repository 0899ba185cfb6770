/**
 * Shapes of a scene as SVG elements.
 * @typedef {import("../messages.js").ShownShape} Shape
 * @typedef {import("../messages.js").ShownPanel} Panel
 * @typedef {import("../messages.js").ShownScene} Scene
 * @typedef {{node: SVGGraphicsElement, moves: Set<number>, title: string, key: string, place: number, spot: number}} Target place and spot are found by findSpots
 * @typedef {{svg: SVGSVGElement, panel: Panel, targets: Target[], keyed: {node: SVGGraphicsElement, key: string}[]}} Drawing
 */

import { shape as element } from "../page/element.js";

const TAGS = new Set(["rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "g"]);
const REFUSED = /^(on|style$|href$|xlink|class$|id$)/i;

/** Draw one shape and its parts, and note targets and keyed things. @param {Shape} shape @param {Drawing} drawing */
function draw(shape, drawing) {
  if (!TAGS.has(shape.tag)) throw new Error(`a scene holds no shape ${shape.tag}`);
  const at = Object.entries(shape.at || {}).filter(([name]) => !REFUSED.test(name));
  const node = element(shape.tag, Object.fromEntries(at));
  if (shape.title) node.append(element("title", {}, shape.title));
  if (shape.words) node.append(shape.words);
  for (const part of shape.parts || []) node.append(draw(part, drawing));
  if (shape.key || shape.moves?.length) (shape.tag === "g" ? node.querySelector(":scope > :not(title)") : node)?.classList.add("outline");
  if (shape.key) drawing.keyed.push({ node, key: shape.key });
  if (shape.moves?.length) {
    node.classList.add("target");
    drawing.targets.push(/** @type {Target} */ ({ node, moves: new Set(shape.moves), title: shape.title || shape.words || "", key: shape.key || "" }));
  }
  return node;
}

/** Draw a panel. @param {Panel} panel @returns {Drawing} */
export function drawPanel(panel) {
  const svg = element("svg", { viewBox: `0 0 ${panel.width} ${panel.height}` });
  const drawing = { svg, panel, targets: [], keyed: [] };
  svg.append(...panel.shapes.map((shape) => draw(shape, drawing)));
  return drawing;
}
