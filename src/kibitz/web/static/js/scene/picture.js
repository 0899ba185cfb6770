/** A scene as a static picture: for cards, rules, and files to download. */

import { shape as element } from "../page/element.js";
import { drawPanel } from "./drawing.js";

const GAP = 16;
const HEADING = 24;
const THEME = ["ink", "faint", "paper", "card", "line"];

/** Return the board of a scene as a picture. @param {import("./drawing.js").Scene} scene @returns {SVGSVGElement} */
export function pictureOf(scene) {
  return untouchable(drawPanel(scene.panels[0]).svg, scene.title);
}

/** Return a whole scene as a picture: the board, and the other panels beside it. @param {import("./drawing.js").Scene} scene @returns {SVGSVGElement} */
export function wholePictureOf(scene) {
  return untouchable(arranged(scene).svg, scene.title);
}

function untouchable(svg, words) {
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", words);
  svg.querySelectorAll("title").forEach((node) => node.remove());
  return svg;
}

/** Place one panel in a larger picture. */
function placed(panel, x, y) {
  const { svg } = drawPanel(panel);
  const head = panel.title ? HEADING : 0;
  const group = element("g", { transform: `translate(${x} ${y + head})` }, ...svg.childNodes);
  if (panel.title) group.prepend(element("text", { y: -8, "font-size": 14, fill: "var(--ink)" }, panel.title));
  return { group, height: panel.height + head };
}

/** Put the panels of a scene together: the board, and the others in a column beside it. */
function arranged(scene) {
  const [board, ...others] = scene.panels;
  const main = placed(board, GAP, GAP);
  const groups = [main.group];
  let y = GAP;
  for (const panel of others) {
    const { group, height } = placed(panel, board.width + 2 * GAP, y);
    groups.push(group);
    y += height + GAP;
  }
  const column = Math.max(0, ...others.map((panel) => panel.width));
  const width = board.width + 2 * GAP + (others.length ? column + GAP : 0);
  const height = Math.max(main.height + 2 * GAP, y);
  return { svg: element("svg", { viewBox: `0 0 ${width} ${height}` }, ...groups), width, height };
}

/**
 * Return a scene as the text of an SVG file, in the theme of the page.
 * @param {import("./drawing.js").Scene} scene
 * @returns {{text: string, width: number, height: number}}
 */
export function fileOf(scene) {
  const { svg, width, height } = arranged(scene);
  for (const [name, value] of Object.entries({ width, height, "font-family": "sans-serif", role: "img" })) svg.setAttribute(name, value);
  svg.prepend(element("title", {}, scene.title), element("rect", { width, height, fill: "var(--paper)" }));
  const style = getComputedStyle(document.documentElement);
  const colours = Object.fromEntries(THEME.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  svg.querySelectorAll("[class]").forEach((node) => node.removeAttribute("class"));
  const text = new XMLSerializer().serializeToString(svg).replace(/var\(--(\w+)\)/g, (all, name) => colours[name] ?? all);
  return { text, width, height };
}

/** Return a scene as a PNG of twice its size. @param {import("./drawing.js").Scene} scene @returns {Promise<Blob>} */
export async function pngOf(scene) {
  const { text, width, height } = fileOf(scene);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob((made) => done(/** @type {Blob} */ (made)), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
