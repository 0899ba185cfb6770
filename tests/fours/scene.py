"""The picture of Fours."""

from kibitz.scenes import Grid, Piece, Prompt

SCENE = [
    Grid("BOARD", columns=7, rows=6, pieces={1: Piece(seat=0), 2: Piece(seat=1)}, moves="column"),
    Prompt("Choose a column"),
]
