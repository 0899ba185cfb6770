"""What one visitor may take of a server: the others' moves, tables and connections do not suffer from it."""

import asyncio
from types import SimpleNamespace

import pytest

from kibitz.web import connection_limits, lobby, thinking_pool
from kibitz.web.connection import Connection
from kibitz.web.messages import RequestRefused
from kibitz.web.table_store import TableStore
from kibitz.web.thinking_pool import ANALYSIS, CHECK, MOVE, PREPARE, UNWATCHED, ThinkingPool
from kibitz.web.thinking_questions import DecideMove, PrepareGame
from kibitz.web.thinking_worker import ANSWER
from tests.web.browsers import PERSON, Browser, agent, new_table, open_lobby, sit_down

ROBOT = agent("random")


def decided(here):
    return sum(isinstance(question, DecideMove) for question in here.pool.asked)


def test_a_table_of_agents_that_nobody_watches_pauses_until_somebody_does():
    async def play():
        async with open_lobby() as here:
            made = await new_table(here, "quarto", [ROBOT, ROBOT])
            await asyncio.sleep(0.01)
            assert decided(here) == 0
            assert [entry.paused for entry in here.listed()] == [True]
            watcher, state = await sit_down(here, made["id"])
            assert state["while_watched"]
            await watcher.until(lambda message: message["type"] == "state" and message["ply"] >= 2)
            watcher.connection.leave_session()
            await asyncio.sleep(0.01)
            left = decided(here)
            await asyncio.sleep(0.01)
            assert decided(here) == left
            watcher, _ = await sit_down(here, made["id"])
            await watcher.until(lambda message: message["type"] == "state" and message["over"])

    asyncio.run(play())


def test_tables_that_nobody_watches_make_room_for_others(monkeypatch):
    monkeypatch.setattr(lobby, "MOST_SESSIONS", 3)

    async def play():
        async with open_lobby() as here:
            watched = [(await new_table(here, "quarto", [PERSON, PERSON]))["id"] for _ in range(2)]
            for table in watched:
                await sit_down(here, table)
            busy = await new_table(here, "quarto", [ROBOT, ROBOT], bench=True)
            here.sessions[busy["id"]].data.playing_on = True
            for _ in range(3):
                last = await new_table(here, "quarto", [ROBOT, ROBOT])
            assert set(here.sessions) == {*watched, last["id"]}
            await sit_down(here, busy["id"])  # it was put away, not lost
            with pytest.raises(RequestRefused, match="all tables of this server are taken"):
                await new_table(here, "quarto", [ROBOT, ROBOT])

    asyncio.run(play())


def test_an_address_sits_at_so_many_tables_and_no_more(monkeypatch):
    monkeypatch.setattr(lobby, "MOST_TABLES_OF_ONE", 1)

    async def play():
        async with open_lobby() as here:
            one, other = [(await new_table(here, "quarto", [PERSON, PERSON]))["id"] for _ in range(2)]
            tries = [(one, "a", "state"), (other, "a", "refusal"), (one, "a", "state"), (other, "b", "state")]
            for table, address, kind in tries:
                (answer,) = await Browser(here, address).send("join", table=table, protocol=1)
                assert answer["type"] == kind, (address, answer)

    asyncio.run(play())


def asked_in_turn(*questions):
    """Return in which order a worker takes questions, given as name, urgency and address."""

    async def ask():
        pool, order = ThinkingPool(1), []
        worker = SimpleNamespace(question=SimpleNamespace(whose="first"), places=(), gives_way=False)
        pool._all = [worker]
        worker.take = lambda question: (order.append(question.data.game), setattr(worker, "question", question))
        worker.break_off = lambda: None
        waiting = [
            asyncio.ensure_future(pool.ask(PrepareGame(game=name), urgency, whose=whose))
            for name, urgency, whose in questions
        ]
        await asyncio.sleep(0)
        for _ in questions:
            worker.question = None
            pool.give_out()
        for question in waiting:
            question.cancel()
        return order

    return asyncio.run(ask())


def test_moves_that_somebody_waits_for_come_before_other_thinking():
    asked = ("d", UNWATCHED, ""), ("c", ANALYSIS, ""), ("b", MOVE, ""), ("a", CHECK, "")
    assert asked_in_turn(*asked) == ["a", "b", "c", "d"]


class Recorder(thinking_pool._WorkerProcess):
    """A worker without a process, that answers when it is told to."""

    taken: list[tuple[str, int]] = []  # games and urgencies, by all workers

    def __init__(self, pool):
        self.pool, self.question, self.places, self.clock, self.puts_off = pool, None, set(), None, False
        self.loop = asyncio.get_running_loop()

    def take(self, question):
        self.question = question
        Recorder.taken.append((question.data.game, question.urgency))

    def break_off(self):
        pass

    def answer(self):
        self._take_in(self.question.number, ANSWER, None)

    def _silence(self):
        pass

    def _end_process(self):
        pass


async def turns():
    for _ in range(5):
        await asyncio.sleep(0)


def test_the_game_that_somebody_asked_for_is_prepared_before_all_others_by_all_workers(monkeypatch):
    monkeypatch.setattr(lobby, "warm_up_table", lambda game: None)
    monkeypatch.setattr(thinking_pool, "_WorkerProcess", Recorder)
    monkeypatch.setattr(Recorder, "taken", [])

    async def ask():
        here = lobby.Lobby(TableStore(":memory:"), pool=ThinkingPool(2))
        here.start()
        waiting = [asyncio.ensure_future(here.game(name, PREPARE)) for name in ("quarto", "chexers", "cartagena")]
        await turns()
        assert Recorder.taken == [("quarto", PREPARE)]  # one worker is left for what somebody waits for
        waiting.append(asyncio.ensure_future(here.game("cartagena")))
        await turns()
        assert Recorder.taken[1:] == [("cartagena", MOVE)] * 2, "what nobody waits for makes way"
        for worker in here.pool._all:
            worker.answer()
        await turns()
        assert Recorder.taken[3:] == [("quarto", PREPARE)], "it goes on when nobody is held up any more"
        waiting.append(asyncio.ensure_future(here.game("quarto")))
        await turns()
        assert Recorder.taken[4:] == [("quarto", MOVE)] * 2, "in the background it would take its time"
        for question in waiting:
            question.cancel()
        await here.close()

    asyncio.run(ask())


def test_a_worker_that_keeps_a_program_for_a_seat_is_not_ended_for_a_preparation(monkeypatch):
    monkeypatch.setattr(thinking_pool, "_WorkerProcess", Recorder)
    monkeypatch.setattr(Recorder, "taken", [])

    async def ask():
        pool = ThinkingPool(2)
        pool.start()
        keeper = pool._all[0]
        keeper.places.add(("table", 0))
        waiting = [asyncio.ensure_future(pool.ask(PrepareGame(game="quarto"), PREPARE))]
        await turns()
        waiting.append(asyncio.ensure_future(pool.ask(PrepareGame(game="chexers"), MOVE)))
        await turns()
        assert pool._all[0] is keeper
        assert Recorder.taken == [("quarto", PREPARE), ("chexers", MOVE)]
        for question in waiting:
            question.cancel()

    asyncio.run(ask())


def test_who_asks_much_waits_for_who_asks_little():
    many = [(f"many {number}", MOVE, "greedy") for number in range(3)]
    assert asked_in_turn(*many, ("one", MOVE, "modest")) == ["many 0", "one", "many 1", "many 2"]


def put_off_by(*questions):
    """Return how many of two thoughts of one address are put off when questions come, given as urgency and address."""

    async def ask():
        pool, put_off = ThinkingPool(2), []
        pool._all = [
            SimpleNamespace(question=SimpleNamespace(whose="greedy"), puts_off=False, gives_way=False) for _ in range(2)
        ]
        for worker in pool._all:
            worker.put_off = lambda worker=worker: (put_off.append(worker), setattr(worker, "puts_off", True))
        waiting = [
            asyncio.ensure_future(pool.ask(PrepareGame(game=""), urgency, whose=whose)) for urgency, whose in questions
        ]
        await asyncio.sleep(0)
        for question in waiting:
            question.cancel()
        return len(put_off)

    return asyncio.run(ask())


def test_who_has_all_thinkers_makes_way_for_a_move_of_who_has_none():
    assert put_off_by((MOVE, "modest")) == 1
    assert put_off_by((MOVE, "greedy")) == put_off_by((ANALYSIS, "modest")) == 0


def test_a_connection_that_joins_no_table_is_let_go(monkeypatch):
    monkeypatch.setattr(connection_limits, "JOIN_WITHIN", 0.0)

    async def play():
        async with open_lobby() as here:
            table = (await new_table(here, "quarto", [PERSON, PERSON]))["id"]
            idle, lost, at_home = browsers = [Browser(here) for _ in range(3)]
            here.admission.enter(at_home.connection)
            await at_home.send("join", table=table, protocol=1)
            here.admission.enter(idle.connection)
            here.admission.enter(lost.connection)
            await lost.send("join", table="nothing", protocol=1)
            await asyncio.sleep(0.005)
            assert [browser.left for browser in browsers] == [True, True, False]
            assert "joined no table" in idle.connection.farewell

    asyncio.run(play())


def test_connections_are_counted_by_address_and_in_all(monkeypatch):
    monkeypatch.setattr(connection_limits, "MOST_CONNECTIONS", 4)
    monkeypatch.setattr(connection_limits, "MOST_FROM_ONE", 3)
    monkeypatch.setattr(connection_limits, "MOST_NOT_JOINED", 2)

    async def play():
        async with open_lobby() as here:
            browsers = [Browser(here, address) for address in ("a", "a", "a")]
            for browser in browsers:
                here.admission.enter(browser.connection)
            assert [browser.left for browser in browsers] == [True, False, False]  # the oldest made room
            with pytest.raises(RequestRefused, match="your address"):
                here.admission.enter(Connection(here, address="a"))
            here.admission.enter(Connection(here, address="b"))
            with pytest.raises(RequestRefused, match="too many people"):
                here.admission.enter(Connection(here, address="c"))
            for browser in browsers:
                here.admission.leave(browser.connection)
            assert here.admission.count == 1

    asyncio.run(play())


def test_an_address_is_counted_by_its_network_where_one_has_many():
    assert (
        connection_limits.address_of("2001:db8:1:2:3:4:5:6")
        == connection_limits.address_of("2001:db8:1:2::9")
        == "2001:db8:1:2::"
    )
    assert connection_limits.address_of("::ffff:10.0.0.7") == connection_limits.address_of("10.0.0.7") == "10.0.0.7"
    assert connection_limits.address_of(None) == ""
