"""Games as environments of PettingZoo (docs/bridges.md): `kibitz.pettingzoo.env("chexers")`."""

from kibitz.plugins.bridges.optional_library import library

library("pettingzoo", "pettingzoo")

from kibitz.plugins.bridges.aec import GameEnv, env  # noqa: E402

__all__ = ["GameEnv", "env"]
