"""Functions that are inlined into the compiled functions that call them.

Numba would optimise each, make its machine code and wrap it for calls from Python. A function that is inlined wherever
it is called needs none of that, and compiling takes half as long. If Python calls it all the same, it is compiled as
other functions are.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

ENVIRONMENT = "_ZN08NumbaEnv"  # with which names of environments begin


class _NoEnvironments:
    """Stands for the code generator where numba sets the environment of a function that is never run by itself."""

    def __init__(self, codegen: Any):
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing."""


class _InlinedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The intermediate code of a function, ready to be linked into others; no machine code."""

    @property
    def codegen(self) -> Any:
        return _NoEnvironments(self._codegen)

    @property
    def final_module(self) -> Any:
        """The intermediate code of the function with that of all that it calls."""
        with global_compiler_lock:
            self._ensure_finalized()
        return self._final_module

    def _optimize_final_module(self) -> None:
        pass  # it is optimised where it is inlined

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlinedLowering(NativeLowering):  # type: ignore[misc]
    _name = "kibitz_inlined_lowering"

    def run_pass(self, state: Any) -> bool:
        codegen = state.targetctx.codegen()
        state.library = _InlinedLibrary(codegen, state.func_id.func_qualname)
        return bool(super().run_pass(state))


class InlinedCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, less what a function needs that is called from Python."""

    def define_pipelines(self) -> Any:
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (_InlinedLowering, text) if kind is NativeLowering else (kind, text) for kind, text in pipeline.passes
            ]
        return pipelines


def set_environments(library: Any) -> None:
    """Set the environments of all functions that were inlined into a library."""
    for variable in library._final_module.global_variables:
        if variable.name.startswith(ENVIRONMENT):
            environment = lookup_environment(variable.name)
            if environment is not None:
                library.codegen.set_env(variable.name, environment)


_OPTIONS = {"nopython": True, "forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class InlinedFunction(CPUDispatcher):  # type: ignore[misc]
    """A function as compiled code calls it; `compiled` makes what Python calls in its place."""

    def __init__(self, function: Callable[..., Any], compiled: Callable[[Callable[..., Any]], Callable[..., Any]]):
        super().__init__(function, targetoptions=dict(_OPTIONS), pipeline_class=InlinedCompiler)
        self._compiled = compiled

    @cached_property
    def _for_python(self) -> Callable[..., Any]:
        return self._compiled(self.py_func)

    def compile_for(self, arguments: tuple[Any, ...]) -> Any:
        """Compile the function for arguments of these types; return what numba knows of the result."""
        self.compile(arguments)
        return self.overloads[arguments]

    def __call__(self, *args: Any) -> Any:
        return self._for_python(*args)
