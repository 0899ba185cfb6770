/**
 * A form field for one option of a game or an agent.
 * @typedef {import("../messages.js").OptionEntry} Option
 */

import { make } from "../page/element.js";

let made = 0;

const UNSET = "…"; // the default depends on the game
const asText = (value) => (value === null || value === undefined || value === UNSET ? "" : String(value));

function control(option, id, start) {
  const props = { id, name: option.name };
  if (option.sort === "bool") return make("input", { ...props, type: "checkbox", checked: start === "true" });
  if (option.choices?.length) {
    return make("select", props, ...option.choices.map((word) => make("option", { value: word, selected: word === asText(start) }, word)));
  }
  const asked = { ...props, value: asText(start), placeholder: option.takes || "" };
  if (option.sort !== "int" && option.sort !== "float") return make("input", { ...asked, type: "text", autocomplete: "off", spellcheck: false });
  return make("input", { ...asked, type: "number", step: option.sort === "int" ? "1" : "any", min: asText(option.least), max: asText(option.most) });
}

/**
 * Make a field.
 * @param {Option} option
 * @param {{value?: string, onchange?: () => void, label?: string}} [how]
 * @returns {{node: HTMLElement, name: string, text: () => string|null}} `text` is null where it is the default
 */
export function optionField(option, { value = option.default, onchange = () => {}, label = option.name.replaceAll("_", " ") } = {}) {
  made += 1;
  const id = `option-${made}`;
  const input = control(option, id, value);
  const help = option.help ? make("small", { id: `${id}-help` }, option.help) : null;
  if (help) input.setAttribute("aria-describedby", help.id);
  input.addEventListener("input", onchange);
  const text = () => {
    const now = input.type === "checkbox" ? String(input.checked) : input.value.trim();
    return now === asText(option.default) || now === "" ? null : now;
  };
  return { node: make("div", { class: `field ${input.type}` }, make("label", { htmlFor: id }, label), input, help), name: option.name, text };
}

/** Write a name with the options that are not the default: "maxn(depth=3)". @param {string} name @param {{name: string, text: () => string|null}[]} fields */
export function written(name, fields) {
  const given = fields.map((field) => [field.name, field.text()]).filter(([, text]) => text !== null);
  return given.length ? `${name}(${given.map(([key, text]) => `${key}=${text}`).join(", ")})` : name;
}
