/** The tab to share and keep: links, record, pictures. */

import * as api from "../page/api.js";
import { button, make } from "../page/element.js";
import { told } from "../page/notice.js";
import { tokensOf } from "../page/tokens.js";
import { fileOf, pngOf } from "../scene/picture.js";
import { copy } from "./invitation.js";

/** Let the browser keep a file. @param {Blob} blob @param {string} name */
function save(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Make the tab. @param {import("./game_table.js").GameTable} table */
export function sharePanel(table) {
  const name = (ending) => `${table.state.game.split("(")[0].split("/").pop()}-${table.id}-${table.at}.${ending}`;
  const link = (ply) => `${location.origin}/t/${table.id}${ply === null ? "" : `?ply=${ply}`}`;
  const record = () => told(async () => save(await api.file(`/api/tables/${table.id}/record`, tokensOf(table.id)[0]), `${table.state.game.split("(")[0]}-${table.id}.jsonl`));
  const svg = () => save(new Blob([fileOf(table.shown.scene).text], { type: "image/svg+xml" }), name("svg"));
  const png = () => told(async () => save(await pngOf(table.shown.scene), name("png")));
  const group = (title, ...nodes) => make("section", { class: "group" }, make("h2", {}, title), ...nodes);
  return make("div", { class: "share-panel" },
    group("Links", make("p", { class: "faint" }, "Whoever opens them watches; seats stay yours."),
      button("Copy link to the table", () => copy(link(null), "The link")), button("Copy link to this move", () => copy(link(table.at), "The link"))),
    group("Record", make("p", { class: "faint" }, "The game as a file, to be opened here or with kibitz replay."), button("Download the record", record)),
    group("Picture", make("p", { class: "faint" }, "What you see now."), button("SVG", svg), button("PNG", png)));
}
