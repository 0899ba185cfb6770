/** The dialog that gives a seat to somebody else: an agent, a person here, or one who is sent a link. */

import { openDialog } from "../page/dialog.js";
import { button, capital } from "../page/element.js";
import { seatField } from "../start/seat_field.js";

/** Return whether this browser takes part in the game, and does not only watch. @param {import("../messages.js").StateMessage} state */
export const takesPart = (state) => !state.read_only && (state.you.length > 0 || state.owner);

/** Return whether a seat may be given to somebody else from here. @param {import("../messages.js").StateMessage} state @param {number} seat */
export const mayGive = (state, seat) => takesPart(state) && (state.bench || state.you.includes(seat));

/**
 * Open the dialog.
 * @param {import("./game_table.js").GameTable} table
 * @param {import("../start/seat_field.js").Players} game
 * @param {number} seat
 */
export function openGiveSeat(table, game, seat) {
  const name = capital(table.state.seat_names[seat]);
  const field = seatField(game, name);
  const give = () => {
    table.send({ type: "seat", seat, to: field.value() });
    box.close();
  };
  const box = openDialog(`Give ${name} to…`, [field.node], [button("Seat it", give, { class: "main" })], "give-seat");
}
