/**
 * Who sits in a seat: a person here or by link, a level, or any agent with its options in a form.
 * @typedef {import("../messages.js").AgentEntry} AgentEntry
 * @typedef {Pick<import("../messages.js").GameEntry, "levels" | "agents">} Players who can play a game, beside people
 */

import { capital, make } from "../page/element.js";
import { optionField, written } from "./option_field.js";

const LEVELS = ["beginner", "club", "strong"];
let made = 0;

/** The form of one agent: its name, its options, and the text they make, which may be edited too. @param {AgentEntry[]} agents @param {string} label @param {string} start */
function agentForm(agents, label, start) {
  /** @type {ReturnType<typeof optionField>[]} */
  let fields = [];
  const text = make("input", { type: "text", class: "mono", "aria-label": `${label}: the agent as text`, spellcheck: false, autocomplete: "off" });
  const about = make("small", {});
  const list = make("div", { class: "options" });
  const write = () => { text.value = written(pick.value, fields); };
  const pick = make("select", { "aria-label": `${label}: agent`, onchange: () => fill() }, ...agents.map((agent) => make("option", { value: agent.name }, agent.name)));
  const fill = () => {
    const agent = agents.find((one) => one.name === pick.value);
    about.textContent = agent?.help || "";
    fields = (agent?.options || []).map((option) => optionField(option, { onchange: write }));
    list.replaceChildren(...fields.map((field) => field.node));
    folded.hidden = !fields.length;
    write();
  };
  const folded = make("details", {}, make("summary", {}, "Options"), list);
  const named = start.split("(")[0];
  if (agents.some((agent) => agent.name === named)) pick.value = named;
  fill();
  if (start) text.value = start;
  return { node: make("div", { class: "agent-form" }, pick, about, folded, text), text: () => text.value.trim() };
}

/**
 * Make the field of a seat.
 * @param {Players} game
 * @param {string} name the seat's name
 * @param {{start?: string, people?: boolean, agent?: string}} [how] the first choice: "me", "invite", a level or "agent", and the text of that
 */
export function seatField(game, name, { start = "club", people = true, agent = "" } = {}) {
  made += 1;
  const id = `seat-${made}`;
  const levels = LEVELS.filter((level) => game.levels?.[level]);
  const choices = [
    ...(people ? [["me", "You, in this browser"], ["invite", "Another person, by a link"]] : []),
    ...levels.map((level) => [level, `${capital(level)} (computer)`]),
    ["agent", "Any agent…"],
  ];
  const pick = make("select", { id, onchange: () => show() }, ...choices.map(([value, words]) => make("option", { value }, words)));
  pick.value = choices.some(([value]) => value === start) ? start : "agent";
  const form = agentForm((game.agents || []).filter((one) => !one.refuses), name, agent);
  const stands = make("small", { class: "mono" });
  const show = () => {
    form.node.hidden = pick.value !== "agent";
    stands.textContent = game.levels?.[pick.value] || "";
  };
  show();
  const node = make("div", { class: "field seat-field" }, make("label", { htmlFor: id }, capital(name)), pick, stands, form.node);
  /** @returns {import("../messages.js").SeatChoice} */
  const value = () => {
    if (pick.value === "agent") return { kind: "agent", text: form.text() };
    return levels.includes(pick.value) ? { kind: "level", level: pick.value } : { kind: pick.value };
  };
  return { node, value, chosen: () => pick.value };
}
