"""The JSON Schema and the JavaScript types of the messages between browsers and the server.

`python -m kibitz.web.browser_schema` writes both into the repository.
"""

import json
from pathlib import Path
from types import GenericAlias

import msgspec

from kibitz.web import http_answers as http
from kibitz.web.messages import PROTOCOL, Claim, Message, NewTable, SeatChoice
from kibitz.web.server_messages import ServerMessage
from kibitz.web.type_declarations import JsonSchema, declarations

HERE = Path(__file__).parent
SCHEMA = HERE.parents[2] / "docs" / "browser-protocol.schema.json"
DECLARATIONS = HERE / "static" / "js" / "messages.d.ts"
REFERENCE = "#/$defs/{name}"
ANSWERS: dict[str, type | GenericAlias] = {
    "GET /health": http.Health,
    "GET /api/games": list[http.GameEntry],
    "GET /api/games/{game}/rules": http.GameRules,
    "GET /api/games/{game}/preparation": http.Preparation,
    "GET /api/pages": list[http.PageLink],
    "GET /api/tables": list[http.TableEntry],
    "POST /api/tables": http.CreatedTable,
    "POST /api/tables/{table}/claim": http.ClaimedSeat,
    "POST /api/records": http.OpenedTable,
    "GET /api/tournaments": list[http.TournamentEntry],
    "GET /api/tournaments/{name}": http.TournamentPage,
    "GET /api/tournaments/{name}/games/{number}": http.OpenedTable,
}
BODIES: dict[str, type[msgspec.Struct]] = {"POST /api/tables": NewTable, "POST /api/tables/{table}/claim": Claim}


def schema() -> JsonSchema:
    """Return the schema of all messages of the socket; `requests` are those of HTTP."""
    (browser, server, seat, failure, *others), parts = msgspec.json.schema_components(
        (Message, ServerMessage, SeatChoice, http.FailedRequest, *ANSWERS.values(), *BODIES.values()),
        ref_template=REFERENCE,
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
    """Return the schema as it is stored."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def declared_types() -> str:
    """Return the JavaScript types as they are kept."""
    parts = schema()["$defs"]
    unions = {name: parts.pop(name) for name in ("BrowserMessage", "ServerMessage", "SeatChoice")}
    return declarations("kibitz.web.browser_schema", parts, unions)


if __name__ == "__main__":
    SCHEMA.write_text(schema_text())
    DECLARATIONS.write_text(declared_types())
