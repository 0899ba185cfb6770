"""The processor that machine code is compiled for: a level that most share, so that code made elsewhere can be used."""

import platform

import llvmlite.binding
from numba.core import config

# The levels of x86-64 are named by the System V ABI; a processor has a level if it has all these features.
X86_64_V3 = "x86-64-v3"
_FEATURES = {
    X86_64_V3: (
        "cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3",
        "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave",
    ),
}  # fmt: skip
_ARM = "generic"  # the level that every 64-bit ARM processor has
_BMI2 = "bmi2"


def usual_target() -> str | None:
    """Return the level that code is compiled for on this machine; None to compile for the processor itself."""
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        present = llvmlite.binding.get_host_cpu_features()
        return next((level for level, wanted in _FEATURES.items() if all(present.get(f) for f in wanted)), None)
    return _ARM if machine == "aarch64" else None


def choose_target() -> None:
    """Set the target for this process, before anything is compiled; NUMBA_CPU_NAME and NUMBA_ENABLE_AVX overrule it."""
    level = usual_target()
    if config.CPU_NAME is None and config.CPU_FEATURES is None and config.ENABLE_AVX and level is not None:
        config.CPU_NAME, config.CPU_FEATURES = level, ""


def target_of(processor: str, features: str) -> str:
    """Return the name of a target; a processor with a list of features of its own has a longer one."""
    return f"{processor}{features}"


def has_bmi2(processor: str, features: str) -> bool:
    """Return whether code for a target may use the instructions PDEP and PEXT."""
    return f"+{_BMI2}" in features.split(",") or (not features and _BMI2 in _FEATURES.get(processor, ()))
