"""Secret deals: from which seed each block of a run was dealt, where every session drew its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kibitz.arena.results.row import Row
from kibitz.core.seeds import DEAL, derive_seed

MOST_NAMED = 5  # seeds, and ranges of blocks of one seed; more are counted


@dataclass(frozen=True)
class Dealt(Row):
    """Blocks that were dealt from one seed."""

    seed: int | None  # None: it is still secret, or was lost with the session that drew it
    blocks: tuple[tuple[int, int], ...]  # the first and the last of each unbroken range


def dealt(deals: Mapping[int, int], seeds: Sequence[int]) -> tuple[Dealt, ...]:
    """Return the blocks dealt from each of these seeds, and from none; `deals` are the seeds of deals by block."""
    blocks: dict[int | None, list[int]] = {}
    for block in sorted(deals):
        seed = next((seed for seed in seeds if derive_seed(seed, DEAL, block) == deals[block]), None)
        blocks.setdefault(seed, []).append(block)
    return tuple(Dealt(seed, _rows(found)) for seed, found in blocks.items())


def only_seed(found: Sequence[Dealt]) -> int | None:
    """Return the seed from which all blocks were dealt, or None."""
    return found[0].seed if len(found) == 1 else None


def seed_text(given: int | None, found: Sequence[Dealt]) -> str:
    """Return the seed of a run for its title: that of its plan, or the secret one."""
    seed = only_seed(found) if given is None else given
    return "secret seeds" if seed is None else f"seed {seed}"


def about_deals(found: Sequence[Dealt], dropped: int = 0) -> list[str]:
    """Return what a reader must know of secret deals, and of games that were dropped with their blocks."""
    said = []
    if (seed := only_seed(found)) is not None:
        said.append(
            f"The deals were secret while games were played; with the seed {seed} anyone can play the same games."
        )
    elif found:
        named = "; ".join(map(_sentence, found[:MOST_NAMED]))
        more = f"; and {len(found) - MOST_NAMED:,} more seeds" if len(found) > MOST_NAMED else ""
        said.append(
            f"The deals were secret while games were played, and each session drew its own seed: {named}{more}."
        )
    if dropped:
        games = f"{dropped:,} games" if dropped > 1 else "1 game"
        said.append(
            f"{games} of blocks that were not finished {'were' if dropped > 1 else 'was'} dropped, so that no file "
            "tells a deal that is still to be played; the run, continued, plays those games again."
        )
    return said


def _rows(blocks: Sequence[int]) -> tuple[tuple[int, int], ...]:
    rows: list[tuple[int, int]] = []
    for block in blocks:
        if rows and rows[-1][1] == block - 1:
            rows[-1] = rows[-1][0], block
        else:
            rows.append((block, block))
    return tuple(rows)


def _sentence(found: Dealt) -> str:
    """Return from which seed which blocks come; people count from 1."""
    rows = [str(first + 1) if first == last else f"{first + 1}–{last + 1}" for first, last in found.blocks[:MOST_NAMED]]
    more = " and others" if len(found.blocks) > MOST_NAMED else ""
    blocks = "block" if rows == [rows[0]] and "–" not in rows[0] and not more else "blocks"
    source = "seeds that are still secret, or were lost with their sessions" if found.seed is None else str(found.seed)
    return f"{blocks} {', '.join(rows)}{more} from {source}"
