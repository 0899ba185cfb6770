/** Opening a record: a file chosen or dropped becomes a table to replay. */

import * as api from "../page/api.js";
import { button, make } from "../page/element.js";
import { notice, told } from "../page/notice.js";

const MOST_BYTES = 1_000_000;

/** Send a file and open the table made of it. @param {File} file */
async function open(file) {
  if (file.size > MOST_BYTES) return notice(`${file.name} has ${file.size} bytes; a record may have ${MOST_BYTES}.`);
  return told(async () => {
    const { id } = await api.upload(await file.text());
    location.assign(`/t/${id}`);
  });
}

/** Make the button that opens a record; files may also be dropped on the page. */
export function recordUpload() {
  const input = make("input", { type: "file", accept: ".jsonl,.json,.txt", hidden: true, "aria-label": "A record of a game", onchange: () => input.files[0] && open(input.files[0]) });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
  return make("span", {}, button("Open a record…", () => input.click()), input);
}
