/** Icons drawn as paths, so that they do not depend on fonts. */

import { shape } from "./element.js";

const PATHS = {
  first: "M5 4v16M19 4 8 12l11 8z",
  back: "M17 4 6 12l11 8z",
  forward: "M7 4l11 8-11 8z",
  last: "M19 4v16M5 4l11 8-11 8z",
  play: "M5 3v18l15-9z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  sound: "M4 9v6h4l6 5V4L8 9zM17.5 8.5a5 5 0 0 1 0 7",
  mute: "M4 9v6h4l6 5V4L8 9zM17 9.5l5 5M22 9.5l-5 5",
  close: "M5 5l14 14M19 5 5 19",
  closed: "M9 6l6 6-6 6",
  opened: "M6 9l6 6 6-6",
};
const LINES = new Set(["close", "closed", "opened"]);

/** Draw an icon. @param {keyof PATHS} name */
export const icon = (name) => shape("svg", { viewBox: "0 0 24 24", class: LINES.has(name) ? "icon-mark line" : "icon-mark", "aria-hidden": "true" }, shape("path", { d: PATHS[name] }));
