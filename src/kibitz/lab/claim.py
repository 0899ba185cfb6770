"""A claim: whether a document gives a number, or says that something is at most, at least or exactly so much."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kibitz.core.errors import UnknownName
from kibitz.lab.experiment_outcome import number_text
from kibitz.lab.fact import Claim, Fact

ABOUT, EXACTLY = "about", "exactly"
SIDES: dict[str, Claim] = {"at most": "<", "at least": ">"}
CLAIMS = (ABOUT, *SIDES, EXACTLY)
NEAR = 1e-9  # numbers that are closer are equal


def claimed(facts: Sequence[Fact], claim: str | Mapping[str, str]) -> list[Fact]:
    """Return facts as a document means them: with one claim for all numbers, or one by row."""
    if isinstance(claim, str):
        return [_meant(fact, claim) for fact in facts]
    rows = [fact.what for fact in facts]
    for name in claim:
        if name not in rows:
            raise UnknownName("row in claim", name, rows)
    return [_meant(fact, claim.get(fact.what, ABOUT)) for fact in facts]


def _meant(fact: Fact, claim: str) -> Fact:
    """Return a fact with its published number as a limit, which has no margin, no error and no rounding."""
    if claim == ABOUT or fact.gap is None or fact.published is None or isinstance(fact.published, str):
        return fact
    published = fact.gap.published
    limit = replace(
        fact, published=f"{claim} {number_text(fact.published)} {fact.unit}".strip(), published_interval=None,
        gap=replace(fact.gap, theirs=lambda level: (published, published), rounding=0.0), assumed_games=0,
        of_games=None, blocks=None,
    )  # fmt: skip
    if claim in SIDES:
        return replace(limit, margin=0.0, claim=SIDES[claim])
    refuted = abs(fact.gap.value) >= NEAR  # if nothing does, it agrees where exceptions are shown to be rare
    return replace(limit, gap=None, margin=0.0, agrees=False) if refuted else limit
