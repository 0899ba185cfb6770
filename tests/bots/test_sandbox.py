"""Walls: each is tried by a probe that would break it, and what programs need still works behind them."""

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

import pytest
from click.testing import CliRunner

from kibitz import cli
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import bot_pool
from kibitz.bots.bot_fault import BotFault
from kibitz.bots.bot_process import BotProcess
from kibitz.bots.sandbox import landlock, sandbox, seccomp, self_test
from kibitz.bots.sandbox.probe import ATTEMPTS
from kibitz.bots.sandbox.sandbox import NEWEST_LANDLOCK, Sandbox
from kibitz.bots.sandbox.self_test import WITHOUT_WALLS, tried
from kibitz.core.errors import BadValue
from kibitz.core.spec import Spec
from tests.bots.gallery import EXAMPLES, KERNEL, LINUX, PATIENCE, SOLID, mark, soon_gone

pytestmark = LINUX
ANYBODY_CAN = {  # on every Linux, unless walls are in the way
    "read a file of yours", "list a folder of yours", "read a hidden file in its own folder",
    "read a hidden file by a link", "read a hidden file that came later",
    "write to a folder of yours", "change the mode of a file of yours",
    "cut a file of yours", "see what another process runs", "signal another process", "signal its launcher",
    "change the limits of another process", "connect over TCP", "send over UDP", "connect to a socket by its path",
    "connect to a socket without a path", "see what of a file is in memory", "see the group of another process",
    "see the session of another process", "see how another process is scheduled",
    "use up requests of the whole system",
}  # fmt: skip
HEADER = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")


@pytest.mark.parametrize("level", ["limits", *SOLID])
def test_every_wall_stands_that_should(level):
    assert [finding.attempt for finding in tried(Sandbox(level)) if finding.claimed and not finding.stands] == []


def test_solid_walls_claim_every_wall_and_limits_a_few():
    assert all(self_test._claimed(Sandbox("bwrap"), attempt) for attempt in ATTEMPTS)
    assert [attempt for attempt in ATTEMPTS if self_test._claimed(Sandbox("limits"), attempt)] == list(WITHOUT_WALLS)
    assert not any(self_test._claimed(Sandbox("none"), attempt) for attempt in ATTEMPTS)


def test_without_walls_the_probe_gets_through():
    found = {finding.attempt for finding in tried(Sandbox("none")) if not finding.stands}
    assert found >= ANYBODY_CAN


@KERNEL
@pytest.mark.parametrize("version", range(1, NEWEST_LANDLOCK))
def test_the_kernel_s_walls_stand_with_an_older_landlock_too(version, monkeypatch):
    if version > landlock.landlock_version():
        pytest.skip(f"this kernel has version {landlock.landlock_version()} only")
    monkeypatch.setattr(sandbox, "landlock_version", lambda: version)
    assert [finding.attempt for finding in tried(Sandbox("kernel")) if not finding.stands] == []


@KERNEL
def test_the_kernel_s_walls_stand_where_no_world_of_one_s_own_can_be_made(monkeypatch):
    monkeypatch.setattr(sandbox, "has_own_shared_memory", lambda: False)
    assert [finding.attempt for finding in tried(Sandbox("kernel")) if not finding.stands] == []


def test_without_bubblewrap_the_kernel_keeps_secrets_and_without_both_there_are_limits(monkeypatch):
    monkeypatch.setattr(sandbox, "why_no_bwrap", lambda: "there is none")
    monkeypatch.setattr(sandbox, "why_no_kernel", lambda: "")
    assert (Sandbox().built, Sandbox().solid) == ("kernel", True)
    monkeypatch.setattr(sandbox, "why_no_kernel", lambda: "it is too old")
    assert (Sandbox().built, Sandbox().solid) == ("limits", False)
    for level in ("bwrap", "kernel"):
        with pytest.raises(BadValue, match="walls=limits can"):
            Sandbox(level).check()


def test_no_program_called_bwrap_in_the_path_means_no_bubblewrap(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert "not installed" in sandbox.why_no_bwrap.__wrapped__()


def test_a_kernel_without_landlock_says_so(monkeypatch):
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    assert "Landlock" in sandbox.why_no_kernel.__wrapped__()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "needs Linux" in sandbox.why_no_kernel.__wrapped__()


@pytest.mark.parametrize("level", ["limits", *SOLID])
def test_the_command_tries_each_wall_and_says_what_stands(level):
    done = CliRunner().invoke(cli.main, ["bot", "walls", "--walls", level])
    assert done.exit_code == 0, done.output
    for attempt in ATTEMPTS:
        assert attempt in done.output
    assert ("COULD" in done.output) == (level == "limits")


def test_a_wall_that_has_fallen_is_an_error(monkeypatch):
    monkeypatch.setattr(self_test, "WITHOUT_WALLS", ("read a file of yours",))
    done = CliRunner().invoke(cli.main, ["bot", "walls", "--walls", "limits"])
    assert done.exit_code == 1
    assert "should not let a bot read a file of yours" in done.output


@pytest.mark.skipif(not HEADER.exists(), reason="the numbers of calls are not on this machine")
def test_calls_have_the_numbers_that_the_system_knows_them_by():
    known = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", HEADER.read_text())}
    named = {name: numbers[0] for calls in (*seccomp.DENIED.values(), seccomp.IDLE) for name, numbers in calls.items()}
    assert {name: number for name, number in named.items() if known.get(name, number) != number} == {}
    assert len(set(named) & set(known)) > 80


def test_a_filter_fits_into_what_a_program_of_the_kernel_may_be():
    for machine in ("x86_64", "aarch64"):
        assert len(seccomp.filter_for(machine, own=1, truncates=True)) / 8 < 4096


def _said(program, level, **given):
    """Run a program behind walls until it ends well, and return all its lines."""
    process = BotProcess(program, Sandbox(level, **given))
    lines, until = [], monotonic() + PATIENCE

    def listen():
        while True:
            lines.append(process.receive(until).decode())

    try:
        with pytest.raises(BotFault, match="exit code 0"):
            listen()
    finally:
        process.end()
    return lines


USUAL = """
import asyncio, multiprocessing, os, shutil, subprocess, tempfile, threading
def square(x):
    return x * x
async def echo():
    process = await asyncio.create_subprocess_exec("echo", "hello", stdout=subprocess.PIPE)
    return (await process.communicate())[0].decode().strip()
if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(__file__, folder + "/copy.py")
        shutil.copytree(os.path.dirname(__file__), folder + "/tree")
    print(asyncio.run(echo()))
    sleeper = subprocess.Popen(["sleep", "100"])
    sleeper.kill()
    print(sleeper.wait())
    thread = threading.Thread(target=print, args=["thread"])
    thread.start()
    thread.join()
    if os.path.exists("/dev/shm") and os.access("/dev/shm", os.W_OK) and SHARED:
        with multiprocessing.Pool(2) as pool:
            print(sum(pool.map(square, range(4))))
"""


@pytest.mark.parametrize("level", ["limits", *SOLID])
def test_what_python_programs_usually_do_works_behind_walls(tmp_path, level):
    shared = level != "kernel" or sandbox.has_own_shared_memory()
    (tmp_path / "usual.py").write_text(f"SHARED = {shared}\n{USUAL}")
    lines = _said([sys.executable, str(tmp_path / "usual.py")], level)
    assert lines == ["hello", "-9", "thread", *(["14"] if shared else [])]


FORGET = """
import ctypes, mmap, os, sys
with open(sys.argv[1], "rb") as file:
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    place = ctypes.c_void_p(libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), ctypes.c_long(0)))
    ctypes.string_at(place, 1)
    libc.madvise(place, ctypes.c_size_t(4096), 21)  # MADV_PAGEOUT
    os.posix_fadvise(file.fileno(), 1 << 19, 0, os.POSIX_FADV_DONTNEED)
"""


@pytest.mark.parametrize("level", SOLID)
def test_a_program_cannot_put_files_out_of_memory_and_so_tell_later_ones_anything(tmp_path, level):
    program, data = tmp_path / "forget.py", tmp_path / "data"
    program.write_text(FORGET)
    with data.open("wb") as file:
        file.write(bytes(1 << 20))
        os.fsync(file.fileno())
    command = [sys.executable, "-I", "-S", str(program), str(data)]
    _said(command, level)
    assert [_is_in_memory(data, at) for at in (0, 1 << 19)] == [True, True]
    subprocess.run(command, check=True)
    if _is_in_memory(data, 1 << 19):
        pytest.skip("on this file system nobody can")


def _is_in_memory(path, at):
    with path.open("rb") as file:
        try:
            return os.preadv(file.fileno(), [bytearray(1)], at, os.RWF_NOWAIT) == 1
        except BlockingIOError:
            return False


@pytest.mark.parametrize("level", SOLID)
def test_bots_in_other_languages_play_behind_walls(quarto, level, tmp_path):
    commands = [f"{sys.executable} {EXAMPLES / 'random_bot.py'}"]
    if node := shutil.which("node"):
        commands.append(f"{node} {EXAMPLES / 'random_bot.js'}")
    if compiler := shutil.which("g++"):
        built = tmp_path / "random_bot"
        subprocess.run([compiler, "-O0", "-o", built, EXAMPLES / "random_bot.cpp"], check=True)
        commands.append(str(built))
    for command in commands:
        agent = str(Spec("bot", {"cmd": Spec(command), "walls": Spec(level), "start": Spec("60")}))
        result = play_fixture(quarto, [agent, "random"], Fixture(0, 0, (0, 1), 7, (1, 2)))
        assert result.offender == -1, result.fault
    bot_pool.end_all()


@pytest.mark.skipif(not shutil.which("java"), reason="there is no Java here")
@pytest.mark.parametrize("level", SOLID)
def test_java_runs_behind_walls(level):
    assert _said(["sh", "-c", "java -version 2>&1 | head -c 7"], level, memory=2048) in (["openjdk"], [])


@KERNEL
def test_the_folder_in_which_a_bot_may_write_goes_with_it_also_if_its_launcher_is_killed(tmp_path):
    program = tmp_path / "hoarder.py"
    program.write_text(
        "import os, sys\n"
        "os.makedirs(os.environ['HOME'] + '/a/b')\n"
        "open(os.environ['TMPDIR'] + '/a/b/c', 'w').write('x')\n"
        "os.mkdir(os.environ['HOME'] + '/closed', 0)\n"
        "print('there', flush=True)\n"
        "sys.stdin.read()\n"
    )
    for kill in (False, True):
        process = BotProcess([sys.executable, str(program)], Sandbox("kernel"))
        process.receive(monotonic() + PATIENCE)
        assert Path(process._private_folder, "a/b/c").read_text() == "x"
        if kill:
            os.kill(process.pid, signal.SIGKILL)
        process.end(politely=False)
        assert not Path(process._private_folder).exists()


@KERNEL
def test_what_a_bot_writes_to_its_folder_counts_as_memory(tmp_path):
    program = tmp_path / "writer.py"
    program.write_text(
        "import os\n"
        "for number in range(1000):\n"
        "    with open(f'{os.environ[\"TMPDIR\"]}/{number}', 'wb') as file:\n"
        "        file.write(bytes(1 << 20))\n"
        "import time; time.sleep(100)\n"
    )
    process = BotProcess([sys.executable, "-I", "-S", str(program)], Sandbox("kernel", memory=64))
    try:
        with pytest.raises(BotFault, match="64 are allowed"):
            process.receive(monotonic() + PATIENCE)
    finally:
        process.end()


@KERNEL
def test_bots_cannot_see_the_folders_of_each_other_wherever_their_programs_lie():
    room = sandbox.new_private_folder()
    try:
        Path(room).mkdir()
        rules = Sandbox("kernel").landlock_rules([sys.executable, "-c", ""], "/room")
        rules += Sandbox("kernel", readable=(str(sandbox.private_folders().parent),)).landlock_rules(["true"], "/room")
        assert not [path for access, path in rules if access == "read" and room.startswith(path)]
    finally:
        Path(room).rmdir()


@pytest.mark.parametrize("level", SOLID)
def test_a_folder_with_too_much_in_it_to_hide_a_part_is_refused(tmp_path, monkeypatch, level):
    monkeypatch.setattr(sandbox, "MOST_ENTRIES", 3)
    for number in range(4):
        (tmp_path / str(number)).touch()
    with pytest.raises(BadValue, match="in another one"):
        BotProcess([str(tmp_path / "0")], Sandbox(level, hidden=(str(tmp_path / "results.db"),)))


def test_a_folder_of_somebody_else_is_not_used_for_what_bots_write(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "private_folders", lambda: tmp_path / "rooms")
    (tmp_path / "rooms").mkdir(0o755)
    with pytest.raises(BadValue, match="yours alone"):
        sandbox.new_private_folder()


def test_who_starts_a_bot_is_closed_to_others_and_the_bot_is_not(tmp_path):
    program = tmp_path / "asks.py"
    program.write_text("import ctypes; print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))")
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    assert _said([sys.executable, str(program)], "limits") == ["1"]
    assert ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == 0


@pytest.mark.parametrize("level", ["limits", *SOLID])
def test_nothing_survives_a_bot_at_any_level(tmp_path, level):
    token = mark()
    program = tmp_path / "leaves.py"
    program.write_text(
        "import os, time\n"
        "for _ in range(3):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork() == 0:\n"
        "            time.sleep(1000)\n"
        "        os._exit(0)\n"
        "    os.wait()\n"
        "print('left', flush=True)\n"
    )
    assert _said([sys.executable, str(program), token], level) == ["left"]
    assert soon_gone(token) == []


@pytest.mark.parametrize("level", SOLID)
def test_a_program_among_temporary_files_sees_the_files_beside_it_and_has_a_place_to_write(level):
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as folder,
        tempfile.NamedTemporaryFile("w", dir="/tmp", suffix=".py") as file,
    ):
        Path(folder, "secret").write_text("x")
        file.write(f"""
import os, tempfile
try:
    open({str(Path(folder, "secret"))!r})
except OSError:
    print("hidden")
with tempfile.TemporaryFile() as out:
    out.write(b"x")
print(os.path.exists({file.name!r}))
""")
        file.flush()
        assert _said([sys.executable, file.name], level) == ["hidden", "True"]


@pytest.mark.parametrize("level", SOLID)
def test_a_program_in_the_home_folder_does_not_see_what_begins_with_a_dot(level, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "key").write_text("x")
    (tmp_path / "helper").mkdir()
    (tmp_path / "helper" / "data").write_text("seen")
    program = tmp_path / "bot.py"
    program.write_text(f"""
try:
    print(open({str(tmp_path / ".ssh" / "key")!r}).read())
except OSError:
    print(open({str(tmp_path / "helper" / "data")!r}).read())
""")
    assert _said([sys.executable, str(program)], level) == ["seen"]
