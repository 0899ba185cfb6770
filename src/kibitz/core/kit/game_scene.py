"""The scene of a game: what its scene.py writes or declares, and for the rest what can be found out."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kibitz.core.arrays import Int64s
from kibitz.core.kit.declared_scene import DeclaredScene
from kibitz.core.kit.guessed_scene import GuessedScene
from kibitz.core.kit.text_panel import text_panel
from kibitz.core.scene import Scene

if TYPE_CHECKING:
    from kibitz.core.game import Game

DECLARATION = "SCENE"


class GameScene:
    """Text, picture and changes of a game: each from scene.py if it has the function, else from SCENE, else guessed."""

    def __init__(self, game: "Game", scene_file: ModuleType | None, rules_file: ModuleType):
        self._game, self._file = game, scene_file
        homes = [home for home in (scene_file, rules_file) if hasattr(home, DECLARATION)]
        self._declared: Any = getattr(homes[0], DECLARATION) if homes else None

    @cached_property
    def _plan(self) -> DeclaredScene | GuessedScene:
        if self._declared is None:
            return GuessedScene(self._game)
        return DeclaredScene(self._declared, self._game.cells, self._game.seat_names)

    def _written(self, name: str) -> Callable[..., Any] | None:
        return getattr(self._file, name, None)

    def text(self, view: Int64s) -> str:
        """Return a view as lines of text."""
        return str((self._written("text") or self._plan.text)(view))

    @property
    def paint(self) -> Mapping[str, str]:
        """How to colour the text of a view."""
        return getattr(self._file, "PAINT", {})

    def changes(self, before: Int64s, after: Int64s) -> list[str]:
        """Return what a move changed, in words."""
        written = self._written("changes")
        if written is None and self._declared is None and self._file is not None:
            return []
        return list((written or self._plan.changes)(before, after))

    def asked(self, view: Int64s) -> str:
        """Return what the declared prompts ask the seat to move; empty if there are none."""
        if not isinstance(self._plan, DeclaredScene) or self._written("picture"):
            return ""
        return self._plan.asked(view)

    def picture(self, view: Int64s, legal: Sequence[int]) -> Scene:
        """Return a view as shapes; a scene.py with a text alone is shown as that text."""
        written = self._written("picture")
        if written is None and self._declared is None and self._written("text"):
            text = self.text(view)
            return Scene(text.partition("\n")[0], [text_panel(text)])
        scene: Scene = (written or self._plan.picture)(view, legal)
        return scene
