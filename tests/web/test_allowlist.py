"""What a browser may name: nothing that runs other programs or spends more than is allowed."""

import pytest

from kibitz.core.errors import KibitzError
from kibitz.games import find
from kibitz.web.allowlist import MOST_OPTIONS, Allowlist
from kibitz.web.messages import GameChoice, RequestRefused

COMMAND = "bot(cmd='python3 -c 1', walls=none)"


@pytest.mark.parametrize(
    "text",
    [
        COMMAND,
        f"mozi(opening={COMMAND})",
        f"maxn(opening={COMMAND})",
        f"pimc(agent={COMMAND})",
        "mozi(opening=pimc(agent=isolated(agent=random)))",
        "policy(greedy, ./mine.py)",
        "maxn(value=./mine.py)",
    ],
)
def test_no_text_of_an_agent_can_run_a_program(text):
    with pytest.raises((RequestRefused, KibitzError), match=r"a browser|unknown agent"):
        Allowlist().agent(text, find("chexers"))


@pytest.mark.parametrize(("given", "refusal"), [
    ("mine=minimax(leaf=1)", "unknown option of minimax 'leaf'"), ("mine=nobody", "unknown agent 'nobody'"),
])  # fmt: skip
def test_an_agent_that_the_owner_adds_is_refused_if_it_cannot_be_read(given, refusal):
    with pytest.raises(KibitzError, match=refusal):
        Allowlist(own_agents=[given])
    assert Allowlist(own_agents=["mine=minimax(depth=2)"]).own_agents() == ["mine"]


def test_names_that_a_game_declares_are_bounded_too():
    allowlist, chexers = Allowlist(), find("chexers")
    assert allowlist.agent("mozi", chexers) == "mozi"
    assert "depth=60" in allowlist.agent("mozi(depth=0)", chexers)
    for text in ("mozi(seconds=20)", "mozi(opening=mcts(seconds=25))", "mcts(memory=8000)", "mcts(seconds=nan)"):
        with pytest.raises(RequestRefused, match="too much in the browser"):
            allowlist.agent(text, chexers)


def test_long_texts_and_many_options_are_refused_before_they_are_read():
    allowlist = Allowlist()
    with pytest.raises(RequestRefused, match="too long"):
        allowlist.text("quarto(" + "a," * 5000 + ")")
    with pytest.raises(RequestRefused, match="too many"):
        allowlist.text(GameChoice("quarto", {f"o{n}": 1 for n in range(MOST_OPTIONS + 1)}))
