"""Checks of a game: it is played interpreted, with every cell checked, then all laws are tried on the compiled game.

Both happen in other processes, which report line by line; rules that write out of bounds do no harm here.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import IO, TYPE_CHECKING, Any

from kibitz.core.errors import BadValue

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.core.laws.calibration import GuessEffort
    from kibitz.core.laws.law import Law

CHECKED_GAMES = 3  # played interpreted in each variant
CHECKED_SECONDS = 20.0  # for all of them together
PAIR_SECONDS = 10.0  # for one game each with two options changed together
_LOADED = "the game can be loaded"
_COMPILED = "the rules can be compiled"
_NAMED = "the agents that policies.py names can be built"
_CHECKED = "rules stay within their cells, change no more than they may, demand deals that can be, and return"

Tell = Callable[[str], None]


@dataclass(frozen=True)
class LawFinding:
    """One law that a variant of a game breaks."""

    law: str
    variant: str
    sentence: str
    position: dict[str, Any] | None = None


@dataclass
class CheckReport:
    """The result of checking a game."""

    game: str
    variants: list[str] = field(default_factory=list)
    laws: int = 0
    untried: int = 0  # laws that were not tried, because the game does not end
    tried: bool = False  # whether the laws were tried, which takes a game that stays within its cells
    broken: list[LawFinding] = field(default_factory=list)
    idle: dict[str, str] = field(default_factory=dict)  # laws that do not apply, with the reason
    remarks: dict[str, dict[str, str]] = field(default_factory=dict)  # on laws that hold, by law and variant

    @property
    def holds(self) -> bool:
        """Whether all laws hold."""
        return not self.broken

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {"holds": self.holds, **asdict(self)}


def check(
    text: str, seed: int = 1, games: int = 4, tell: Tell = lambda line: None, seconds: float | None = None
) -> CheckReport:
    """Check a game named by a text or a path; `tell` is called with what is being done.

    `seconds` are for looking for faults in guesses, in all variants together.
    """
    report = CheckReport(text)
    for phase in ("interpreted", "compiled"):
        with closing(_lines(phase, text, seed, games, seconds)) as lines:
            for line in lines:
                _take(report, line, tell)
        if report.broken:
            break
    return report


def _take(report: CheckReport, line: dict[str, Any], tell: Tell) -> None:
    """Enter one line of a process into the report."""
    if "refused" in line:
        raise BadValue(line["refused"])
    if "doing" in line:
        tell(line["doing"])
    if "variants" in line:
        report.variants = line["variants"]
    if "laws" in line:
        report.laws, report.tried = line["laws"], True
    if "untried" in line:
        report.untried = line["untried"]
    if "broken" in line:
        report.broken.append(LawFinding(**line["broken"]))
    if "idle" in line:
        report.idle.update(line["idle"])
    if "remark" in line:
        law, variant, remark = line["remark"]
        report.remarks.setdefault(law, {})[variant] = remark


def _lines(
    phase: str, text: str, seed: int, games: int, seconds: float | None
) -> Generator[dict[str, Any], None, None]:
    """Run one phase in another process and yield what it reports; its death is a finding."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # more threads take more time for matrices this small
    if phase == "interpreted":
        environment["NUMBA_DISABLE_JIT"] = "1"
    words = [sys.executable, "-P", "-m", "kibitz.cli.game_checks", phase, text]
    words += [str(seed), str(games), str(seconds or 0)]
    doing = loading = f"{text} is loaded"
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as complaint,
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=complaint, text=True, env=environment) as child,
    ):
        try:
            assert child.stdout is not None
            for line in child.stdout:
                found = json.loads(line)
                doing = found.get("doing", doing)
                yield found
            if child.wait():
                complaint.seek(0)
                law = _LOADED if doing == loading else _CHECKED
                yield {"broken": asdict(LawFinding(law, text, _death(child.returncode, doing, complaint.read())))}
        finally:
            child.kill()


def _death(code: int, doing: str, complaint: str) -> str:
    """Return in a sentence how a process ended."""
    if code < 0:
        how = signal.Signals(-code).name
        return f"the process ended with {how} while {doing}: a rule writes or reads outside the cells it is given"
    return f"the process ended while {doing}: {(complaint.strip().splitlines() or [f'exit code {code}'])[-1]}"


class _Reporter:
    """The other process: prints lines for the one that started it; what games print goes to standard error."""

    def __init__(self) -> None:
        self._out: IO[str] = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def say(self, **line: Any) -> None:
        """Print one line."""
        print(json.dumps(line), file=self._out, flush=True)

    def say_broken(self, law: str, variant: str, error: Exception, advice: str = "") -> None:
        """Print what is broken, and advice if there is any."""
        position = getattr(error, "position", None)
        sentence = getattr(error, "sentence", str(error)) + advice
        self.say(broken=asdict(LawFinding(law, variant, sentence, asdict(position) if position else None)))


def _run(phase: str, text: str, seed: int, games: int, seconds: float | None = None) -> None:
    """Do one phase in this process."""
    from kibitz import games as library
    from kibitz.core.errors import BadGame, KibitzError
    from kibitz.core.laws.law import pairs, variants
    from kibitz.core.spec import parse

    reporter = _Reporter()
    try:
        game = library.find(text)
        texts = [text] if parse(text).args else [*map(str, variants(game))]
    except BadGame as error:
        reporter.say_broken(_LOADED, text, error)
        return
    except KibitzError as error:
        reporter.say(refused=str(error))
        return
    together = [*map(str, pairs(game))] if phase == "interpreted" and not parse(text).args else []
    found = {}
    for variant in [*texts, *together]:
        try:
            found[variant] = library.find(variant)
        except BadValue:
            continue  # the game refuses this combination of options
        except BadGame as error:
            reporter.say_broken(_LOADED, variant, error)
            return
    reporter.say(variants=[variant for variant in texts if variant in found])
    if phase == "interpreted":
        _play_interpreted(reporter, found, set(together), seed)
    else:
        _try_laws(reporter, found, seed, games, seconds)


def _play_interpreted(reporter: _Reporter, variants: "dict[str, Game]", together: set[str], seed: int) -> None:
    """Play every variant; `together` are those with two options changed together, which get less time."""
    from kibitz.core.errors import KibitzError
    from kibitz.core.laws.checked import play_checked

    for variant, game in variants.items():
        reporter.say(doing=f"{variant} is played with checked cells")
        try:
            if variant in together:
                play_checked(game, seed, 1, PAIR_SECONDS / len(together))
            else:
                play_checked(game, seed, CHECKED_GAMES, CHECKED_SECONDS / (len(variants.keys() - together)))
        except KibitzError as error:
            chosen = next(iter(variants)) != variant and variant.removeprefix(game.name).strip("()")
            advice = f"; if nobody can play with {chosen}, let refuse(options) of rules.py say so" if chosen else ""
            reporter.say_broken(_CHECKED, variant, error, advice)
            return


def _try_laws(reporter: _Reporter, variants: "dict[str, Game]", seed: int, games: int, seconds: float | None) -> None:
    from kibitz.core.errors import KibitzError
    from kibitz.core.laws import FIRST, LAWS, DoesNotApply, statement
    from kibitz.core.laws.calibration import GuessEffort
    from kibitz.core.laws.chance import odds_in_words
    from kibitz.core.laws.option_effects import GAMES, idle_options
    from kibitz.core.spec import parse

    for variant, game in variants.items():
        try:
            reporter.say(doing=f"{variant} is compiled: {len(game.rules)} addresses and sizes")
        except KibitzError as error:
            reporter.say_broken(_COMPILED, variant, error)
            return
        _check_agents(reporter, variant, game)
    reporter.say(laws=len(LAWS))
    effort = GuessEffort.shared(len(variants), games, seconds)
    idle, applied = {}, set()
    for variant, game in variants.items():
        for number, law in enumerate(LAWS, 1):
            reporter.say(doing=f"{variant}: law {number} of {len(LAWS)}, {_in_words(law)}")
            try:
                applied.add(law)
                _try_law(reporter, law, variant, game, seed, games, effort)
            except DoesNotApply as reason:
                applied.remove(law)
                idle[law] = str(reason)
            except Exception as error:
                reporter.say_broken(statement(law), variant, error)
                if law is FIRST:
                    reporter.say(untried=len(LAWS) - number)
                    return
    usual, first = next(iter(variants.items()))
    if first.chance:
        reporter.say(remark=("where chance moves", usual, odds_in_words(first, seed)))
    if not parse(usual).args:
        for option, variant in idle_options(variants, seed):
            words = f"{GAMES} random games are the same whatever its value; does a rule read it?"
            reporter.say(remark=(f"the option {option}", variant, words))
    reporter.say(idle={_in_words(law): reason for law, reason in idle.items() if law not in applied})


def _check_agents(reporter: _Reporter, variant: str, game: "Game") -> None:
    """Report agents that policies.py names and that cannot be built."""
    from kibitz.agents import build
    from kibitz.core.address import without_code
    from kibitz.core.errors import KibitzError

    try:
        declared = {"AGENTS": game.agents, "LEVELS": game.levels}
    except KibitzError as error:
        reporter.say_broken(_NAMED, variant, error)
        return
    for what, named in declared.items():
        for name, text in named.items():
            try:
                with without_code():
                    build(text, game.unbound())
            except KibitzError as error:
                reporter.say_broken(_NAMED, variant, BadValue(f"{what}[{name!r}] of policies.py is {text!r}: {error}"))


def _try_law(
    reporter: _Reporter, law: "Law", variant: str, game: "Game", seed: int, games: int, effort: "GuessEffort"
) -> None:
    from kibitz.core.laws import ONCE

    once = ONCE.get(law)
    for remark in [once(game, seed, effort)] if once else (law(game, each) for each in range(seed, seed + games)):
        if remark:
            reporter.say(remark=(_in_words(law), variant, remark))


def _in_words(law: "Law") -> str:
    return law.__name__.replace("_", " ")


if __name__ == "__main__":
    _phase, _text, _seed, _games, _seconds = sys.argv[1:]
    _run(_phase, _text, int(_seed), int(_games), float(_seconds) or None)
