"""An archive: named arrays in one .npz, among them `about`, which is JSON. Reading one runs no code."""

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import BadValue

ABOUT = "about"
MOST_BYTES = 1 << 30


def archive_bytes(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """Return the contents of the file; equal archives have equal files."""
    told = np.frombuffer(json.dumps(about, sort_keys=True).encode(), dtype=np.uint8)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, array in {ABOUT: told, **arrays}.items():
            part = io.BytesIO()
            np.lib.format.write_array(part, array, allow_pickle=False)
            packed.writestr(zipfile.ZipInfo(f"{name}.npy"), part.getvalue(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def read_arrays(path: Path, noun: str, denial: str) -> dict[str, np.ndarray]:
    """Return all arrays of a file; one that cannot be read is a BadValue, such as that it `is no network`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadValue(f"{path} has more than {MOST_BYTES >> 20:,} MB, too many to be read")
        content = path.read_bytes()
        if not zipfile.is_zipfile(io.BytesIO(content)):
            raise zipfile.BadZipFile("it is not a whole .npz")
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except FileNotFoundError:
        raise BadValue(f"there is no {noun} at {path}") from None
    except OSError as error:
        raise BadValue(f"cannot read the {noun} {path}: {error.strerror or error}") from None
    except (ValueError, zipfile.BadZipFile, EOFError, KeyError, AttributeError, zlib.error) as error:
        raise BadValue(f"{path} {denial}, or it was cut short: {error}") from None
