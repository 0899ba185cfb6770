"""Games as environments of Gymnasium (docs/bridges.md): `kibitz.gymnasium.env("quarto", seat=0, opponents=["novice"])`.

Once this is imported, `gymnasium.make("kibitz/Game-v1", game="quarto")` does the same.
"""

from kibitz.plugins.bridges.optional_library import library

ID = "kibitz/Game-v1"

library("gymnasium", "gymnasium").register(id=ID, entry_point="kibitz.gymnasium:env")

from kibitz.plugins.bridges.single_learner import LearnerEnv, env  # noqa: E402

__all__ = ["ID", "LearnerEnv", "env"]
