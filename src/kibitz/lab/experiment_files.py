"""Reports of experiments as files: a page, Markdown, and what spreadsheets, LaTeX and BibTeX read."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

from kibitz import __version__
from kibitz.core.user_files import whole_file
from kibitz.lab.experiment_markdown import markdown
from kibitz.lab.experiment_outcome import Outcome, TrialOutcome
from kibitz.lab.experiment_page import page
from kibitz.lab.finding import Finding
from kibitz.lab.report_texts import interval_text, p_text, published_text, summary, verdict_text, with_unit

COLUMNS = (
    "experiment", "document", "place", "table", "trial", "row", "origin", "origin_note", "published", "measured", "low",
    "high", "published_low", "published_high", "unit", "difference", "difference_low", "difference_high",
    "difference_scale", "margin", "p", "corrected_p", "verdict", "without_verdict", "mirror_of", "same_as",
    "assumed_games", "more_games", "games_for_difference", "reason", "by_seed", "fitted", "held_out",
    "alternative", "games", "blocks",
    "run_seed", "seeds", "runs", "second_games", "second_blocks", "second_seeds", "second_runs", "scale",
    "game", "agents", "options", "cpu_seconds", "clock_seconds", "moves", "commit", "sources",
    "date", "machine", "versions",
)  # fmt: skip
LATEX_HEADINGS = ("what", "published", "measured", "95 %", "p, corrected", "verdict")
_CITED = re.compile(r"(?P<author>[^,]+), (?P<title>.+), (?P<year>\d{4})")
_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "–": "--", "×": r"$\times$", "“": "``", "”": "''",
}  # fmt: skip


def write_report(outcomes: Sequence[Outcome], folder: Path, ledger: str) -> list[Path]:
    """Write all files of a report into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("results.html", page(outcomes, ledger)), ("results.md", markdown(outcomes))):
        with whole_file(folder / name, overwrite=True) as file:
            file.write(text)
    others = write_files(outcomes, {kind: folder / f"results.{kind}" for kind in ("csv", "tex", "bib")})
    return [folder / "results.html", folder / "results.md", *others]


def write_files(outcomes: Sequence[Outcome], paths: Mapping[str, Path]) -> list[Path]:
    """Write what programs read, by kind: csv, tex or bib; return the paths."""
    texts = {"csv": as_csv, "tex": latex, "bib": bibtex}
    for kind, path in paths.items():
        with whole_file(path, overwrite=True) as file:
            file.write(texts[kind](outcomes))
    return list(paths.values())


def as_csv(outcomes: Sequence[Outcome]) -> str:
    """Return a line for each row, with everything that is known of it."""
    out = StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for outcome in outcomes:
        for trial in outcome.trials:
            writer.writerows({**_of_trial(outcome, trial), **_of_row(row)} for row in trial.rows)
    return out.getvalue()


def _of_trial(outcome: Outcome, trial: TrialOutcome) -> dict[str, object]:
    return {
        "experiment": outcome.experiment, "document": outcome.texts.get("document", ""),
        "place": outcome.texts.get("place", ""), "table": trial.table, "trial": trial.what, "origin": trial.origin,
        "origin_note": trial.origin_note, "fitted": trial.fitted, "held_out": int(trial.held_out),
        "alternative": int(trial.alternative),
        "games": trial.games, "blocks": trial.blocks, "run_seed": outcome.seed,
        "seeds": " ".join(map(str, trial.seeds)), "runs": " ".join(trial.runs), "game": trial.game,
        "agents": _json(trial.agents), "options": _json(trial.options),
        "cpu_seconds": _json({entry.name: entry.cpu for entry in trial.times}),
        "clock_seconds": _json({entry.name: entry.seconds for entry in trial.times}),
        "moves": _json({entry.name: entry.moves for entry in trial.times}),
        "scale": outcome.scale, **_of_second_seed(trial),
        **{key: outcome.made.get(key, "") for key in ("commit", "sources", "date", "machine", "versions")},
    }  # fmt: skip


def _of_second_seed(trial: TrialOutcome) -> dict[str, object]:
    if (again := trial.second) is None:
        return {}
    return {
        "second_games": again.games, "second_blocks": again.blocks, "second_seeds": " ".join(map(str, again.seeds)),
        "second_runs": " ".join(again.runs),
    }  # fmt: skip


def _json(told: Mapping[str, object]) -> str:
    return json.dumps(told, ensure_ascii=False) if told else ""


def _of_row(row: Finding) -> dict[str, object]:
    ends = {"": row.interval, "published_": row.published_interval, "difference_": row.difference_interval}
    found: dict[str, object] = {
        "row": row.what, "published": row.published, "measured": row.measured, "unit": row.unit,
        "difference": row.difference, "difference_scale": row.scale if row.difference is not None else "",
        "margin": row.margin, "p": row.p, "corrected_p": row.corrected_p, "verdict": row.verdict,
        "without_verdict": row.without_verdict, "mirror_of": row.mirror_of, "same_as": row.same_as,
        "assumed_games": row.assumed_games or "", "reason": row.reason,
        "more_games": row.more_games, "games_for_difference": row.games_for_difference,
        "by_seed": " ".join(map(str, row.by_seed)),
    }  # fmt: skip
    for name, pair in ends.items():
        found[f"{name}low"], found[f"{name}high"] = pair or (None, None)
    return found


def latex(outcomes: Sequence[Outcome]) -> str:
    """Return a long table for each experiment."""
    parts = [r"% Put \usepackage{longtable} into the preamble; made by kibitz experiment report.", ""]
    for outcome in outcomes:
        parts += _long_table(outcome)
    return "\n".join(parts)


def _long_table(outcome: Outcome) -> Iterator[str]:
    yield rf"\begin{{longtable}}{{p{{.32\linewidth}}{'r' * (len(LATEX_HEADINGS) - 2)}p{{.2\linewidth}}}}"
    yield rf"\caption{{{_tex(outcome.title)}: {_tex(summary(outcome))}.}} \\"
    yield rf"\hline {' & '.join(map(_tex, LATEX_HEADINGS))} \\ \hline \endhead"
    for trial in outcome.trials:
        yield rf"\multicolumn{{{len(LATEX_HEADINGS)}}}{{l}}{{\textit{{{_tex(trial.what)}}}}} \\"
        for row in trial.rows:
            cells = (
                row.what, published_text(row), with_unit(row.measured, row.unit),
                interval_text(row.interval), p_text(row.corrected_p), verdict_text(row),
            )  # fmt: skip
            yield rf"{' & '.join(map(_tex, cells))} \\"
    yield "\\hline\n\\end{longtable}\n"


def _tex(text: str) -> str:
    """Return a text in which LaTeX sees no commands."""
    return "".join(_SPECIAL.get(sign, sign) for sign in " ".join(text.split()))


def bibtex(outcomes: Sequence[Outcome]) -> str:
    """Return Kibitz and every document as BibTeX entries."""
    year = max((outcome.made.get("date", "")[:4] for outcome in outcomes), default="")
    own = {"author": "{The Kibitz authors}", "title": "{Kibitz}", "year": year, "version": __version__}
    entries = {"kibitz": _entry("software", "kibitz", own)}
    documents = dict.fromkeys(text for outcome in outcomes if (text := outcome.texts.get("document", "")))
    for number, text in enumerate(documents, 1):
        found = _CITED.fullmatch(text)
        key = re.sub(r"\W+", "", found["author"].split()[-1].lower() + found["year"]) if found else f"document{number}"
        key = f"{key}-{number}" if key in entries else key
        told = {name: _tex(part) for name, part in found.groupdict().items()} if found else {"title": _tex(text)}
        entries[key] = _entry("misc", key, told)
    return "\n".join(entries.values())


def _entry(kind: str, key: str, told: dict[str, str]) -> str:
    lines = [f"  {name} = {{{text}}}," for name, text in told.items() if text]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])
