/** The tokens and invitations of this browser, by table: kept in local storage, never in an address. */

const KEY = "kibitz.tables";

const all = () => JSON.parse(localStorage.getItem(KEY) || "{}");
const entry = (table) => ({ tokens: {}, invites: {}, ...all()[table] });
const keep = (table, what) => localStorage.setItem(KEY, JSON.stringify({ ...all(), [table]: { ...entry(table), ...what } }));

/** Return the tokens of a table. @param {string} table @returns {string[]} */
export const tokensOf = (table) => Object.values(entry(table).tokens);

/** Return a table's invitations that this browser may hand out, by seat. @param {string} table @returns {Object<string, string>} */
export const invitesOf = (table) => entry(table).invites;

/** Keep what the server answered to a new table. @param {string} table @param {Partial<import("../messages.js").CreatedTable>} made */
export function keepTable(table, { tokens = {}, invites = {} }) {
  keep(table, { tokens: { ...entry(table).tokens, ...tokens }, invites: { ...entry(table).invites, ...invites } });
}

/** Let a rematch be entered with the seats of its first table. @param {string} from @param {string} to */
export function inherit(from, to) {
  if (!(to in all()) && from in all()) keep(to, { tokens: entry(from).tokens });
}

/** Return the ids of tables that this browser has a seat at. @returns {string[]} */
export const ownTables = () => Object.keys(all()).filter((id) => tokensOf(id).length);

/** Return the text of a setting, or the default. @param {string} name @param {string} usual */
export const setting = (name, usual) => localStorage.getItem(`kibitz.${name}`) ?? usual;

/** Keep a setting. @param {string} name @param {string} value */
export const keepSetting = (name, value) => localStorage.setItem(`kibitz.${name}`, value);
