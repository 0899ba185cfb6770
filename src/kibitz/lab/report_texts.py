"""What reports say in words: verdicts, where numbers come from, how a trial was run, and what chance would do."""

from collections.abc import Iterator, Sequence

from kibitz.arena.show.text import duration, time_text
from kibitz.core.user_files import is_path
from kibitz.lab.chance_verdicts import ASSUMED, CHANGED, FITTED, QUESTIONS, ChanceCount
from kibitz.lab.experiment_outcome import Outcome, TrialOutcome, number_text
from kibitz.lab.fact import Interval
from kibitz.lab.finding import AGREES, CONTRADICTS, DIFFERENT, OPEN, SAME, UNDECIDED, Finding

LEGEND = (
    "*Agrees*: the difference is shown to be smaller than the margin that stands beside the verdict. *Contradicts*: "
    "there is a difference, after correction for all rows that are compared with the same published table (Holm), "
    "and two seeds show it, each alone. *Not excluded*: neither is shown. The number says how many more games would "
    "probably show that the numbers agree if they do, or an order if it is as clear as it looks; otherwise it says "
    "why no number would. Intervals are of 95 %; those of times hold for this machine. A row that mirrors or "
    "repeats another one has no verdict of its own, nor has one from fewer than five deals, or one that claims "
    "equal time of agents whose times differ by more than is allowed there. Several measured numbers in parentheses "
    "are those of each seed alone."
)
COMPILED = "a compiled loop plays whole games of these agents, in which no single move is timed"
LEAST_P = 0.0001  # smaller ones are not told apart
APART = {
    QUESTIONS: "are answers to questions",
    CHANGED: "are of set-ups that were changed on purpose",
    FITTED: "are of settings that were fitted to published numbers",
    ASSUMED: "rest on an assumed number of published games",
}  # verdicts that are no evidence on a document


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


def published_text(row: Finding) -> str:
    """Return what was published, and of how many games that is assumed to be."""
    assumed = f" (assumed: {row.assumed_games} games)" if row.assumed_games and row.published is not None else ""
    return f"{with_unit(row.published, row.unit)}{assumed}"


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
    if row.same_as:
        return f"the same as “{row.same_as}”"
    if row.without_verdict:
        return f"no verdict: {row.without_verdict}"
    if row.verdict in (AGREES, SAME) and row.margin:
        told = [f"within {row.margin}", "it is real" if row.different else "", row.reason]
        return f"{row.verdict} ({'; '.join(filter(None, told))})"
    if row.verdict in (OPEN, UNDECIDED):
        more = f"{_rounded(row.more_games)} more games" if row.more_games else ""
        return f"{row.verdict} ({' '.join(filter(None, [more, row.reason]))})"
    return row.verdict


def _rounded(games: int) -> str:
    """Return a number of games that is only roughly known."""
    return f"{float(f'{games:.2g}'):,.0f}"


def origin_text(trial: TrialOutcome) -> str:
    """Return where the published numbers of a trial come from, in a word or two."""
    return {"document": "document", "program": "the authors' program", "derived": "derived"}[trial.origin]


def settings_text(trial: TrialOutcome) -> str:
    """Return whether settings were changed, or found by published numbers; empty if neither."""
    if trial.alternative:
        return "changed on purpose"
    if not trial.fitted:
        return ""
    return f"held out (found by other numbers: {trial.fitted})" if trial.held_out else f"{FITTED} ({trial.fitted})"


def games_text(trial: TrialOutcome) -> str:
    """Return how many games a trial has, in how many blocks and with which seeds."""
    if not trial.games:
        return ""
    seeds = f"seed{'s' if len(trial.seeds) > 1 else ''} {', '.join(map(str, trial.seeds))}"
    told = f"{_games_in_blocks(trial.games, trial.blocks)}, {seeds}"
    if (again := trial.second) is None:
        return told
    second = f"{_games_in_blocks(again.games, again.blocks)}, seed {', '.join(map(str, again.seeds))}"
    return f"{told}; played again, because a row contradicted: {second}"


def _games_in_blocks(games: int, blocks: int) -> str:
    return f"{games:,} games in {blocks:,} block{'s' if blocks != 1 else ''}"


def runs_text(trial: TrialOutcome) -> str:
    """Return the names of a trial's runs in the ledger."""
    return ", ".join((*trial.runs, *(trial.second.runs if trial.second else ())))


def others_text(outcome: Outcome) -> str:
    """Return which other runs of an experiment there are, and what came of them; empty if there are none."""
    verdicts, told = _verdicts(outcome), []
    for other in outcome.others:
        found = _verdicts(other)
        changed = [f"“{trial}: {row}”: {found[trial, row]}" for trial, row in verdicts
                   if verdicts[trial, row] != found.get((trial, row), verdicts[trial, row])]  # fmt: skip
        differing = f", with {'; '.join(changed)}" if changed else ", with the same verdicts"
        told.append(f"seed {other.seed} at scale {other.scale:g}{differing}")
    return f"Also run with {'. And with '.join(told)}." if told else ""


def _verdicts(outcome: Outcome) -> dict[tuple[str, str], str]:
    return {(trial.what, row.what): row.verdict for trial in outcome.trials for row in trial.rows if row.judged}


def times_text(trial: TrialOutcome) -> str:
    """Return the time that each agent took for a move: of CPUs, or by the clock where that is not known."""
    told: list[str] = []
    untimed: list[str] = []
    for entry in trial.times:
        if entry.cpu_per_move is not None:
            told.append(f"{entry.name} {duration(entry.cpu_per_move)}")
        elif entry.seconds is not None:
            told.append(f"{entry.name} {time_text(entry.seconds / max(1, entry.moves))} by the clock")
        else:
            untimed.append(entry.name)
    if untimed and told:
        told.append(f"{' and '.join(untimed)} not measured, because other processes or compiled games have no clock")
    if told:
        return f"CPU time a move: {', '.join(told)}"
    return f"no CPU time: {trial.untimed or COMPILED}" if trial.games else ""


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
    told = [counts_text(outcome)]
    changed = [trial for trial in outcome.trials if trial.alternative]
    fitted = [trial for trial in outcome.trials if not trial.alternative and not trial.evidence]
    for name, trials in ((FITTED, fitted), ("changed on purpose", changed)):
        if apart := _counts(trials):
            told.append(f"{name}, and so no evidence: {apart}")
    return "; ".join([*filter(None, told), time])


def counts_text(outcome: Outcome) -> str:
    """Return how many rows that are evidence have each verdict."""
    return _counts([trial for trial in outcome.trials if trial.evidence])


def _counts(trials: Sequence[TrialOutcome]) -> str:
    verdicts = [row.verdict for trial in trials for row in trial.rows]
    counts = {word: verdicts.count(word) for word in (AGREES, OPEN, CONTRADICTS, SAME, UNDECIDED, DIFFERENT)}
    total = sum(counts.values())
    listed = ", ".join(f"{word} {number}" for word, number in counts.items() if number)
    return f"{listed} (of {total})" if total else ""


def made_text(outcome: Outcome) -> str:
    """Return with which sources, when and where an experiment was run."""
    made = outcome.made
    told = [made.get(key, "") for key in ("versions", "commit", "sources", "date", "machine")]
    file = f"file {outcome.experiment}.toml, {outcome.data}" if outcome.data else ""
    return "; ".join(filter(None, [file, *told]))


def chance_text(count: ChanceCount) -> str:
    """Return how many contradictions chance alone would give."""
    apart = [
        f"{verdicts:,} {APART[kind]} ({contradictions:,} contradict or differ)"
        for kind, (verdicts, contradictions) in count.apart.items()
    ]
    others = f"Not counted, because they are no evidence on a document: {'; '.join(apart)}." if apart else ""
    if not count.verdicts:
        return others
    told = (
        f"{count.verdicts:,} verdicts on documents, with the set-ups that these describe, rest on chance. P values are "
        f"corrected in {count.families:,} families: the rows that are compared with one published table. "
        f"{count.contradictions:,} verdicts contradict. If all that was published were true, about "
        f"{count.uncorrected:.3g} would by chance without that correction, and with it at most {count.corrected:.2g} "
        f"of the families would have such a row; that a second seed must show it too makes them fewer. That a number "
        f"agrees is not corrected: {count.agreements:,} do, and of {count.with_margin:,} numbers with a margin about "
        f"{count.agreeing:.3g} would agree by chance if all of them were off by their margins."
    )
    return f"{told} {others}".strip()


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
        yield f"runs in the ledger: {runs_text(trial)}"
        yield replay_text(trial, ledger)
