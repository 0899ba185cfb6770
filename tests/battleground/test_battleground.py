"""The battleground: bots meet over a socket, are rated, come back, and are refused in a sentence."""

import asyncio
import json
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread

import httpx2
import pytest

from kibitz.agents import build
from kibitz.arena.plan.limits import Limits
from kibitz.arena.play.referee import play_fixture
from kibitz.arena.results.ledger import open_ledger
from kibitz.bots.protocol import Hello, line_of
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.sandbox.sandbox import Sandbox
from kibitz.core.errors import BadValue
from kibitz.core.record import read_line
from kibitz.core.scoring import WINS
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.games.chexers.notation import from_action, to_action
from kibitz.plugins.battleground import battleground_client as client_module
from kibitz.plugins.battleground import battleground_page
from kibitz.plugins.battleground.battleground_client import Address, BattlegroundClient
from kibitz.plugins.battleground.battleground_server import listen
from kibitz.plugins.battleground.channels import GameInProgress, Member, seated
from kibitz.plugins.battleground.client_player import AgentPlayer, ProgramPlayer
from kibitz.plugins.battleground.ladder import Ladder
from kibitz.plugins.battleground.lobby_messages import ConnectionRefused, Seek, Welcome
from kibitz.plugins.battleground.registry import Registry, keep_books, ladders
from kibitz.plugins.battleground.resumable_connection import ResumableConnection
from kibitz.web.tournaments import Tournaments
from tests.battleground.arenas import PATIENCE, Hand, ground

EXAMPLE = "examples/bots/random_bot.py"


@pytest.fixture
def db(tmp_path):
    return tmp_path / "ground.db"


def in_thread(deed, *given):
    thread = Thread(target=deed, args=given, daemon=True)
    thread.start()
    return thread


def test_two_bots_play_game_after_game_and_take_turns_to_begin(db):
    with ground(db) as served, Hand(served.port) as one, Hand(served.port) as two:
        token = one.seek("one")["token"]
        assert one.hear()["present"] == ["one"]
        two.seek("two")
        assert two.hear() == {"type": "waiting", "channel": "open", "game": "quarto", "seats": 2,
                              "present": ["one", "two"]}  # fmt: skip
        other = in_thread(two.play, 3)
        heard = one.play(3)
        assert [said["seat"] for said in heard if said["type"] == "new"] == [0, 1, 0]
        assert all(said["clock"]["move_ms"] == 30_000 for said in heard if said["type"] == "new")
        other.join(PATIENCE)
        served.wait_for(3)
        assert len(token) > 16
    with open_ledger(db) as ledger:
        run = ledger.find("battleground-quarto")
        games = ledger.games(run["id"])
        assert len(games.numbers) >= 3
        assert ledger.unsound(run["id"]) == []
        record = read_line(next(ledger.records(run["id"])))
        assert record.agents == ["one", "two"]
        assert record.payoff is not None
    (ladder,) = ladders(db).values()
    assert {rung.name for rung in ladder.rungs()} == {"one", "two"}
    (shown,) = Tournaments([db]).runs()
    assert shown.agents == ["one", "two"]
    assert Tournaments([db]).standing(shown.name, 0).played == len(games.numbers)


def test_a_name_belongs_to_who_has_its_token_also_after_a_restart(db):
    with ground(db) as served, Hand(served.port) as one, Hand(served.port) as thief, Hand(served.port) as shy:
        token = one.seek("one")["token"]
        assert "token is not its own" in thief.seek("one", token="x" * 24)["sentence"]
        assert "the name one is taken" in shy.seek("ONE")["sentence"]
        assert thief.hear() is None
    assert token.encode() not in db.read_bytes()
    with ground(db) as served, Hand(served.port) as one, Hand(served.port) as thief:
        assert one.seek("one", token=token)["type"] == "welcome"
        assert thief.seek("one")["type"] == "refused"


@pytest.mark.parametrize(("first", "sentence"), [
    (b"hello\n", "the first line is 'hello'"),
    (b'{"type":"seek","name":"\xff"}\n', "it is not UTF-8 from byte 23 on"),
    (b"[" * 3000 + b"\n", "the first line is"),
    (b"x" * 5000, "more than 4096 bytes"),
    (b'{"type":"seek","name":"a b","channel":"c","game":"quarto"}\n', "'a b' cannot be a name"),
    (b'{"type":"seek","name":"ab","channel":"\\n","game":"quarto"}\n', "cannot be a channel"),
    (b'{"type":"seek","name":"ab","channel":"c","game":"go"}\n', "game here"),
    (b'{"type":"seek","name":"ab","channel":"c","game":"./mine"}\n', "game here"),
    (b'{"type":"seek","name":"ab","channel":"c"}\n', "game"),
    (b'{"type":"seek","protocol":9,"name":"ab","channel":"c","game":"quarto"}\n', "protocol 9"),
])  # fmt: skip
def test_bad_input_gets_a_sentence(db, first, sentence):
    with ground(db) as served, Hand(served.port) as hand:
        hand.write(first)
        assert sentence in hand.hear()["sentence"]
        assert hand.hear() is None


def test_no_client_can_have_code_run_that_lies_at_a_path(db, tmp_path):
    (tmp_path / "mine").mkdir()
    for name in ("__init__.py", "rules.py"):
        (tmp_path / "mine" / name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with ground(db) as served:
        for game in (f"{tmp_path}/mine", f"'{tmp_path}/mine'(seats=2)", f"quarto('{tmp_path}/mine')"):
            with Hand(served.port) as hand:
                assert "game here" in hand.seek("one", game=game)["sentence"]
        with Hand(served.port) as hand:
            assert hand.seek("one", game="quarto(squares=false)")["type"] == "welcome"
    assert not (tmp_path / "ran").exists()


def test_a_lost_connection_returns_into_the_same_game(db):
    with ground(db) as served, Hand(served.port) as one, Hand(served.port) as two:
        token = one.seek("one")["token"]
        one.hear()
        two.seek("two")
        two.hear()
        other = in_thread(two.play, 1)
        while one.answer()["type"] != "decide":
            pass
        one.hear()  # a line that gets lost in our hands
        one.close()
        with Hand(served.port) as again:
            welcome = again.seek("one", token=token, received=one.received)
            assert welcome["resumed"] is True
            heard = again.play(1)
            assert heard[0]["type"] == "decide"
            assert "new" not in {said["type"] for said in heard}
            assert heard[-1]["reason"] in ("won", "drawn")
            other.join(PATIENCE)


def test_who_does_not_come_back_in_time_loses_and_the_others_go_on(db):
    with ground(db, grace=0.1) as served, Hand(served.port) as one, Hand(served.port) as two:
        one.seek("one")
        one.hear()
        two.seek("two")
        two.hear()
        heard = []
        other = in_thread(lambda: heard.extend(two.play(1)))
        while one.answer()["type"] != "decide":
            pass
        one.close()
        other.join(PATIENCE)
        assert heard[-1]["reason"] == "crash"
        with Hand(served.port) as three:
            three.seek("three")
            three.hear()
            other = in_thread(three.play, 1)
            assert two.play(1)[-1]["reason"] in ("won", "drawn")
            other.join(PATIENCE)


@pytest.mark.parametrize(("wrong", "reason"), [
    ({"type": "move", "move": 99}, "illegal"),
    ({"type": "dance"}, "protocol"),
    (None, "time"),
    ({"type": "leave"}, "crash"),
])  # fmt: skip
def test_a_bot_that_fails_loses_by_a_named_reason(db, wrong, reason):
    seconds = 3.0 if reason == "time" else 30.0  # enough for the other, on a busy machine
    with ground(db, move_seconds=seconds) as served, Hand(served.port) as one, Hand(served.port) as two:
        one.seek("one")
        one.hear()
        two.seek("two")
        two.hear()
        other = in_thread(two.play, 1)
        for _ in range(2):
            one.answer()
        said = one.hear()
        assert said["type"] == "decide"
        if wrong == {"type": "leave"}:
            one.write(b'{"type":"leave"}\n')
        elif wrong is not None:
            one.say(**wrong, id=said["id"])
        if reason != "crash":
            assert one.hear()["type"] == "error"
        assert one.hear() is None
        other.join(PATIENCE)
        served.wait_for(1)
        assert f", {reason}: one 0" in served.told[0]


def test_a_flood_is_told_of_and_ends_the_connection_while_nobody_reads(db):
    with ground(db) as served, Hand(served.port) as one:
        one.seek("one")
        one.hear()
        try:
            for _ in range(40):
                one.write(b"x" * 100_000)
        except OSError:
            pass
        said = one.hear()
        assert (said["type"], said["sentence"]) == ("error", "it wrote a line of more than 1 MiB")
        assert one.hear() is None


def test_agents_and_programs_join_through_the_client(db, tmp_path):
    tokens, failures = [], []

    def join(name, player, port):
        client = BattlegroundClient(
            Address("127.0.0.1", port), Seek(name=name, channel="open", game="quarto"), player,
            lambda sentence: None, tokens.append,
        )  # fmt: skip
        try:
            client.run()
        except BadValue as error:
            failures.append(str(error))
        finally:
            player.end()

    with ground(db) as served:
        program = ProgramPlayer(f"{sys.executable} {EXAMPLE}", Sandbox("limits"))
        threads = [in_thread(join, "agent", AgentPlayer("random"), served.port)]
        threads.append(in_thread(join, "program", program, served.port))
        served.wait_for(3)
        assert all("won" in told or "drawn" in told for told in served.told)
    for thread in threads:
        thread.join(PATIENCE)
    assert len(tokens) == 2
    assert all("closing" in failure for failure in failures)


def test_the_client_returns_by_itself(db):
    with ground(db) as served, Hand(served.port) as two:
        client = BattlegroundClient(
            Address("127.0.0.1", served.port), Seek(name="one", channel="open", game="quarto"), AgentPlayer("random"),
            lambda sentence: None,
        )  # fmt: skip
        failures = []

        def run():
            try:
                client.run()
            except BadValue as error:
                failures.append(str(error))

        thread = in_thread(run)
        two.seek("two")
        two.hear()
        for _ in range(4):
            two.answer()
        client.connection.shutdown(2)
        assert two.play(1)[-1]["reason"] in ("won", "drawn")
    thread.join(PATIENCE)
    assert failures
    assert "closing" in failures[0]


def test_the_client_waits_longer_for_a_server_than_the_grace_time(monkeypatch):
    monkeypatch.setattr(client_module, "AGAIN_AFTER", 0.05)
    port, absence = 0, 1.0  # seconds, and no time of grace

    def serve(answer):
        nonlocal port
        with listen("127.0.0.1", port) as listener:
            port = listener.getsockname()[1]
            ready.set()
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(line_of(answer))

    def serve_twice():
        serve(Welcome(token="t", move_ms=1000, grace_ms=0))
        time.sleep(absence)
        serve(ConnectionRefused(sentence="back again"))

    ready = Event()
    thread = in_thread(serve_twice)
    assert ready.wait(PATIENCE)
    seek = Seek(name="one", channel="open", game="quarto")
    client = BattlegroundClient(Address("127.0.0.1", port), seek, AgentPlayer("random"), lambda sentence: None)
    with pytest.raises(BadValue, match="back again"):
        client.run()
    thread.join(PATIENCE)


def test_seats_go_to_who_has_had_them_least():
    one, two, three = (Member(name, ("open", "chexers"), None) for name in ("one", "two", "three"))
    one.sat[0] = two.sat[1] = 1
    assert seated([one, two, three]) == [two, one, three]


def test_a_ladder_rises_with_wins_and_counts_them():
    ladder = Ladder(WINS)
    for _ in range(5):
        ladder.add(["strong", "weak", "even"], [1.0, 0.0, 0.0])
    best, *others = ladder.rungs()
    assert (best.name, best.games, best.wins) == ("strong", 5, 5)
    assert best.skill > max(rung.skill for rung in others)


def test_every_channel_has_a_ladder_of_its_own(db):
    with ground(db) as served, Hand(served.port) as one, Hand(served.port) as two:
        for hand, name in ((one, "mallory"), (two, "sock")):
            hand.seek(name, channel="mine alone")
            hand.hear()
        other = in_thread(two.play, 1)
        one.play(1)
        other.join(PATIENCE)
        served.wait_for(1)
        quarto = find("quarto")
        assert served.lobby.books.rungs(quarto, "open") == []
        assert {rung.name for rung in served.lobby.books.rungs(quarto, "mine alone")} == {"mallory", "sock"}
    (ladder,) = ladders(db, "mine alone").values()
    assert {rung.name for rung in ladder.rungs()} == {"mallory", "sock"}
    with pytest.raises(BadValue, match="channel 'open'"):
        ladders(db)
    assert b"mine alone" not in db.read_bytes()


def test_three_course_players_play_a_game_to_its_end(db):
    results = []

    def course(port, name):
        table = Table(find("chexers"), 0)
        with Hand(port, mtype="PLAY", name=name, channel="") as hand:
            assert [hand.hear()["mtype"] for _ in range(3)] == ["OKAY", "GAME", "INIT"]
            hand.say(mtype="OKAY")
            while (said := hand.hear())["mtype"] in ("TURN", "UPD8"):
                view = table.view(table.turn)
                if said["mtype"] == "UPD8":
                    table.play(from_action(view, said["action"]))
                    hand.say(mtype="OKAY")
                else:
                    hand.say(mtype="ACTN", action=to_action(view, table.moves()[0]))
            results.append((said["mtype"], said["result"], table.over))

    with ground(db, "chexers") as served:
        threads = [in_thread(course, served.port, name) for name in ("a", "b", "c")]
        for thread in threads:
            thread.join(PATIENCE)
    assert len(results) == 3
    assert len(set(results)) == 1
    assert results[0][1].startswith(("winner: ", "draw detected"))


def test_course_players_and_bots_meet_in_chexers(db):
    results = []

    def course(port, name):
        with Hand(port, mtype="PLAY", name=name, channel="open") as hand:
            assert hand.hear() == {"mtype": "OKAY"}
            colours = hand.hear()
            assert colours["mtype"] == "GAME"
            assert {colours[colour] for colour in ("red", "green", "blue")} == {"red-one", "other", "bot"}
            assert colours[hand.hear()["colour"]] == name
            hand.say(mtype="OKAY")
            while (said := hand.hear())["mtype"] in ("TURN", "UPD8"):
                if said["mtype"] == "UPD8":
                    assert said["action"][0] in ("MOVE", "JUMP", "EXIT", "PASS")
                    hand.say(mtype="OKAY")
                else:
                    hand.say(mtype="ACTN", action=["NONSENSE", None])
            results.append(said)

    with ground(db, "chexers") as served, Hand(served.port) as bot:
        bot.seek("bot", game="chexers")
        bot.hear()
        threads = [in_thread(course, served.port, name) for name in ("red-one", "other")]
        heard = bot.play(1)
        assert heard[-1]["reason"] == "illegal"
        for thread in threads:
            thread.join(PATIENCE)
    assert sorted(said["mtype"] for said in results) == ["ERRO", "ERRO"]
    assert any("NONSENSE" in json.dumps(said) for said in results)


def shown(ground, channel="open"):
    """Return what the page of a battleground shows of a channel."""

    async def ask():
        transport = httpx2.ASGITransport(app=battleground_page.application(ground, "127.0.0.1"))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            assert "Battleground" in (await client.get("/")).text
            assert (await client.get("/", headers={"host": "evil.example"})).status_code == 403
            return (await client.get("/api/battleground", params={"channel": channel})).json()["games"]

    return asyncio.run(ask())


def test_the_page_shows_the_game_that_is_being_played_and_the_ladder(db):
    with ground(db) as served, Hand(served.port) as one, Hand(served.port) as two:
        one.seek("one")
        one.hear()
        (before,) = shown(served.lobby)
        assert (before["waiting"], before["running"], before["ladder"]) == (["one"], [], [])
        two.seek("two")
        two.hear()
        other = in_thread(two.play, 1)
        while one.answer()["type"] != "decide":
            pass
        while (said := one.hear())["type"] != "decide":
            pass
        (game,) = shown(served.lobby)
        (running,) = game["running"]
        assert (running["names"], running["turn"], running["ply"], game["playing"]) == (["one", "two"], 0, 3, 1)
        assert running["scene"]["panels"]
        one.say(type="move", id=said["id"], move=said["moves"][0])
        one.play(1)
        other.join(PATIENCE)
        served.wait_for(1)
        assert {rung["name"] for rung in shown(served.lobby)[0]["ladder"]} == {"one", "two"}


def test_the_page_tells_no_secrets():
    game = find("colonizers")
    deals = [GameInProgress(0, ["a", "b", "c", "d"], seed) for seed in (1, 2)]
    assert (Table(game, 1).copy_of_truth() != Table(game, 2).copy_of_truth()).any()
    assert battleground_page._board(game, deals[0]) == battleground_page._board(game, deals[1])


def two_games_at_once(served, hands):
    """Begin a game in each of two channels, and play both until a bot is to move."""
    for hand, name, channel in zip(hands, ("ann", "bob", "cid", "dan"), ("east", "east", "west", "west"), strict=True):
        hand.seek(name, channel=channel)
        hand.hear()
    return [in_thread(hand.play, 1) for hand in hands[1::2]]


def test_two_channels_play_the_same_game_at_the_same_time(db):
    with ground(db) as served, ExitStack() as open_hands:
        hands = [open_hands.enter_context(Hand(served.port)) for _ in range(4)]
        others = two_games_at_once(served, hands)
        for hand in hands[::2]:
            while hand.answer()["type"] != "decide":
                pass
        for channel, names in (("east", ["ann", "bob"]), ("west", ["cid", "dan"])):
            (game,) = shown(served.lobby, channel)
            assert [(one["names"], one["number"]) for one in game["running"]] == [(names, 0)]
        for hand in hands[::2]:
            heard = hand.play(1)
            assert heard[-1]["type"] == "end", heard[-1]
            assert heard[-1]["reason"] in ("won", "drawn")
        for other in others:
            other.join(PATIENCE)
    for channel, names in (("east", {"ann", "bob"}), ("west", {"cid", "dan"})):
        (ladder,) = ladders(db, channel).values()
        assert {rung.name for rung in ladder.rungs()} == names


def test_the_page_of_a_channel_shows_nothing_of_another(db):
    with ground(db) as served, Hand(served.port) as one, Hand(served.port) as two, Hand(served.port) as three:
        for hand, name in ((one, "one"), (two, "two"), (three, "three")):
            hand.seek(name, channel="ours")
            hand.hear()
        in_thread(two.play, 1)
        while one.answer()["type"] != "decide":
            pass
        (game,) = shown(served.lobby)
        assert (game["running"], game["playing"], game["waiting"], game["ladder"]) == ([], 0, [], [])
        (game,) = shown(served.lobby, "ours")
        assert (game["running"][0]["names"], game["waiting"]) == (["one", "two"], ["three"])


def test_what_bots_are_told_is_in_the_books_already(db, monkeypatch):
    kept, told = [], []
    add, end_game = Registry.add, ProtocolDriver.end_game
    monkeypatch.setattr(Registry, "add", lambda self, *given: (kept.append(1), add(self, *given))[1])
    monkeypatch.setattr(
        ProtocolDriver, "end_game", lambda self, *given: (told.append(len(kept)), end_game(self, *given))[1]
    )
    with ground(db) as served, Hand(served.port) as one, Hand(served.port) as two:
        for hand, name in ((one, "one"), (two, "two")):
            hand.seek(name)
            hand.hear()
        other = in_thread(two.play, 1)
        one.play(1)
        other.join(PATIENCE)
    assert told[:2] == [1, 1]


def test_a_line_that_comes_by_the_old_way_while_a_bot_returns_is_counted_or_asked_for_again(db, monkeypatch):
    attach, members = ResumableConnection.attach, []

    def late(line, connection, *given):
        if line.connected:
            members.append(line)
            line._take(line._socket, b'{"type":"ok","id":0}\n')
        attach(line, connection, *given)

    with ground(db) as served, Hand(served.port) as one, Hand(served.port) as again:
        token = one.seek("one")["token"]
        monkeypatch.setattr(ResumableConnection, "attach", late)
        welcome = again.seek("one", token=token, received=0)
        assert welcome["resumed"]
        assert [line.received for line in members] == [welcome["received"]] == [1]


def test_a_program_is_started_anew_for_a_server_that_has_forgotten_it(tmp_path):
    notes, said = tmp_path / "notes", []
    player = ProgramPlayer(f"{sys.executable} tests/bots/scribe.py {notes} moves", Sandbox("limits"))
    try:
        for number in (1, 1):
            player.take(line_of(Hello(id=number, protocol=1, referee="kibitz", games=["quarto"])), said.append)
    finally:
        player.end()
    kinds = [json.loads(line)["type"] for line in notes.read_text().splitlines()]
    assert kinds == ["hello", "quit", "hello", "quit"]
    assert len(said) == 2


def test_the_ladder_is_the_same_after_a_restart_whichever_game_ends_first(db):
    game, names = find("quarto"), ["ann", "bob", "cid"]

    def random_play(name, game, seed):
        return build("random", game, seed)

    with keep_books(db, Limits()) as books:
        begun = [books.fixture(game, "open", pair)[0] for pair in (names[:2], names[1:], names[:2])]
        for fixture in reversed(begun):
            books.add(game, "open", play_fixture(game, names, fixture, make=random_play), 0.0)
        live = books.rungs(game, "open")
    with keep_books(db, Limits()) as books:
        assert books.rungs(game, "open") == live
    assert [rung.entry() for rung in ladders(db)["quarto"].rungs()] == live


def test_every_bot_has_a_seed_of_its_own_that_was_drawn_apart_from_the_deal(db):
    with keep_books(db, Limits()) as books:
        fixtures = [books.fixture(find("quarto"), "open", ["ann", "bob"])[0] for _ in range(20)]
    seeds = [seed for fixture in fixtures for seed in (*fixture.agent_seeds, fixture.deal_seed)]
    assert len(set(seeds)) == len(seeds)


def test_what_the_page_shows_is_said(db):
    block = Path("docs/battleground.md").read_text().split("### A connection")[0].split("```text\n")[-1].split("```")[0]
    shown = [json.loads(line[2:]) for line in block.splitlines()]
    with ground(db, move_seconds=10.0) as served, Hand(served.port) as alice, Hand(served.port) as bob:
        alice.seek("alice", channel="course")
        in_thread(alice.play, 1)
        bob.say(**shown[0])
        said = [bob.hear() for _ in shown[1:4]]
        said[0]["token"] = shown[1]["token"]
        assert said == shown[1:4]
        bob.say(**shown[4])
        assert bob.hear()["type"] == "new"
