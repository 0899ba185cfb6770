"""Programs and agents by path at the tables of a server: a worker keeps their processes for one place each."""

import asyncio
from types import SimpleNamespace

from kibitz.web import thinking_worker
from kibitz.web.thinking_pool import MOVE, ThinkingPool, _Question, _WorkerProcess
from kibitz.web.thinking_questions import DecideMove
from tests.web.browsers import PERSON, agent, new_table, open_lobby, sit_down


class Pipe(list):
    """Keeps what is sent."""

    send = list.append


def worker(pool, *places):
    """Return a worker without a process that has answered for places."""
    made = _WorkerProcess.__new__(_WorkerProcess)
    made.pool, made.question, made.puts_off, made.places, made.clock = pool, None, False, set(places), None
    made.process, made._allow = SimpleNamespace(pipe=Pipe()), lambda seconds: None
    return made


def asked(number, **data):
    """Return a question that waits."""
    question = DecideMove(game="quarto", agent="random", view=b"", seed=1, events=[], **data)
    return _Question(MOVE, number, question, None, None, 1.0, "")


def test_a_question_goes_to_the_thinker_that_has_answered_for_its_chair():
    pool = ThinkingPool(2)
    first, second = pool._all = [worker(pool), worker(pool, ("a table", 1))]
    pool.let_wait(asked(1, table="a table", seat=1))
    assert (first.question, second.question.number) == (None, 1)
    pool.let_wait(asked(2, table="a table", seat=0))  # which has no worker yet
    assert first.places == {("a table", 0)}


def test_a_table_that_is_dismissed_is_told_to_the_thinkers_that_have_played_there():
    pool = ThinkingPool(2)
    first, second = pool._all = [worker(pool, ("another", 0)), worker(pool, ("a table", 1), ("another", 0))]
    pool.dismiss("a table")
    assert (first.process.pipe, second.process.pipe) == ([], [(thinking_worker.DISMISS, "a table", False)])
    assert second.places == {("another", 0)}


def test_after_moves_are_taken_back_and_at_the_end_the_processes_of_a_table_are_others():
    async def play():
        async with open_lobby() as lobby:
            dismissed = []
            lobby.pool.dismiss = dismissed.append
            made = await new_table(lobby, "quarto", [PERSON, agent("random")])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            session = lobby.sessions[made["id"]]
            await browser.send("move", ply=0, move=3)
            await browser.until(lambda message: message["type"] == "state" and message["ply"] == 3)
            async with session.lock:
                await session.take_back(0)
            await browser.send("move", ply=0, move=5)
            await browser.until(lambda message: message["type"] == "state" and message["ply"] == 3)
            tables = list(dict.fromkeys(asked.table for asked in lobby.pool.asked if isinstance(asked, DecideMove)))
            assert len(tables) == 2
            assert dismissed == tables[:1]

    asyncio.run(play())
