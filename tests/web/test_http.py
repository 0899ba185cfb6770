"""The requests of a browser: pages, tables, records, pictures and tournaments."""

import asyncio
import json

import httpx2
import pytest

from kibitz import __version__
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import batch_of
from kibitz.arena.play.referee import play_fixture, voided
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.results.run import LedgerRun
from kibitz.arena.tournament import play_tournament
from kibitz.bots.sandbox.sandbox import without_walls
from kibitz.games import find, names
from kibitz.web.app import application
from kibitz.web.tournaments import VOID, Tournaments
from kibitz.web.viewpoint import ALL
from tests.web.browsers import PERSON, new_table, open_lobby, sit_down


def ask(test, ledgers=(), **lobby_options):
    """Run a test with a client of a server."""

    async def run():
        async with open_lobby(**lobby_options) as lobby:
            transport = httpx2.ASGITransport(app=application(lobby, Tournaments(list(ledgers))))
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                await test(lobby, client)

    asyncio.run(run())


def test_health_says_the_version():
    async def test(lobby, client):
        answer = await client.get("/health")
        assert answer.json() == {"ok": True, "version": __version__}
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]

    ask(test)


def test_games_are_listed_with_all_that_a_form_needs():
    async def test(lobby, client):
        found = {game["name"]: game for game in (await client.get("/api/games")).json()}
        assert set(found) == set(names())
        assert found["cartagena"]["seats"] == [2, 5]
        assert len(found["cartagena"]["seat_names_by_seats"]["4"]) == 4
        assert found["colonizers"]["hidden"]
        assert set(found["quarto"]["levels"]) == {"beginner", "club", "strong"}
        assert any(option["name"] == "depth" for agent in found["quarto"]["agents"] for option in agent["options"])
        assert (await client.get("/api/games/quarto/rules")).json()["markdown"]
        assert (await client.get("/api/games/chess/rules")).status_code == 400
        assert (await client.get("/api/games/quarto/preparation")).json().keys() == {"number", "of", "seconds_left"}
        assert (await client.get("/api/games/chess/preparation")).status_code == 400
        assert "panels" in (found["quarto"]["example"] or {"panels": []})

    ask(test)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("{", "cannot be read"),
        ('{"game": "chess"}', "unknown game"),
        ('{"game": "/etc/passwd"}', "unknown game"),
        ('{"game": "quarto", "seats": [{"kind": "me"}]}', "2 seats"),
        ('{"game": "quarto", "seats": [{"kind": "me"}, {"kind": "agent", "text": "./x.py"}]}', "is a path"),
        ('{"game": "quarto", "seats": [{"kind": "me"}, {"kind": "agent", "text": "maxn(value=./x.py)"}]}', "is a path"),
        (
            '{"game": "quarto", "seats": [{"kind": "me"}, {"kind": "agent", "text": "minimax(seconds=99)"}]}',
            "at most 10",
        ),
        ('{"game": "quarto", "seats": [{"kind": "me"}, {"kind": "agent", "text": "mcts(hello=1)"}]}', "option of mcts"),
        ('{"game": "quarto", "seats": [{"kind": "me"}, {"kind": "agent", "text": "flat(playouts=x)"}]}', "playouts"),
        ('{"game": "quarto", "position": "nonsense"}', "nonsense"),
        ('{"game": "quarto", "extra": 1}', "extra"),
        ('{"from": {"table": "nothing", "ply": 0}}', "no table"),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_a_sentence(body, words):
    async def test(lobby, client):
        answer = await client.post("/api/tables", content=body)
        assert answer.status_code in (400, 404)
        assert words in answer.json()["error"]
        assert not lobby.sessions

    ask(test)


def test_too_large_a_body_is_refused():
    async def test(lobby, client):
        assert "bytes" in (await client.post("/api/tables", content=b" " * 70_000)).json()["error"]
        assert "bytes" in (await client.post("/api/records", content=b" " * 2_000_000)).json()["error"]

    ask(test)


def test_other_sites_and_other_names_of_this_host_are_refused():
    async def test(lobby, client):
        body = {"content": '{"game": "quarto"}'}
        foreign = await client.post("/api/tables", headers={"origin": "http://evil.example"}, **body)
        assert foreign.status_code == 403
        rebound = await client.get("/health", headers={"host": "evil.example:8000"})
        assert rebound.status_code == 403
        for host in (
            "evil.example@127.0.0.1",
            "127.0.0.1:x",
            "127.0.0.1:8000/x",
            "127.0.0.1?",
            "[::1",
            "",
            "127.0.0.1:",
        ):
            assert (await client.get("/health", headers={"host": host})).status_code == 403, host
        for host in ("127.0.0.1", "LOCALHOST:80", "[::1]:8000"):
            assert (await client.get("/health", headers={"host": host})).status_code == 200, host
        own = await client.post("/api/tables", headers={"origin": "http://127.0.0.1:8000"}, **body)
        assert own.status_code == 200

    ask(test)


def test_records_and_pictures_go_over_http():
    async def test(lobby, client):
        made = await new_table(lobby, "quarto", [PERSON, PERSON])
        browser, _ = await sit_down(lobby, made["id"], made["owner"])
        await browser.send("move", ply=0, move=3)
        record = await client.get(f"/api/tables/{made['id']}/record")
        assert json.loads(record.text)["moves"] == [3]
        again = (await client.post("/api/records", content=record.content)).json()
        assert lobby.sessions[again["id"]].read_only
        picture = await client.get(f"/api/tables/{made['id']}/picture?ply=1")
        assert picture.text.startswith("<svg")
        assert (await client.get(f"/api/tables/{made['id']}/picture?ply=99")).status_code == 400
        assert (await client.get(f"/api/tables/{made['id']}/picture?ply=x")).status_code == 400
        assert {table["id"] for table in (await client.get("/api/tables")).json()} == {made["id"], again["id"]}
        path = json.loads(record.text) | {"game": "/tmp/elsewhere"}
        assert "unknown game" in (await client.post("/api/records", content=json.dumps(path))).json()["error"]

    ask(test)


def test_a_tournament_is_watched_and_its_games_are_laid_out(tmp_path):
    ledger = tmp_path / "results.db"
    plan = Plan.make(find("quarto"), ["greedy", "novice"], games=8)
    play_tournament(plan, ledger, 1)

    async def test(lobby, client):
        (run,) = (await client.get("/api/tournaments")).json()
        found = (await client.get(f"/api/tournaments/{run['name']}")).json()
        assert (found["played"], found["done"], len(found["games"])) == (8, True, 8)
        assert {row["agent"] for row in found["standings"]} == {"greedy", "novice"}
        laid_out = (await client.get(f"/api/tournaments/{run['name']}/games/3")).json()
        session = lobby.sessions[laid_out["id"]]
        assert session.ply == found["games"][3]["plies"]
        assert any(entry.values for entry in session.history.log(0, ALL, True))
        assert (await client.get(f"/api/tournaments/{run['name']}/games/99")).status_code == 400
        assert (await client.get("/api/tournaments/nothing")).status_code == 400

    ask(test, [ledger])


def test_a_tournament_says_that_no_walls_stood_and_counts_no_void_games(tmp_path):
    db, plan = tmp_path / "results.db", Plan.make(find("quarto"), ["greedy", "novice"], games=8)
    fixtures = list(plan.fixtures())
    results = [play_fixture(plan.game, plan.agents, fixture) for fixture in fixtures]
    results[3] = voided(plan.game, plan.agents, fixtures[3], "nobody knows")
    with open_ledger(db, write=True) as ledger:
        run = LedgerRun(ledger, plan)
        run.add(batch_of(results, True), 1.0)
        run.remark(without_walls(["./mine.py"]))

    async def test(lobby, client):
        (run,) = (await client.get("/api/tournaments")).json()
        found = (await client.get(f"/api/tournaments/{run['name']}")).json()
        assert [row["games"] for row in found["standings"]] == [6, 6]
        assert (found["played"], len(found["games"])) == (8, 8)
        assert found["notes"][0].startswith("No walls keep secrets from ./mine.py")
        assert found["notes"][-1] == VOID.format(2)

    ask(test, [db])


def talk(headers, *messages):
    """Speak with the socket of a server; return the kinds of what it sent, and the texts."""

    async def run():
        async with open_lobby() as lobby:
            incoming, sent = asyncio.Queue(), []
            incoming.put_nowait({"type": "websocket.connect"})

            async def send(message):
                sent.append(message)
                if len(messages) >= len(sent):
                    incoming.put_nowait({"type": "websocket.receive", "text": messages[len(sent) - 1]})
                else:
                    incoming.put_nowait({"type": "websocket.disconnect", "code": 1000})

            raw = [(name.encode(), value.encode()) for name, value in headers.items()]
            scope = {"type": "websocket", "path": "/ws", "headers": raw, "subprotocols": [], "query_string": b""}
            await application(lobby)(scope, incoming.get, send)
            assert lobby.admission.count == 0
            return [message["type"] for message in sent], [json.loads(m["text"]) for m in sent if m.get("text")]

    return asyncio.run(run())


def test_the_socket_refuses_what_it_cannot_read():
    join = json.dumps({"type": "join", "table": "x", "protocol": 7})
    _, answers = talk({"host": "127.0.0.1"}, "nonsense", '{"type": "move", "ply": 0, "move": 0}', join)
    assert [answer["type"] for answer in answers] == ["refusal"] * 3
    assert "join a table first" in answers[1]["sentence"]
    assert "protocol 1" in answers[2]["sentence"]


def test_the_socket_is_closed_to_pages_of_other_sites():
    assert talk({"host": "127.0.0.1", "origin": "http://evil.example"})[0] == ["websocket.close"]
    assert talk({"host": "evil.example", "origin": "http://evil.example"})[0] == ["websocket.close"]
    assert talk({"host": "127.0.0.1", "origin": "http://127.0.0.1"})[0] == ["websocket.accept"]
