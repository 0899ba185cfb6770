"""A game in the terminal: the board is shown, moves are typed, and a game that is left is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from kibitz.agents import build, runs_apart
from kibitz.agents.agent import Agent
from kibitz.agents.levels import opponent
from kibitz.agents.seated_agents import SeatedAgents, events_of
from kibitz.arena.analysis import analyse
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.own_agents import around_no_walls
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import AgentFault, MoveStats, accuse, take_turn
from kibitz.arena.play.warm_up import warm_up_agents, warm_up_table
from kibitz.arena.show.text import duration
from kibitz.bots.bot_fault import BotFault
from kibitz.bots.sandbox.sandbox import without_walls
from kibitz.cli.analysis_table import analysis_table
from kibitz.cli.board_text import board_text
from kibitz.cli.typed_line import read_line
from kibitz.console.command_line import command, console
from kibitz.core.contract import CHANCE
from kibitz.core.errors import BadMove, BadRecord, BadValue
from kibitz.core.game import Game
from kibitz.core.hidden_files import hidden
from kibitz.core.level import STRONG
from kibitz.core.record import read_records, record_of, write_records
from kibitz.core.rulebook import rules_of
from kibitz.core.scene import listed, news_beside
from kibitz.core.seeds import HINT, MIND, derive_seed, secret_seed
from kibitz.core.table import Table
from kibitz.core.user_files import check_writable, printing_on_stderr, state_folder
from kibitz.core.world import World
from kibitz.games import find

HUMAN = "human"  # the word for a person, where an agent could be named
ROLLED = "  chance: {}"
WHERE = "this game"  # in sentences about agents that failed
HINTED = 3  # moves that a hint shows
CLEAR_SCROLLBACK = "\x1b[3J"
HELP = """  type a move as it is listed, or enough of it to be clear; the moves of one turn
  may stand on one line, with spaces between them
  moves   list the legal moves      hint    ask the computer
  rules   show the rules            undo    take back to your last choice
  quit    leave; the game is kept, and can be continued"""


class _PersonLeft(Exception):
    """The person wants to stop."""


def start(game_text: str, agents: Sequence[str], level: str | None, seed: int | None, save: Path | None) -> None:
    """Begin a new game; without agents, a person in the first seat against opponents of a level."""
    game = find(game_text)
    names = list(agents) or [HUMAN, *[opponent(game, level or STRONG)] * (game.seats - 1)]
    _TerminalGame(Table(game, secret_seed() if seed is None else seed), names, save).run()


def resume(path: Path | None, seats: Mapping[str, str], trusted: bool, save: Path | None) -> None:
    """Continue a game that was left, without a path the last one; `seats` are given to other agents."""
    if path is None:
        kept = sorted(unfinished_folder().glob("*.jsonl"), key=lambda file: file.stat().st_mtime)
        if not kept:
            raise BadValue(f"there is no game to continue in {unfinished_folder()}")
        path = kept[-1]
    records = list(read_records(path, trusted))
    if len(records) != 1:
        raise BadRecord(f"{path} holds {len(records)} records; a game to continue is one")
    record = records[0]
    table = record.replay(find)
    if table.over:
        raise BadValue(f"the game in {path} is over; see it with: {command()} replay {path}")
    given = {_seat_named(table.game, seat): name for seat, name in seats.items()}
    if not trusted:
        record.refuse_paths(name for seat, name in enumerate(record.agents) if seat not in given)
    names = [given.get(seat, name) for seat, name in enumerate(record.agents)]
    with hidden(path):  # it tells the deal
        _TerminalGame(table, names, save, path).run()


def _seat_named(game: Game, text: str) -> int:
    """Return the seat that a person means by its number, from 1, or by its name."""
    names = [name.lower() for name in game.seat_names]
    if text.strip().lower() in names:
        return names.index(text.strip().lower())
    numbers = [str(seat + 1) for seat in range(game.seats)]
    if text.strip() in numbers:
        return numbers.index(text.strip())
    raise BadValue(f"there is no seat {text!r}; the seats are 1 to {game.seats}: {', '.join(game.seat_names)}")


def unfinished_folder() -> Path:
    """Return where games that were left are kept."""
    return state_folder() / "unfinished"


class _TerminalGame:
    """One sitting at a table."""

    def __init__(self, table: Table, names: Sequence[str], save: Path | None, source: Path | None = None):
        self.table, self.game, self.names, self.save, self.source = table, table.game, list(names), save, source
        if save is not None:
            check_writable(save)
        self.seeds = [derive_seed(table.seed, MIND, seat) for seat in range(self.game.seats)]
        self.minds = _minds(self.game, names, self.seeds)
        self.seated = SeatedAgents(table)
        self.humans = [seat for seat, name in enumerate(names) if seat not in self.minds]
        self.curtained = self.game.hidden and len(self.humans) > 1
        self.typed = ""  # the rest of a line
        self.typist, self.typed_at = -1, -1  # the seat that typed it, and the ply at which it would go on
        self.last_viewer = -1
        self.console = console(markup=False)
        self.boards: dict[int, str] = {}  # by seat, as last shown

    def run(self) -> None:
        """Play until the game is over or the person leaves; whatever happens, the game is kept."""
        warm_up_table(self.game)
        warm_up_agents(self.game, [mind.text for mind in self.minds.values()])
        seed = "" if self.game.secret else f", seed {self.table.seed}"  # which tells what is hidden
        self._say(f"{self.game}{seed}", "bold")
        self._say(self.game.sentence)
        for seat, name in enumerate(self.names):
            self._say(f"  {self.game.seat_names[seat]}: {'you' if self.humans == [seat] else name}")
        programs = [mind.text for mind in self.minds.values() if runs_apart(mind.text, self.game)]
        if programs := around_no_walls(self.game, programs, Limits()):
            self._say(without_walls(programs))
        if self.humans:
            self._say("type help for what you can do, rules for how to play and what the signs mean", "dim")
        try:
            self._begin()
            for roll in self.table.rolls:
                self._say(ROLLED.format(self.table.roll_text(roll)))
            while not self.table.over:
                if self.table.turn in self.humans:
                    self._ask()
                else:
                    self._think()
        except (_PersonLeft, KeyboardInterrupt):
            self._keep()
            return
        except AgentFault as fault:
            self._keep(failed=fault.seat)
            raise
        except BaseException:
            self._keep()
            raise
        finally:
            self.seated.end()
        self._finish()

    def _begin(self) -> None:
        """Begin the game for the agents; one that fails is an AgentFault."""
        for seat, mind in self.minds.items():
            try:
                self.seated.new(seat, mind)
            except BotFault as fault:
                raise accuse(self.names[seat], seat, self.table.ply, WHERE, Reason(fault.kind), str(fault)) from None

    def _say(self, text: str, style: str | None = None, whole: bool = False) -> None:
        """Print a sentence, broken between words; `whole` for what may be copied from the terminal."""
        self.console.print(text, style=style, soft_wrap=whole)

    def _show(self, seat: int) -> None:
        """Show the board to a seat, with what has changed since it was last shown to it."""
        shown = self.game.text(self.table.view(seat))
        self._say("")
        self.console.print(board_text(self.game, shown, self.boards.get(seat)))
        self.boards[seat] = shown

    def _think(self) -> None:
        """Let an agent take its turn, which may be several moves."""
        seat, first = self.table.turn, self.table.ply
        if not self.humans:
            self._show(seat)
        thoughts = []
        with self.console.status(f"{self.game.seat_names[seat]} is thinking"):
            while self.table.turn == seat:
                thoughts.append(self._move_of_agent(seat))
        if not self.humans:
            self._report(None, first, thoughts)
        elif not self.curtained:
            self._report(self.humans[0], first, () if self.game.hidden else thoughts)

    def _move_of_agent(self, seat: int) -> MoveStats:
        try:
            with printing_on_stderr():
                return take_turn(self.seated, self.names[seat], WHERE)
        except AgentFault as fault:
            if not self.game.hidden or not self.humans or fault.reason != Reason.ILLEGAL:
                raise
            what = "its move is not legal"  # the fault itself lists what the seat could have played
            raise accuse(self.names[seat], seat, self.table.ply, WHERE, fault.reason, what) from None

    def _report(self, listener: int | None, since: int, thoughts: Sequence[MoveStats] = ()) -> None:
        """Say what was played from a ply on, as far as a listener may know it; without a listener, all of it.

        How much an agent searched may reveal its secrets, so it is shown only in games without secrets.
        """
        seat = listener or 0
        for ply in range(since, self.table.ply):
            if self.table.movers[ply] == CHANCE:
                self._say_roll(ply, seat)
                continue
            before, move = self._at(ply), self.table.moves_made[ply]
            name = self.game.seat_names[before.turn]
            seat = before.turn if listener is None else listener
            text = events_of(before, move, [seat])[seat].text
            line = Text(f"{name} has moved" if text is None else f"{name} plays {text}", style="bold")
            news = "; ".join(news_beside(text or "", self._changes(ply, seat)))
            line.append(f": {news}" if news else "", style="not bold")
            thought = sum(mover != CHANCE for mover in self.table.movers[since:ply])
            line.append(f"  ({_effort(thoughts[thought])})" if thoughts else "", style="dim")
            self.console.print(line)

    def _changes(self, ply: int, seat: int) -> Sequence[str]:
        """Return what a move, or chance, changed, in words, as far as a seat can see it."""
        return self.game.changes(self._position(ply).view(seat), self._position(ply + 1).view(seat))

    def _position(self, ply: int) -> World:
        """Return the position after `ply` moves, before chance does anything then."""
        table = self._at(ply)
        rolled = next((roll.before for roll in table.rolls if roll.ply == ply), None)
        return World.of(table) if rolled is None else World(self.game, rolled[: self.game.size])

    def _say_roll(self, ply: int, seat: int) -> None:
        """Say what chance did at a ply, and what that changed."""
        self._say("; ".join([ROLLED.format(self._roll_text(ply)), *self._changes(ply, seat)]))

    def _at(self, ply: int) -> Table:
        """Return the table as it was after `ply` moves, and what chance did then."""
        table = Table(self.game, self.table.seed)
        table.follow(self.table.moves_made[:ply])
        return table

    def _roll_text(self, ply: int) -> str:
        """Return the text of what chance did at a ply."""
        return next(self.table.roll_text(roll) for roll in self._at(ply).rolls if roll.ply == ply)

    def _last_choice(self, seat: int) -> int | None:
        """Return the ply at which a seat made its last choice; where it could only pass, it had none."""
        return next((ply for ply in reversed(range(self.table.ply)) if self._chose(seat, ply)), None)

    def _chose(self, seat: int, ply: int) -> bool:
        table = self._at(ply)
        return self.table.movers[ply] == seat and not self._can_only_pass(table)

    def _can_only_pass(self, table: Table) -> bool:
        """Return whether a person passes without being asked; not where another person could read secrets from it."""
        moves = table.moves()
        return len(moves) == 1 and moves[0] in self.game.passes and not self.curtained

    def _ask(self) -> None:
        seat = self.table.turn
        if self.typed and (seat != self.typist or self.table.ply != self.typed_at):
            self._say(f"  the turn is over, so the rest of the line is not read: {self.typed}")
            self.typed = ""
        going_on = bool(self.typed)
        if not going_on and self._can_only_pass(self.table):
            self._say(
                f"{self.game.seat_names[seat]} can only pass, and does: {self.table.write(self.table.moves()[0])}"
            )
            self._play(self.table.moves()[0], seat)
            return
        if not going_on:
            self._curtain(seat)
            self._show(seat)
            if asked := self.game.asked(self.table.view(seat)):
                self._say(f"  {asked}", "dim")
            self._list_moves()
        while True:
            try:
                line = self.typed or self._input(f"{self.game.seat_names[seat]} to move> ")
                self.typed = ""
                if not line.strip():
                    continue
                typed = read_line(self.table, line)
            except BadMove as error:
                self._say(f"  {error}")
                if going_on:
                    return  # to show the position
                continue
            self.typed = typed.rest
            if typed.move is not None:
                self._play(typed.move, seat)
            elif not self._obey(typed.command, seat) and not (going_on and not self.typed):
                continue
            self.typist, self.typed_at = seat, self.table.ply
            return  # to show the position

    def _play(self, move: int, seat: int) -> None:
        ply, text = self.table.ply, self.table.write(move)
        self.seated.play(move)
        news = "; ".join(news_beside(text, self._changes(ply, seat)))
        if news:
            self._say(f"  {news}")
        for roll in self.table.rolls:
            self._say_roll(roll.ply, seat)

    def _obey(self, command: str, seat: int) -> bool:
        """Do what a person asks for; return whether the position is another one now."""
        if command == "quit":
            raise _PersonLeft
        if command == "undo":
            return self._undo(seat)
        if command == "help":
            self._say(HELP)
        elif command == "rules":
            self.console.print(Markdown(rules_of(self.game)))
        elif command == "moves":
            self._list_moves()
        elif command == "hint":
            self._hint()
        return False

    def _list_moves(self) -> None:
        self._say(listed("  moves: ", [self.table.write(move) for move in self.table.moves()], hang=9))

    def _input(self, prompt: str) -> str:
        try:
            return str(self.console.input(prompt))
        except (EOFError, KeyboardInterrupt):
            self._say("")
            raise _PersonLeft from None

    def _curtain(self, seat: int) -> None:
        """Between two people, hide what the first has seen, and show the second what has been played."""
        if not self.curtained:
            return
        if self.last_viewer not in (-1, seat):
            self.console.clear()
            if self.console.is_terminal:
                self.console.file.write(CLEAR_SCROLLBACK)
            self._input(f"Hand over to {self.game.seat_names[seat]}, then press Enter ")
        self.last_viewer = seat
        self._catch_up(seat)

    def _catch_up(self, seat: int) -> None:
        """Show a person what has been played since their last choice."""
        last = self._last_choice(seat)
        self._report(seat, 0 if last is None else last + 1)

    def _hint(self) -> None:
        adviser = opponent(self.game)
        try:
            warm_up_agents(self.game, [adviser])
            with self.console.status("thinking; Ctrl-C stops it"):
                found = analyse(self.table, adviser, HINTED, derive_seed(self.table.seed, HINT, self.table.ply))
        except KeyboardInterrupt:
            self._say("  no hint: it was interrupted")
            return
        self._say(f"  the computer would play {found['moves'][0]['move']}", "bold")
        self.console.print(Padding(analysis_table(found, self.game.seat_names), (0, 0, 0, 2)))

    def _undo(self, seat: int) -> bool:
        """Take back to this person's last choice; return whether anything was taken back."""
        last = self._last_choice(seat)
        if last is None:
            self._say("  there is nothing to take back")
            return False
        self.seated.end()
        self.table.undo(self.table.ply - last)
        self._begin()
        return True

    def _keep(self, failed: int | None = None) -> None:
        """Write the game to where it can be continued, and say how; a seat that failed needs another agent."""
        record = record_of(self.table, self.names, self.seeds)
        line = record.with_paths(lambda name: str(Path(name).resolve())).line()  # it may be continued from anywhere
        path = self.source or unfinished_folder() / f"{Path(self.game.name).name}-{self._number}.jsonl"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_records(path, [line], overwrite=True)
        except (OSError, BadValue) as error:
            self._say(
                f"The game could not be kept ({error}). Its record, for play --resume FILE, is:\n{line}", whole=True
            )
            return
        file = "" if self.source is None or self.source.parent == unfinished_folder() else f" {path}"
        other = "" if failed is None else f" --seat {failed + 1}=AGENT"
        playing = [name for seat, name in enumerate(self.names) if seat != failed]
        trust = " --trust" if replace(record, agents=playing).has_paths else ""
        self._say(f"The game is kept in {path}", whole=True)
        self._say(f"Continue it with: {command()} play --resume{file}{other}{trust}", whole=True)

    @property
    def _number(self) -> int:
        """A number for the game, which does not tell what is hidden in it."""
        return derive_seed(self.table.seed, HINT) if self.game.secret else self.table.seed

    def _finish(self) -> None:
        if self.curtained:
            self._catch_up(self.humans[0])
        self._show(self.humans[0] if self.humans else 0)
        payoff, scoring = self.table.payoff(), self.game.scoring
        best = [seat for seat, earned in enumerate(payoff) if earned == max(payoff)]
        if scoring.shared:
            who = "You" if self.humans else "They"
            self._say(f"{who} scored {scoring.together_text(payoff[0])} together.", "bold")
        elif not scoring.by_wins:
            players = [f"{seat} ({name})" for seat, name in zip(self.game.seat_names, self.names, strict=True)]
            self._say(f"{scoring.result_text(payoff, players)}.", "bold")
        elif len(best) == 1:
            self._say(f"{self.game.seat_names[best[0]]} ({self.names[best[0]]}) wins.", "bold")
        else:
            by = self.table.drawn_by()
            self._say(f"A draw{by and f' by {by}'}.", "bold")
        if self.game.secret:
            self._say(f"The seed was {self.table.seed}.")
        if self.save is not None:
            write_records(self.save, [record_of(self.table, self.names, self.seeds).line()])
            self._say(f"The record is in {self.save}", whole=True)
        if self.source is not None and self.source.is_relative_to(unfinished_folder()):
            self.source.unlink(missing_ok=True)


def _effort(thought: MoveStats) -> str:
    """Return how long an agent thought, and how much and how far it searched if it told that."""
    parts = [duration(thought.seconds)]
    if thought.nodes:
        parts.append(f"{thought.nodes:,} positions")
    if thought.depth:
        parts.append(f"depth {thought.depth}")
    return ", ".join(parts)


def _minds(game: Game, names: Sequence[str], seeds: Sequence[int]) -> dict[int, Agent]:
    """Return the agents by seat; seats of people have none."""
    if len(names) != game.seats:
        raise BadValue(f"{game} has {game.seats} seats, and these were named for them: {', '.join(names) or 'nobody'}")
    return {seat: build(name, game, seeds[seat]) for seat, name in enumerate(names) if name.strip() != HUMAN}
