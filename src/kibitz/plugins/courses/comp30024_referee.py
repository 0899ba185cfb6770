"""A referee for Chexers with the options and the output of that of the course COMP30024 (2019).

python -m kibitz.plugins.courses.comp30024_referee RED GREEN BLUE
"""

import argparse
import sys
import time
from collections.abc import Sequence
from textwrap import dedent

from kibitz import __version__
from kibitz.agents.seated_agents import events_of
from kibitz.core.errors import KibitzError
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.games.chexers.notation import to_action
from kibitz.games.chexers.rules import MOST_TURNS, NONE, SEAT_NAMES, TURNS, WINNER
from kibitz.plugins.courses.commentary import BOARD, COORDINATES, VERBOSITIES, ActionLog, Commentary
from kibitz.plugins.courses.comp30024 import COURSE_MEMORY, COURSE_SECONDS
from kibitz.plugins.courses.contestant import Contestant, GameError

A_PLAYER_FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130  # exit codes
USUAL_DELAY = 0.5  # seconds, where the option has no value
USUAL_LOG = "game.log"


def play(players: Sequence[Contestant], table: Table, delay: float, out: Commentary, log: ActionLog) -> str:
    """Play a game to its end and return the result in words; a player that fails is a GameError."""
    out.section("initialising players")
    for player in players:
        player.begin()
    out.section("game start")
    out.position(table.view(0))
    while not table.over:
        time.sleep(delay)
        player = players[table.turn]
        out.section(f"{player.name}'s turn")
        move = player.move(table)
        action, events = to_action(table.view(table.turn), move), events_of(table, move, range(len(players)))
        table.play(move)
        log.action(player.colour, action)
        out.position(table.view(0))
        for each in players:
            out.comment(f"updating {each.name} with {player.colour}'s action {action}...")
            each.follow(events[each.seat])
    return result_of(table)


def result_of(table: Table) -> str:
    """Return how a game that is over ended, as the course says it."""
    view = table.view(0)
    if view[WINNER] != NONE:
        return f"winner: {SEAT_NAMES[int(view[WINNER])].title()}"
    full = view[TURNS] >= MOST_TURNS
    return f"draw detected: {'maximum number of turns reached' if full else 'game state occurred 4 times'}."


def main(words: Sequence[str] | None = None) -> int:
    """Conduct a game between the players that a command names; return the exit code."""
    options = _options().parse_args(words)
    out = Commentary(COORDINATES if options.debug else options.verbosity)
    out.comment(f"this is the Chexers referee of Kibitz {__version__}; --help tells of its options.")
    out.comment("all lines of the referee begin with a *; all others were printed by players.\n")
    players: list[Contestant] = []
    try:
        return _conduct(players, options, out)
    except KeyboardInterrupt:
        out.comment("bye!")
        return INTERRUPTED
    except KibitzError as error:
        print(f"referee: {error}", file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        print(f"referee: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    finally:
        for player in players:
            player.end()


def _conduct(players: list[Contestant], options: argparse.Namespace, out: Commentary) -> int:
    game = find("chexers")
    for seat, spec in enumerate((options.red, options.green, options.blue)):
        players.append(Contestant(spec, seat, game, options, out))
    log = ActionLog(options.logfile)
    try:
        result = play(players, Table(game, 0), options.delay, out, log)
    except GameError as error:
        out.section("game error")
        out.result(error.headline)
        out.comment(str(error))
        log.write("error", str(error))
        return A_PLAYER_FAILED
    else:
        out.section("game over!")
        out.result(result)
        log.write("over", result)
        return 0
    finally:
        log.close()


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m kibitz.plugins.courses.comp30024_referee",
        description="Conduct a game of Chexers between three Player classes, as in COMP30024.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=dedent("""\
            A player is a module in the current folder, by name (team, team.player2) or by path
            (team/player3.py), and perhaps its class: team:OtherPlayer. kibitz:greedy, or any
            other agent after kibitz:, is an agent of Kibitz."""),
    )
    for colour in SEAT_NAMES:
        parser.add_argument(colour, help=f"where {colour.title()}'s Player class is: module[:Class]")
    parser.add_argument("-V", "--version", action="version", version=f"Kibitz {__version__}")
    parser.add_argument("-d", "--delay", type=_amount, nargs="?", default=0.0, const=USUAL_DELAY,
                        help=f"seconds to wait before each turn ({USUAL_DELAY} if no number is given)")  # fmt: skip
    parser.add_argument("-s", "--space", type=_amount, nargs="?", default=0.0, const=float(COURSE_MEMORY),
                        help=f"MB of memory for each player ({COURSE_MEMORY} if no number is given)")  # fmt: skip
    parser.add_argument("-t", "--time", type=_amount, nargs="?", default=0.0, const=float(COURSE_SECONDS),
                        help=f"processor seconds for each player ({COURSE_SECONDS} if no number is given)")  # fmt: skip
    parser.add_argument("-D", "--debug", action="store_true", help="the same as -v3")
    parser.add_argument("-v", "--verbosity", type=int, choices=VERBOSITIES, nargs="?", default=BOARD, const=COORDINATES,
                        help="0: the result; 1: commentary; 2 (usual): the board too; 3: with coordinates")  # fmt: skip
    parser.add_argument("-l", "--logfile", nargs="?", const=USUAL_LOG,
                        help=f"write the actions to this file ({USUAL_LOG} if none is named)")  # fmt: skip
    return parser


def _amount(text: str) -> float:
    """Return a number that is not negative."""
    number = float(text)
    if not 0 <= number < 1_000_000:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
