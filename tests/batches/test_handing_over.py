"""Arrays of a batch go to other libraries without a copy."""

from importlib.util import find_spec

import numpy as np
import pytest

import kibitz
from tests.batches.handing_over import ARRAYS, LIBRARIES, MISSING, address_of, taken_over


def _needs(name):
    return pytest.mark.skipif(find_spec(name) is None, reason=f"{MISSING}: {name}")


@pytest.mark.parametrize("name", [pytest.param(name, marks=_needs(name)) for name in LIBRARIES])
def test_a_library_takes_arrays_over_without_a_copy(name):
    library, batch = LIBRARIES[name], kibitz.batch("quarto", 5, seed=1)
    for what, ask in ARRAYS.items():
        taken, given, same_memory = taken_over(library, ask(batch))
        assert (np.asarray(taken) == given).all(), what
        assert not same_memory or library.address(taken) == address_of(given), what
