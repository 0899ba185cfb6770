"""The store of tables."""

import pytest

from kibitz.core.errors import BadValue
from kibitz.web.table_store import TableStore


def test_nobody_reads_from_a_store_that_is_closed():
    store = TableStore(":memory:")
    store.close()
    with pytest.raises(BadValue, match="the server is stopping"):
        store.find("T1")
    with pytest.raises(BadValue, match="the server is stopping"):
        store.left_off(5, 5)
