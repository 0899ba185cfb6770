"""Secrets: nothing that a browser ever gets depends on what it may not know.

The same game is played twice, from two truths that one seat cannot tell apart. Every byte that this seat, whoever
watches, and whoever guesses a token receive must be the same in both.
"""

import asyncio
import itertools
from random import Random

import httpx2
import pytest
from msgspec.structs import replace

from kibitz.core.playout import look_of
from kibitz.core.world import World
from kibitz.web import game_history, lobby, table_seat
from kibitz.web.app import application
from kibitz.web.table_data import MoveNote
from tests.web.browsers import INVITED, PERSON, Browser, new_table, open_lobby, sit_down

PLIES = 24
NOTE = MoveNote(agent="x", seconds=0.5)
GAMES = {"colonizers": 4, "cartagena(version=jamaica)": 3}


class Side:
    """One of the two games: a table, the browser of the seat, one that watches, and one that guesses."""

    async def set_up(self, here, game, seat, seats):
        choices = [PERSON if at == seat else INVITED for at in range(seats)]
        made = await new_table(here, game, choices)
        self.lobby, self.session, self.seat = here, here.sessions[made["id"]], seat
        self.token = made["owner"]
        self.others = []
        for at, invite in made["invites"].items():
            claimed = await here.claim(made["id"], invite)
            self.others.append((await sit_down(here, made["id"], claimed.token))[0])
            assert at != str(seat)
        self.browsers = [
            (await sit_down(here, made["id"], *tokens))[0]
            for tokens in ((self.token,), (), ("a guess",), (table_seat.hashed(self.token),))
        ]
        self.http = []

    def replace_truth(self, truth):
        """Put another truth in the place of this one, which the seat cannot tell from it."""
        history = self.session.history
        history.table._state[:] = truth
        history._positions[-1] = history.table.copy_of_truth()
        history._views = history._all_views(history.table)

    async def play(self, move, note):
        if self.session.table.turn == self.seat:
            await self.browsers[0].send("move", ply=self.session.ply, move=move)
        else:
            async with self.session.lock:
                await self.session.play(move, note)

    async def pry(self):
        """Ask for everything that there is."""
        ply, seats = self.session.ply, range(self.session.game.seats)
        for browser in self.browsers:
            await browser.send("look", ply=ply)
            await browser.send("look", ply=ply // 2, all=True)
            for seat in seats:
                await browser.send("look", ply=ply, seat=seat)
            await browser.send("preview", ply=ply, moves=[])
            await browser.send("tree", ply=ply, moves=[])
            await browser.send("grade")
            await browser.send("step")
            if self.session.table.turn != self.seat:
                await browser.send("analyse", on=True)
                await browser.send("move", ply=ply, move=1)
                await browser.send("say_move", ply=ply, text="nothing")
        again = Browser(self.lobby)
        await again.send("join", table=self.session.id, tokens=[self.token], protocol=1)
        again.connection.leave_session()
        self.browsers.append(again)
        await self._ask_by_http(seats)

    async def _ask_by_http(self, seats):
        table = f"/api/tables/{self.session.id}"
        paths = [f"{table}/record", f"{table}/picture", f"{table}/picture?ply=0", "/api/tables"]
        paths += [f"{table}/picture?seat={seat}" for seat in seats]
        transport = httpx2.ASGITransport(app=application(self.lobby))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            for path in paths:
                for headers in ({}, {"x-kibitz-token": self.token}, {"x-kibitz-token": "a guess"}):
                    self.http.append((await client.get(path, headers=headers)).content)

    def received(self):
        for browser in self.browsers:
            browser.take()
        return [browser.received for browser in self.browsers], self.http


def _alike(one, other, seat, rng):
    """Return moves in both truths that the seat cannot tell apart, also by what it sees then; None without any."""
    a, b = World.of(one.session.table), World.of(other.session.table)
    pairs = list(itertools.product(a.moves(), b.moves()))
    rng.shuffle(pairs)
    pairs.sort(key=lambda pair: pair[0] == pair[1])  # those that differ tell more
    for x, y in pairs:
        looks = [int(look_of(w.game.rules, w._state, move, seat)) for w, move in ((a, x), (b, y))]
        if looks[0] != looks[1] or (a.turn == seat and x != y):
            continue
        after = [w.copy().play(move) for w, move in ((a, x), (b, y))]
        if (after[0].view(seat) == after[1].view(seat)).all() and not after[0].over:
            return x, y
    return None


def _first_difference(one, other):
    """Return the first message that differs, from where it differs on; None if all are the same."""
    for number, (got, also) in enumerate(zip([*one[0], one[1]], [*other[0], other[1]], strict=True)):
        for a, b in zip(got, also, strict=True):
            if a != b:
                at = next(at for at, pair in enumerate(itertools.zip_longest(a, b)) if pair[0] != pair[1])
                return f"browser {number}", a[:60], a[max(0, at - 100) : at + 100], b[max(0, at - 100) : at + 100]
    return None


@pytest.fixture
def same_names(monkeypatch):
    """Let both games have the same seed, names and tokens."""

    def restart():
        numbers = itertools.count()
        monkeypatch.setattr(table_seat.secrets, "token_urlsafe", lambda size: f"name{next(numbers):0>12}")
        monkeypatch.setattr(lobby.secrets, "randbits", lambda bits: 20_26)

    monkeypatch.setattr(lobby, "datetime", FixedTime)
    monkeypatch.setattr(game_history, "KEPT_EVERY", 1)
    return restart


class FixedTime:
    @staticmethod
    def now(zone):
        return FixedTime

    @staticmethod
    def isoformat(timespec):
        return "2026-01-01T00:00:00"


@pytest.mark.parametrize(("game", "seat"), [("colonizers", 0), ("colonizers", 1), ("cartagena(version=jamaica)", 1)])
def test_two_truths_that_a_seat_cannot_tell_apart_give_it_the_same_bytes(game, seat, same_names):
    async def play():
        async with open_lobby() as here, open_lobby() as there:
            sides, rng = (Side(), Side()), Random(seat)
            same_names()
            await sides[0].set_up(here, game, seat, GAMES[game])
            table = sides[0].session.table
            same_names()
            await sides[1].set_up(there, game, seat, GAMES[game])
            differing = 0
            for ply in range(PLIES):
                moves = _alike(*sides, seat, rng) if ply % 5 else None
                if moves is None:  # the seat could tell them apart after this move: let there be another truth
                    sides[1].replace_truth(World.guess(table.game, table.view(seat), ply, seat).cells)
                    moves = _alike(*sides, seat, rng)
                if moves is None:
                    sides[1].replace_truth(table.copy_of_truth())
                    moves = (table.moves()[0],) * 2
                for number, (side, move) in enumerate(zip(sides, moves, strict=True)):
                    await side.play(move, replace(NOTE, values=[number] * 4, nodes=number, why=str(number)))
                differing += bool((table.copy_of_truth() != sides[1].session.table.copy_of_truth()).any())
                if ply % 8 == 7:
                    for side in sides:
                        await side.pry()
            assert differing > PLIES // 2, "the truths were told apart too often to show anything"
            assert _first_difference(sides[0].received(), sides[1].received()) is None
            assert any(browser.received for browser in sides[0].others)

    asyncio.run(play())
