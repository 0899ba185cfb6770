/**
 * A table as this browser knows it: what the server told last, and which position is shown.
 * Listeners are told what changed: "first" (the first state), "state", "shown", "sending", "thinking", "analysis", "tree", "grades", "invite", "refusal", "connection", "bye".
 * @typedef {import("../messages.js").ServerMessage} ServerMessage
 * @typedef {import("../messages.js").StateMessage} StateMessage
 * @typedef {import("../messages.js").PositionMessage} PositionMessage
 * @typedef {import("../messages.js").AnalysisMessage} AnalysisMessage
 * @typedef {{
 *   first: undefined, state: {grown: boolean, first: boolean}, shown: undefined, sending: undefined, thinking: undefined,
 *   analysis: AnalysisMessage, tree: AnalysisMessage, grades: import("../messages.js").GradesMessage,
 *   invite: import("../messages.js").InviteMessage, refusal: {about?: string, sentence: string},
 *   connection: {up: boolean, wait: number}, bye: import("../messages.js").ByeMessage,
 * }} TableEvents what listeners are told, by what has changed
 */

import { Connection } from "./connection.js";

/** @type {{keys: string[]}} */
const EMPTY = { keys: [] };

export class GameTable {
  /** @type {Connection} */
  connection;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** @type {StateMessage} null until the first has come, which everybody else waits for */
    this.state = /** @type {any} */ (null);
    /** @type {import("../messages.js").LogEntry[]} */
    this.log = [];
    /** @type {PositionMessage|null} the position looked at, or null: the present one */
    this.looked = null;
    /** @type {PositionMessage|null} a position after moves that were only pointed at */
    this.preview = null;
    /** @type {number|null} the ply to look at while its position is on its way */
    this.wanted = null;
    this.asking = false; // whether the server has been asked for a position
    this.again = false; // whether another is to be asked for when it has come
    /** @type {{seat?: number, all?: boolean}|null} whose eyes were asked for */
    this.seenBy = null;
    this.up = false;
    this.sending = false; // a move has been sent
    this.pointed = ""; // the moves that were pointed at
    /** @type {Map<keyof TableEvents, ((detail: any) => void)[]>} */
    this.ears = new Map();
  }

  /** Connect to the server. */
  connect() {
    this.connection = new Connection(this.id, {
      onmessage: (message) => this.#hear(message),
      onchange: (up, wait) => { this.up = up; this.sending = false; this.asking = false; this.#tell("connection", { up, wait }); },
    });
  }

  /**
   * Listen to a change.
   * @template {keyof TableEvents} What
   * @param {What} what
   * @param {(detail: TableEvents[What]) => void} act
   */
  on(what, act) {
    this.ears.set(what, [...(this.ears.get(what) || []), act]);
  }

  /** What is shown now. @returns {{ply: number, scene: import("../messages.js").ShownScene, last: {keys: string[]}, legal: import("../messages.js").ShownMove[], live: boolean, turn: number|null, preview: boolean}} */
  get shown() {
    const { state } = this;
    const live = { ply: state.ply, scene: state.scene, last: state.last || EMPTY, legal: state.legal || [], live: true, turn: state.turn, preview: false };
    if (this.preview) return { ...live, ...this.#told(this.preview), legal: [], live: false, preview: true };
    if (!this.looked) return live;
    const present = this.looked.ply === state.ply;
    return { ...live, ...this.#told(this.looked), legal: present ? live.legal : [], live: present };
  }

  /** The ply that the reader is at. */
  get at() {
    return this.wanted ?? this.looked?.ply ?? this.state.ply;
  }

  /** Whether a move may be made here in the position shown. */
  get mine() {
    const { live, legal } = this.shown;
    return live && legal.length > 0;
  }

  /** Send any message. @param {import("../messages.js").BrowserMessage} message */
  send(message) {
    if (this.connection.send(message)) return;
    this.sending = false;
    this.#tell("refusal", { sentence: "There is no connection just now; the table comes back by itself." });
  }

  /** Play a move in the present position, unless one is on its way. @param {number} move */
  play(move) {
    if (this.sending) return;
    this.sending = true;
    this.#tell("sending");
    this.send({ type: "move", ply: this.state.ply, move });
  }

  /** Play a move written in the game's notation. @param {string} text */
  say(text) {
    this.send({ type: "say_move", ply: this.state.ply, text });
  }

  /** Look at a ply; the last is the present. @param {number} ply */
  look(ply) {
    const to = Math.max(0, Math.min(ply, this.state.ply));
    this.preview = null;
    if (to === this.state.ply && !this.seenBy) {
      this.looked = null;
      this.wanted = null;
      return this.#tell("shown");
    }
    this.wanted = to;
    this.again = this.asking;
    return this.asking ? undefined : this.#askToLook();
  }

  #askToLook() {
    this.asking = true;
    this.again = false;
    this.send({ type: "look", ply: /** @type {number} */ (this.wanted), seat: this.seenBy?.seat ?? null, all: Boolean(this.seenBy?.all) });
  }

  /** See through another's eyes: a seat's, everything, or (null) one's own. @param {{seat?: number, all?: boolean}|null} eyes */
  see(eyes) {
    this.seenBy = eyes;
    this.look(this.at);
  }

  /** Show the position after moves, or (empty) what was shown before. @param {number[]} moves */
  point(moves) {
    this.pointed = moves.join();
    if (moves.length) return this.send({ type: "preview", ply: this.at, moves });
    if (!this.preview) return undefined;
    this.preview = null;
    return this.#tell("shown");
  }

  /** @param {PositionMessage} position */
  #told(position) {
    return { ply: position.ply, scene: position.scene, last: position.last || EMPTY, turn: position.turn };
  }

  /** @param {keyof TableEvents} what @param {any} [detail] */
  #tell(what, detail) {
    for (const act of this.ears.get(what) || []) act(detail);
  }

  /** @param {ServerMessage} message */
  #hear(message) {
    if (message.type === "state") this.#state(message);
    else if (message.type === "position") this.#position(message);
    else if (message.type === "thinking" && this.state) {
      this.state.thinking = message;
      this.#tell("thinking");
    } else {
      if (message.type === "refusal") { this.sending = false; this.wanted = null; this.asking = false; }
      this.#tell(message.type === "analysis" && message.moves_before?.length ? "tree" : message.type, message);
    }
  }

  /** @param {StateMessage} state */
  #state(state) {
    const shorter = this.looked && this.looked.ply > state.ply;
    this.log.length = Math.min(this.log.length, state.log_from || 0);
    this.log.push(...(state.log || []));
    const first = !this.state;
    const grown = !first && state.ply > this.state.ply;
    const live = first || this.at >= this.state.ply;
    this.state = state;
    this.sending = false;
    this.preview = null;
    if (shorter) this.looked = null;
    if (first) this.#tell("first");
    this.#tell("state", { grown, first });
    if (this.seenBy && live) this.look(state.ply);
    else this.#tell("shown");
  }

  /** @param {PositionMessage} message */
  #position(message) {
    if (message.moves_before?.length) {
      if (message.moves_before.join() !== this.pointed) return;
      this.preview = message;
    } else {
      this.asking = false;
      if (this.wanted === null) return; // no longer wanted
      if (this.again) this.#askToLook();
      else this.wanted = null;
      this.looked = message.ply === this.state.ply && !this.seenBy ? null : message;
    }
    this.#tell("shown");
  }
}
