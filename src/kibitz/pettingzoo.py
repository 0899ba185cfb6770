"""Games as environments of PettingZoo (docs/doors.md): `kibitz.pettingzoo.env("chexers")`."""

from kibitz.doors.library import library

library("pettingzoo", "pettingzoo")

from kibitz.doors.aec import GameEnv, env  # noqa: E402

__all__ = ["GameEnv", "env"]
