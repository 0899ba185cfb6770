"""Reports of runs in which hardly a move was made."""

import pytest
from click.testing import CliRunner

from kibitz import cli

BAD = "from kibitz import Agent\n\n\nclass Bad(Agent):\n    def decide(self, view):\n        return 999\n"


@pytest.mark.parametrize("words", [["--scheme", "fixed", "--games", "2"], ["--scheme", "rotation", "--games", "1"]])
def test_a_run_of_illegal_moves_alone_has_a_report(tmp_path, words):
    agent, db = tmp_path / "bad.py", tmp_path / "results.db"
    agent.write_text(BAD)
    plan = ["--game", "quarto", "--agent", str(agent), "--agent", "random", "--openings", "0", "--db", str(db), *words]
    assert CliRunner().invoke(cli.main, ["tournament", *plan, "--jobs", "1"]).exit_code in (0, 1)
    found = CliRunner().invoke(cli.main, ["report", str(db), "--out", str(tmp_path / "report.html")])
    assert found.exit_code == 0, found.output
