"""An archive: named arrays in one .npz, among them `about`, which is JSON. Reading one runs no code.

All files of arrays are read here. Files may come from anybody: a BadValue says what is wrong with one, and nothing is
unpacked before its size is known.
"""

import io
import json
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from tokenize import TokenError
from typing import Any, Generic, TypeVar, get_origin, get_type_hints

import numpy as np

from kibitz.core.errors import BadValue

ABOUT = "about"
FORMAT = "format"
MOST_BYTES = 1 << 30  # of a file, packed and, unless its kind says otherwise, unpacked
MOST_ARRAYS = 64
MOST_WHOLE = 1 << 31  # numbers in a header are below this
_SUFFIX = ".npy"
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1  # among the flags of an entry
_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, TokenError, SyntaxError, ValueError, TypeError,
    KeyError, IndexError, AttributeError, OverflowError, MemoryError, RuntimeError,
)  # fmt: skip
_HEADERS: dict[tuple[int, int], Callable[..., Any]] = {
    (1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0,
}  # fmt: skip


Header = TypeVar("Header")


@dataclass(frozen=True)
class Kind(Generic[Header]):
    """A kind of archive: its name and its header."""

    noun: str
    denial: str  # what an error says of another file, such as `is not a network`
    about: type[Header]  # a dataclass of texts, whole numbers from 0, booleans and dictionaries
    more: dict[str, type]  # further entries of the header
    format: int = 1
    most_bytes: int = MOST_BYTES  # unpacked


def archive_bytes(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """Return an archive as the bytes of a file; equal archives have equal files."""
    told = np.frombuffer(json.dumps(about, sort_keys=True).encode(), dtype=np.uint8)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, array in {ABOUT: told, **arrays}.items():
            part = io.BytesIO()
            np.lib.format.write_array(part, array, allow_pickle=False)
            packed.writestr(zipfile.ZipInfo(f"{name}{_SUFFIX}"), part.getvalue(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def read_archive(path: Path, kind: Kind[Header]) -> tuple[Header, dict[str, Any], dict[str, np.ndarray]]:
    """Return what a file is about, further entries of its header, and its arrays; a BadValue says what is wrong."""
    arrays = _arrays(path, kind)
    try:
        told = json.loads(arrays.pop(ABOUT).tobytes())
        written = told.pop(FORMAT)
    except _BROKEN:
        raise BadValue(f"{path} {kind.denial}: it does not say what it is for") from None
    if written != kind.format:
        raise BadValue(f"{path} is {kind.noun} of another format; this program reads format {kind.format}")
    _check_header(told, kind, path)
    more = {name: told.pop(name) for name in kind.more}
    return kind.about(**told), more, arrays


def _arrays(path: Path, kind: Kind[Any]) -> dict[str, np.ndarray]:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise BadValue(f"{path} {kind.denial}: it is not a file")
        if found.st_size > MOST_BYTES:
            raise BadValue(f"{path} has more than {MOST_BYTES >> 20:,} MB, too many to be read")
        with path.open("rb") as file, zipfile.ZipFile(file) as packed:
            _check_size(packed, path, kind)
            return {info.filename.removesuffix(_SUFFIX): _array(packed, info) for info in packed.infolist()}
    except FileNotFoundError:
        raise BadValue(f"there is no {kind.noun} at {path}") from None
    except OSError as error:
        raise BadValue(f"cannot read the {kind.noun} {path}: {error.strerror or error}") from None
    except _BROKEN as error:
        why = str(error) or type(error).__name__
        raise BadValue(f"{path} {kind.denial}, or it was cut short: {why}") from None


def _check_size(packed: zipfile.ZipFile, path: Path, kind: Kind[Any]) -> None:
    """Refuse an archive that would unpack to too much; zipfile unpacks no more of an array than is declared here."""
    infos = packed.infolist()
    if len(infos) > MOST_ARRAYS:
        raise BadValue(f"{path} {kind.denial}: it holds {len(infos):,} arrays, and {MOST_ARRAYS} are the most")
    if sum(info.file_size for info in infos) > kind.most_bytes:
        raise BadValue(f"{path} unpacks to more than {kind.most_bytes >> 20:,} MB, too many to be read")


def _array(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray:
    """Return one array; it must hold whole numbers or floats."""
    if info.compress_type not in _PACKED or info.flag_bits & _ENCRYPTED:
        raise ValueError(f"{info.filename} is encrypted, or packed in a way that no .npz is")
    content = packed.read(info)
    part = io.BytesIO(content)
    shape, by_column, kind = _HEADERS[np.lib.format.read_magic(part)](part)
    if kind.kind not in "iuf" or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"{info.filename} holds {kind} of the shape {shape}")
    flat = np.frombuffer(content, kind, offset=part.tell())
    return flat.reshape(shape, order="F" if by_column else "C").copy()


def _check_header(told: Any, kind: Kind[Any], path: Path) -> None:
    """Refuse a header with other fields, or fields of other types, than its kind."""
    wanted = {**get_type_hints(kind.about), **kind.more}
    needed = {field.name for field in fields(kind.about) if (field.default, field.default_factory) == (MISSING,) * 2}
    wrong = sorted(({*needed, *kind.more} - {*told}) | ({*told} - {*wanted}))
    if wrong:
        raise BadValue(f"{path} {kind.denial}: it does not say what it is for ({wrong[0]!r:.40} is missing or unknown)")
    for name, value in told.items():
        if not _fits(value, get_origin(wanted[name]) or wanted[name]):
            raise BadValue(f"{path} {kind.denial}: its {name} cannot be {value!r:.80}")


def _fits(value: object, kind: type) -> bool:
    """Return whether a value in a header has a type; numbers are never negative."""
    return type(value) is kind and (not isinstance(value, int) or 0 <= value < MOST_WHOLE)
