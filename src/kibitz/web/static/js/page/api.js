/** The server's HTTP calls; a refusal becomes an Error whose message is the server's sentence. */

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
  if (!reply.ok) throw new Error(found.sentence || found.error || `The server answered with status ${reply.status}.`);
  return found;
}

const post = (path, what) =>
  call(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what) });

export const games = () => call("/api/games");
export const rules = (name) => call(`/api/games/${encodeURIComponent(name)}/rules`);
export const pages = () => call("/api/pages");
export const tables = () => call("/api/tables");
export const newTable = (what) => post("/api/tables", what);
export const claim = (id, invite) => post(`/api/tables/${id}/claim`, { invite });
export const tournaments = () => call("/api/tournaments");
export const tournament = (name, page = 0) => call(`/api/tournaments/${encodeURIComponent(name)}?page=${page}`);
export const tournamentGame = (name, n) => call(`/api/tournaments/${encodeURIComponent(name)}/games/${n}`);

/** Send a record; @param {string} text @returns {Promise<{id: string}>} */
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
  const found = await reply.json().catch(() => ({}));
  throw new Error(found.sentence || found.error || `The server answered with status ${reply.status}.`);
}
