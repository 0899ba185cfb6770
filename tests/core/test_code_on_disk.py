"""Machine code on disk: one process compiles, the others wait for it, and nobody waits for ever."""

import fcntl
import importlib.util
import os
import subprocess
import sys
import time

import pytest
from numba import types
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

from kibitz.core import code_on_disk
from kibitz.core.code_key import code_key
from kibitz.core.native import INTERPRETED, keep_on_disk

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

COMPILE_ONE = """
import sys
from kibitz.core.native import keep_on_disk, watch_compilation
made = []
watch_compilation(made.append)
sys.path.insert(0, sys.argv[1])
from sums import total
print("ready", flush=True)
input()
print(keep_on_disk(total)(5), len(made))
"""
IMPORT_AS = """
import importlib.util
import sys
from kibitz.core.native import keep_on_disk
spec = importlib.util.spec_from_file_location(sys.argv[2], sys.argv[1])
module = sys.modules[sys.argv[2]] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(keep_on_disk(module.total)(5))
"""
TOTAL = """
def total(n):
    {}
    found = 0
    for i in range(n):
        found += i
    return found
"""


def _function(path, line="pass"):
    path.write_text(TOTAL.format(line))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.total


def _lock(function, kind):
    """Lock the file by which processes take turns at a function; nobody else may hold it."""
    processor, features = cpu_target.target_context.codegen().magic_tuple()[1:]
    name = f"{code_key(function, (kind,), processor, features)}.turn"
    handle = os.open(code_on_disk.code_folder() / name, os.O_CREAT | os.O_RDWR)
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return handle


def test_of_processes_that_need_a_function_at_a_time_one_compiles_it(tmp_path):
    (tmp_path / "sums.py").write_text(TOTAL.format("pass"))
    environment = {**os.environ, "KIBITZ_CACHE": str(tmp_path / "code")}
    words = [sys.executable, "-c", COMPILE_ONE, str(tmp_path)]
    runs = [
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    for run in runs:
        assert run.stdout.readline() == "ready\n"
    for run in runs:
        run.stdin.write("\n")
        run.stdin.flush()
    assert sorted(run.communicate()[0].split() for run in runs) == [["10", "0"], ["10", "1"]]


def test_who_waits_too_long_compiles_for_itself(tmp_path, monkeypatch):
    path = tmp_path / "sums.py"
    total = _function(path, f"unlike_any_before = {time.time_ns()}")
    handle = _lock(total, types.float64)
    try:
        monkeypatch.setattr(code_on_disk, "_PATIENCE", 0.1)
        assert keep_on_disk(total)(5.0) == 10
    finally:
        os.close(handle)


def test_who_has_other_work_does_not_wait_at_all(tmp_path):
    total = _function(tmp_path / "sums.py", f"unlike_any_before = {time.time_ns()}")
    handle = _lock(total, types.float64)
    try:
        with pytest.raises(code_on_disk.InWork), code_on_disk.together():
            keep_on_disk(total)(5.0)
    finally:
        os.close(handle)
    with code_on_disk.together():
        assert keep_on_disk(total)(5.0) == 10


def test_a_function_that_cannot_be_compiled_keeps_nobody_waiting(tmp_path):
    path = tmp_path / "sums.py"
    total = _function(path, "import_me + 1")
    with pytest.raises(TypingError):
        keep_on_disk(total)(5)
    os.close(_lock(total, types.int64))


def test_a_signal_that_comes_while_llvm_works_is_not_lost(tmp_path, monkeypatch):
    def interrupted(module, machine_code):
        raise KeyboardInterrupt

    engine = cpu_target.target_context.codegen()._engine._ee
    monkeypatch.setattr(engine, "_object_cache_notify", interrupted)
    path = tmp_path / "sums.py"
    total = _function(path, "found = 1")
    with pytest.raises(KeyboardInterrupt):
        keep_on_disk(total)(5)
    os.close(_lock(total, types.int64))


def test_a_file_that_is_two_modules_has_code_for_each(tmp_path):
    (tmp_path / "sums.py").write_text(TOTAL.format("pass"))
    environment = {**os.environ, "KIBITZ_CACHE": str(tmp_path / "code")}
    for module in ("by_path", "by_name"):
        words = [sys.executable, "-c", IMPORT_AS, str(tmp_path / "sums.py"), module]
        run = subprocess.run(words, check=False, capture_output=True, text=True, env=environment)
        assert run.stdout == "10\n", run.stderr
