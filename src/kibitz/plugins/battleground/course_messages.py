"""What a Chexers player of the course COMP30024 is told, in the messages of the course's battleground."""

import msgspec
from msgspec import Struct

CourseAction = tuple[str, tuple[int | tuple[int, int], ...] | None]  # ("PASS", None), ("EXIT", place), ("MOVE", places)


class _CourseMessage(Struct, tag_field="mtype"):
    pass


class CourseOkay(_CourseMessage, tag="OKAY"):
    """The player may come in."""


class CourseError(_CourseMessage, tag="ERRO"):
    """Why the connection is closed."""

    reason: str


class CoursePlayers(_CourseMessage, tag="GAME"):
    """Who plays, by colour."""

    red: str
    green: str
    blue: str


class CourseColour(_CourseMessage, tag="INIT"):
    """The colour of the player, who gets ready."""

    colour: str


class CourseTurn(_CourseMessage, tag="TURN"):
    """It is the player's turn."""


class CourseUpdate(_CourseMessage, tag="UPD8"):
    """What a player has done."""

    colour: str
    action: CourseAction


class CourseOver(_CourseMessage, tag="OVER"):
    """How the game ended."""

    result: str


ToCourse = CourseOkay | CourseError | CoursePlayers | CourseColour | CourseTurn | CourseUpdate | CourseOver


def course_line(message: ToCourse) -> bytes:
    """Return a message of the course's battleground as a line."""
    return msgspec.json.encode(message) + b"\n"
