"""The public names as type checkers read them: __init__.pyi, made from the list in __init__.py.

python -m tests.stub    # writes it
"""

import kibitz
from kibitz.core.code_on_disk import PACKAGE

PATH = PACKAGE / "__init__.pyi"


def stub() -> str:
    """Return what the file must hold."""
    imports = [line for home, entries in sorted(kibitz._HOMES.items()) for line in _imports(home, entries)]
    names = "".join(f'    "{name}",\n' for name in sorted(kibitz.__all__, key=_rank))
    head = '"""The public names for type checkers; made from the list in __init__.py by: python -m tests.stub"""\n'
    return f"{head}\n{chr(10).join(imports)}\n\n__version__: str\n\n__all__ = [\n{names}]\n"


def _imports(home: str, entries: tuple[str, ...]) -> list[str]:
    """Return the lines that import names from one place, renamed ones apart."""
    plain = [entry for entry in entries if " as " not in entry]
    together = [f"from {home} import {', '.join(plain)}"] if plain else []
    return together + [f"from {home} import {entry}" for entry in entries if entry not in plain]


def _rank(name: str) -> tuple[bool, bool, str]:
    """Return where a name stands: constants first, then classes."""
    return not name.isupper(), not name[0].isupper(), name


if __name__ == "__main__":
    PATH.write_text(stub())
