"""Kernels as PTX, the code of graphics cards: compiled from a game's source once, then found by content.

The compiler is that of the processors: the LLVM that comes with numba can write PTX, too.
"""

import re
from typing import Any

import llvmlite.binding as llvm
import numba
from llvmlite import __version__ as llvmlite_version
from numba import types
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from kibitz.batches.card_code import DeviceCode
from kibitz.batches.card_kernels import TAKES, kernel_of
from kibitz.batches.card_maths import exp, log, power
from kibitz.core.address import INT, Native, explained, without_code
from kibitz.core.code_key import digest_of_parts
from kibitz.core.code_on_disk import kept_code
from kibitz.core.contract import AT, GUARD, HALT_AT, SIGNATURES
from kibitz.core.errors import BadGame
from kibitz.core.game import Game
from kibitz.core.heuristics import Value

ENTRY = "kernel"  # the name of the one function in it that others see
_TRIPLE = "nvptx64-nvidia-cuda"
_MATHS = {"exp": (exp, 1), "log": (log, 1), "pow": (power, 2)}  # what cards lack, with the number of arguments
_LACKING = re.compile(r"llvm\.(pow|powi|exp|exp2|exp10|log|log2|log10|sin|cos|tan|asin|acos|atan|sinh|cosh|tanh)\b")
_FORMAT = 3  # of what is kept on disk


def kernel_ptx(game: Game, what: str, capability: tuple[int, int], asked: Native | None = None) -> str:
    """Return the PTX of one of the kernels for a game; `asked` is the policy or value that it calls."""
    code = DeviceCode()
    found = {name: rule for name, rule in game.found_rules().items() if name in SIGNATURES}
    with without_code():
        sizes = game.unbound().rules[len(AT) :].tolist()
    sizes[HALT_AT - len(AT)] = 0  # a card has no signals
    rules = (*(code.number_of(found.get(name)) for name in SIGNATURES), *sizes)
    kernel = kernel_of(what, rules, game.most_moves + GUARD, *_asked(code, asked))
    functions = [native.function for native in (*found.values(), *([asked] if asked else []))]
    key = digest_of_parts([_FORMAT, numba.__version__, llvmlite_version, capability, rules, kernel, *functions])
    return kept_code(f"card-{what}-{key.hex()}", lambda: _compiled(game, code, kernel, what, capability)).decode()


def _asked(code: DeviceCode, asked: Native | None) -> tuple[int, tuple[int, int, int]]:
    """Return a policy and a value as kernels take them: by numbers."""
    number = code.number_of(asked)
    if not isinstance(asked, Value):
        return number, (0, 0, 0)
    form = (number, 0) if asked.for_one_seat else (0, number)
    return 0, (*form, int(asked.shares))


def _compiled(game: Game, code: DeviceCode, kernel: Any, what: str, capability: tuple[int, int]) -> bytes:
    takes = (INT, *TAKES[what])
    try:
        made = code.compiled(kernel, takes)
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise BadGame(f"{game} cannot be compiled for a graphics card: {explained(kernel, error)}") from error
    return _as_ptx(game, str(made.library.final_module), made.fndesc.llvm_func_name, takes, capability).encode()


def _as_ptx(game: Game, module: str, function: str, takes: tuple[Any, ...], capability: tuple[int, int]) -> str:
    """Return a function, with all that it calls, as a kernel."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    kinds = ["i64" if kind == types.int64 else "ptr" for kind in takes]
    given = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(kinds))
    entry = (
        f"define ptx_kernel void @{ENTRY}({given}) {{\n  %r = alloca ptr\n  %e = alloca ptr\n"
        f'  %s = call i32 @"{function}"(ptr %r, ptr %e, {given})\n  ret void\n}}\n'
    )
    machine = llvm.Target.from_triple(_TRIPLE).create_target_machine(
        cpu=f"sm_{capability[0]}{capability[1]}", opt=3, codemodel="default"
    )
    linked = _with_maths(module + entry)
    linked.triple, linked.data_layout = _TRIPLE, str(machine.target_data)
    for one in linked.functions:
        if not one.is_declaration and one.name != ENTRY:
            one.linkage = "internal"
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(linked, passes)
    foreign = [one.name for one in linked.functions if one.is_declaration and _is_lacking(one.name)]
    if foreign:
        what = "makes arrays; scratch(n) has room" if "NRT" in foreign[0] else f"calls {', '.join(sorted(foreign))}"
        raise BadGame(f"{game} cannot be compiled for a graphics card: a rule of it {what}")
    return machine.emit_assembly(linked)


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
