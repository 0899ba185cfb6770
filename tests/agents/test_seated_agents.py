"""One way to seat somebody: what agents are told of a game, and that nobody else tells them."""

import ast

import numpy as np
import pytest

import kibitz
from kibitz.agents.agent import Decision
from kibitz.agents.external_agent import ADJOURNED, Ending, Event, ExternalAgent, TimeControl
from kibitz.agents.seated_agents import SeatedAgent, SeatedAgents, events_of, external
from kibitz.bots.protocol import FromReferee
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.errors import BadMove
from kibitz.core.table import Table
from kibitz.games import find

HANDLERS = {name for name in vars(ExternalAgent) if name.startswith("on_")}
SEATED_AGENTS = "agents/seated_agents.py"


class Scribe(ExternalAgent):
    """Writes down what it is told, and plays the first move."""

    listens = True

    def prepare(self):
        """Begin to write."""
        self.notes = []

    @property
    def wants_events(self):
        """Whether it is told of moves."""
        return self.listens

    def on_new(self, seat, time_control):
        """Write it down."""
        self.notes.append(("new", seat, time_control))

    def on_event(self, event):
        """Write it down."""
        self.notes.append(event)

    def on_turn(self, seconds, left, ply):
        """Write it down."""
        self.notes.append(("turn", seconds, list(left), ply))

    def decide(self, view):
        """Play the first move."""
        return Decision(self.legal(view)[0])

    def on_end(self, ending):
        """Write it down."""
        self.notes.append(ending)

    def on_quit(self):
        """Write it down."""
        self.notes.append("quit")


def scribe(game):
    """Return an agent that writes down what it is told."""
    return Scribe("scribe", game, 1, {})


def calls():
    """Yield every call of a method in the package: the file, the name of the method, and whether it is super()'s."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                of = node.value
                inherited = isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "super"
                yield path.relative_to(PACKAGE).as_posix(), node.attr, inherited


def test_nobody_else_tells_an_agent_what_happens():
    named = {(file, name) for file, name, inherited in calls() if name in HANDLERS and not inherited}
    assert named == {(SEATED_AGENTS, name) for name in HANDLERS}


def test_what_a_seat_is_told_of_a_move_is_decided_in_one_place():
    made, asked = set(), set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called == "Event.told" or (called == "Event" and [*node.args, *node.keywords]):
                made.add(path.relative_to(PACKAGE).as_posix())
            elif called.endswith(".told") and called != "viewpoint.told":
                asked.add(path.relative_to(PACKAGE).as_posix())
    assert made == {SEATED_AGENTS, "web/game_history.py"}  # which makes events again of the texts that it keeps
    assert asked == {SEATED_AGENTS, "core/laws/secrets.py"}


def test_an_agent_is_told_of_a_process_what_the_protocol_tells_a_bot():
    words = {kind.__struct_config__.tag for kind in FromReferee.__args__}
    assert {name.removeprefix("on_") for name in HANDLERS} - words == {"event", "turn"}  # both are parts of `decide`


def test_an_agent_that_sits_down_late_is_told_of_the_moves_before(quarto):
    table = Table(quarto, 1)
    table.play(3)
    table.play(0)
    early, late = scribe(quarto), scribe(quarto)
    seated = SeatedAgents(table)
    seated.new(0, early, TimeControl(1.0))
    seated.play(5)
    seated.new(1, late)
    assert [(note.ply, note.seat, note.move) for note in early.notes[1:]] == [(0, 0, 3), (1, 1, 0), (2, 1, 5)]
    assert late.notes[1:] == early.notes[1:]
    assert early.notes[0] == ("new", 0, TimeControl(1.0))
    assert early.deal == table.seed


def test_a_seat_is_told_no_move_that_it_cannot_see():
    game = find("cartagena(version=jamaica)")
    for seed in range(20):
        table = Table(game, seed)
        while not table.over and table.ply < 30:
            move, mover = table.moves()[0], table.turn
            events = events_of(table, move, range(game.seats))
            assert events[mover] == Event(table.ply, mover, move, table.write(move))
            for seat in set(range(game.seats)) - {mover}:
                text = table.told(move, seat)
                assert events[seat] == Event(table.ply, mover, None if text is None else move, text)
            table.play(move)


def test_the_turn_the_clocks_and_the_end_are_told(quarto):
    table, mind = Table(quarto, 1), scribe(quarto)
    seated = SeatedAgents(table)
    seated.new(0, mind)
    seated.play(seated.decide(table.view(0), 2.0, [5.0, None]).move)
    seated.end()
    assert mind.notes[1:] == [
        ("turn", 2.0, [5.0, None], 0),
        Event(0, 0, 0, mind.notes[2].text),
        ([0.5, 0.5], ADJOURNED, ""),
    ]


def test_an_agent_that_wants_no_events_is_told_none(quarto):
    table, mind = Table(quarto, 1), scribe(quarto)
    mind.listens = False
    seated = SeatedAgents(table)
    seated.new(0, mind)
    seated.play(0)
    assert mind.notes == [("new", 0, TimeControl())]


def test_agents_that_only_look_on_are_told_of_the_end_alone(quarto):
    table, mind = Table(quarto, 1), scribe(quarto)
    seated = SeatedAgents(table, {0: mind, 1: mind})
    for _ in range(3):
        seated.play(seated.decide(table.view(table.turn)).move)
    ending = Ending.level(quarto, "over")
    seated.end(ending)
    assert mind.notes == [("turn", None, [], None)] * 3 + [ending] * 2


def test_a_move_that_is_not_legal_is_told_to_nobody(quarto):
    table, mind = Table(quarto, 1), scribe(quarto)
    seated = SeatedAgents(table)
    seated.new(1, mind)
    for move in (99, "BTRS", None):
        with pytest.raises(BadMove):
            seated.play(move)
    assert mind.notes == [("new", 1, TimeControl())]


def test_a_process_that_has_considered_a_position_ends(quarto):
    mind = scribe(quarto)
    SeatedAgent(mind, 0, 7).consider(Table(quarto, 1).view(0), 1, 3.0)
    assert mind.notes == [("turn", 3.0, [], None), "quit"]


def test_an_agent_with_a_book_is_told_what_happens_too(quarto):
    from kibitz.agents.book_agent import BookAgent

    mind = scribe(quarto)
    with_book = BookAgent(mind, None, "scribe(book=x)")
    assert external(with_book) is mind
    SeatedAgent(with_book, 1, place=("a table", 1)).new()
    assert mind.notes == [("new", 1, TimeControl())]
    assert mind.place == ("a table", 1)


def test_agents_of_this_process_need_not_be_told(quarto):
    table = Table(quarto, 1)
    seated = SeatedAgents(table)
    for seat in range(2):
        seated.new(seat, kibitz.agent("random", quarto, seat))
    while not table.over:
        seated.play(seated.decide(np.array(table.view(table.turn))).move)
    seated.end()
    assert Ending.of(table).reason in ("won", "drawn")


def test_the_end_of_a_game_says_who_earned_what_and_how_it_was_drawn(quarto):
    table = Table(quarto, 1)
    assert Ending.of(table, unfinished="cap") == ([0.5, 0.5], "cap", "")
    while not table.over:
        table.play(table.moves()[-1])
    payoff, reason, _ = Ending.of(table)
    assert payoff == table.payoff()
    assert reason == ("won" if max(payoff) == 1 else "drawn")
