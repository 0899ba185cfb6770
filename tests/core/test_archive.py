"""Archives: whatever is wrong with a file of arrays is a sentence, and nothing large is unpacked to find that out."""

import io
import json
import os
import tracemalloc
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import BadValue
from kibitz.networks.archive import MOST_ARRAYS, MOST_BYTES, Kind, archive_bytes, read_archive


@dataclass(frozen=True)
class _About:
    game: str
    seats: int
    options: dict[str, Any]
    listed: bool = False


KIND = Kind("thing", "is not a thing", _About, {"done": int})
HEADER = {"format": 1, "game": "quarto", "seats": 2, "options": {}, "done": 3}
NUMBERS = np.arange(6, dtype=np.float32).reshape(2, 3)


def _parts(about: str | None = None, **parts: bytes) -> dict[str, bytes]:
    """Return the entries of a good archive, some of them changed."""
    with zipfile.ZipFile(io.BytesIO(archive_bytes(HEADER, {"a": NUMBERS}))) as packed:
        found = {name: packed.read(name) for name in packed.namelist()}
    if about is not None:
        told = io.BytesIO()
        np.save(told, np.frombuffer(about.encode(), dtype=np.uint8))
        found["about.npy"] = told.getvalue()
    return {**found, **{f"{name}.npy": part for name, part in parts.items()}}


def _zipped(parts: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as packed:
        for name, part in parts.items():
            packed.writestr(name, part)
    return out.getvalue()


def _header(text: str) -> bytes:
    """Return an array that begins with a header of our own."""
    return b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + text.encode().ljust(117) + b"\n" + bytes(24)


def _patched(local: int, central: int, value: int) -> bytes:
    """Return a good archive with one number changed in the head of every entry."""
    content = bytearray(_zipped(_parts()))
    for mark, offset in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        at = content.find(mark)
        while at >= 0:
            content[at + offset] = value
            at = content.find(mark, at + 1)
    return bytes(content)


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "good.npz"
    path.write_bytes(archive_bytes(HEADER, {"a": NUMBERS, "empty": np.zeros((0, 4), dtype=np.int16)}))
    about, more, arrays = read_archive(path, KIND)
    assert (about, more) == (_About("quarto", 2, {}), {"done": 3})
    assert (arrays["a"].tolist(), arrays["empty"].shape) == (NUMBERS.tolist(), (0, 4))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        _zipped(_parts())[:-30],
        _patched(6, 8, 1),  # encrypted
        _patched(8, 10, 99),  # packed in a way that nobody knows
        _zipped(_parts(), zipfile.ZIP_LZMA),
        _zipped(_parts(a=b"no array")),
        _zipped(_parts(a=_header("{'descr': (((((((("))),
        _zipped(_parts(a=_header("{'descr': '|O', 'fortran_order': False, 'shape': (3,)}"))),
        _zipped(_parts(a=_header("{'descr': '<U2', 'fortran_order': False, 'shape': (3,)}"))),
        _zipped(_parts(a=_header("{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}"))),
        _zipped(_parts(a=_header("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}"))),
        _zipped(_parts(a=_header("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"))),
        _zipped({name: part for name, part in _parts().items() if name == "a.npy"}),
        _zipped(_parts("[" * 100_000)),
        _zipped(_parts("[]")),
        _zipped(_parts(a=_parts()["a.npy"], **{f"a{at}": b"" for at in range(MOST_ARRAYS)})),
    ],
)  # fmt: skip
def test_a_broken_file_is_a_sentence(tmp_path, content):
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(BadValue, match="is not a thing"):
        read_archive(path, KIND)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": ["quarto"]}, r"its game cannot be \['quarto'\]"),
        ({"seats": "two"}, "its seats cannot be 'two'"),
        ({"seats": True}, "its seats cannot be True"),
        ({"seats": -1}, "its seats cannot be -1"),
        ({"seats": 10**30}, "its seats cannot be 1000"),
        ({"options": 5}, "its options cannot be 5"),
        ({"listed": 1}, "its listed cannot be 1"),
        ({"done": "x"}, "its done cannot be 'x'"),
        ({"more": 1}, "'more' is missing or unknown"),
        ({"format": 2}, "of another format"),
    ],
)
def test_a_header_holds_the_types_that_it_should(tmp_path, change, words):
    path = tmp_path / "odd.npz"
    path.write_bytes(_zipped(_parts(json.dumps({**HEADER, **change}))))
    with pytest.raises(BadValue, match=words):
        read_archive(path, KIND)


def test_what_would_unpack_to_too_much_is_not_unpacked(tmp_path):
    path, small = tmp_path / "bomb.npz", Kind("thing", "is not a thing", _About, {"done": int}, most_bytes=1 << 20)
    path.write_bytes(_zipped(_parts(a=bytes(1 << 24))))
    tracemalloc.start()
    with pytest.raises(BadValue, match="unpacks to more than 1 MB"):
        read_archive(path, small)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 20
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(BadValue, match="has more than 1,024 MB"):
        read_archive(path, KIND)


def test_only_regular_files_are_read(tmp_path):
    os.mkfifo(tmp_path / "fifo.npz")
    for path in (tmp_path / "fifo.npz", tmp_path, Path("/dev/zero")):
        with pytest.raises(BadValue, match="it is not a file"):
            read_archive(path, KIND)
