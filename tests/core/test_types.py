"""Every function says its types, but for compiled ones, whose types numba infers."""

import ast

from kibitz.core.code_on_disk import PACKAGE

COMPILED = {
    "actions", "compiled", "encoding", "helper", "hint", "intrinsic", "move_filter", "move_order", "numbering",
    "overload", "policy", "root_weights", "rule", "symmetry", "value",
}  # fmt: skip
OTHERS = {
    "plugins/courses/adapters/modules": "interfaces of other people, as their programs know them",
    "plugins/documents/programs": "programs of the authors",
    "core/bits.py": "machine code through llvmlite, which has no types",
    "core/native.py": "the same",
    "networks/vector_sums.py": "the same",
    "batches/card_kernels.py": "kernels, which are compiled by their types",
    "batches/card_game_kernels.py": "the same",
    "cli/templates": "what an author of a game or an agent starts from",
}
FILES = sorted(
    path for path in PACKAGE.rglob("*.py") if not any(path.is_relative_to(PACKAGE / place) for place in OTHERS)
)


def _is_compiled(function):
    names = {ast.unparse(one).split("(")[0].rsplit(".", 1)[-1] for one in function.decorator_list}
    return bool(names & COMPILED)


def _handed_over(tree):
    """Return the names of functions that calls compile, and of those that run where nothing is compiled."""
    names = {"Native", *COMPILED}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
            given = [*node.args[:1], *(one.value for one in node.keywords)]
            yield from (one.id for one in given if isinstance(one, ast.Name))
        elif isinstance(node, ast.IfExp) and ast.unparse(node.test) == "INTERPRETED":
            yield ast.unparse(node.body)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "INTERPRETED":
            yield from (one.name for one in node.body if isinstance(one, ast.FunctionDef))


def _is_annotated(function):
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    own = named[1:] if named and named[0].arg in ("self", "cls") else named
    returns = function.returns is not None or function.name == "__init__"  # as mypy has it
    return returns and all(argument.annotation for argument in own)


def _untyped(node, handed_over):
    """Yield functions that lack a type and neither are compiled nor stand in one that is."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            if _is_compiled(child) or child.name in handed_over:
                continue
            if not _is_annotated(child):
                yield child
        yield from _untyped(child, handed_over)


def test_only_compiled_functions_have_no_types():
    found = []
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        untyped = _untyped(tree, {*_handed_over(tree)})
        found += [f"{path.relative_to(PACKAGE)}, line {one.lineno}: {one.name}" for one in untyped]
    assert found == []


def test_what_is_left_out_is_there():
    assert [place for place in OTHERS if not (PACKAGE / place).exists()] == []
