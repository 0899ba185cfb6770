"""`kibitz check`: which laws of games a game breaks, and where."""

import sys
from typing import TYPE_CHECKING

import click

from kibitz.console.command_line import GAME_HELP, print_json, verb

if TYPE_CHECKING:
    from kibitz.cli.game_checks import CheckReport, LawFinding

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

    GAME is first played interpreted, with every cell checked; then every law is tested on the compiled game, in all its
    variants, or in the one that the options of GAME name. The exit code is 1 if a law is broken. A view that shows what
    it should hide cannot be found this way: only the author knows what is secret.

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
    for law in dict.fromkeys(finding.law for finding in report.broken):
        found = [finding for finding in report.broken if finding.law == law]
        lines += [f"broken: {law}", f"  {found[0].sentence}", f"  in {_place(found[0])}"]
        if len(found) > 1:
            lines.append(f"  also in {', '.join(finding.variant for finding in found[1:])}")
    for law, remarks in report.remarks.items():
        variant, remark = next(iter(remarks.items()))
        lines.append(f"{law} in {variant}: {remark}")
    return "\n".join([*lines, _verdict(report)])


def _place(finding: "LawFinding") -> str:
    """Return the position of a finding, with the last moves that lead there."""
    from kibitz.core.laws.law import Position

    return finding.variant if finding.position is None else str(Position(**finding.position))


def _verdict(report: "CheckReport") -> str:
    if not report.tried:
        return f"{report.game}: the laws were not tried; mend this first"
    broken = len({finding.law for finding in report.broken})
    where = f"{report.game}, {len(report.variants)} variant{'s' if len(report.variants) > 1 else ''}"
    idle = f"; {len(report.idle)} of them do not apply" if report.idle else ""
    if broken:
        return f"{where}: {broken} of {report.laws} laws broken{idle}"
    return f"{where}: all {report.laws} laws hold{idle}"
