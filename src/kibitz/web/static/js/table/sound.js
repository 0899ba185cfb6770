/** A small click when a move is made; off until it is switched on. */

import { button } from "../page/element.js";
import { icon } from "../page/icon.js";
import { keepSetting, setting } from "../page/tokens.js";

const PITCH_HZ = 420;
const LENGTH_S = 0.07;
let context = null;

/** Click, where sound is on. */
export function click() {
  if (setting("sound", "off") !== "on") return;
  context ||= new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = PITCH_HZ;
  volume.gain.setValueAtTime(0.15, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + LENGTH_S);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + LENGTH_S);
}

/** Return the switch for sound. */
export function soundSwitch() {
  const node = button("", () => {
    keepSetting("sound", setting("sound", "off") === "on" ? "off" : "on");
    show();
    click();
  }, { class: "quiet icon", "aria-label": "Sound" });
  const show = () => {
    const on = setting("sound", "off") === "on";
    node.setAttribute("aria-pressed", String(on));
    node.replaceChildren(icon(on ? "sound" : "mute"));
    node.title = on ? "Sound is on" : "Sound is off";
  };
  show();
  return node;
}
