"""Cautions: what a reader of results must know if the games are not what statistics take them for."""


def cautions(distinct: int, played: int, programs: int) -> list[str]:
    """Return a sentence each if most games are repetitions, or if more than one state of Kibitz's code played them."""
    found = []
    if 2 * distinct < played:
        found.append(
            "Most games are repetitions. If that is because the agents play without chance, repeated games add no "
            "information and all intervals are too narrow; random openings make games differ."
        )
    if programs > 1:
        found.append(
            f"Kibitz's own code changed while these games were played: {programs} states of it played them, and the "
            "agents may not have been the same in all games. Use a new ledger to play all games with the same code."
        )
    return found
