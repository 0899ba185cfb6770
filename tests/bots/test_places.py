"""Processes between games: where something is hidden, one that has played in a place waits for that place alone."""

import os

import pytest

from kibitz.bots import bot_pool
from kibitz.bots.protocol import LineBuffer
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.sandbox.sandbox import NONE, Sandbox

WALLS = Sandbox(NONE)
PROGRAM = ("a program that nobody starts",)
ALICES, BOBS = ("a table", 0), ("a table", 1)


class Silent:
    """A process that only notes its end."""

    killed = False

    def __init__(self):
        self.lines, self.chatter, self.ended = LineBuffer(), [], False

    def end(self, politely=True):
        """Note it."""
        self.ended = True


@pytest.fixture(autouse=True)
def started(monkeypatch):
    """Count what is started instead of starting it."""
    drivers = []

    def start(key, seconds):
        drivers.append(ProtocolDriver(Silent()))
        return drivers[-1]

    monkeypatch.setattr(bot_pool, "_start", start)
    yield drivers
    bot_pool.end_all()


def take(**given):
    """Take a process for a game."""
    return bot_pool.take(PROGRAM, WALLS, "kuhn", 1.0, **given)


def leave(driver, place=None):
    """Give a process back that has played in a place."""
    driver.place = place
    bot_pool.give_back(driver, PROGRAM, WALLS, "kuhn")


def test_a_chair_gets_its_own_process_again_and_no_other_chair_does(started):
    alice = take(place=ALICES)
    leave(alice, ALICES)
    bob = take(place=BOBS)
    assert bob is not alice
    assert take(place=ALICES) is alice
    assert len(started) == 2


def test_a_match_gets_no_process_that_has_sat_in_a_chair(started):
    alice = take(place=ALICES)
    leave(alice, ALICES)
    assert take(deal=7) is not alice
    assert not alice.process.ended  # it still waits for its place


def test_a_chair_takes_a_process_that_has_seen_nothing(started):
    fresh = take()
    leave(fresh)
    assert take(place=ALICES) is fresh


def test_who_asks_for_an_untouched_process_gets_none_that_knows_a_deal(started):
    used = take(deal=7)
    used.deals.add(7)
    leave(used)
    assert take(untouched=True) is not used
    assert used.process.ended


def test_the_end_of_a_table_ends_the_processes_of_its_chairs_alone(started):
    alice, stranger = take(place=ALICES), take(place=("another table", 0))
    leave(alice, ALICES)
    leave(stranger, ("another table", 0))
    bot_pool.end_table("a table")
    assert (alice.process.ended, stranger.process.ended) == (True, False)
    assert take(place=ALICES) is not alice


def test_a_process_that_waits_too_long_for_its_chair_is_ended(started, monkeypatch):
    alice, free = take(place=ALICES), take()
    leave(alice, ALICES)
    leave(free)
    monkeypatch.setattr(bot_pool, "monotonic", lambda: float(2**60))
    bot_pool.end_forgotten()
    assert (alice.process.ended, free.process.ended) == (True, False)


def test_a_process_of_another_process_is_not_taken(started, monkeypatch):
    alice = take(place=ALICES)
    leave(alice, ALICES)
    pid = os.getpid()
    monkeypatch.setattr(bot_pool.os, "getpid", lambda: pid + 1)
    assert take(place=ALICES) is not alice
