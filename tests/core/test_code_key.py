"""Machine code is found by what a function is: the key changes with what the function is made of, and nothing else."""

import importlib.util
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from kibitz.core import code_on_disk
from kibitz.core.compile_forecast import LOG
from kibitz.core.native import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

KEY = """
import platform, sys
machine = sys.argv[3]
if machine:
    platform.machine = lambda: machine
sys.path.insert(0, sys.argv[1])
from numba import types
from kibitz.core.code_key import code_key
from kibitz.core.native import helper
import sums
print(code_key(sums.total, (types.int64,), "x86-64-v3", sys.argv[2]))
"""
OTHER = """
from kibitz.core.native import helper
from kibitz.rules import popcount
STEP = 3

@helper
def deeper(n):
    return n * STEP

@helper
def inner(n):
    return popcount(n) + deeper(n)
"""
SUMS = """
import numpy as np
import pack.limits
import replacing
import this
from other import inner
from scores import SCORE
from scaling import scale
CELL = np.dtype([("low", "i4"), ("high", "i8")])
LIMIT = (1, 2)
UNUSED = 1

def total(n, by=1):
    found = LIMIT[0] + SCORE.won + pack.limits.MOST + pack.limits.more.LEAST + this.STEP
    cells = np.zeros(1, dtype=CELL)
    for i in range(n):
        cells[0].low += scale(i)
        found += inner(i) * by
    return found + cells[0].low

def unrelated(n):
    return n
"""

SCORES = """
from typing import NamedTuple

class Score(NamedTuple):
    won: int
    lost: int

SCORE = Score(1, 2)
"""
REPLACING = """
from numba.extending import overload
from scaling import scale

@overload(scale)
def _scale(n):
    return lambda n: n * 10
"""
FILES = {
    "sums": SUMS,
    "other": OTHER,
    "scores": SCORES,
    "pack/__init__": "",
    "pack/limits": "from pack import more\nMOST = 10\nUNUSED = 1\n",
    "pack/more": "from pack import limits\nLEAST = 10\n",
    "this": "STEP = 10\n",  # the standard library has a module of that name
    "scaling": "def scale(n):\n    return n\n",
    "replacing": REPLACING,
}


def _key(folder, features="", machine="", **changed):
    (folder / "pack").mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        old, new = changed.get(name, ("", ""))
        assert old in text
        (folder / f"{name}.py").write_text(text.replace(old, new) if old else text)
    words = [sys.executable, "-B", "-c", KEY, str(folder), features, machine]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def test_the_key_is_the_same_in_another_folder_and_another_process(tmp_path):
    key = _key(tmp_path / "one")
    assert key.startswith("total-")
    assert key == _key(tmp_path / "two")


@pytest.mark.parametrize("changed", [
    {"other": ("STEP = 3", "STEP = 4")},  # a constant that a helper of a helper reads
    {"other": ("return n * STEP", "return n + STEP")},  # a helper of a helper, in another file
    {"sums": ("LIMIT = (1, 2)", "LIMIT = (1, 3)")},
    {"sums": ("by=1", "by=2")},
    {"sums": ("found += inner(i) * by", "found -= inner(i) * by")},
    {"scores": ("won: int\n    lost: int", "lost: int\n    won: int")},  # the fields of a named tuple
    {"pack/limits": ("MOST = 10", "MOST = 20")},  # a constant in a module in a package
    {"pack/more": ("LEAST = 10", "LEAST = 20")},  # a constant in a module that another one has imported
    {"sums": ('("low", "i4"), ("high", "i8")', '("low", "i8"), ("high", "i4")')},
    {"this": ("STEP = 10", "STEP = 20")},
    {"replacing": ("n * 10", "n * 20")},  # an overload for a function of another file
    {"features": "+avx512f"},
    {"machine": "riscv64"},
])  # fmt: skip
def test_the_key_changes_with_all_that_a_function_is_made_of(tmp_path, changed):
    assert _key(tmp_path / "one") != _key(tmp_path / "two", **changed)


@pytest.mark.parametrize("changed", [
    {"sums": ("UNUSED = 1", "UNUSED = 2")},
    {"sums": ("    return n\n", "    return n + 1\n")},  # another function of the same file
    {"pack/limits": ("UNUSED = 1", "UNUSED = 2")},
])  # fmt: skip
def test_the_key_does_not_change_with_anything_else(tmp_path, changed):
    assert _key(tmp_path / "one") == _key(tmp_path / "two", **changed)


RUN = """
import sys
from kibitz.core.native import keep_on_disk, watch_compilation
made = []
watch_compilation(made.append)
sys.path.insert(0, sys.argv[1])
from sums import total
print(keep_on_disk(total)(5), len(made))
"""
REFUSES = """
def refuse(*given, dir=None, **named):
    if dir is not None and "image" in str(dir):
        raise OSError(30, "Read-only file system")
    return usual(*given, dir=dir, **named)
"""
TOTAL = "def total(n):\n    found = 0\n    for i in range(n):\n        found += i\n    return found\n"


def _pair(version):
    return tuple(map(int, version.split(".")))


def _write_sums(folder):
    folder.mkdir(exist_ok=True)
    (folder / "sums.py").write_text(TOTAL)


def _started(folder, cache, python=sys.executable, code=RUN):
    environment = {**os.environ, "KIBITZ_CACHE": str(cache)}
    return subprocess.Popen([python, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True, env=environment)


def _run(folder, cache, code=RUN, **environment):
    _write_sums(folder)
    words = [sys.executable, "-c", code, str(folder)]
    environment = {**os.environ, "KIBITZ_CACHE": str(cache), **environment}
    return subprocess.run(words, check=True, capture_output=True, text=True, env=environment)


def test_code_made_in_one_folder_is_used_in_another(tmp_path):
    assert _run(tmp_path / "one", tmp_path / "cache").stdout == "10 1\n"
    shutil.rmtree(tmp_path / "one")
    assert _run(tmp_path / "two", tmp_path / "cache").stdout == "10 0\n"


@pytest.mark.parametrize("damage", [
    lambda content: content[: len(content) // 2],
    lambda content: b"",
    lambda content: content[:500] + b"\0" * 50 + content[550:],
    lambda content: content + b"more",
])  # fmt: skip
def test_a_damaged_file_is_compiled_again_and_mended(tmp_path, damage):
    cache = tmp_path / "cache"
    _run(tmp_path / "one", cache)
    (file,) = (cache / "code").glob("total-*.code")
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert _run(tmp_path / "one", cache).stdout == "10 1\n"
    assert _run(tmp_path / "one", cache).stdout == "10 0\n"


def test_a_file_under_the_name_of_another_is_compiled_again_and_mended(tmp_path):
    cache = tmp_path / "cache"
    _run(tmp_path / "one", cache)
    (file,) = (cache / "code").glob("total-*.code")
    other = file.with_name(f"total-{'0' * 32}.code")
    code_on_disk.write_code(other, code_on_disk.read_code(file))
    assert code_on_disk.read_code(other) is not None
    other.replace(file)
    assert code_on_disk.read_code(file) is None
    assert _run(tmp_path / "one", cache).stdout == "10 1\n"
    assert _run(tmp_path / "one", cache).stdout == "10 0\n"


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_passed_over_without_a_word(tmp_path, make):
    cache = tmp_path / "cache"
    _run(tmp_path / "one", cache)
    (file,) = (cache / "code").glob("total-*.code")
    file.unlink()
    (cache / LOG).unlink()
    for path in (file, cache / LOG):
        make(path)
    run = _run(tmp_path / "one", cache)
    assert (run.stdout, run.stderr) == ("10 1\n", "")


def test_a_kept_file_does_not_tell_where_the_source_lay(tmp_path):
    cache = tmp_path / "cache"
    _run(tmp_path / "one", cache)
    (file,) = (cache / "code").glob("total-*.code")
    assert str(tmp_path).encode() not in file.read_bytes()


def test_a_damaged_archive_of_the_package_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr(code_on_disk, "SHIPPED", tmp_path)
    monkeypatch.setattr(code_on_disk.shipped_file, "__defaults__", (tmp_path,))
    file = code_on_disk.shipped_file("v3")
    code = bytes(range(256)) * 9
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("total"), code_on_disk.sealed("total", code), zipfile.ZIP_DEFLATED)
    whole = file.read_bytes()
    assert code_on_disk._Shipped().read("v3", "total") == code
    for at in range(len(whole)):
        for content in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
            file.write_bytes(content)
            assert code_on_disk._Shipped().read("v3", "total") in (None, code)


def test_a_folder_that_others_can_write_is_passed_over_with_a_sentence(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    run = _run(tmp_path / "one", cache, TMPDIR=str(tmp_path))
    assert run.stdout == "10 1\n"
    assert f"kibitz: machine code is not kept in {cache} (others can write there; change that with: chmod" in run.stderr
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("variable", ["KIBITZ_CACHE", "KIBITZ_SHARED_CACHE"])
def test_code_in_a_folder_that_others_can_write_is_not_loaded(tmp_path, variable):
    shared = tmp_path / "shared"
    _run(tmp_path / "one", shared)
    (shared / "code").chmod(0o777)
    before = sorted((shared / "code").iterdir())
    run = _run(tmp_path / "one", tmp_path / "cache", **{variable: str(shared)})
    assert run.stdout == "10 1\n"
    assert f"kibitz: machine code in {shared / 'code'} is not used (others can write there" in run.stderr
    assert sorted((shared / "code").iterdir()) == before, "nothing is written there either"


def test_a_folder_that_can_only_be_read_is_read(tmp_path):
    image = tmp_path / "image"
    _run(tmp_path / "one", image)
    (tmp_path / "tmp").mkdir()
    read_only = f"import tempfile\nusual = tempfile.TemporaryFile\n{REFUSES}\ntempfile.TemporaryFile = refuse\n"
    for code, printed in ((RUN, "10 0\n"), (RUN.replace("(5)", "(5.0)"), "10 1\n")):
        run = _run(tmp_path / "one", image, read_only + code, TMPDIR=str(tmp_path / "tmp"))
        assert (run.stdout, run.stderr) == (printed, "")
    assert len(list((image / "code").glob("total-*.code"))) == 1
    assert len(list((tmp_path / "tmp").glob("*/code/total-*.code"))) == 1, (
        "what is compiled beyond it is kept elsewhere"
    )


@pytest.mark.parametrize(("variables", "said"), [
    ({"KIBITZ_CACHE": os.devnull}, f"not kept in {os.devnull} (it is not a folder)"),
    ({"KIBITZ_CACHE": "", "XDG_CACHE_HOME": "", "HOME": ""}, "not kept in your home folder (there is none)"),
])  # fmt: skip
def test_a_place_that_is_no_folder_is_told_in_one_sentence(tmp_path, variables, said):
    run = _run(tmp_path / "one", os.devnull, TMPDIR=str(tmp_path), **variables)
    assert run.stdout == "10 1\n"
    assert said in run.stderr
    assert "chmod" not in run.stderr
    assert run.stderr.count("\n") == 1


def test_code_of_the_process_that_opened_the_sandbox_is_used(tmp_path):
    _run(tmp_path / "one", tmp_path / "shared")
    run = _run(tmp_path / "one", tmp_path / "cache", KIBITZ_SHARED_CACHE=str(tmp_path / "shared"))
    assert (run.stdout, run.stderr) == ("10 0\n", "")


def test_another_version_of_the_compiler_has_code_of_its_own(tmp_path):
    newer = "import numba\nnumba.__version__ = '0.99.0'\n" + RUN
    for compiled in (1, 0):
        for code in (RUN, newer):
            assert _run(tmp_path / "one", tmp_path / "cache", code=code).stdout == f"10 {compiled}\n"
    assert len(list((tmp_path / "cache" / "code").glob("total-*.code"))) == 2


@pytest.mark.parametrize("version", [one for one in ("3.11", "3.12", "3.13") if sys.version_info[:2] != _pair(one)])
def test_another_python_at_the_same_time_has_code_of_its_own(tmp_path, version):
    other = Path(__file__).resolve().parents[2] / f".venv-{version}" / "bin" / "python"
    if not other.exists():
        pytest.skip(f"no Python {version} is set up: make test-others does it")
    _write_sums(tmp_path)
    for compiled in (1, 0):
        runs = [_started(tmp_path, tmp_path / "cache", python=str(python)) for python in (other, sys.executable)]
        assert [run.communicate()[0] for run in runs] == [f"10 {compiled}\n"] * 2
    assert len(list((tmp_path / "cache" / "code").glob("total-*.code"))) == 2


KILLS = int(os.environ.get("KIBITZ_KILLS", "6"))


def test_killed_in_the_middle_it_leaves_nothing_that_does_harm(tmp_path):
    cache, folder = tmp_path / "cache", tmp_path / "one"
    _write_sums(folder)
    for kill in range(KILLS):
        shutil.rmtree(cache, ignore_errors=True)
        child = _started(folder, cache)
        while not list(cache.glob("code/*.turn")) and child.poll() is None:  # until it compiles
            time.sleep(0.001)
        time.sleep(0.002 * (kill % 60))
        child.kill()
        child.communicate()
        assert _run(folder, cache).stdout in ("10 0\n", "10 1\n")
        assert _run(folder, cache).stdout == "10 0\n"


def test_a_new_folder_is_private_whatever_the_mask(tmp_path):
    before = os.umask(0o002)
    try:
        _run(tmp_path / "one", tmp_path / "cache")
    finally:
        os.umask(before)
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700


def test_a_helper_that_python_calls_is_compiled_for_it(tmp_path):
    path = tmp_path / "sums.py"
    path.write_text("from kibitz.core.native import helper\n\n@helper\ndef wrapped(n):\n    return n * 2**62\n")
    spec = importlib.util.spec_from_file_location("wrapping_sums", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.wrapped(2) == -(2**63), "numbers have 64 bits, as in compiled code"
