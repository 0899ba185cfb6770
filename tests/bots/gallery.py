"""What the tests of bots share: bots with marks, and looks at what they leave behind."""

import json
import os
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic, sleep

import pytest

from kibitz.bots.sandbox.sandbox import why_no_bwrap, why_no_kernel
from kibitz.core.spec import Spec
from tests.bots.bubblewrap import MISSING, bubblewrap

ROGUE = Path(__file__).with_name("rogue.py")
SCRIBE = Path(__file__).with_name("scribe.py")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "bots"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
bubblewrap()  # is installed before anybody asks whether it is there
BWRAP = pytest.mark.skipif(bool(why_no_bwrap()), reason=f"{MISSING}: {why_no_bwrap()}")
KERNEL = pytest.mark.skipif(bool(why_no_kernel()), reason=f"THE KERNEL'S WALLS ARE NOT TRIED: {why_no_kernel()}")
SOLID = [pytest.param("bwrap", marks=BWRAP), pytest.param("kernel", marks=KERNEL)]
PATIENCE = 60.0  # seconds, for machines that have much to do

_marks = count()


def mark():
    """Return a word that no other process has in its command."""
    return f"kibitz-mark-{os.getpid()}-{next(_marks)}"


def bot(*words, **options):
    """Return the text of a bot that runs a Python program."""
    cmd = " ".join(f'"{word}"' if " " in word else word for word in (sys.executable, "-I", "-S", *map(str, words)))
    given = {"walls": "limits", "start": PATIENCE, **options}
    return str(Spec("bot", {"cmd": Spec(cmd), **{name: Spec(str(value)) for name, value in given.items()}}))


def rogue(how, token="", **options):
    """Return the text of a bot that misbehaves."""
    return bot(ROGUE, how, token or mark(), **options)


def scribe(notes, *wants):
    """Return the text of a bot that writes down what it is told."""
    return bot(SCRIBE, notes, *wants)


def told(notes, kind):
    """Return the messages of a kind that a bot has written down."""
    return [message for message in map(json.loads, notes.read_text().splitlines()) if message["type"] == kind]


def processes_with(token):
    """Return the processes that have a word in their command."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if token.encode() in words:
                found.append(int(entry.name))
    return found


def children():
    """Return our own children, dead ones that nobody has waited for included."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(stat[1]) == os.getpid():
                found.append(int(entry.name))
    return found


def descriptors():
    """Return how many descriptors this process has open, without the shared memory that multiprocessing keeps."""
    found = 0
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found += "/pym" not in str(entry.readlink())
    return found


def soon_gone(token):
    """Return what is left of processes with a mark after a while: nothing, as soon as there is nothing."""
    until = monotonic() + PATIENCE
    while (left := processes_with(token)) and monotonic() < until:
        sleep(0.02)
    return left
