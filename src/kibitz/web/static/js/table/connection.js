/**
 * The socket to one table: it joins automatically, and reconnects when it is lost.
 * @typedef {import("../messages.js").ServerMessage} ServerMessage
 * @typedef {import("../messages.js").BrowserMessage} BrowserMessage
 */

import { tokensOf } from "../page/tokens.js";

const PROTOCOL = 1;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

export class Connection {
  /** @type {WebSocket} */
  socket;

  /**
   * @param {string} table
   * @param {{onmessage: (message: ServerMessage) => void, onchange: (up: boolean, waitMs: number) => void}} heard
   */
  constructor(table, { onmessage, onchange }) {
    this.table = table;
    this.onmessage = onmessage;
    this.onchange = onchange;
    this.wait = FIRST_WAIT_MS;
    this.ended = false;
    this.retry = 0;
    this.open();
    addEventListener("online", () => this.again());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.again(); });
  }

  /** Open the socket and join the table. */
  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT_MS;
      this.send({ type: "join", table: this.table, tokens: tokensOf(this.table), protocol: PROTOCOL });
      this.onchange(true, 0);
    });
    this.socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.#lost());
  }

  /** Send a message. @param {BrowserMessage} message @returns {boolean} whether the socket was open */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Try at once instead of waiting. */
  again() {
    if (this.ended || this.socket.readyState === WebSocket.OPEN || this.socket.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.retry);
    this.open();
  }

  /** @param {ServerMessage} message */
  #hear(message) {
    if (message.type === "bye") this.ended = true;
    this.onmessage(message);
  }

  #lost() {
    if (this.ended) return;
    this.onchange(false, this.wait);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
  }
}
