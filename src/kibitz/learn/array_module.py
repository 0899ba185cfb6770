"""The array module that fitting computes with: NumPy, or JAX where it is installed, on a GPU if there is one."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from kibitz.core.errors import BadValue

NUMPY, JAX = "numpy", "jax"
BY = (NUMPY, JAX)


class ArrayModule:
    """Operations that differ between NumPy and JAX; `xp` is the module itself, for everything they share."""

    def __init__(self, name: str = NUMPY):
        if name not in BY:
            raise BadValue(f"a network is fitted by {' or '.join(BY)}, not by {name!r}")
        if name == JAX and find_spec(JAX) is None:
            raise BadValue("JAX is not installed; pip install 'kibitz[fit]' installs it, and numpy does the same work")
        self.name = name
        self.xp: Any = np
        if name == JAX:
            import jax.numpy

            self.xp = jax.numpy

    @classmethod
    def over(cls, arrays: Any) -> "ArrayModule":
        """Return the operations over a module that computes as NumPy does, such as CuPy."""
        made = cls()
        made.xp = arrays
        return made

    def __str__(self) -> str:
        if self.name == NUMPY:
            return NUMPY
        import jax

        return f"jax on {jax.default_backend()}"

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of arrays, compiled if the module can do that."""
        if self.name == NUMPY:
            return function
        import jax

        return jax.jit(function)

    def scatter(self, places: Any, numbers: Any, width: int) -> Any:
        """Return rows of `width` zeros with the numbers at their places; places below 0 are left out."""
        xp = self.xp
        at, columns = xp.arange(len(places))[:, None], xp.where(places < 0, width, places)
        out = xp.zeros((len(places), width + 1), dtype=np.float32)
        if self.name == NUMPY:
            out[at, columns] = numbers
        else:
            out = out.at[at, columns].set(numbers)
        return out[:, :width]
