"""The JSON Schema of the messages of a battleground's lobby and page, and their JavaScript types.

`python -m kibitz.plugins.battleground.battleground_schema` writes both into the repository.
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from kibitz.plugins.battleground.battleground_messages import BattlegroundMessage
from kibitz.plugins.battleground.course_messages import ToCourse
from kibitz.plugins.battleground.lobby_messages import FromClient, FromServer
from kibitz.web.browser_schema import REFERENCE
from kibitz.web.browser_schema import schema as browser_schema
from kibitz.web.type_declarations import declarations

HERE = Path(__file__).parent
SCHEMA = HERE.parents[3] / "docs" / "battleground.schema.json"
DECLARATIONS = HERE / "static" / "battleground_messages.d.ts"


def schema() -> dict[str, Any]:
    """Return the schema: the messages of `client` and `server` in the lobby, and those to a `course` and the `page`."""
    (client, server, course, page), parts = msgspec.json.schema_components(
        (FromClient, FromServer, ToCourse, BattlegroundMessage), ref_template=REFERENCE
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The battleground of Kibitz: a line in the lobby, or a message to the page",
        "anyOf": [{"$ref": f"#/$defs/{who}"} for who in ("client", "server", "course", "page")],
        "$defs": {
            "client": {"title": "A line of a client", **client},
            "server": {"title": "A line of the server", **server},
            "course": {"title": "A line to a player of the course COMP30024", **course},
            "page": {"title": "A message to the page", **page},
            **parts,
        },
    }


def schema_text() -> str:
    """Return the schema as it is stored."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def declared_types() -> str:
    """Return the JavaScript types of the page as they are stored; a scene is declared with the messages of tables."""
    _, parts = msgspec.json.schema_components((BattlegroundMessage,), ref_template=REFERENCE)
    own = {name: part for name, part in parts.items() if name not in browser_schema()["$defs"]}
    return declarations("kibitz.plugins.battleground.battleground_schema", own, {}, imported="ShownScene")


if __name__ == "__main__":
    SCHEMA.write_text(schema_text())
    DECLARATIONS.write_text(declared_types())
