/**
 * A form field for one option of a game or an agent.
 * @typedef {{name: string, default: any, choices?: string[], least?: number|null, most?: number|null, help?: string, kind?: string}} Option
 */

import { make } from "../page/element.js";

let made = 0;

const asText = (value) => (value === null || value === undefined ? "" : String(value));

function control(option, id, start) {
  const props = { id, name: option.name };
  const truth = option.kind === "bool" || typeof option.default === "boolean";
  if (truth) return make("input", { ...props, type: "checkbox", checked: String(start) === "true" });
  if (option.choices?.length) {
    return make("select", props, ...option.choices.map((word) => make("option", { value: word, selected: word === asText(start) }, word)));
  }
  const number = ["int", "float"].includes(option.kind) || typeof option.default === "number";
  if (!number) return make("input", { ...props, type: "text", value: asText(start), placeholder: "as the game likes it", autocomplete: "off" });
  const whole = option.kind ? option.kind === "int" : Number.isInteger(option.default);
  return make("input", { ...props, type: "number", value: asText(start), step: whole ? "1" : "any",
    min: asText(option.least), max: asText(option.most), placeholder: "free" });
}

/**
 * Make a field.
 * @param {Option} option
 * @param {{value?: any, onchange?: () => void, label?: string}} [how]
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
