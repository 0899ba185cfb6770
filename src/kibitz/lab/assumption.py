"""An assumption: of how many games a published number is, where its document does not say it."""

from bisect import bisect_left
from collections.abc import Callable

from kibitz.arena.results.statistics.verdict import Assessment, Gap, Verdict
from kibitz.lab.fact import OfGames

LEAST, MOST = 5, 30  # games that a document may mean that does not say how many


def by_assumption(
    found: Verdict, of_games: OfGames, assumed: int, verdict_on: Callable[[Gap, float], Assessment]
) -> tuple[Verdict, str]:
    """Return the verdict, and on which number of published games it depends; empty if it is the same for all of them.

    The more games a document played, the better its number is known, so that more verdicts agree or contradict. A row
    contradicts only if it does so for every number of games that the document may mean. `found` is what it says for the
    number assumed.
    """
    numbers = range(min(LEAST, assumed), max(MOST, assumed) + 1)

    def verdict_of(games: int) -> Verdict:
        return verdict_on(*of_games(games)).verdict

    def fewest(verdict: Verdict) -> int:
        return bisect_left(numbers, True, key=lambda games: verdict_of(games) == verdict)

    if found == "agrees":
        at = fewest("agrees")
        return found, f"if the document played {numbers[at]:,} games or more" if at else ""
    if found != "contradicts" and verdict_of(numbers[-1]) != "contradicts":
        return found, ""
    at = fewest("contradicts")
    return ("not excluded", f"if the document played {numbers[at - 1]:,} games or fewer") if at else ("contradicts", "")
