"""Games and agents in OpenSpiel (docs/bridges.md): `kibitz.openspiel.load("chexers")`, `kibitz.openspiel.AgentBot`.

Once this is imported, `pyspiel.load_game("kibitz_chexers")` knows the games that come with Kibitz.
"""

from kibitz.plugins.bridges.optional_library import library

library("pyspiel", "openspiel")

from kibitz.games import names  # noqa: E402
from kibitz.plugins.bridges.spiel_bots import AgentBot  # noqa: E402
from kibitz.plugins.bridges.spiel_game import SpielGame, SpielState, load, register  # noqa: E402

for name in names():
    register(name)

__all__ = ["AgentBot", "SpielGame", "SpielState", "load", "register"]
