"""What browsers and the server say to each other is declared: schema and JavaScript types are those of the code."""

import pytest

from kibitz.plugins.battleground import battleground_schema
from kibitz.web import browser_schema
from kibitz.web.app import application
from kibitz.web.lobby import Lobby
from kibitz.web.table_store import TableStore
from tests.web import wire

NO_JSON = {"GET /api/tables/{table}/record", "GET /api/tables/{table}/picture"}


def test_a_whole_game_goes_over_the_wire_as_it_is_kept():
    assert wire.KEPT.read_text().splitlines() == wire.transcript(), "if it is meant: python -m tests.web.wire"


@pytest.mark.parametrize("made", [browser_schema, battleground_schema])
def test_the_schema_is_that_of_the_code(made):
    assert made.SCHEMA.read_text() == made.schema_text(), f"run: python -m {made.__name__}"


@pytest.mark.parametrize("made", [browser_schema, battleground_schema])
def test_the_javascript_types_are_those_of_the_code(made):
    assert made.DECLARATIONS.read_text() == made.declared_types(), f"run: python -m {made.__name__}"


def test_every_request_that_is_answered_by_json_is_in_the_schema():
    lobby = Lobby(TableStore(":memory:"))
    routes = [route for route in application(lobby).app.routes if route.path.startswith(("/api/", "/health"))]
    asked = {f"{method} {route.path_format}" for route in routes for method in route.methods - {"HEAD"}}
    assert asked - NO_JSON == set(browser_schema.ANSWERS)
    lobby.store.close()
