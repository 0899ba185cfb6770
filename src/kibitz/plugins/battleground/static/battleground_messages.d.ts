// Made by `python -m kibitz.plugins.battleground.battleground_schema` from the structs of the server; change those instead.

import type { ShownScene } from "/static/js/messages.js";

/** All that is shown of a channel. */
export interface BattlegroundMessage {
  type: "battleground";
  channel: string;
  games: OfferedGame[];
}

/** What one name has done; `skill` is what it is worth at least, in all likelihood. */
export interface LadderEntry {
  name: string;
  skill: number;
  mu: number;
  sigma: number;
  games: number;
  wins: number;
  mean_payoff: number;
}

/** A game that can be played in a channel: its ladder, who waits, and the boards that are shown. */
export interface OfferedGame {
  game: string;
  seat_names: string[];
  unit: string;
  shared: boolean;
  ladder: LadderEntry[];
  waiting: string[];
  playing: number;
  running: RunningGame[];
}

/** A game that is being played, as anybody may see it. */
export interface RunningGame {
  number: number;
  names: string[];
  ply: number;
  turn: number | null;
  scene: ShownScene;
}
