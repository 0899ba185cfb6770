"""A game in the terminal: the board is shown, moves are typed, and a game that is left is kept."""

import os
import re
import secrets
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from rich.console import Console

from kibitz.agents import build
from kibitz.agents.agent import Agent
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import AgentFault, accuse, take_turn
from kibitz.cli.rehearsal import rehearse
from kibitz.core.errors import BadMove, BadRecord, BadValue, KibitzError
from kibitz.core.files import check_writable
from kibitz.core.game import Game
from kibitz.core.record import read_records, record_of, write_records
from kibitz.core.scene import listed
from kibitz.core.streams import HINT, MIND, stream
from kibitz.core.table import Table
from kibitz.games import find

HUMAN = "human"  # the word for a person, where an agent could be named
STRONGEST = (
    "minimax(seconds=3, opening=none)",
    "mcts(seconds=3)",
    "ismcts(seconds=3)",
)  # the first that fits is the usual opponent
HELP = """  type a move as it is listed, or several on one line, with spaces between them
  moves   list the legal moves      hint    ask the computer
  undo    take back to your last choice
  quit    leave; the game is kept, and `kibitz play --resume` continues it"""
COMMANDS = {
    "quit": "quit", "q": "quit", "exit": "quit", "help": "help", "h": "help", "?": "help",
    "moves": "moves", "m": "moves", "hint": "hint", "undo": "undo", "u": "undo",
}  # fmt: skip


class _Leave(Exception):
    """The person wants to stop."""


def start(game_text: str, agents: Sequence[str], seed: int | None, save: Path | None) -> None:
    """Begin a new game."""
    game = find(game_text)
    names = list(agents) or [HUMAN, *[usual_opponent(game)] * (game.seats - 1)]
    _Session(Table(game, secrets.randbits(32) if seed is None else seed), names, save).run()


def resume(path: Path | None, trusted: bool, save: Path | None) -> None:
    """Continue a game that was left; without a path, the last one."""
    if path is None:
        kept = sorted(unfinished_folder().glob("*.jsonl"), key=lambda file: file.stat().st_mtime)
        if not kept:
            raise BadValue(f"there is no game to continue in {unfinished_folder()}")
        path = kept[-1]
    records = list(read_records(path, trusted))
    if len(records) != 1:
        raise BadRecord(f"{path} holds {len(records)} records; a game to continue is one")
    table = records[0].replay(find)
    if table.over:
        raise BadValue(f"the game in {path} is over; see it with: kibitz replay {path}")
    _Session(table, records[0].agents, save, path).run()


def usual_opponent(game: Game) -> str:
    """Return the text of the computer opponent for a game."""
    for text in STRONGEST:
        try:
            build(text, game, 0)
        except BadValue:
            continue
        return text
    return "random"


def unfinished_folder() -> Path:
    """Return where games that were left are kept."""
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "kibitz" / "unfinished"


class _Session:
    """One sitting at a table."""

    def __init__(self, table: Table, names: Sequence[str], save: Path | None, source: Path | None = None):
        self.table, self.game, self.names, self.save, self.source = table, table.game, list(names), save, source
        if save is not None:
            check_writable(save)
        self.seeds = [stream(table.seed, MIND, seat) for seat in range(self.game.seats)]
        self.minds = _minds(self.game, names, self.seeds)
        self.humans = [seat for seat, name in enumerate(names) if seat not in self.minds]
        self.curtained = self.game.hidden and len(self.humans) > 1
        self.typed = ""  # the rest of a line
        self.last_viewer = -1
        self.console = Console(highlight=False, markup=False)

    def run(self) -> None:
        """Play until the game is over or the person leaves; whatever happens, the game is kept."""
        rehearse(self.game, [mind.text for mind in self.minds.values()])
        self._say(f"{self.game}, seed {self.table.seed}", "bold")
        for seat, name in enumerate(self.names):
            self._say(f"  {self.game.seat_names[seat]}: {name}")
        if self.humans:
            self._say("type help for what you can do", "dim")
        try:
            while not self.table.over:
                if self.table.turn in self.humans:
                    self._ask()
                else:
                    self._think()
        except (_Leave, KeyboardInterrupt):
            self._keep()
            return
        except BaseException:
            self._keep()
            raise
        self._finish()

    def _say(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, soft_wrap=True)

    def _show(self, seat: int) -> None:
        self._say("")
        self.console.print(self.game.text(self.table.view(seat)), markup=False)

    def _think(self) -> None:
        seat = self.table.turn
        with self.console.status(f"{self.game.seat_names[seat]} is thinking"):
            try:
                take_turn(self.table, self.minds[seat], "this game")
            except AgentFault as fault:
                if not self.game.hidden or not self.humans or fault.reason != Reason.ILLEGAL:
                    raise
                what = "its move is not legal"  # the fault itself lists what the seat could have played
                raise accuse(self.names[seat], seat, self.table.ply, "this game", fault.reason, what) from None
        if not self.curtained:
            self._report(self.humans[0] if self.humans else None, self.table.ply - 1)

    def _report(self, listener: int | None, since: int) -> None:
        """Say what was played from a ply on, as far as a listener may know it; without a listener, all of it."""
        for ply in range(since, self.table.ply):
            before, move = self._at(ply), self.table.moves_made[ply]
            name = self.game.seat_names[before.turn]
            text = before.write(move) if listener is None else before.told(move, listener)
            if text is None:
                self._say(f"{name} has moved")
            else:
                self._say(f"{name} plays {text}", "bold")

    def _at(self, ply: int) -> Table:
        """Return the table as it was after so many moves."""
        table = Table(self.game, self.table.seed)
        for move in self.table.moves_made[:ply]:
            table.play(move)
        return table

    def _last_choice(self, seat: int) -> int | None:
        """Return the ply at which a seat made its last choice."""
        return next((ply for ply in reversed(range(self.table.ply)) if self._at(ply).turn == seat), None)

    def _ask(self) -> None:
        seat = self.table.turn
        if self.curtained and seat != self.last_viewer:
            self.typed = ""  # nobody types for another person where there are secrets
        going_on = bool(self.typed)
        if not going_on:
            self._curtain(seat)
            self._show(seat)
            self._list_moves()
        while True:
            words = self._next_words(seat)
            command = COMMANDS.get(words.lower())
            if command == "quit":
                raise _Leave
            if command == "help":
                self._say(HELP)
            elif command == "moves":
                self._list_moves()
            elif command == "hint":
                self._hint(seat)
            elif command == "undo":
                if self._undo(seat):
                    return
            elif words:
                try:
                    self.table.play(self.table.read(words))
                    return
                except BadMove as error:
                    self._say(f"  {error}")
                    if going_on:
                        return  # to show the position that the line has led to

    def _list_moves(self) -> None:
        self._say(listed("  moves: ", [self.table.write(move) for move in self.table.moves()], hang=9))

    def _next_words(self, seat: int) -> str:
        """Return the next thing typed: the longest move or the command that a line begins with, else all of it."""
        line = (self.typed or self._input(f"{self.game.seat_names[seat]} to move> ")).strip()
        ends = [word.end() for word in re.finditer(r"\S+", line)]
        moves = (end for end in reversed(ends) if self._is_move(line[:end]))
        commands = (end for end in ends[:1] if line[:end].lower() in COMMANDS)
        end = next(chain(moves, commands), len(line))
        self.typed = line[end:].strip()
        return line[:end]

    def _input(self, prompt: str) -> str:
        try:
            return self.console.input(prompt)
        except (EOFError, KeyboardInterrupt):
            self._say("")
            raise _Leave from None

    def _is_move(self, line: str) -> bool:
        try:
            self.table.read(line)
        except KibitzError:
            return False
        return True

    def _curtain(self, seat: int) -> None:
        """Between two people, hide what the first has seen, and show the second what has been played."""
        if not self.curtained:
            return
        if self.last_viewer not in (-1, seat):
            self.console.clear()
            self._input(f"Hand over to {self.game.seat_names[seat]}, then press Enter ")
        self.last_viewer = seat
        self._catch_up(seat)

    def _catch_up(self, seat: int) -> None:
        """Show a person what has been played since their last choice."""
        last = self._last_choice(seat)
        self._report(seat, 0 if last is None else last + 1)

    def _hint(self, seat: int) -> None:
        adviser = build(usual_opponent(self.game), self.game, stream(self.table.seed, HINT, self.table.ply))
        rehearse(self.game, [adviser.text])
        with self.console.status("thinking"):
            decision = adviser.decide(self.table.view(seat))
        self._say(f"  the computer would play {self.table.write(decision.move)}", "bold")

    def _undo(self, seat: int) -> bool:
        """Take back to this person's last choice; return whether anything was taken back."""
        last = self._last_choice(seat)
        if last is None:
            self._say("  there is nothing to take back")
            return False
        self.table.undo(self.table.ply - last)
        return True

    def _keep(self) -> None:
        record = record_of(self.table, self.names, self.seeds)
        line = record.with_paths(lambda name: str(Path(name).resolve())).line()  # it may be continued from anywhere
        path = self.source or unfinished_folder() / f"{Path(self.game.name).name}-{self.table.seed}.jsonl"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_records(path, [line], overwrite=True)
        except (OSError, BadValue) as error:
            self._say(f"The game could not be kept ({error}). Its record, for `kibitz play --resume FILE`, is:\n{line}")
            return
        self._say(f"The game is kept in {path}; continue it with: kibitz play --resume")

    def _finish(self) -> None:
        if self.curtained:
            self._catch_up(self.humans[0])
        self._show(self.humans[0] if self.humans else 0)
        payoff = self.table.payoff()
        best = [seat for seat, earned in enumerate(payoff) if earned == max(payoff)]
        if len(best) == 1:
            self._say(f"{self.game.seat_names[best[0]]} ({self.names[best[0]]}) wins.", "bold")
        else:
            self._say("A draw.", "bold")
        if self.save is not None:
            write_records(self.save, [record_of(self.table, self.names, self.seeds).line()])
            self._say(f"The record is in {self.save}")
        if self.source is not None and self.source.is_relative_to(unfinished_folder()):
            self.source.unlink(missing_ok=True)


def _minds(game: Game, names: Sequence[str], seeds: Sequence[int]) -> dict[int, Agent]:
    """Return the agents by seat; seats of people have none."""
    if len(names) != game.seats:
        raise BadValue(
            f"{game} has {game.seats} seats, but {len(names)} agents were named: {', '.join(names) or 'none'}"
        )
    return {seat: build(name, game, seeds[seat]) for seat, name in enumerate(names) if name.strip() != HUMAN}
