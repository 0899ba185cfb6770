"""A card that is simulated: the kernels of graphics cards, compiled for the processor, with NumPy arrays."""

from ctypes import CFUNCTYPE, c_int64, c_void_p

import llvmlite.binding as llvm
import numpy as np
from numba import types

from kibitz.batches.card import GraphicsCard
from kibitz.batches.card_compiler import ENTRY, kernel_for, name_of, optimised
from kibitz.batches.game_batch import GameBatch
from kibitz.core.code_on_disk import kept_code
from kibitz.games import find

THREADS = 3  # which take turns, each with its own rows
_SREG = "llvm.nvvm.read.ptx.sreg."
_KEPT = {}  # machine code of kernels, with what holds it


class SimulatedCard(GraphicsCard):
    """Runs the kernels of a game's batches, one thread after the other."""

    def __init__(self, game):
        self.game, self.arrays = game, np
        self._begin()

    def _loaded(self, what, asked):
        function, number = _machine_code(kernel_for(self.game, what, asked))

        def start(rows, *given):
            addresses = [one.ctypes.data if isinstance(one, np.ndarray) else one for one in (*given, self._failed)]
            assert all(one.flags.c_contiguous for one in given if isinstance(one, np.ndarray))
            for number.value in range(THREADS):
                function(rows, *addresses, None)

        return start


def simulated_batch(text, games, seed=0):
    """Return a batch on a simulated card."""
    game = find(text) if isinstance(text, str) else text
    return GameBatch(game, games, SimulatedCard(game), seed)


def _machine_code(kernel):
    """Return the function of a kernel, and the cell with the number of the thread."""
    known = kernel.what, kernel.rules, kernel.natives
    if known not in _KEPT:
        engine = _engine(kernel)
        takes = [c_int64 if kind == types.int64 else c_void_p for kind in kernel.takes]
        function = CFUNCTYPE(None, *takes, c_void_p, c_void_p)(engine.get_function_address(ENTRY))
        _KEPT[known] = engine, function, c_int64.from_address(engine.get_global_value_address("thread"))
    return _KEPT[known][1:]


def _engine(kernel):
    """Return an engine with the machine code of a kernel, which is kept as that of cards is."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple, cpu = llvm.get_process_triple(), llvm.get_host_cpu_name()
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, opt=1, jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    code = kept_code(
        f"simulated-{name_of(kernel, (triple, cpu, THREADS))}",
        lambda: machine.emit_object(optimised(kernel, machine, triple, _with_threads)),
    )
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def _with_threads(module):
    """Return a module in which the registers of threads are a variable and two numbers."""
    lines = [line for line in module.splitlines() if not (line.startswith("declare") and _SREG in line)]
    text = "\n".join(lines).replace(f"@{_SREG}", "@sreg.").replace("define ptx_kernel ", "define ")
    numbers = {"ctaid.x": 0, "ntid.x": THREADS, "nctaid.x": 1}
    return (
        f"{text}\n@thread = global i64 0\n"
        "define i32 @sreg.tid.x() {\n  %n = load i64, ptr @thread\n  %t = trunc i64 %n to i32\n  ret i32 %t\n}\n"
        + "".join(f"define i32 @sreg.{name}() {{\n  ret i32 {n}\n}}\n" for name, n in numbers.items())
    )
