"""Commands in texts: they are no paths to code of ours, they make a record one to be trusted, and files name a run."""

import pytest

from kibitz.agents import own_paths
from kibitz.arena.plan.plan import Plan
from kibitz.core.errors import Untrusted
from kibitz.core.record import read_records, record_of
from kibitz.core.table import Table
from kibitz.core.user_files import commands_in, with_paths

BOT = "bot(cmd='python3 ./bots/mine.py')"


def test_a_command_is_no_path(quarto):
    assert own_paths(f"pimc({BOT})", quarto) == []
    assert list(commands_in(f"pimc({BOT})")) == ["python3 ./bots/mine.py"]
    assert with_paths(BOT, lambda name: "changed") == BOT


def test_a_record_that_names_a_command_has_to_be_trusted_where_it_would_run(quarto, tmp_path):
    file = tmp_path / "records"
    for command in ("true", "python3 ./bots/mine.py"):
        file.write_text(record_of(Table(quarto, 1), [f"bot(cmd='{command}')", "random"]).line() + "\n")
        (record,) = read_records(file, trusted=False)
        assert record.has_paths
        record.refuse_paths(record.agents[1:])
        with pytest.raises(Untrusted, match="unless the record is trusted"):
            record.refuse_paths(record.agents)


def test_another_program_is_another_run(quarto, tmp_path):
    program = tmp_path / "mine.py"
    runs = set()
    for text in ("print(1)", "print(2)"):
        program.write_text(text)
        runs.add(Plan.make(quarto, [f"bot(cmd='python3 {program}')", "random"], games=2).run)
    assert len(runs) == 2
