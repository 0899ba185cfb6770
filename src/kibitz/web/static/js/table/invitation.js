/** Invitations: links that give a seat to whoever opens them first. */

import { notice } from "../page/notice.js";

/** Return the address that an invitation is opened by; what follows # is never sent to the server. @param {string} table @param {string} invite */
export const inviteAddress = (table, invite) => `${location.origin}/t/${table}#invite=${invite}`;

/** Copy a text and say so; where that is not allowed, show it. @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} copied.`);
  } catch {
    prompt(`${what}:`, text);
  }
}
