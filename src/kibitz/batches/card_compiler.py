"""Kernels as PTX, the code of graphics cards: compiled from a game's source once, then found by content.

The compiler is that of the processors: the LLVM that comes with numba can write PTX, too.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from llvmlite import __version__ as llvmlite_version
from numba import types
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from kibitz.batches.card_code import DeviceCode
from kibitz.batches.card_copies import with_cell_loops
from kibitz.batches.card_kernels import TAKES, kernel_of
from kibitz.batches.card_maths import exp, log, power
from kibitz.batches.card_refusal import NotForCards, of_error, of_foreign
from kibitz.batches.card_room import ROOM, with_room
from kibitz.core.address import INT, Native, without_code
from kibitz.core.code_key import digest_of_parts
from kibitz.core.code_on_disk import kept_code
from kibitz.core.contract import AT, GUARD, HALT_AT, POLICY, SIGNATURES
from kibitz.core.errors import BadGame
from kibitz.core.game import Game
from kibitz.core.heuristics import Value
from kibitz.core.inlined_functions import ENVIRONMENT
from kibitz.networks.encoding import Encoding

ENTRY = "kernel"  # the name of the one function in it that others see
_BODY = "\n{\n"  # how the body of the kernel begins
_TRIPLE = "nvptx64-nvidia-cuda"
_MATHS = {"exp": (exp, 1), "log": (log, 1), "pow": (power, 2)}  # what cards lack, with the number of arguments
_LACKING = re.compile(r"llvm\.(pow|powi|exp|exp2|exp10|log|log2|log10|sin|cos|tan|asin|acos|atan|sinh|cosh|tanh)\b")
_FORMAT = 6  # of what is kept on disk


class Kernel(NamedTuple):
    """One of the kernels for a game, before it is compiled."""

    game: Game
    what: str
    code: DeviceCode
    function: Any
    rules: tuple[int, ...]  # numbers in place of addresses
    natives: tuple[Native, ...]  # all that it may call by number

    @property
    def takes(self) -> tuple[Any, ...]:
        """The types of its arguments."""
        return (INT, *TAKES[self.what])


def kernel_for(game: Game, what: str, asked: tuple[Native, ...] = ()) -> Kernel:
    """Return one of the kernels for a game; `asked` is what it calls: a policy, value or encoding, and what that calls.

    A function is called by its place in `natives`, counted from 1.
    """
    found, natives = _rules_of(game), _natives(game, asked)
    code = _device_code(natives)
    with without_code():
        sizes = game.unbound().rules[len(AT) :].tolist()
    sizes[HALT_AT - len(AT)] = 0  # a card has no signals
    rules = (*(code.number_of(found.get(name)) for name in SIGNATURES), *sizes)
    function = kernel_of(what, rules, game.most_moves + GUARD, _entries(code, asked))
    return Kernel(game, what, code, function, rules, natives)


def numbers_of(game: Game, asked: tuple[Native, ...]) -> list[int]:
    """Return the numbers by which the kernels of a game that call certain functions call them."""
    natives = _natives(game, asked)
    return [natives.index(one) + 1 for one in asked]


def _rules_of(game: Game) -> dict[str, Native]:
    return {name: rule for name, rule in game.found_rules().items() if name in SIGNATURES}


def _natives(game: Game, asked: tuple[Native, ...]) -> tuple[Native, ...]:
    return tuple(dict.fromkeys([*_rules_of(game).values(), *asked]))


@lru_cache(maxsize=64)
def _device_code(natives: tuple[Native, ...]) -> DeviceCode:
    return DeviceCode(natives)


def _entries(code: DeviceCode, asked: tuple[Native, ...]) -> tuple[int, ...]:
    """Return what a kernel calls as it takes it: a value as its entries, an encoding with its sizes."""
    first = asked[0] if asked else None
    number = code.number_of(first)
    if isinstance(first, Encoding):
        return number, int(first.most > 0), first.length
    if first is None or first.signature == POLICY:
        return (number,)
    one_seat = isinstance(first, Value) and first.for_one_seat
    return number if one_seat else 0, 0 if one_seat else number, int(isinstance(first, Value) and first.shares)


def kernel_ptx(game: Game, what: str, capability: tuple[int, int], asked: tuple[Native, ...] = ()) -> str:
    """Return the PTX of one of the kernels for a game; its first line says how much room each thread needs."""
    kernel = kernel_for(game, what, asked)
    return kept_code(f"card-{name_of(kernel, capability)}", lambda: _as_ptx(kernel, capability).encode()).decode()


def name_of(kernel: Kernel, machine: Any) -> str:
    """Return the name of a kernel for a machine, which is another one if its code would be."""
    functions = [native.function for native in kernel.natives]
    versions = [_FORMAT, numba.__version__, llvmlite_version, machine]
    return f"{kernel.what}-{digest_of_parts([*versions, kernel.rules, kernel.function, *functions]).hex()}"


def _as_ptx(kernel: Kernel, capability: tuple[int, int]) -> str:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(_TRIPLE).create_target_machine(
        cpu=f"sm_{capability[0]}{capability[1]}", opt=3, codemodel="default"
    )
    cells, module = with_room(str(optimised(kernel, machine, _TRIPLE, _with_aligned_arrays)))
    code = str(machine.emit_assembly(llvm.parse_assembly(module)))
    return f"{ROOM}{cells}\n{code}"


def shaped(code: str, threads: int, blocks: int) -> str:
    """Return PTX for blocks of so many threads, so many of which each multiprocessor runs at once."""
    return code.replace(_BODY, f"\n.maxntid {threads}\n.minnctapersm {blocks}{_BODY}", 1)


def _with_aligned_arrays(module: str) -> str:
    """Return a module in which two cells of an array are loaded at once; arrays on cards begin at multiples of 512."""
    return re.sub(r"\bptr (%a\d+\b)", r"ptr align 16 \1", module)


def optimised(kernel: Kernel, machine: Any, triple: str, changed: Callable[[str], str]) -> Any:
    """Return a kernel with all that it calls as a module for a machine; `changed` is what becomes of its text before.

    A BadGame says where something stands that cards lack.
    """
    try:
        device = kernel.code.kernel((kernel.what, kernel.rules), kernel.function)
        made = device.compile_for(kernel.takes)
    except NotForCards as error:
        raise _refused(kernel, str(error)) from error
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise _refused(kernel, of_error(kernel.function, error)) from error
    entry = _entry_text(made.fndesc.llvm_func_name, kernel.takes)
    linked = _with_maths(changed(f"{with_cell_loops(str(made.library.final_module))}\n{entry}"))
    linked.triple, linked.data_layout = triple, str(machine.target_data)
    environments = (one for one in linked.global_variables if one.name.startswith(ENVIRONMENT))
    for one in (*(one for one in linked.functions if not one.is_declaration and one.name != ENTRY), *environments):
        one.linkage = "internal"  # so that it goes where nothing needs it
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(linked, passes)
    foreign = {one.name for one in linked.functions if one.is_declaration and _is_lacking(one.name)}
    if foreign:
        raise _refused(kernel, of_foreign(device, foreign))
    return linked


def _refused(kernel: Kernel, why: str) -> BadGame:
    return BadGame(f"{kernel.game} cannot be compiled for a graphics card: {why}")


def _entry_text(function: str, takes: tuple[Any, ...]) -> str:
    """Return a function in the language of LLVM that calls a compiled one.

    It has two arguments more: a cell in which it writes 1 if the compiled one ends by an error, and room.
    """
    kinds = ["i64" if one == types.int64 else "ptr" for one in takes]
    given = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(kinds))
    return (
        f"define ptx_kernel void @{ENTRY}({given}, ptr %failed, ptr %room) {{\n"
        f"  %r = alloca ptr\n  %e = alloca ptr\n"
        f'  %s = call i32 @"{function}"(ptr %r, ptr %e, {given})\n'
        f"  %bad = icmp ne i32 %s, 0\n  br i1 %bad, label %told, label %done\n"
        f"told:\n  store i64 1, ptr %failed\n  br label %done\n"
        f"done:\n  ret void\n}}\n"
    )


def _is_lacking(name: str) -> bool:
    return not name.startswith("llvm.") or _LACKING.match(name) is not None


def _with_maths(module: str) -> Any:
    """Return a module in which functions of mathematics that cards lack are ours."""
    module, added = module.replace("@sqrt(", "@llvm.sqrt.f64("), []
    for name, (function, arity) in _MATHS.items():
        its_names = rf"@(?:llvm\.{name}\.f64|{name})\("
        if re.search(its_names, module):
            module = re.sub(rf"(?m)^declare [^\n]*{its_names}[^\n]*\n", "", module)
            numbers = ", ".join(["double"] * arity)
            module = f"{re.sub(its_names, f'@card_{name}(', module)}declare double @card_{name}({numbers})\n"
            added.append(_one_of_maths(name, function, arity))
    linked = llvm.parse_assembly(module)
    for one in added:
        linked.link_in(one)
    return linked


def _one_of_maths(name: str, function: Any, arity: int) -> Any:
    """Return a module with a function of mathematics as compiled code calls it."""
    made = function.compile_for((types.float64,) * arity)
    given = ", ".join(f"double %x{i}" for i in range(arity))
    return llvm.parse_assembly(
        f"{made.library.final_module}\n"
        f"define double @card_{name}({given}) {{\n  %r = alloca double\n  %e = alloca ptr\n"
        f'  %s = call i32 @"{made.fndesc.llvm_func_name}"(ptr %r, ptr %e, {given})\n'
        f"  %v = load double, ptr %r\n  ret double %v\n}}\n"
    )
