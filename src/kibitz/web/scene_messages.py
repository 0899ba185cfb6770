"""A scene on the wire: panels of shapes, without what is empty."""

from msgspec import UNSET, Struct, UnsetType

Coordinate = float | int  # written without a point where it is whole


class ShownShape(Struct):
    """One shape: SVG tag and attributes, and which moves a click on it may begin."""

    tag: str
    at: dict[str, Coordinate | str]
    words: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    moves: list[int] | UnsetType = UNSET
    key: str | UnsetType = UNSET  # the same thing has the same key in the next position
    parts: "list[ShownShape] | UnsetType" = UNSET


class ShownPanel(Struct, kw_only=True):
    """One canvas of a scene; `seat` tells whose it is."""

    name: str
    width: Coordinate
    height: Coordinate
    title: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    shapes: list[ShownShape]


class ShownScene(Struct):
    """What is seen of a position: panels, the board first, and what the seat to move is asked."""

    title: str
    panels: list[ShownPanel]
    prompt: str | UnsetType = UNSET


class ShownMove(Struct):
    """A move by its number, and as the game writes it."""

    move: int
    text: str
