"""How long a first decision takes: measuring that lasts minutes, so what is measured is said."""

from kibitz.bench import start_time


def test_each_use_is_named_before_it_is_measured(capsys, monkeypatch):
    monkeypatch.setattr(start_time, "_measured", lambda code, words, home, **environment: (1.0, 2))
    rows = list(start_time.start_times())
    said = capsys.readouterr().err.splitlines()
    assert said == [f"kibitz: measuring {at} of {len(rows)}: {row.name}" for at, row in enumerate(rows, 1)]
