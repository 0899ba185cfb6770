"""What nobody foresaw is for the log of a server: no client is ever sent the text of such an exception."""

import ast
import asyncio

import httpx2
import pytest
from starlette.routing import Route

from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.errors import SERVER_FAILED, BadValue
from kibitz.web import app, connection, messages
from kibitz.web.tournaments import Tournaments
from tests.web.browsers import PERSON, new_table, open_lobby, sit_down

SECRET = "the secret of this machine"
FOR_PEOPLE = {"KibitzError", "BadValue", "BadMove", "BotFault", "RequestRefused", "Refusal", "NoAnswer", "_TooMany"}
OF_DECODERS = {"msgspec.DecodeError", "UnicodeError", "RecursionError", "_WRONG"}  # about the client's own line
ELSEWHERE = {
    ("plugins/battleground/battleground_server.py", "listen"): "is told to the person who starts the server",
    ("web/web_server.py", "listen"): "is told to the person who starts the server",
    ("web/table_store.py", "_alone"): "is told to the person who starts the server",
    ("web/table_store.py", "_open"): "is told to the person who starts the server",
    ("plugins/battleground/battleground_client.py", "_connect"): "is told to the person who joins",
    ("plugins/battleground/course_client.py", "_receive"): "is about the player's own line",
    ("web/thinking_pool.py", "_hear"): "a process that has died says nothing; its visitors are told so",
    (
        "web/thinking_worker.py",
        "_answer",
    ): "goes through failure(), which has a sentence for visitors and one for the log",
}
SOURCES = [path for room in ("plugins/battleground", "web") for path in sorted((PACKAGE / room).rglob("*.py"))]


def handlers(path):
    """Yield every clause of a file that catches an exception, with the function around it."""
    for function in ast.walk(ast.parse(path.read_text())):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.ExceptHandler):
                    yield function.name, node


def caught(handler):
    if handler.type is None:
        return {"everything"}
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {ast.unparse(kind) for kind in kinds}


def is_log(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("_LOG.")


def says(handler):
    """Return whether a clause does anything with the exception but log it."""
    logged = {id(inner) for node in ast.walk(handler) if is_log(node) for inner in ast.walk(node)}
    names = [node for node in ast.walk(handler) if isinstance(node, ast.Name) and node.id == handler.name]
    return any(id(node) not in logged for node in names)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_sentences_for_people_go_out(path):
    file = str(path.relative_to(PACKAGE))
    for function, handler in handlers(path):
        if (file, function) not in ELSEWHERE and says(handler):
            assert caught(handler) <= FOR_PEOPLE | OF_DECODERS, f"{file}: {function} tells of {caught(handler)}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_whoever_catches_everything_logs_it_or_lets_it_through(path):
    file = str(path.relative_to(PACKAGE))
    for function, handler in handlers(path):
        if (file, function) not in ELSEWHERE and caught(handler) & {"Exception", "BaseException", "everything"}:
            kept = any(is_log(node) or isinstance(node, ast.Raise) for node in ast.walk(handler))
            assert kept, f"{file}: {function} catches all and says nothing"


def test_no_traceback_is_made_for_clients():
    for path in SOURCES:
        text = path.read_text()
        assert "format_exc" not in text
        assert "with_last_lines" not in text, path


def failing(*given, **named):
    raise KeyError(SECRET)


def test_whatever_fails_behind_a_message_of_a_browser_is_logged_and_not_sent(monkeypatch, caplog):
    async def run():
        async with open_lobby() as lobby:
            table = (await new_table(lobby, "quarto", [PERSON, PERSON]))["id"]
            browser, _ = await sit_down(lobby, table)
            for kind in connection._HANDLERS:
                monkeypatch.setitem(connection._HANDLERS, kind, failing)
                message = kind(**dict.fromkeys(kind.__struct_fields__))
                monkeypatch.setattr(messages, "read", lambda data, message=message: message)
                caplog.clear()
                (said,) = await browser.send_raw("{}")
                assert said == {"type": "refusal", "about": kind.__struct_config__.tag, "sentence": SERVER_FAILED}
                assert SECRET in caplog.text
            assert SECRET.encode() not in b"".join(browser.received)

    asyncio.run(run())


def served(test, ledgers=()):
    async def run():
        async with open_lobby() as lobby:
            made = app.application(lobby, Tournaments(list(ledgers)))
            transport = httpx2.ASGITransport(app=made)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                await test(made.app, client)

    asyncio.run(run())


def test_every_request_is_answered_by_what_tells_no_exception(monkeypatch, caplog):
    async def test(made, client):
        ours = [
            route for route in made.routes if isinstance(route, Route) and route.path.startswith(("/api", "/health"))
        ]
        assert len(ours) >= 10
        for route in ours:
            assert hasattr(route.endpoint, "__wrapped__"), f"{route.path} lacks @_answers"
        monkeypatch.setattr(Tournaments, "runs", failing)
        answer = await client.get("/api/tournaments")
        assert (answer.status_code, answer.json()) == (500, {"error": SERVER_FAILED})
        assert SECRET in caplog.text

    served(test)


def test_a_visitor_is_not_told_where_a_ledger_lies(tmp_path, caplog):
    async def test(made, client):
        answer = await client.get("/api/tournaments/cup")
        assert answer.status_code == 400
        assert str(tmp_path) not in answer.text
        assert str(tmp_path) in caplog.text

    served(test, [tmp_path / "missing.db"])


def test_a_disk_that_is_full_is_not_described_to_visitors(monkeypatch, caplog):
    async def run():
        async with open_lobby() as lobby:
            with pytest.raises(BadValue, match=SERVER_FAILED):
                await lobby.store.save([(f"INSERT INTO secrets VALUES ('{SECRET}')", ())])
        assert "no such table: secrets" in caplog.text

    asyncio.run(run())
