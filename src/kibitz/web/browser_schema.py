"""The JSON Schema and the JavaScript types of all that browsers and the server say to each other.

`python -m kibitz.web.browser_schema` writes both into the repository.
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from kibitz.web.http_answers import (
    ClaimedSeat,
    CreatedTable,
    FailedRequest,
    GameEntry,
    GameRules,
    Health,
    OpenedTable,
    PageLink,
    TableEntry,
    TournamentEntry,
    TournamentPage,
)
from kibitz.web.messages import PROTOCOL, Claim, Message, NewTable, SeatChoice
from kibitz.web.server_messages import ServerMessage
from kibitz.web.type_declarations import declarations

HERE = Path(__file__).parent
SCHEMA = HERE.parents[2] / "docs" / "browser-protocol.schema.json"
DECLARATIONS = HERE / "static" / "js" / "messages.d.ts"
REFERENCE = "#/$defs/{name}"
ANSWERS: dict[str, Any] = {  # types, also those of lists
    "GET /health": Health,
    "GET /api/games": list[GameEntry],
    "GET /api/games/{game}/rules": GameRules,
    "GET /api/pages": list[PageLink],
    "GET /api/tables": list[TableEntry],
    "POST /api/tables": CreatedTable,
    "POST /api/tables/{table}/claim": ClaimedSeat,
    "POST /api/records": OpenedTable,
    "GET /api/tournaments": list[TournamentEntry],
    "GET /api/tournaments/{name}": TournamentPage,
    "GET /api/tournaments/{name}/games/{number}": OpenedTable,
}
BODIES: dict[str, type[msgspec.Struct]] = {"POST /api/tables": NewTable, "POST /api/tables/{table}/claim": Claim}


def schema() -> dict[str, Any]:
    """Return the schema: a message is what `browser` or `server` says, by who sent it; `requests` are those of HTTP."""
    (browser, server, seat, failure, *others), parts = msgspec.json.schema_components(
        (Message, ServerMessage, SeatChoice, FailedRequest, *ANSWERS.values(), *BODIES.values()), ref_template=REFERENCE
    )
    answers = dict(zip(ANSWERS, others[: len(ANSWERS)], strict=True))
    bodies = dict(zip(BODIES, others[len(ANSWERS) :], strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The browser protocol of Kibitz, version {PROTOCOL}: one message of the socket",
        "anyOf": [{"$ref": "#/$defs/BrowserMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "requests": {
            request: {**({"body": bodies[request]} if request in bodies else {}), "answer": answer, "failure": failure}
            for request, answer in answers.items()
        },
        "$defs": {
            "BrowserMessage": {"title": "A message of a browser.", **browser},
            "ServerMessage": {"title": "A message of the server.", **server},
            "SeatChoice": {"title": "Who takes a seat.", **seat},
            **parts,
        },
    }


def schema_text() -> str:
    """Return the schema as it is kept."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def declared_types() -> str:
    """Return the JavaScript types as they are kept."""
    parts = schema()["$defs"]
    unions = {name: parts.pop(name) for name in ("BrowserMessage", "ServerMessage", "SeatChoice")}
    return declarations("kibitz.web.browser_schema", parts, unions)


if __name__ == "__main__":
    SCHEMA.write_text(schema_text())
    DECLARATIONS.write_text(declared_types())
