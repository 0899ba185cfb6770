"""The page of a report: one HTML file that needs nothing else, with the numbers under every figure."""

from pathlib import Path
from xml.etree.ElementTree import Element

from kibitz import __version__
from kibitz.arena.results.statistics.evidence import evidence
from kibitz.arena.results.tournament_result import ALL_EARN_THE_SAME, NOBODY_MET
from kibitz.arena.show.report.markup import document, tag
from kibitz.arena.show.report.page_parts import Data, paragraph
from kibitz.arena.show.report.sections import SECTIONS
from kibitz.arena.show.table_parts import BY_THE_RULES
from kibitz.arena.show.text import REASONS, duration, long_time, points_span, points_text
from kibitz.core.scoring import Scoring


def page(data: Data, ledger: str = "results.db") -> str:
    """Return the whole page; `ledger` is the file from which it was made."""
    title = f"{data['plan']['game']}: {data['plan']['scheme']} of {len(data['plan']['agents'])} agents"
    parts = [part for part in (section(data) for section in SECTIONS) if part is not None]
    links = [tag("a", part[0].text or "", href=f"#{part.get('id')}") for part in parts]
    return document(
        tag("html",
            tag("head",
                tag("meta", charset="utf-8"),
                tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
                tag("title", f"{title} – Kibitz"),
                tag("style", Path(__file__).with_name("page.css").read_text(encoding="utf-8"))),
            tag("body",
                tag("main", tag("h1", title), _lead(data), _facts(data), tag("nav", links), parts),
                _footer(data, ledger)),
            lang="en")
    )  # fmt: skip


def _lead(data: Data) -> list[Element]:
    parts = []
    if data["played"] < data["planned"]:
        so_far = f"{data['played']:,} of {data['planned']:,} games have been played"
        parts.append(paragraph(f"This run is not finished ({so_far}): all numbers are of the games so far.", "alert"))
    if data["stop"]:
        parts.append(paragraph(data["stop"]["sentence"]))
    if not data["standings"]:
        return [*parts, paragraph("No game has been played yet, so there is nothing to show but the plan.", "lead")]
    scoring = Scoring(**data["scoring"])
    if scoring.shared:
        return [*parts, paragraph(ALL_EARN_THE_SAME, "lead"), paragraph(_best_team(data, scoring))]
    if not data["encounters"]:
        return [*parts, paragraph(NOBODY_MET, "lead")]
    best, second = data["standings"][:2]
    rating = f"a rating of {points_text(best['rating'])} (95 % interval {points_span(best['interval'])})"
    mean = f"{scoring.mean_text(best['mean_payoff'])} {scoring.unit} a game (95 % interval "
    mean += f"{scoring.span_text(best['payoff_interval'])})"
    counted = f"{rating} and {best['win_rate']:.1%} of its games won" if scoring.by_wins else mean
    lead = f" leads with {counted}. "
    pair = next((pair for pair in data["encounters"] if (pair["rank"], pair["other_rank"]) == (1, 2)), None)
    next_ = f"{second['name'] or second['agent']}, the next"
    met = len(data["encounters"])
    corrected = f"{met} pairs" if met > 1 else ""
    found = evidence(f"it earns more than {next_}", pair["p_holm"], corrected) if pair else f"It never met {next_}."
    return [*parts, tag("p", tag("strong", best["name"] or best["agent"]), lead, found, class_="lead")]


def _best_team(data: Data, scoring: Scoring) -> str:
    """Return which agent scores most with copies of itself."""
    alone = [team["self_play"] for team in data["teams"] if team["self_play"]]
    if not alone:
        return "No agent played with copies of itself."
    best = max(alone, key=lambda found: found["mean_payoff"])
    mean = f"{scoring.mean_text(best['mean_payoff'])} {scoring.unit}"
    interval = scoring.span_text(best["payoff_interval"])
    return f"{best['agent']} scores most with copies of itself: {mean} a game (95 % interval {interval})."


def _facts(data: Data) -> Element:
    facts = [("games", f"{data['played']:,}"), ("different games", f"{data['distinct']:,}")]
    told, reasons = sum(data["drawn_by"].values()), data["reasons"]
    if data["standings"] and not Scoring(**data["scoring"]).by_wins:
        by_the_rules = sum(reasons.get(reason, 0) for reason in BY_THE_RULES)
        facts += [("ended: by the rules", f"{by_the_rules:,}")] if by_the_rules else []
        reasons = {reason: count for reason, count in reasons.items() if reason not in BY_THE_RULES}
    for reason, count in reasons.items():
        if reason == "drawn":
            facts += [(f"ended: drawn by {way}", f"{games:,}") for way, games in data["drawn_by"].items()]
            count -= told
        facts += [(f"ended: {REASONS[reason]}", f"{count:,}")] if count else []
    if data["wall_seconds"]:
        facts.append(("played in", long_time(data["wall_seconds"])))
    if data.get("speed") and data["speed"]["seconds"]:
        facts += [("a game took", duration(data["speed"]["seconds_per_game"])),
                  ("all thinking", long_time(data["speed"]["seconds"]))]  # fmt: skip
    return tag("dl", [tag("div", tag("dt", name), tag("dd", value)) for name, value in facts], class_="facts")


def _footer(data: Data, ledger: str) -> Element:
    return tag(
        "footer",
        tag("p", f"Made by Kibitz {__version__} from run {data['run']}."),
        tag(
            "p",
            "The same numbers: ", tag("code", f"kibitz report {data['run']} --db {ledger} --json"),
            "; one row a game and seat: ", tag("code", "--csv FILE"), " or ", tag("code", "--parquet FILE"),
            ". Methods: docs/statistics.md of Kibitz.",
        ),
    )  # fmt: skip
