"""Room for a thread of a graphics card beyond what its own memory should hold: a piece of an array on the card.

A card has as much memory of a thread for each of the many that it can run side by side. So what a function keeps there
is moved to an array if it is large, and fewer threads are started.
"""

import re

ROOM = "// cells of room for each thread: "  # how PTX begins
LARGE = 4096  # cells
_CELLS = re.compile(r"^  (%\S+) = alloca \[(\d+) x i64\].*$", re.MULTILINE)
_BEGIN = re.compile(r"^define [^\n]*@kernel\([^\n]*\{\n(?:\w+:[^\n]*\n)?", re.MULTILINE)


def with_room(module: str) -> tuple[int, str]:
    """Return how many cells of room each thread of a kernel needs, and the kernel that takes them from there."""
    large = {name: int(cells) for name, cells in _CELLS.findall(module) if int(cells) >= LARGE}
    total = 0
    for name, cells in large.items():
        module = re.sub(rf"(?m)^.*@llvm\.lifetime\.[^\n]*{re.escape(name)}\).*\n", "", module)
        place = f"  {name} = getelementptr i64, ptr %own, i64 {total}"
        module = re.sub(rf"(?m)^  {re.escape(name)} = alloca [^\n]*$", place, module)
        total += cells
    return total, _BEGIN.sub(lambda found: found[0] + _own(total), module, count=1) if large else module


def _own(cells: int) -> str:
    """Return how a thread finds its piece."""
    registers = ("ctaid.x", "ntid.x", "tid.x")
    reads = (f"  %own.{name} = call i32 @llvm.nvvm.read.ptx.sreg.{name}()\n" for name in registers)
    return "".join(reads) + (
        "  %own.before = mul i32 %own.ctaid.x, %own.ntid.x\n  %own.thread = add i32 %own.before, %own.tid.x\n"
        f"  %own.number = zext i32 %own.thread to i64\n  %own.start = mul i64 %own.number, {cells}\n"
        "  %own = getelementptr i64, ptr %room, i64 %own.start\n"
    )


def room_of(ptx: str) -> int:
    """Return how many cells of room each thread of a kernel needs."""
    return int(ptx.partition("\n")[0].removeprefix(ROOM))
