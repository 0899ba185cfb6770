"""Tables online: who may do what, and what everybody is shown of it."""

import asyncio
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from kibitz.bots import progress_report
from kibitz.core.errors import KibitzError
from kibitz.web.messages import RequestRefused
from kibitz.web.table_data import MoveNote
from kibitz.web.thinking_questions import DecideMove
from kibitz.web.thinking_worker import PROGRESS
from tests.web.browsers import INVITED, PERSON, agent, new_table, open_lobby, sit_down

ROBOT = agent("random")


def run(test):
    asyncio.run(test())


def refused(answers, *words):
    """Check that all that came back is one refusal with these words."""
    assert [answer["type"] for answer in answers] == ["refusal"], answers
    assert all(word in answers[0]["sentence"] for word in words), answers[0]["sentence"]


def test_a_person_moves_and_agents_answer():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto", [PERSON, ROBOT])
            browser, first = await sit_down(lobby, made["id"], made["tokens"]["0"])
            assert (first["turn"], first["you"], len(first["legal"])) == (0, [0], 16)
            await browser.send("move", ply=0, move=3)
            state = await browser.until(lambda message: message["type"] == "state" and message["ply"] == 3)
            assert lobby.sessions[made["id"]].history.movers == [0, 1, 1]
            assert state["log"][-1]["agent"] == "random"

    run(play)


@pytest.mark.parametrize(
    ("game", "seats", "mind"),
    [("quarto", 2, "novice"), ("chexers", 3, "policy(greedy)"), ("cartagena(version=jamaica)", 3, "greedy"),
     ("colonizers", 4, "heuristic")],
)  # fmt: skip
def test_every_game_is_played_to_the_end_and_opened_then(game, seats, mind):
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, game, bench=True, seats=[agent(mind)] * seats)
            session = lobby.sessions[made["id"]]
            session.data.bench, session.data.auto = False, False
            watcher, _ = await sit_down(lobby, made["id"])
            session.turn.go_on()
            end = await watcher.until(lambda message: message["type"] == "state" and message["over"])
            assert end["result"]
            assert (end["turn"], end["sees"], end["legal"]) == (None, "all", [])
            for ply in (0, end["ply"] // 2, end["ply"]):
                (found,) = await watcher.send("look", ply=ply, all=True)
                assert found["scene"]["panels"]
            for seat in range(len(end["seats"])):
                (found,) = await watcher.send("look", ply=end["ply"] - 1, seat=seat)
                assert found["sees"] == seat

    run(play)


def test_the_agent_that_is_shown_is_the_one_that_plays():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto", [PERSON, agent("minimax(depth=2)")])
            _, state = await sit_down(lobby, made["id"], made["owner"])
            assert (
                state["seats"][1]["label"] == lobby.sessions[made["id"]].seats[1].text == "minimax(depth=2, seconds=10)"
            )

    run(play)


def test_a_move_that_is_stale_or_foreign_or_illegal_is_refused_and_changes_nothing():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto", [PERSON, INVITED])
            browser, _ = await sit_down(lobby, made["id"], made["tokens"]["0"])
            watcher, _ = await sit_down(lobby, made["id"], "a guess")
            refused(await browser.send("move", ply=1, move=3), "ply 1", "ply 0 now")
            refused(await browser.send("move", ply=0, move=99), "99", "not legal")
            refused(await browser.send("say_move", ply=0, text="z9"), "the moves are")
            refused(await watcher.send("move", ply=0, move=3), "not your seat")
            refused(await watcher.send("undo"), "only those who play")
            refused(await watcher.send("seat", seat=0, to=ROBOT), "not yours")
            refused(await watcher.send("step"), "in an editor")
            refused(await watcher.send("rematch"), "only those who have played")
            assert lobby.sessions[made["id"]].ply == 0
            await browser.send("say_move", ply=0, text="btrs")
            refused(await browser.send("move", ply=1, move=1), "seat 2's turn")
            assert lobby.sessions[made["id"]].ply == 1

    run(play)


def test_an_invitation_works_once():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto", [PERSON, INVITED])
            claimed = await lobby.claim(made["id"], made["invites"]["1"])
            _, state = await sit_down(lobby, made["id"], claimed.token)
            assert state["you"] == [1]
            with pytest.raises(RequestRefused, match="not good"):
                await lobby.claim(made["id"], made["invites"]["1"])

    run(play)


def test_an_undo_goes_back_to_the_last_choice_where_only_agents_sit():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto", [PERSON, ROBOT])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            refused(await browser.send("undo"), "nothing to take back")
            await browser.send("move", ply=0, move=3)
            await browser.until(lambda message: message["type"] == "state" and message["ply"] == 3)
            state = (await browser.send("undo"))[-1]
            assert (state["ply"], state["log_from"], state["log"]) == (0, 0, [])

    run(play)


def test_where_other_people_sit_they_must_agree_to_an_undo():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto", [PERSON, INVITED])
            claimed = await lobby.claim(made["id"], made["invites"]["1"])
            one, _ = await sit_down(lobby, made["id"], made["owner"])
            other, _ = await sit_down(lobby, made["id"], claimed.token)
            await one.send("move", ply=0, move=3)
            session = lobby.sessions[made["id"]]
            (asked,) = [message for message in await one.send("undo") if message["type"] == "state"]
            assert asked["undo_asked_by"] == 0
            refused(await one.send("answer", yes=True), "not the one who asks")
            await other.send("answer", yes=False)
            assert session.ply == 1
            refused(await other.send("answer", yes=True), "nobody asks")
            await one.send("undo")
            await other.send("answer", yes=True)
            assert session.ply == 0

    run(play)


def test_a_person_with_one_legal_move_is_moved():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "chexers", [PERSON, ROBOT, ROBOT], position=ONLY_PASS)
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            state = await browser.until(lambda message: message["type"] == "state" and message["ply"] > 1)
            assert lobby.sessions[made["id"]].history.notes[0] == MoveNote(auto=True)
            assert state["ply"] > 1

    run(play)


ONLY_PASS = "red; green d1 e1 f1 g1; blue d7 e6 f5 g4; red to move after 0 turns"


def test_in_an_editor_anything_may_be_done():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "colonizers", [ROBOT] * 4, bench=True)
            editor, first = await sit_down(lobby, made["id"], made["owner"])
            assert first["sees"] == "all"
            assert first["legal"]
            session = lobby.sessions[made["id"]]
            await editor.send("move", ply=0, move=first["legal"][0]["move"])
            await editor.send("step")
            await editor.until(lambda message: message["type"] == "state" and message["ply"] == 2)
            await editor.send("seat", seat=0, to=agent("heuristic"))
            assert session.seats[0].text == "heuristic"
            await editor.send("undo")
            assert session.ply == 1
            await editor.send("play_on", on=True)
            await editor.until(lambda message: message["type"] == "state" and message["ply"] >= 6)
            await editor.send("play_on", on=False)
            watcher, _ = await sit_down(lobby, made["id"])
            refused(await watcher.send("undo"), "only those who play")
            refused(await watcher.send("play_on", on=True), "in an editor")

    run(play)


def test_a_branch_begins_where_another_table_was():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto", [PERSON, PERSON])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            for ply, move in enumerate((3, 0, 5)):
                await browser.send("move", ply=ply, move=move)
            branch = await new_table(lobby, "", [PERSON, PERSON], **{"from": {"table": made["id"], "ply": 2}})
            assert lobby.sessions[branch["id"]].table.moves_made == [3, 0]
            with pytest.raises(RequestRefused, match="no ply 9"):
                await new_table(lobby, "", [PERSON, PERSON], **{"from": {"table": made["id"], "ply": 9}})
            hidden = await new_table(lobby, "colonizers", [PERSON, *[INVITED] * 3])
            with pytest.raises(RequestRefused, match="when it is over"):
                await new_table(lobby, "", [PERSON] * 4, **{"from": {"table": hidden["id"], "ply": 0}})

    run(play)


def test_nobody_is_invited_where_the_maker_knows_what_is_hidden():
    async def play():
        async with open_lobby() as lobby:
            record = (await new_table(lobby, "colonizers", [PERSON] * 4, bench=True))["id"]
            start = {"from": {"table": record, "ply": 0}}
            with pytest.raises(RequestRefused, match="nobody can be invited"):
                await new_table(lobby, "", [PERSON, *[INVITED] * 3], **start)
            text = lobby.sessions[record].game.position_text(lobby.sessions[record].table.copy_of_truth())
            with pytest.raises(RequestRefused, match="nobody can be invited"):
                await new_table(lobby, "colonizers", [PERSON, *[INVITED] * 3], position=text)
            made = await new_table(lobby, "", [PERSON, *[ROBOT] * 3], **start)
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            refused(await browser.send("seat", seat=0, to=INVITED), "nobody can be invited")
            assert (await new_table(lobby, "", [PERSON, *[INVITED] * 3], bench=True, **start))["invites"]

    run(play)


SHORT = "cartagena(version=jamaica, seats=2, max_turns=1)"


async def play_to_the_end(session, browser):
    while not session.table.over:
        await browser.send("ready", seat=session.table.turn)
        await browser.send("move", ply=session.ply, move=session.table.moves()[0])


def test_who_has_seen_the_end_of_a_game_with_secrets_can_have_no_guest(tmp_path):
    async def play():
        async with open_lobby(tmp_path / "tables.db") as lobby:
            made = await new_table(lobby, SHORT, [PERSON, INVITED])
            session, alone = lobby.sessions[made["id"]], await new_table(lobby, SHORT, [PERSON, PERSON])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            await browser.send("move", ply=0, move=session.table.moves()[0])
            refused(await browser.send("undo"), "free for a guest")
            await play_to_the_end(session, browser)
            refused(await browser.send("undo"), "free for a guest")
            with pytest.raises(RequestRefused, match="knows what is hidden"):
                await lobby.claim(made["id"], made["invites"]["1"])
            browser, _ = await sit_down(lobby, alone["id"], alone["owner"])
            await play_to_the_end(lobby.sessions[alone["id"]], browser)
            while lobby.sessions[alone["id"]].ply:
                await browser.send("undo")
            assert lobby.sessions[alone["id"]].foreseen
            await browser.send("ready", seat=0)
            refused(await browser.send("seat", seat=1, to=INVITED), "nobody can be invited")
            again = await lobby.rematch(session)
            assert not again.foreseen
        async with open_lobby(tmp_path / "tables.db") as lobby:
            assert (await lobby.session(alone["id"])).foreseen

    run(play)


def test_a_seat_of_a_game_with_secrets_is_not_handed_to_a_guest_by_who_has_seen_its_hand():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, SHORT, [PERSON, PERSON])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            refused(await browser.send("seat", seat=1, to=INVITED), "seen the hand", "nobody can be invited")
            made = await new_table(lobby, "quarto", [PERSON, PERSON])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            assert "invite" in [answer["type"] for answer in await browser.send("seat", seat=1, to=INVITED)]

    run(play)


def test_a_rematch_moves_everybody_one_seat_on_and_keeps_their_tokens():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto", [PERSON, ROBOT])
            session = lobby.sessions[made["id"]]
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            refused(await browser.send("rematch"), "not over")
            while not session.table.over:
                if session.table.turn == 0:
                    await browser.send("move", ply=session.ply, move=session.table.moves()[0])
                await asyncio.sleep(0.001)
            session.data.created = "long ago"
            state = (await browser.send("rematch"))[-1]
            assert lobby.sessions[state["rematch"]].data.created != "long ago"
            _, again = await sit_down(lobby, state["rematch"], made["owner"])
            assert again["you"] == [1]

    run(play)


def test_a_record_goes_down_and_up_again():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto(squares=true)", [PERSON, PERSON])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            for ply, move in enumerate((3, 0, 5, 7)):
                await browser.send("move", ply=ply, move=move)
            line = lobby.sessions[made["id"]].record().line()
            laid_out = await lobby.upload(line)
            assert laid_out.table.moves_made == [3, 0, 5, 7]
            reader, state = await sit_down(lobby, laid_out.id)
            assert (state["read_only"], state["game_text"]) == (True, "quarto(squares=true)")
            refused(await reader.send("move", ply=4, move=0), "record to look at")
            with pytest.raises(KibitzError, match="not legal"):
                await lobby.upload(line.replace("[3, 0, 5, 7]", "[3, 0, 3]"))

    run(play)


def test_an_agent_that_fails_is_named_and_can_be_tried_again():
    async def play():
        async with open_lobby() as lobby:
            lobby.pool.fails = "it did not decide within 30 s"
            made = await new_table(lobby, "quarto", [ROBOT, PERSON])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            state = await browser.until(lambda message: message["type"] == "state" and message["trouble"])
            assert state["trouble"] == "random makes no move: it did not decide within 30 s"
            lobby.pool.fails = ""
            await browser.send("step")
            await browser.until(lambda message: message["type"] == "state" and message["ply"] == 1)

    run(play)


def test_asking_again_for_a_move_does_not_restart_the_search():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "quarto", [ROBOT, PERSON])
            lobby.pool.pause = 1000.0  # it thinks all the time
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            for _ in range(5):
                await browser.send("step")
                await browser.send("seat", seat=1, to=PERSON)
                await asyncio.sleep(0)  # a search that was restarted would be asked for now
            assert sum(isinstance(question, DecideMove) for question in lobby.pool.asked) == 1

    run(play)


def test_how_far_an_agent_is_is_shown_where_it_tells_no_secrets():
    async def play():
        async with open_lobby() as lobby:
            for game, told in (("quarto", True), ("colonizers", False)):
                made = await new_table(lobby, game, [ROBOT, *[PERSON] * (1 if told else 3)])
                lobby.pool.pause = 100.0
                browser, _ = await sit_down(lobby, made["id"], made["owner"])
                await asyncio.sleep(0)
                browser.take()
                lobby.sessions[made["id"]].turn._tell(PROGRESS, {"depth": 3, "nodes": 12_345})
                found = [(message["type"], message["seat"], message["note"]) for message in browser.take()]
                assert found == ([("thinking", 0, "depth 3, 12,345 positions")] if told else [])
                lobby.pool.pause = 0.0

    run(play)


def test_a_mind_is_looked_at_while_it_thinks(monkeypatch):
    monkeypatch.setattr(progress_report, "REPORT_EVERY", 0.001)
    heard, mind = Event(), SimpleNamespace(progress=lambda: {"visits": 5})
    with progress_report.reported(mind, lambda found: heard.set() if found == {"visits": 5} else None):
        assert heard.wait(60)


def test_two_people_at_one_browser_see_their_hands_one_at_a_time():
    async def play():
        async with open_lobby() as lobby:
            made = await new_table(lobby, "colonizers", [PERSON, PERSON, ROBOT, ROBOT])
            browser, first = await sit_down(lobby, made["id"], made["owner"])
            assert (first["hand_over"], first["sees"], first["legal"]) == (0, None, [])
            refused(await browser.send("move", ply=0, move=0), "at the screen first")
            (ready,) = await browser.send("ready", seat=0)
            assert (ready["hand_over"], ready["sees"]) == (None, 0)
            assert ready["legal"]
            refused(await browser.send("look", ply=0, seat=1), "not yours to see")
            state = (await browser.send("move", ply=0, move=ready["legal"][0]["move"]))[-1]
            while state["turn"] == 0:
                state = (await browser.send("move", ply=state["ply"], move=state["legal"][0]["move"]))[-1]
            assert (state["turn"], state["hand_over"], state["sees"]) == (1, 1, None)
            refused(await browser.send("ready", seat=3), "not yours")

    run(play)


def test_a_game_of_the_users_own_is_played_by_its_name_and_its_path_is_not_told():
    async def play():
        async with open_lobby(games=[str(OWN_GAME)]) as lobby:
            made = await new_table(lobby, "kuhn", [PERSON, agent("random")])
            browser, first = await sit_down(lobby, made["id"], made["owner"])
            session = lobby.sessions[made["id"]]
            while not session.table.over:
                if session.table.turn == 0 and session.turn.idle:
                    await browser.send("move", ply=session.ply, move=session.table.moves()[0])
                await asyncio.sleep(0.001)
            assert (first["game"], session.record().game) == ("kuhn", "./kuhn")
            assert (await lobby.upload(session.record().line())).table.moves_made == session.table.moves_made
            browser.take()
            assert not any(str(OWN_GAME.parent).encode() in message for message in browser.received)

    run(play)


OWN_GAME = Path(__file__).parents[1] / "kuhn"
