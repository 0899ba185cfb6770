"""The JSON Schema of the bot protocol, made from its messages."""

from typing import Any

import msgspec

from kibitz.bots.protocol import PROTOCOL_NUMBER, FromBot, FromReferee


def schema() -> dict[str, Any]:
    """Return the schema; its definitions `referee` and `bot` describe the lines of each side."""
    (referee, bot), parts = msgspec.json.schema_components((FromReferee, FromBot), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The bot protocol of Kibitz, version {PROTOCOL_NUMBER}: one line",
        "anyOf": [{"$ref": "#/$defs/referee"}, {"$ref": "#/$defs/bot"}],
        "$defs": {
            "referee": {"title": "A line of the referee", **referee},
            "bot": {"title": "A line of a bot", **bot},
            **parts,
        },
    }
