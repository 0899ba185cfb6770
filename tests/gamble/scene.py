"""The picture of Gamble: how many moves have been made."""

from kibitz.scenes import Text

SCENE = [Text("{PLY} made")]
