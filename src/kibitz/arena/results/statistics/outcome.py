"""The outcome of games: who won, who drew and who came in which place, from payoffs by game and seat."""

import numpy as np


def outcomes(payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return who won and who drew, from payoffs by game and seat: the best alone wins, the best together draw."""
    best = payoffs == payoffs.max(axis=1, keepdims=True)
    alone = best.sum(axis=1, keepdims=True) == 1
    return best & alone, best & ~alone


def divided_wins(payoffs: np.ndarray) -> np.ndarray:
    """Return one win a game, divided among the best seats where they tie."""
    best = payoffs == payoffs.max(axis=1, keepdims=True)
    return best / best.sum(axis=1, keepdims=True)


def place_shares(payoffs: np.ndarray) -> np.ndarray:
    """Return [game, seat, place]: how much of the place a seat has, 1, or less where seats tie and share it."""
    before = (payoffs[:, None, :] > payoffs[:, :, None]).sum(axis=2)
    level = (payoffs[:, None, :] == payoffs[:, :, None]).sum(axis=2)
    place = np.arange(payoffs.shape[1])
    held = (before[:, :, None] <= place) & (place < (before + level)[:, :, None])
    return held / level[:, :, None]
