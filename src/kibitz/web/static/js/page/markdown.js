/** The Markdown of the games' rules as elements: headings, paragraphs, lists, tables, code, pictures; text nodes only. */

import { make } from "./element.js";

const INLINE = /(`[^`]+`)|(\*\*[^*]+\*\*)|(\*[^*\s][^*]*\*)|(!?\[[^\]]*\]\([^)]*\))/;

/** Return inline text as nodes. @param {string} text @returns {Node[]} */
function inline(text) {
  const nodes = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    nodes.push(document.createTextNode(rest.slice(0, found.index)));
    const piece = found[0];
    if (found[1]) nodes.push(make("code", {}, piece.slice(1, -1)));
    else if (found[2]) nodes.push(make("strong", {}, ...inline(piece.slice(2, -2))));
    else if (found[3]) nodes.push(make("em", {}, ...inline(piece.slice(1, -1))));
    else nodes.push(...link(piece));
    rest = rest.slice(found.index + piece.length);
  }
  nodes.push(document.createTextNode(rest));
  return nodes;
}

/** Return a link; only addresses on the web lead anywhere, as files of the source are not served. @param {string} piece */
function link(piece) {
  const [, words, address] = /** @type {RegExpExecArray} */ (/\[([^\]]*)\]\(([^)]*)\)/.exec(piece));
  if (/^https?:\/\//.test(address)) return [make("a", { href: address, rel: "noreferrer", target: "_blank" }, ...inline(words))];
  return inline(words);
}

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim());

function tableOf(lines) {
  const [head, , ...rows] = lines.map(cells);
  return make("div", { class: "wide", tabIndex: 0, role: "group", "aria-label": "Table" }, make("table", {},
    head.some(Boolean) ? make("thead", {}, make("tr", {}, ...head.map((cell) => make(cell ? "th" : "td", {}, ...inline(cell))))) : null,
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, ...inline(cell))))))));
}

const ITEM = /^(\s*)([-*]|\d+\.)\s+(.*)/;

/** Return lines as a list; what is indented further is a list inside the item before it. @param {string[]} lines */
function listOf(lines) {
  const [, indent, mark] = /** @type {RegExpExecArray} */ (ITEM.exec(lines[0]));
  /** @type {{words: string, inner: string[]}[]} */
  const items = [];
  for (const line of lines) {
    const start = ITEM.exec(line);
    if (start && start[1].length <= indent.length) items.push({ words: start[3], inner: [] });
    else if (start || items[items.length - 1].inner.length) items[items.length - 1].inner.push(line);
    else items[items.length - 1].words += ` ${line.trim()}`;
  }
  return make(/\d/.test(mark) ? "ol" : "ul", {}, ...items.map(({ words, inner }) => make("li", {}, ...inline(words), inner.length ? listOf(inner) : null)));
}

/** Return one block of lines as an element. @param {string[]} lines @param {(words: string) => Node} picture */
function block(lines, picture) {
  const first = lines[0];
  const heading = /^(#{1,4})\s+(.*)/.exec(first);
  if (heading) return make(`h${Math.min(heading[1].length + 1, 5)}`, {}, ...inline(heading[2]));
  if (first.startsWith("```")) return make("pre", {}, make("code", {}, lines.slice(1).filter((line) => !line.startsWith("```")).join("\n")));
  const drawn = /^!\[([^\]]*)\]/.exec(first);
  if (drawn) return picture(drawn[1]);
  if (first.startsWith("|")) return tableOf(lines);
  if (ITEM.test(first)) return listOf(lines);
  return make("p", {}, ...inline(lines.join(" ")));
}

/** Split text into blocks of lines: at empty lines, around headings, and where a list or table begins. */
function* blocks(text) {
  let lines = [];
  let fenced = false;
  const kind = (line) => (ITEM.test(line) ? "list" : line.startsWith("|") ? "table" : "text");
  for (const line of text.split(/\r?\n/)) {
    const fence = line.startsWith("```");
    const apart = !fenced && (!line.trim() || line.startsWith("#") || fence || lines[0]?.startsWith("#")
      || (lines.length && kind(line) !== "text" && kind(line) !== kind(lines[0])));
    if (apart && lines.length) { yield lines; lines = []; }
    if (fenced || line.trim()) lines.push(line);
    if (fence) fenced = !fenced;
  }
  if (lines.length) yield lines;
}

/**
 * Return Markdown as elements: what comes before the second heading open, later sections folded.
 * @param {string} text
 * @param {(words: string) => Node} picture draws what stands in for a picture
 * @returns {Node[]}
 */
export function fromMarkdown(text, picture) {
  const nodes = [];
  let into = null;
  for (const lines of blocks(text)) {
    const node = block(lines, picture);
    if (/^# /.test(lines[0])) continue;
    if (/^## /.test(lines[0])) {
      into = make("details", {}, make("summary", {}, ...node.childNodes));
      nodes.push(into);
    } else if (into) into.append(node);
    else nodes.push(node);
  }
  return nodes;
}
