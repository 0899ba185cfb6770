"""Checking a game: played interpreted first, with every cell checked, then all laws on the compiled game.

Both happen in processes of their own, which report line by line; so rules that write anywhere harm nobody here.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import IO, Any

import click

from kibitz.core.errors import BadValue

BROKEN = 1  # the exit code when a law is broken
CHECKED_GAMES = 3  # played interpreted in each variant
CHECKED_SECONDS = 20.0  # for all of them together
STUCK_SECONDS = 15  # a rule that takes longer, interpreted, does not return
_LOADED = "the game can be loaded"
_CHECKED = "rules stay within their cells, and return"

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Finding:
    """One law that a variant of a game breaks."""

    law: str
    variant: str
    sentence: str
    position: dict[str, Any] | None = None


@dataclass
class Report:
    """What came of checking a game."""

    game: str
    variants: list[str] = field(default_factory=list)
    laws: int = 0
    tried: bool = False  # whether the laws were tried, which takes a game that stays within its cells
    broken: list[Finding] = field(default_factory=list)
    idle: dict[str, str] = field(default_factory=dict)  # laws that do not apply, with the reason
    remarks: dict[str, str] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether all laws hold."""
        return not self.broken

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {"holds": self.holds, **asdict(self)}


def check(text: str, seed: int = 1, games: int = 4, tell: Tell = lambda line: None) -> Report:
    """Check a game named by a text or a path; `tell` hears what is being done."""
    report = Report(text)
    for phase in ("interpreted", "compiled"):
        for line in _lines(phase, text, seed, games):
            _take(report, line, tell)
        if report.broken:
            break
    return report


def _take(report: Report, line: dict[str, Any], tell: Tell) -> None:
    """Enter one line of a process into the report."""
    if "refused" in line:
        raise BadValue(line["refused"])
    if "doing" in line:
        tell(line["doing"])
    if "variants" in line:
        report.variants = line["variants"]
    if "laws" in line:
        report.laws, report.tried = line["laws"], True
    if "broken" in line:
        report.broken.append(Finding(**line["broken"]))
    if "idle" in line:
        report.idle.update(line["idle"])
    if "remark" in line:
        report.remarks.update(line["remark"])


def _lines(phase: str, text: str, seed: int, games: int) -> Iterator[dict[str, Any]]:
    """Run one phase in a process of its own and yield what it reports; its death is a finding."""
    environment = dict(os.environ)
    if phase == "interpreted":
        environment["NUMBA_DISABLE_JIT"] = "1"
    words = [sys.executable, "-m", "kibitz.checking", phase, text, str(seed), str(games)]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    doing = f"{text} is loaded"
    try:
        assert child.stdout is not None
        for line in child.stdout:
            found = json.loads(line)
            doing = found.get("doing", doing)
            yield found
        _, complaint = child.communicate()
        if child.returncode:
            yield {"broken": asdict(Finding(_CHECKED, text, _death(child.returncode, doing, complaint)))}
    finally:
        child.kill()
        child.wait()


def _death(code: int, doing: str, complaint: str) -> str:
    """Return in a sentence how a process ended."""
    how = signal.Signals(-code).name if code < 0 else (complaint.strip().splitlines() or [f"exit code {code}"])[-1]
    return f"the process ended with {how} while {doing}: a rule writes or reads outside the cells it is given"


class _Reporter:
    """The side of the process: prints lines for the one that started it; what games print goes elsewhere."""

    def __init__(self) -> None:
        self._out: IO[str] = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def say(self, **line: Any) -> None:
        """Print one line."""
        print(json.dumps(line), file=self._out, flush=True)

    def say_broken(self, law: str, variant: str, error: Exception) -> None:
        """Print what is broken."""
        position = getattr(error, "position", None)
        sentence = getattr(error, "sentence", str(error))
        self.say(broken=asdict(Finding(law, variant, sentence, position.as_dict() if position else None)))


def _run(phase: str, text: str, seed: int, games: int) -> None:
    """Do one phase in this process."""
    from kibitz import games as library
    from kibitz.core.errors import BadGame, KibitzError
    from kibitz.core.laws.variants import variants

    reporter = _Reporter()
    try:
        game = library.find(text)
        texts = [text] if game.options != library.find(game.name).options else [*map(str, variants(game))]
    except BadGame as error:
        reporter.say_broken(_LOADED, text, error)
        return
    except KibitzError as error:
        reporter.say(refused=str(error))
        return
    found = {}
    for variant in texts:
        try:
            found[variant] = library.find(variant)
        except BadValue:
            continue  # the game refuses this combination of options
    reporter.say(variants=list(found))
    (_play_interpreted if phase == "interpreted" else _try_laws)(reporter, found, seed, games)


def _play_interpreted(reporter: _Reporter, variants: dict[str, Any], seed: int, games: int) -> None:
    from kibitz.core.errors import KibitzError
    from kibitz.core.laws.checked import play_checked

    for variant, game in variants.items():
        reporter.say(doing=f"{variant} is played with checked cells")
        signal.signal(signal.SIGALRM, _stuck)
        signal.setitimer(signal.ITIMER_REAL, STUCK_SECONDS + CHECKED_SECONDS)
        try:
            game._rules_found()
            play_checked(game, seed, CHECKED_GAMES, CHECKED_SECONDS / len(variants))
        except KibitzError as error:
            reporter.say_broken(_CHECKED, variant, error)
            return
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _stuck(number: int, frame: Any) -> None:
    raise TimeoutError(f"it has not returned after {STUCK_SECONDS} seconds")


def _try_laws(reporter: _Reporter, variants: dict[str, Any], seed: int, games: int) -> None:
    from kibitz.core.errors import KibitzError
    from kibitz.core.laws import LAWS, ONCE, DoesNotApply, statement

    reporter.say(laws=len(LAWS))
    applied: set[str] = set()
    for variant, game in variants.items():
        for number, law in enumerate(LAWS, 1):
            reporter.say(doing=f"{variant}: law {number} of {len(LAWS)}, {law.__name__.replace('_', ' ')}")
            try:
                for each in range(seed, seed + (1 if law in ONCE else games)):
                    remark = law(game, each)
                applied.add(law.__name__)
                if remark:
                    reporter.say(remark={f"{law.__name__}, {variant}": remark})
            except DoesNotApply as reason:
                if law.__name__ not in applied:
                    reporter.say(idle={law.__name__: str(reason)})
            except KibitzError as error:
                applied.add(law.__name__)
                reporter.say_broken(statement(law), variant, error)
            except Exception as error:
                reporter.say_broken(statement(law), variant, error)


@click.command("check")
@click.argument("game")
@click.option("--seed", type=click.IntRange(0, 2**63), default=1, show_default=True, help="The first of the deals.")
@click.option("--games", type=click.IntRange(1), default=4, show_default=True, help="Random games for each law.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
def command(game: str, seed: int, games: int, as_json: bool) -> None:
    """Say which laws of games GAME breaks, in which position; exit code 1 if it breaks any.

    GAME is a name or a path to your own. It is first played interpreted with checked cells, then every law is tried on
    the compiled game, in all its variants. What a view shows that it should not cannot be found: only you know what is
    secret.
    """
    from kibitz.core.errors import KibitzError

    try:
        report = check(game, seed, games, _progress)
    except KibitzError as error:
        click.echo(f"kibitz: {error}", err=True)
        sys.exit(2)
    _progress("")
    click.echo(json.dumps(report.as_dict()) if as_json else _shown(report))
    sys.exit(0 if report.holds else BROKEN)


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line:.79}", end="", file=sys.stderr, flush=True)


def _shown(report: Report) -> str:
    """Return the report as text."""
    lines = []
    for law in dict.fromkeys(finding.law for finding in report.broken):
        found = [finding for finding in report.broken if finding.law == law]
        lines += [f"broken: {law}", f"  {found[0].sentence}", f"  in {_place(found[0])}"]
        if len(found) > 1:
            lines.append(f"  also in {', '.join(finding.variant for finding in found[1:])}")
    lines += [f"{law}: {remark}" for law, remark in report.remarks.items()]
    return "\n".join([*lines, _verdict(report)])


def _place(finding: Finding) -> str:
    from kibitz.core.laws.law import Position

    if finding.position is None:
        return finding.variant
    plain = finding.position
    return str(Position(plain["game"], plain["seed"], tuple(plain["moves"]), tuple(plain["texts"])))


def _verdict(report: Report) -> str:
    if not report.tried:
        return f"{report.game}: the laws were not tried; mend this first"
    broken = len({finding.law for finding in report.broken})
    where = f"{report.game}, {len(report.variants)} variant{'s' if len(report.variants) > 1 else ''}"
    idle = f"; {len(report.idle)} of them do not apply" if report.idle else ""
    if broken:
        return f"{where}: {broken} of {report.laws} laws broken{idle}"
    return f"{where}: all {report.laws} laws hold{idle}"


if __name__ == "__main__":
    _phase, _text, _seed, _games = sys.argv[1:]
    _run(_phase, _text, int(_seed), int(_games))
