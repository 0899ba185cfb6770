/** The dialog that sets up a table: options of the game, who sits where, editor or not, a position by text. */

import { openDialog } from "../page/dialog.js";
import { button, make } from "../page/element.js";
import { title } from "../page/rules_dialog.js";
import { startTable, seatNames } from "./new_table.js";
import { optionField, written } from "./option_field.js";
import { seatField } from "./seat_field.js";

/** The fields of the seats; their number follows the option "seats". @param {import("../messages.js").GameEntry} game */
function seatFields(game) {
  const node = make("div", { class: "seat-fields" });
  let fields = [];
  const resize = (seats) => {
    const before = fields.map((field) => field.chosen());
    fields = seatNames(game, seats).map((name, i) => seatField(game, name, { start: before[i] || (i ? "club" : "me") }));
    node.replaceChildren(...fields.map((field) => field.node));
  };
  return { node, resize, value: () => fields.map((field) => field.value()) };
}

function checkbox(id, words, help) {
  const input = make("input", { type: "checkbox", id, "aria-describedby": `${id}-help` });
  return { input, node: make("div", { class: "field checkbox" }, make("label", { htmlFor: id }, words), input, make("small", { id: `${id}-help` }, help)) };
}

/** Open the dialog for a game. @param {import("../messages.js").GameEntry} game */
export function openSetup(game) {
  const seats = seatFields(game);
  const resize = () => seats.resize(Number(options.find((field) => field.name === "seats")?.text() ?? game.usual_seats));
  const many = game.options?.find((option) => option.name === "seats");
  const options = (game.options || []).map((option) => optionField(option, { onchange: option === many ? () => resize() : undefined }));
  resize();
  const editor = checkbox("editor", "Editor", "Move for any seat, see everything, take back, change seats at any time.");
  const position = make("textarea", { id: "position", rows: 3, class: "mono", spellcheck: false, placeholder: "Empty: the usual start" });
  const refusal = make("p", { class: "refusal", role: "alert" });
  const start = async () => {
    refusal.textContent = "";
    const text = position.value.trim();
    try {
      await startTable({ game: written(game.name, options), seats: seats.value(), bench: editor.input.checked, ...(text ? { position: text } : {}) }, submit);
    } catch (error) {
      refusal.textContent = error.message;
      refusal.scrollIntoView({ block: "nearest" });
    }
  };
  const others = options.filter((field) => field.name !== "seats");
  const form = make("form", { id: "setup", onsubmit: (event) => { event.preventDefault(); start(); } },
    make("fieldset", {}, make("legend", {}, "Seats"), options.find((field) => field.name === "seats")?.node, seats.node),
    others.length ? make("fieldset", {}, make("legend", {}, "Options of the game"), ...others.map((field) => field.node)) : null,
    make("fieldset", {}, make("legend", {}, "For study"), editor.node,
      game.positions === false ? null : make("details", {}, make("summary", {}, "Begin from a position"),
        make("label", { htmlFor: "position" }, "The position as text, in the notation of the rules"), position)),
    refusal);
  const submit = make("button", { type: "submit", class: "main", "aria-label": "Start the game" }, "Start");
  submit.setAttribute("form", "setup");
  openDialog(`Set up ${title(game.name)}`, [form], [submit], "setup");
}
