"""How other libraries take the arrays of a batch over."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

MISSING = "Arrays were not handed to PyTorch or JAX, as that is not installed here"
ARRAYS = {
    "states": lambda batch: batch.states,
    "legal": lambda batch: batch.legal(),
    "sample": lambda batch: batch.sample(),
    "view": lambda batch: batch.view(),
    "value": lambda batch: batch.value(),
    "features": lambda batch: batch.features(),
}


class Library(NamedTuple):
    """A library of arrays."""

    take: Callable[[Any], Any]
    address: Callable[[Any], int]
    strides: bool = True  # whether it takes arrays with gaps between their rows
    aligned: int = 1  # bytes; it copies an array that does not begin at a multiple


def _jax(array):
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    return jax.dlpack.from_dlpack(array)


LIBRARIES = {
    "numpy": Library(lambda array: import_module("numpy").from_dlpack(array), lambda taken: taken.ctypes.data),
    "torch": Library(lambda array: import_module("torch").from_dlpack(array), lambda taken: taken.data_ptr()),
    "jax": Library(_jax, lambda taken: taken.unsafe_buffer_pointer(), strides=False, aligned=64),
}


def address_of(array):
    """Return where an array of NumPy or CuPy begins."""
    return array.data.ptr if hasattr(array.data, "ptr") else array.ctypes.data


def taken_over(library, array):
    """Return what a library makes of an array, what it was given, and whether that should be the same memory."""
    given = array if library.strides or array.flags.c_contiguous else array.copy()
    return library.take(given), given, address_of(given) % library.aligned == 0
