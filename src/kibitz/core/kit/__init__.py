"""Kits for scenes: boards, tracks, piles, cards, dice and scores that a game declares as data and need not draw."""
