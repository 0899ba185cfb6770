/**
 * The server's HTTP calls; a refusal becomes an Error whose message is the server's sentence.
 * @typedef {import("../messages.js").FailedRequest} FailedRequest
 */

/**
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<any>}
 */
async function call(path, request) {
  let reply;
  try {
    reply = await fetch(path, request);
  } catch {
    throw new Error("The server does not answer. Is it running?");
  }
  const found = await reply.json().catch(() => ({}));
  if (!reply.ok) throw failed(reply, found);
  return found;
}

/** Return the error that says why a request failed. @param {Response} reply @param {Partial<FailedRequest>} found */
const failed = (reply, found) => new Error(found.error || `The server answered with status ${reply.status}.`);

/** @param {string} path @param {import("../messages.js").NewTable | import("../messages.js").Claim} what */
const post = (path, what) =>
  call(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what) });

/** @returns {Promise<import("../messages.js").GameEntry[]>} */
export const games = () => call("/api/games");

/** @param {string} name @returns {Promise<import("../messages.js").GameRules>} */
export const rules = (name) => call(`/api/games/${encodeURIComponent(name)}/rules`);

/** How far compiling a game is. @param {string} name @returns {Promise<import("../messages.js").Preparation>} */
export const preparation = (name) => call(`/api/games/${encodeURIComponent(name)}/preparation`);

/** @returns {Promise<import("../messages.js").PageLink[]>} */
export const pages = () => call("/api/pages");

/** @returns {Promise<import("../messages.js").TableEntry[]>} */
export const tables = () => call("/api/tables");

/** @param {import("../messages.js").NewTable} what @returns {Promise<import("../messages.js").CreatedTable>} */
export const newTable = (what) => post("/api/tables", what);

/** @param {string} id @param {string} invite @returns {Promise<import("../messages.js").ClaimedSeat>} */
export const claim = (id, invite) => post(`/api/tables/${id}/claim`, { invite });

/** @returns {Promise<import("../messages.js").TournamentEntry[]>} */
export const tournaments = () => call("/api/tournaments");

/** @param {string} name @returns {Promise<import("../messages.js").TournamentPage>} */
export const tournament = (name, page = 0) => call(`/api/tournaments/${encodeURIComponent(name)}?page=${page}`);

/** @param {string} name @param {number} n @returns {Promise<import("../messages.js").OpenedTable>} */
export const tournamentGame = (name, n) => call(`/api/tournaments/${encodeURIComponent(name)}/games/${n}`);

/** Send a record. @param {string} text @returns {Promise<import("../messages.js").OpenedTable>} */
export const upload = (text) =>
  call("/api/records", { method: "POST", headers: { "Content-Type": "application/jsonl" }, body: text });

/**
 * Fetch a file that asks for a seat's token.
 * @param {string} path
 * @param {string} [token]
 * @returns {Promise<Blob>}
 */
export async function file(path, token) {
  const reply = await fetch(path, token ? { headers: { "X-Kibitz-Token": token } } : {});
  if (reply.ok) return reply.blob();
  throw failed(reply, await reply.json().catch(() => ({})));
}
