"""A record: one game as one line of JSON, enough to replay it move by move.

    {"kibitz": 1, "game": "quarto", "version": 1, "options": {"squares": false}, "seed": 7,
     "agents": ["novice", "random"], "agent_seeds": [12, 34], "moves": [3, 12, …], "payoff": [1.0, 0.0]}

`kibitz` is the version of this format, `version` that of the game's rules; `agent_seeds` are the seeds of the agents,
null if they are not known; `payoff` is null while the game goes on. In a file, relative paths of the user's games and
agents start in the folder of that file.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadMove, BadRecord, BadValue, KibitzError, Untrusted
from kibitz.core.game import Game, option_values, spec_of
from kibitz.core.notebook import common_view, picture
from kibitz.core.spec import Spec
from kibitz.core.table import Table
from kibitz.core.user_files import commands_in, is_path, whole_file, with_paths

FORMAT = 1
FindGame = Callable[[Spec], Game]
_finders: list[FindGame] = []  # the function that finds games, once it is known


def find_games_by(find: FindGame) -> None:
    """Set the function that finds the games of records that are shown."""
    _finders[:] = [find]


@dataclass(frozen=True)
class Record:
    """One game, finished or not, as plain data."""

    game: str
    version: int
    options: dict[str, Any]
    seed: int
    agents: list[str]
    agent_seeds: list[int] | None
    moves: list[int]
    payoff: list[float] | None = None

    def line(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps({"kibitz": FORMAT, **asdict(self)})

    def _repr_svg_(self) -> str | None:
        """Return the last position for a notebook as the public sees it; no code at a path runs for it."""
        if not _finders or is_path(self.game):
            return None
        try:
            table = self.replay(_finders[0])
        except KibitzError:  # the notebook shows the text; replay says what is wrong
            return None
        return picture(table.game, common_view(table.game, table.view))

    @property
    def has_paths(self) -> bool:
        """Whether its game or an agent names code in files."""
        return any(map(is_path, (self.game, *self.agents))) or any(map(_runs_a_command, self.agents))

    def refuse_paths(self, agents: Iterable[str] = ()) -> None:
        """Refuse a game that names code in files, and such agents among those that will play."""
        for text in (self.game, *agents):
            if is_path(text):
                raise Untrusted(f"it names code in a file, {text}, which is not run unless the record is trusted")
            if _runs_a_command(text):
                raise Untrusted(f"it names a command, {text}, which is not run unless the record is trusted")

    def with_paths(self, change: Callable[[str], str]) -> "Record":
        """Return the record with the paths of its game and agents changed."""
        game = change(self.game) if is_path(self.game) else self.game
        return replace(self, game=game, agents=[with_paths(agent, change) for agent in self.agents])

    def replay(self, find: FindGame, plies: int | None = None) -> Table:
        """Replay the moves, or the first `plies` of them, on a new table and check what the record claims."""
        game = find(spec_of(self.game, self.options))
        if game.version != self.version:
            raise BadRecord(
                f"the record is of {self.game} version {self.version}, but the rules here are version {game.version}"
            )
        if len(self.agents) != game.seats:
            raise BadRecord(f"the record names {len(self.agents)} agents for {game.seats} seats of {self.game}")
        table = Table(game, self.seed)
        try:
            table.follow(self.moves[:plies])
        except BadMove as error:
            raise BadRecord(f"the record cannot be played: {error}") from None
        if plies is None and table.ply > len(self.moves):
            raise BadRecord("the record ends before the last roll of chance")
        if plies is None and (table.payoff() if table.over else None) != self.payoff:
            reached = table.payoff() if table.over else "an unfinished game"
            raise BadRecord(f"the record claims the payoff {self.payoff}, but its moves lead to {reached}")
        return table


class RecordLines:
    """Writes records of one game as lines, faster than Record but the same."""

    def __init__(self, game: Game):
        constant = {"kibitz": FORMAT, "game": game.name, "version": game.version, "options": option_values(game)}
        self._start = json.dumps(constant)[:-1]
        self._names: dict[tuple[str, ...], str] = {}

    def line(
        self, seed: int, agents: tuple[str, ...], seeds: list[int], moves: list[int], payoff: list[float] | None
    ) -> str:
        """Return one line; lists of numbers look the same in Python and in JSON."""
        names = self._names.get(agents)
        if names is None:
            names = self._names[agents] = json.dumps(agents)
        earned = "null" if payoff is None else payoff
        return (
            f'{self._start}, "seed": {seed}, "agents": {names}, "agent_seeds": {seeds}, '
            f'"moves": {moves}, "payoff": {earned}}}'
        )


def record_of(table: Table, agents: Iterable[str], agent_seeds: Iterable[int] | None = None) -> Record:
    """Return the record of a table as it stands."""
    seeds = None if agent_seeds is None else list(agent_seeds)
    game = table.game
    payoff = table.payoff() if table.over else None
    moves = list(table.moves_made)
    return Record(game.name, game.version, option_values(game), table.seed, list(agents), seeds, moves, payoff)


def read_line(line: str) -> Record:
    """Read one line of JSON; a BadRecord says what is wrong with it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"not a line of JSON ({error})") from None
    if not isinstance(data, dict) or "kibitz" not in data:
        raise BadRecord("not a record: the key 'kibitz' is missing")
    if data["kibitz"] is True or data["kibitz"] != FORMAT:
        raise BadRecord(f"a record of format {data['kibitz']!r}; this program reads format {FORMAT}")
    del data["kibitz"]
    if sorted(data) != sorted(_FIELDS):
        missing, extra = sorted(set(_FIELDS) - set(data)), sorted(set(data) - set(_FIELDS))
        raise BadRecord(f"not a record: missing keys {missing}, unknown keys {extra}")
    for name, fits in _FIELDS.items():
        if not fits(data[name]):
            raise BadRecord(f"not a record: {name!r} cannot be {data[name]!r}")
    return Record(**data)


def read_records(path: Path, trusted: bool = True) -> Iterator[Record]:
    """Read a file of records; a BadRecord names the file and the line of anything else.

    A record may name its game by a path, whose code runs in a replay; unless `trusted`, that is a BadRecord.
    """
    path = Path(path)
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    try:
                        record = read_line(line)
                        if not trusted:
                            record.refuse_paths()
                        yield _located(record, path.parent)
                    except BadRecord as error:
                        raise type(error)(f"{path}, line {number}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadRecord(f"cannot read {path}: {reason}") from None


def write_records(path: Path, lines: Iterable[str], overwrite: bool = False) -> None:
    """Write lines of records as a whole file; relative paths in them will start in its folder."""
    folder = path.parent.resolve()

    def from_folder(name: str) -> str:
        if Path(name).is_absolute():
            return name
        relative = os.path.relpath(Path(name).resolve(), folder)
        return relative if relative.startswith("..") else f"./{relative}"

    with whole_file(path, overwrite) as out:
        for line in lines:
            out.write(f"{read_line(line).with_paths(from_folder).line() if '/' in line else line}\n")


def _runs_a_command(text: str) -> bool:
    try:
        return any(True for _ in commands_in(text))
    except BadValue:  # not the text of an agent, so nothing will run
        return False


def _located(record: Record, folder: Path) -> Record:
    """Return a record with its paths made absolute, found in the folder of the record or else in the current one."""
    located = record.with_paths(lambda name: _absolute(name, folder))
    if is_path(located.game) and not Path(located.game).is_absolute():
        raise BadRecord(
            f"there is no game at {record.game}, neither in {folder.resolve()}, the folder of the record, nor in "
            f"{Path.cwd()}, the current folder"
        )
    return located


def _absolute(name: str, folder: Path) -> str:
    places = [place / name for place in (folder, Path.cwd()) if (place / name).exists()]
    return str(places[0].resolve()) if places else name


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _seed(value: Any) -> bool:
    return _whole(value) and 0 <= value < 2**64


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(fits(entry) for entry in value)


_FIELDS: dict[str, Callable[[Any], bool]] = {
    "game": lambda value: isinstance(value, str),
    "version": _whole,
    "options": lambda value: isinstance(value, dict),
    "seed": _seed,
    "agents": _list_of(lambda value: isinstance(value, str)),
    "agent_seeds": lambda value: value is None or _list_of(_seed)(value),
    "moves": _list_of(lambda value: _whole(value) and abs(value) < 2**63),
    "payoff": lambda value: value is None or _list_of(_number)(value),
}
