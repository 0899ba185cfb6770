"""What reports say in words: verdicts, where numbers come from, how a trial was run, and what chance would do."""

from collections.abc import Iterator, Sequence

from kibitz.arena.show.text import duration, time_text
from kibitz.core.user_files import is_path
from kibitz.lab.experiment_outcome import ChanceCount, Outcome, TrialOutcome, number_text
from kibitz.lab.fact import Interval
from kibitz.lab.finding import AGREES, CONTRADICTS, DIFFERENT, OPEN, SAME, UNDECIDED, Finding

LEGEND = (
    "*Agrees*: the difference is shown to be smaller than the margin that stands beside the verdict. *Contradicts*: "
    "there is a difference, after correction for all rows of its table (Holm). *Not excluded*: neither is shown; the "
    "number says how many more games would probably tell. Intervals are of 95 %. A row that mirrors another one has no "
    "verdict of its own."
)
LEAST_P = 0.0001  # smaller ones are not told apart
FITTED = "fitted"


def scales_text(outcomes: Sequence[Outcome]) -> str:
    """Return which experiments have fewer or more games than their files say."""
    others = [f"{outcome.experiment} {outcome.scale:g}" for outcome in outcomes if outcome.scale != 1]
    if not others:
        return "All experiments were run at full scale."
    return (
        f"{len(outcomes) - len(others)} of {len(outcomes)} experiments were run at full scale (1). The scale of the "
        f"others: {', '.join(others)}."
    )


def interval_text(interval: Interval | None) -> str:
    """Return an interval as text."""
    return "" if interval is None else f"{number_text(interval[0])} to {number_text(interval[1])}"


def with_unit(value: float | str | None, unit: str) -> str:
    """Return a number with its unit; a dash if there is none."""
    if value is None or isinstance(value, str):
        return value or "–"
    return f"{number_text(value)} {unit}".strip()


def difference_text(row: Finding) -> str:
    """Return a difference with its unit and its interval."""
    if row.difference is None:
        return ""
    unit = " points" if row.scale == "points" else ""
    sign = "×" if row.scale == "factor" else ""
    shown = f"{sign}{number_text(row.difference)}" if sign else f"{row.difference:+,.6g}"
    ends = interval_text(row.difference_interval)
    return f"{shown}{unit}{f' ({ends})' if ends else ''}"


def p_text(p: float | None) -> str:
    """Return a p value as text."""
    if p is None:
        return ""
    return f"< {LEAST_P}" if p < LEAST_P else f"{p:.2g}"


def verdict_text(row: Finding) -> str:
    """Return a verdict with what goes with it."""
    if row.mirror_of:
        return f"mirrors “{row.mirror_of}”"
    if row.verdict in (AGREES, SAME) and row.margin:
        real = "; it is real" if row.different else ""
        return f"{row.verdict} (within {row.margin}{real})"
    if row.verdict in (OPEN, UNDECIDED):
        if row.difference_interval is None:
            return f"{row.verdict} (one block of games tells nothing)"
        if row.more_games is None:
            seen = "too few games" if row.difference != (row.scale == "factor") else "no difference was seen"
            few = "too few published games" if row.published_interval else seen
            return f"{row.verdict} ({few})"
        more = f"{_rounded(row.more_games)} more games" if row.more_games else "a few more games"
        return f"{row.verdict} ({more})"
    return row.verdict


def _rounded(games: int) -> str:
    """Return a number of games that is only roughly known."""
    return f"{float(f'{games:.2g}'):,.0f}"


def origin_text(trial: TrialOutcome) -> str:
    """Return where the published numbers of a trial come from, in a word or two."""
    return {"document": "document", "program": "the authors' program", "derived": "derived"}[trial.origin]


def settings_text(trial: TrialOutcome) -> str:
    """Return whether settings were found by published numbers; empty if none were."""
    if not trial.fitted:
        return ""
    return f"held out (found by other numbers: {trial.fitted})" if trial.held_out else f"{FITTED} ({trial.fitted})"


def games_text(trial: TrialOutcome) -> str:
    """Return how many games a trial has, in how many blocks and with which seeds."""
    if not trial.games:
        return ""
    seeds = f"seed{'s' if len(trial.seeds) > 1 else ''} {', '.join(map(str, trial.seeds))}"
    return f"{trial.games:,} games in {trial.blocks:,} block{'s' if trial.blocks != 1 else ''}, {seeds}"


def times_text(trial: TrialOutcome) -> str:
    """Return the time that each agent took for a move: of CPUs, or by the clock where that is not known."""
    told = []
    for entry in trial.times:
        if entry.cpu_per_move is not None:
            told.append(f"{entry.name} {duration(entry.cpu_per_move)}")
        elif entry.seconds is not None:
            told.append(f"{entry.name} {time_text(entry.seconds / max(1, entry.moves))} by the clock")
    return f"CPU time a move: {', '.join(told)}" if told else ""


def replay_text(trial: TrialOutcome, ledger: str) -> str:
    """Return the command that shows the first game of a trial; empty if no ledger has it."""
    if not trial.runs:
        return ""
    trust = " --trust" if is_path(trial.game.partition("(")[0]) else ""
    return f"kibitz replay {ledger} --run {trial.runs[0]} --game 1{trust}"


def power_text(trial: TrialOutcome) -> str:
    """Return how many games show a difference that matters to a question; empty if nothing was asked."""
    found = [(row.margin, row.games_for_difference) for row in trial.rows if row.games_for_difference]
    if not found:
        return ""
    margin, games = max(found, key=lambda pair: pair[1])
    return f"a difference of {margin} shows in four runs of five with {_rounded(games)} games"


def source_text(outcome: Outcome) -> str:
    """Return which document the numbers come from, and where in it."""
    document, place = (outcome.texts.get(key, "") for key in ("document", "place"))
    return f"Source: {document}{', ' if place else ''}{place}." if document else ""


def notes_of(outcome: Outcome) -> list[str]:
    """Return where numbers come from that are not of the document, in one sentence each."""
    told = [f"{origin_text(trial).capitalize()}: {trial.origin_note}" for trial in outcome.trials if trial.origin_note]
    return list(dict.fromkeys(told))


def told_above(outcome: Outcome) -> list[str]:
    """Return the texts above the table; causes are told only where something contradicts."""
    names = ["about", "choices", *(["cause"] if outcome.count("contradicting") else [])]
    return [text for text in (outcome.filled_text(name).strip() for name in names) if text]


def whys(outcome: Outcome) -> list[str]:
    """Return the causes of rows that contradict, each once."""
    return list(dict.fromkeys(row.why for row in outcome.rows if row.why))


def summary(outcome: Outcome) -> str:
    """Return in a sentence how many rows agree, contradict or are open."""
    time = f"{duration(outcome.seconds)} at scale {outcome.scale:g}, seed {outcome.seed}"
    told = [_counts(outcome, True)]
    if apart := _counts(outcome, False):
        told.append(f"{FITTED}, and so no evidence: {apart}")
    return "; ".join([*filter(None, told), time])


def _counts(outcome: Outcome, evidence: bool) -> str:
    counts = {
        word: sum(row.verdict == word for trial in outcome.trials if trial.evidence == evidence for row in trial.rows)
        for word in (AGREES, OPEN, CONTRADICTS, SAME, UNDECIDED, DIFFERENT)
    }
    total = sum(counts.values())
    listed = ", ".join(f"{word} {number}" for word, number in counts.items() if number)
    return f"{listed} (of {total})" if total else ""


def made_text(outcome: Outcome) -> str:
    """Return with which program, when and where an experiment was run."""
    made = outcome.made
    told = [made.get("versions", ""), made.get("commit", ""), made.get("date", ""), made.get("machine", "")]
    file = f"file {outcome.experiment}.toml, {outcome.data}" if outcome.data else ""
    return "; ".join(filter(None, [file, *told]))


def chance_text(count: ChanceCount) -> str:
    """Return how many contradictions chance alone would give."""
    if not count.verdicts:
        return ""
    return (
        f"{count.verdicts:,} verdicts in {count.tables:,} tables rest on chance; {count.contradictions:,} of them say "
        f"that there is a difference. If every published number were true, about {count.uncorrected:.3g} would say so "
        f"by chance without correction; with it, at most about {count.corrected:.2g} of the tables would have such a "
        "row."
    )


def by_seed_text(row: Finding) -> str:
    """Return what was measured with each seed; empty if there is one."""
    return ", ".join(number_text(value) for value in row.by_seed)


def trial_lines(trial: TrialOutcome, ledger: str) -> Iterator[str]:
    """Yield how a trial was run, a line for each thing that is known."""
    yield from filter(
        None,
        [
            games_text(trial),
            power_text(trial),
            times_text(trial),
            settings_text(trial),
            f"game: {trial.game}" if trial.game else "",
        ],
    )
    yield from (f"{name}: {text}" for name, text in trial.agents.items())
    if trial.options:
        yield ", ".join(f"{key} = {value}" for key, value in trial.options.items())
    if trial.runs:
        yield f"runs in the ledger: {', '.join(trial.runs)}"
        yield replay_text(trial, ledger)
