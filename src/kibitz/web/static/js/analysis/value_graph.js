/** The graph of worth over the game: one line for each seat, named by letter; a click goes to the move. */

import { make, shape } from "../page/element.js";
import { seatColour, seatLetter } from "../table/seat_mark.js";
import { range, valueText } from "./value_text.js";

const WIDTH = 320;
const HEIGHT = 130;
const LEFT = 38;
const RIGHT = 18;
const TOP = 8;
const FOOT = 16;
const DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 2", "10 4"];
const APART = 11; // units between labels

/** Move labels apart, from the top down and then from the bottom up. */
function apart(labels) {
  labels.sort((a, b) => a.y - b.y);
  labels.forEach((label, i) => { if (i) label.y = Math.max(label.y, labels[i - 1].y + APART); });
  for (let i = labels.length - 1; i >= 0; i -= 1) labels[i].y = Math.min(labels[i].y, i === labels.length - 1 ? HEIGHT - FOOT : labels[i + 1].y - APART);
  return labels;
}

export class ValueGraph {
  /** @param {import("../table/game_table.js").GameTable} table */
  constructor(table) {
    this.table = table;
    this.node = make("figure", { class: "graph", hidden: true });
  }

  /**
   * Draw the graph.
   * @param {Map<number, number[]>} values by ply
   * @param {string} scale what the values are
   * @param {number[]} [turning] plies to be marked
   */
  show(values, scale, turning = []) {
    const plies = [...values.keys()].sort((a, b) => a - b);
    this.node.hidden = plies.length < 2;
    if (this.node.hidden) return;
    const { state, at } = this.table;
    const [least, most] = range([...values.values()]);
    const end = Math.max(state.ply, plies.at(-1) ?? 0, 1);
    const x = (ply) => LEFT + ((WIDTH - LEFT - RIGHT) * ply) / end;
    const y = (value) => TOP + (HEIGHT - TOP - FOOT) * (1 - (value - least) / (most - least));
    const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": this.#words(values, plies) });
    for (const value of [least, (least + most) / 2, most]) {
      svg.append(shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
        shape("text", { x: LEFT - 4, y: y(value) + 4, "text-anchor": "end", class: "tick" }, valueText(value)));
    }
    for (const ply of turning) svg.append(shape("path", { d: `M${x(ply)} ${HEIGHT - FOOT} l-4 6 h8z`, class: "turning" }));
    svg.append(shape("line", { x1: x(at), x2: x(at), y1: TOP, y2: HEIGHT - FOOT, class: "now" }));
    svg.append(...this.#lines(values, plies, x, y));
    svg.append(shape("text", { x: LEFT, y: HEIGHT - 3, class: "tick" }, "0"), shape("text", { x: WIDTH - RIGHT, y: HEIGHT - 3, "text-anchor": "end", class: "tick" }, `${end} moves`));
    svg.addEventListener("click", (event) => {
      const frame = svg.getBoundingClientRect();
      const ply = ((event.clientX - frame.left) / frame.width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT) * end;
      this.table.look(Math.round(ply));
    });
    this.node.replaceChildren(make("figcaption", {}, `Worth over the game (${scale === "payoff" && this.table.state.unit ? this.table.state.unit : scale})`), svg);
  }

  #lines(values, plies, x, y) {
    const names = this.table.state.seat_names;
    const ends = apart(names.map((_, seat) => ({ seat, y: y(values.get(plies.at(-1))[seat]) })));
    return ends.flatMap(({ seat, y: at }) => [
      shape("polyline", { points: plies.map((ply) => `${x(ply).toFixed(1)},${y(values.get(ply)[seat]).toFixed(1)}`).join(" "), class: "worth-line", stroke: seatColour(names, seat), "stroke-dasharray": DASHES[seat % DASHES.length] }),
      shape("text", { x: x(plies.at(-1)) + 4, y: at + 4, class: "worth-name", fill: seatColour(names, seat) }, seatLetter(names, seat)),
    ]);
  }

  #words(values, plies) {
    const last = values.get(plies.at(-1));
    return `Worth over the game. At move ${plies.at(-1)}: ${this.table.state.seat_names.map((name, seat) => `${name} ${valueText(last[seat])}`).join(", ")}`;
  }
}
