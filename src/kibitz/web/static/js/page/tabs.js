/** Tabs: one panel shown at a time; arrow keys go from tab to tab. */

import { make } from "./element.js";

/**
 * Make tabs.
 * @param {string} label
 * @param {{name: string, title: string, panel: HTMLElement}[]} pages
 * @param {(name: string) => void} [onshow]
 */
export function makeTabs(label, pages, onshow = () => {}) {
  const tabs = pages.map(({ name, title }) => make("button",
    { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => show(name) }, title));
  pages.forEach(({ name, panel }) => {
    panel.id = `panel-${name}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
  });
  const list = make("div", { role: "tablist", "aria-label": label, onkeydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const open = tabs.filter((tab) => !tab.hidden);
    const next = open[(open.indexOf(document.activeElement) + step + open.length) % open.length];
    show(next.id.slice("tab-".length));
    next.focus();
  } }, ...tabs);

  /** Show one page. @param {string} name */
  function show(name) {
    pages.forEach((page, i) => {
      const here = page.name === name;
      tabs[i].setAttribute("aria-selected", String(here));
      tabs[i].tabIndex = here ? 0 : -1;
      page.panel.hidden = !here;
    });
    onshow(name);
  }
  show(pages[0].name);
  const node = make("section", { class: "tabs", "aria-label": label }, list, ...pages.map((page) => page.panel));
  return { node, show, hide: (name, hidden) => { tabs[pages.findIndex((page) => page.name === name)].hidden = hidden; } };
}
