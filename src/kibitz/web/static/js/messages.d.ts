// Made by `python -m kibitz.web.browser_schema` from the structs of the server; change those instead.

/** An agent that can take a seat; `refuses` says why it cannot. */
export interface AgentEntry {
  name: string;
  help: string;
  options: OptionEntry[];
  refuses: string;
}

/** An agent takes the seat. */
export interface AgentSeat {
  kind: "agent";
  text: string;
}

/** Switch the analysis on or off; without a ply it follows the game. */
export interface Analyse {
  type: "analyse";
  on: boolean;
  ply?: number | null;
  agent?: string | null;
}

/** One of the best moves, with the play expected after it. */
export interface AnalysisLine {
  move: number;
  text: string;
  worth: number | null;
  values: number[] | null;
  line: ShownMove[];
  visits: number | null;
  share: number | null;
  depth: number;
  exact: boolean;
}

/** The analysis of a position of the table. */
export interface AnalysisMessage {
  type: "analysis";
  seconds: number;
  why: string;
  seat_values: number[] | null;
  exact: boolean;
  ended: string;
  nodes: number;
  visits: number;
  scale: string;
  unit: string;
  per_unit: number;
  lines: AnalysisLine[];
  ply: number;
  moves_before: number[];
  seat: number;
  agent: string;
  done: boolean;
}

/** Agree to a takeback, or not. */
export interface Answer {
  type: "answer";
  yes: boolean;
}

/** A position of another table to begin with. */
export interface Branch {
  table: string;
  ply: number;
}

/** Why the server ends the connection. */
export interface ByeMessage {
  type: "bye";
  sentence: string;
}

/** The body of POST /api/tables/ID/claim. */
export interface Claim {
  invite: string;
}

/** The answer to POST /api/tables/ID/claim. */
export interface ClaimedSeat {
  seat: number;
  token: string;
}

/** The answer to POST /api/tables: tokens and invitations by seat, and the token of the owner. */
export interface CreatedTable {
  id: string;
  tokens: { [name: string]: string };
  owner: string;
  invites: { [name: string]: string };
}

/** Why a request failed. */
export interface FailedRequest {
  error: string;
}

/** A game by its name, with options by theirs. */
export interface GameChoice {
  name: string;
  options?: { [name: string]: string | number | boolean };
}

/** One game of GET /api/games; `example` comes when it has been made. */
export interface GameEntry {
  name: string;
  sentence: string;
  seats: [number, number];
  usual_seats: number;
  options: OptionEntry[];
  levels: { [name: string]: string };
  agents: AgentEntry[];
  hidden: boolean;
  positions: boolean;
  example: ShownScene | null;
  seat_names_by_seats: { [name: string]: string[] };
}

/** The answer to GET /api/games/NAME/rules. */
export interface GameRules {
  name: string;
  markdown: string;
}

/** Give a seat to somebody else. */
export interface GiveSeat {
  type: "seat";
  seat: number;
  to: Me | Invite | AgentSeat | LevelSeat;
}

/** Ask for a grade of every move. */
export interface Grade {
  type: "grade";
}

/** The grades of a game's moves, as far as they are known. */
export interface GradesMessage {
  type: "grades";
  progress: number;
  done: boolean;
  values_by_ply: (number[] | null)[];
  moves: MoveGrade[];
  turning_points: number[];
}

/** The answer to GET /health. */
export interface Health {
  ok: boolean;
  version: string;
}

/** Whoever opens a link first takes the seat. */
export interface Invite {
  kind: "invite";
}

/** The invitation to a seat that was given away. */
export interface InviteMessage {
  type: "invite";
  seat: number;
  invite: string;
}

/** Sit down or watch; the first message. */
export interface Join {
  type: "join";
  table: string;
  protocol: number;
  tokens?: string[];
}

/** The move that led to a position: the keys of what it touched, and its text, null where that is secret. */
export interface LastMove {
  keys: string[];
  seat: number | null;
  text: string | null;
}

/** The game's agent of a level takes the seat. */
export interface LevelSeat {
  kind: "level";
  level: string;
}

/** A move that was made: what it changed in words, who made it, and what was thought about it. */
export interface LogEntry {
  agent?: string;
  auto?: boolean;
  seconds?: number | null;
  nodes?: number;
  visits?: number;
  depth?: number;
  values?: number[] | null;
  why?: string;
  scale?: string;
  ply: number;
  seat: number | null;
  text: string | null;
  move?: number;
  news: string[];
}

/** Ask for an earlier position. */
export interface Look {
  type: "look";
  ply: number;
  seat?: number | null;
  all?: boolean;
}

/** Play a move by its number. */
export interface MakeMove {
  type: "move";
  ply: number;
  move: number;
}

/** The person who asks takes the seat. */
export interface Me {
  kind: "me";
}

/** How good a move was, and which was the best. */
export interface MoveGrade {
  ply: number;
  best: number;
  best_text: string;
  loss: number;
  grade: "best" | "blunder" | "good" | "inaccuracy" | "mistake";
}

/** The body of POST /api/tables. */
export interface NewTable {
  game?: string | GameChoice;
  seats?: (Me | Invite | AgentSeat | LevelSeat)[];
  bench?: boolean;
  position?: string | null;
  from?: Branch | null;
  moves?: number[];
  name?: string;
  tokens?: string[];
}

/** The table that shows a record or a game of a tournament. */
export interface OpenedTable {
  id: string;
}

/** An option of a game or an agent, for a form. */
export interface OptionEntry {
  name: string;
  default: string;
  help: string;
  sort: string;
  takes: string;
  choices: string[];
  least: number | null;
  most: number | null;
}

/** One page of GET /api/pages, which a package has added. */
export interface PageLink {
  title: string;
  path: string;
}

/** What two agents, by their places in the standings, score together where all seats earn the same. */
export interface PairScore {
  rank: number;
  other_rank: number;
  games: number;
  mean_payoff: number | null;
  payoff_interval: [number | null, number | null];
}

/** Let the agents of an editor go on, or pause. */
export interface PlayOn {
  type: "play_on";
  on: boolean;
}

/** A game of a tournament; `seating` has the number of the agent in each seat. */
export interface PlayedGame {
  number: number;
  seating: number[];
  plies: number;
  payoff: number[];
  reason: string;
}

/** A position to look at: an earlier one, or the one after some moves. */
export interface PositionMessage {
  type: "position";
  ply: number;
  scene: ShownScene;
  turn: number | null;
  sees: number | "all" | null;
  legal?: ShownMove[];
  last?: LastMove | null;
  moves_before?: number[];
}

/** How far compiling a game is: which function is being compiled, of how many, and the seconds that are left. */
export interface Preparation {
  number?: number;
  of?: number;
  seconds_left?: number;
}

/** Ask for the position after some moves. */
export interface Preview {
  type: "preview";
  ply: number;
  moves: number[];
}

/** The person of this seat is at the browser now, and nobody else. */
export interface ReadyToPlay {
  type: "ready";
  seat: number;
}

/** What was not done, and why. */
export interface RefusalMessage {
  type: "refusal";
  about: string;
  sentence: string;
}

/** Play another game of the same kind. */
export interface Rematch {
  type: "rematch";
}

/** Play a move by its text. */
export interface SayMove {
  type: "say_move";
  ply: number;
  text: string;
}

/** Ask once what the position after some moves is worth. */
export interface ShowTree {
  type: "tree";
  ply: number;
  moves: number[];
  agent?: string | null;
}

/** A move by its number, and as the game writes it. */
export interface ShownMove {
  move: number;
  text: string;
}

/** One canvas of a scene; `seat` tells whose it is. */
export interface ShownPanel {
  name: string;
  width: number;
  height: number;
  title?: string;
  seat?: number;
  shapes: ShownShape[];
}

/** What is seen of a position: panels, the board first, and what the seat to move is asked. */
export interface ShownScene {
  title: string;
  panels: ShownPanel[];
  prompt?: string;
}

/** Who sits in a seat. */
export interface ShownSeat {
  who: "agent" | "open" | "person";
  label: string;
  agent: string;
  you: boolean;
  connected: boolean;
}

/** One shape: SVG tag and attributes, and which moves a click on it may begin. */
export interface ShownShape {
  tag: string;
  at: { [name: string]: number | string };
  words?: string;
  title?: string;
  moves?: number[];
  key?: string;
  parts?: ShownShape[];
}

/** From which ply on others have moved since one's turn, and the keys of what they touched. */
export interface SinceTurn {
  ply: number;
  keys: string[];
}

/** The result of one agent in a tournament, with 95 % intervals; what is not finite is written as null. */
export interface StandingEntry {
  agent: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  win_rate: number | null;
  win_interval: [number | null, number | null];
  mean_place: number | null;
  mean_payoff: number | null;
  payoff_interval: [number | null, number | null];
  rating: number | null;
  interval: [number | null, number | null] | null;
  seconds_per_move: number | null;
}

/** All that a browser may know of its table now, the log from `log_from` on. */
export interface StateMessage {
  type: "state";
  table: string;
  protocol: number;
  version: string;
  game: string;
  game_text: string;
  name: string;
  ply: number;
  turn: number | null;
  seat_names: string[];
  seats: ShownSeat[];
  you: number[];
  bench: boolean;
  owner: boolean;
  read_only: boolean;
  playing_on: boolean;
  while_watched: boolean;
  hidden: boolean;
  sees: number | "all" | null;
  hand_over: number | null;
  over: boolean;
  payoff: number[] | null;
  unit: string;
  result: string;
  scene: ShownScene;
  legal: ShownMove[];
  prompt: string;
  last: LastMove | null;
  since: SinceTurn | null;
  log_from: number;
  log: LogEntry[];
  thinking: Thinking | null;
  trouble: string;
  caution: string;
  undo_asked_by: number | null;
  rematch: string | null;
  branch_of: [string, number] | null;
  position_text?: string;
}

/** Let the computer make just this move. */
export interface StepAgent {
  type: "step";
  agent?: string | null;
}

/** What the stop rule of a tournament said. */
export interface StopCall {
  call: string;
  games: number;
  ratio: number;
  sentence: string;
}

/** One table of GET /api/tables, as anybody may know it. */
export interface TableEntry {
  id: string;
  game: string;
  name: string;
  ply: number;
  seats: string[];
  over: boolean;
  bench: boolean;
  read_only: boolean;
  created: string;
  paused: boolean;
  watched: boolean;
  result: string;
}

/** Who is thinking, for how long, and how far that is. */
export interface Thinking {
  seat: number;
  budget_s: number | null;
  note: string;
  since_s: number;
}

/** How far an agent is that is thinking. */
export interface ThinkingMessage {
  type: "thinking";
  seat: number;
  budget_s: number | null;
  note: string;
  since_s: number;
}

/** One run of GET /api/tournaments. */
export interface TournamentEntry {
  name: string;
  run: string;
  game: string;
  planned: number;
  played: number;
  begun: string;
  agents: string[];
}

/** The answer to GET /api/tournaments/NAME: standings, progress, and a page of games. */
export interface TournamentPage {
  name: string;
  run: string;
  game: string;
  planned: number;
  played: number;
  begun: string;
  agents: string[];
  seconds: number;
  done: boolean;
  verdict: StopCall | null;
  page: number;
  pages: number;
  games: PlayedGame[];
  unit: string;
  shared: boolean;
  standings: StandingEntry[];
  pairs: PairScore[];
  notes: string[];
}

/** Take back to one's last choice; where other people play, ask them. */
export interface Undo {
  type: "undo";
}

/** A message of a browser. */
export type BrowserMessage = Join | MakeMove | SayMove | Undo | Answer | ReadyToPlay | Look | Preview | Analyse | ShowTree | Grade | StepAgent | GiveSeat | PlayOn | Rematch;

/** A message of the server. */
export type ServerMessage = StateMessage | PositionMessage | ThinkingMessage | AnalysisMessage | GradesMessage | InviteMessage | RefusalMessage | ByeMessage;

/** Who takes a seat. */
export type SeatChoice = Me | Invite | AgentSeat | LevelSeat;
