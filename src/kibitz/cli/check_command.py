"""`kibitz check`: which laws of games a game breaks, and where."""

import re
import sys
from typing import TYPE_CHECKING

import click

from kibitz.console.command_line import GAME_HELP, print_json, verb

if TYPE_CHECKING:
    from kibitz.cli.game_checks import CheckReport, LawFinding

_LINE = re.compile(r"\S+\.py, line \d+")
MOST_MOVES = 200  # that are printed to reach a position again
BROKEN = 1  # the exit code when a law is broken


@click.command(epilog=GAME_HELP)
@click.argument("game")
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="The seed of the first deal.")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    help="Random games for each law; for guesses, 200 positions each, every one from another game.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    help="Go on looking for faults in guesses for this time, in all variants together.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
@verb
def check(game: str, seed: int, games: int, seconds: float | None, as_json: bool) -> None:
    """Find which laws of games GAME breaks, and in which position.

    GAME is first played interpreted, with every cell checked; then every law is tested on the compiled game, with its
    usual options and with each option changed by itself, or only with the options that GAME names. Two options are
    changed together in the interpreted games alone. The exit code is 1 if a law is broken.

    Rules that are wrong but agree with each other break no law, nor does a view that shows what it should hide: only
    the author knows what is right and what is secret. An option that changed nothing is named.

    Guesses are compared with the truth in random games. If no fault is found, the report says how large a fault would
    have been found with 95 %: a mark on so many of a hundred guesses, and never on the truth, in one of the numbers
    compared. Rarer faults can remain, and those that show in none of these numbers. A right game is blamed for its
    guesses in 1 check of 1000.
    """
    from kibitz.cli import game_checks

    report = game_checks.check(game, seed, games, _progress, seconds)
    _progress("")
    if as_json:
        print_json(report.as_dict())
    else:
        click.echo(_shown(report))
    if not report.holds:
        sys.exit(BROKEN)


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line:.79}", end="", file=sys.stderr, flush=True)


def _shown(report: "CheckReport") -> str:
    """Return the report as text."""
    lines = []
    for laws in _by_cause(report.broken):
        first, *others = laws
        variants = list(dict.fromkeys(finding.variant for found in laws.values() for finding in found))
        finding = laws[first][0]
        lines += [f"broken: {first}", f"  {finding.sentence}", f"  in {_place(finding)}", *_again(finding)]
        if others:
            lines.append(f"  for the same reason: {' '.join(others)}")
        if len(variants) > 1:
            lines.append(f"  also in {', '.join(variant for variant in variants if variant != finding.variant)}")
    for law, remarks in report.remarks.items():
        variant, remark = next(iter(remarks.items()))
        lines.append(f"{law} in {variant}: {remark}")
    return "\n".join([*lines, _verdict(report)])


def _by_cause(broken: "list[LawFinding]") -> "list[dict[str, list[LawFinding]]]":
    """Return the laws that are broken with their findings; those whose sentences tell of one fault are together."""
    causes: list[dict[str, list[LawFinding]]] = []
    for law in dict.fromkeys(finding.law for finding in broken):
        found = [finding for finding in broken if finding.law == law]
        same = next((laws for laws in causes if _alike(next(iter(laws.values()))[0].sentence, found[0].sentence)), None)
        if same is None:
            causes.append({law: found})
        else:
            same[law] = found
    return causes


def _alike(one: str, other: str) -> bool:
    """Return whether two sentences tell of one fault: of the same line of the author's, or one is in the other."""
    lines = [_LINE.search(sentence) for sentence in (one, other)]
    if lines[0] and lines[1]:
        return lines[0].group() == lines[1].group()
    return one in other or other in one


def _place(finding: "LawFinding") -> str:
    """Return the position of a finding, with the last moves that lead there."""
    from kibitz.core.laws.law import Position

    return finding.variant if finding.position is None else str(Position(**finding.position))


def _again(finding: "LawFinding") -> list[str]:
    """Return how Python comes to a position, if a table can be led there."""
    place = finding.position
    if not place or not place["at_table"] or not 0 < len(place["moves"]) <= MOST_MOVES:
        return []
    table = f"table = kibitz.Table(kibitz.game({place['game']!r}), seed={place['seed']})"
    return [f"  in Python: {table}; table.follow({list(place['moves'])})"]


def _verdict(report: "CheckReport") -> str:
    if not report.tried:
        return f"{report.game}: the laws were not tried; mend this first"
    broken = len({finding.law for finding in report.broken})
    applied = report.laws - len(report.idle) - report.untried
    number = len(report.variants)
    where = f"{report.game}, {number} variant{'s' if number > 1 else ''}"
    listed = [variant for variant in report.variants if variant != report.game]
    tried = [f"variants: {report.game}, {', '.join(listed)}"] if number > 1 else []
    idle = f"; {len(report.idle)} do not apply" if report.idle else ""
    if report.untried:
        verdict = f"{where}: a game that does not end breaks the first law; the other {report.untried} were not tried"
    elif broken:
        verdict = f"{where}: {broken} of {applied} laws {'is' if broken == 1 else 'are'} broken{idle}"
    else:
        verdict = f"{where}: all {applied} laws that apply hold" if report.idle else f"{where}: all {applied} laws hold"
        verdict += idle
    return "\n".join([*tried, verdict])
