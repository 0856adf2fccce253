"""Which variable a name is: as Python has it, whose own symbol tables are asked, too."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest

import migrate
from migrate.trace.scopes import FUNCTIONS, Scope, Scopes
from tests.migrate.programs import module

HOMES = [
    pytest.param("x = 1\nuse(x)", "module", id="module"),
    pytest.param("x = 1\ndef f():\n    use(x)", "module", id="global that is only read"),
    pytest.param("x = 1\ndef f():\n    use(x)\n    x = 2", "f", id="local that is assigned later"),
    pytest.param("def f(x):\n    def g():\n        use(x)", "f", id="variable of the function around"),
    pytest.param("def f():\n    global x\n    x = 1\n    use(x)", "module", id="declared global"),
    pytest.param(
        "def f():\n    x = 1\n    def g():\n        global x\n        use(x)",
        "module",
        id="global past a function",
    ),
    pytest.param(
        "x = 1\ndef f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n        use(x)",
        "f",
        id="nonlocal",
    ),
    pytest.param("class A:\n    x = 1\n    use(x)", "A", id="class body"),
    pytest.param("x = 1\nclass A:\n    x = 1\n    def f(self):\n        use(x)", "module", id="past a class"),
    pytest.param("x = 1\ndef f(x=use(x)): pass", "module", id="default"),
    pytest.param("x = 1\ndef f(x: use(x)): pass", "module", id="annotation"),
    pytest.param("x = 1\n@use(x)\ndef f(x): pass", "module", id="decorator"),
    pytest.param("x = 1\nclass A(use(x)):\n    x = 1", "module", id="base class"),
    pytest.param("x = 1\nf = lambda x: use(x)", "Lambda", id="parameter of a lambda"),
    pytest.param("x = 1\nf = lambda x=use(x): x", "module", id="default of a lambda"),
    pytest.param("x = 1\n[use(x) for x in y]", "ListComp", id="comprehension"),
    pytest.param("x = 1\n[x for x in use(x)]", "module", id="what a comprehension goes through"),
    pytest.param("x = 1\n[x for y in z for x in use(x)]", "ListComp", id="what it goes through in it"),
    pytest.param("def f():\n    [use(x := y) for y in z]\n    return x", "f", id="walrus in a comprehension"),
    pytest.param("try: pass\nexcept Exception as x:\n    use(x)", "module", id="exception"),
    pytest.param("import x.y\nuse(x)", "module", id="import"),
    pytest.param("use(x)", None, id="never bound"),
]


def opened_by(scope: Scope | None) -> str | None:
    """What a scope is called here."""
    if scope is None or isinstance(scope.node, ast.Module):
        return "module" if scope else None
    return getattr(scope.node, "name", type(scope.node).__name__)


@pytest.mark.parametrize(("source", "expected"), HOMES)
def test_a_name_is_the_variable_that_python_takes_it_for(source: str, expected: str | None) -> None:
    code = module(source)
    (call,) = (
        node for node in ast.walk(code.tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "use"
    )
    (name,) = (node for node in ast.walk(call) if isinstance(node, ast.Name) and node.id == "x")
    assert opened_by(Scopes([code]).home(name)) == expected


def test_a_parameter_is_a_variable_of_its_function() -> None:
    code = module("def f(x): pass")
    (parameter,) = (node for node in ast.walk(code.tree) if isinstance(node, ast.arg))
    assert opened_by(Scopes([code]).home(parameter)) == "f"


def test_a_name_is_the_same_in_two_functions_only_where_it_is_one_variable() -> None:
    code = module("x = y = 1\ndef f(y):\n    return x + y + len(z)\ndef g():\n    return x + y + len(z)")
    scopes = Scopes([code])
    f, g = code.tree.body[1:]
    assert [name for name in ("x", "y", "len", "z") if scopes.is_same(name, f, g)] == ["x", "len", "z"]


def test_names_are_found_in_every_module() -> None:
    modules = [module("x = 1", "a.py"), module("def f():\n    y = 2\n    return y", "b.py")]
    scopes = Scopes(modules)
    for code, expected in zip(modules, ("module", "f"), strict=True):
        names = [node for node in ast.walk(code.tree) if isinstance(node, ast.Name)]
        assert {opened_by(scopes.home(name)) for name in names} == {expected}
    assert scopes.around(modules[0].tree.body[0]) is scopes.tops["a.py"]


COMPREHENSIONS = frozenset({"listcomp", "setcomp", "dictcomp", "genexpr"})


def functions_below(table: symtable.SymbolTable) -> Iterator[symtable.Function]:
    """The functions and lambdas of a module, as Python's compiler sees them."""
    for inner in table.get_children():
        if isinstance(inner, symtable.Function) and inner.get_name() not in COMPREHENSIONS:
            yield inner
        yield from functions_below(inner)


def locals_of(table: symtable.Function) -> set[str]:
    """A function's variables with those of its comprehensions, which some Pythons compile into it."""
    found = {name for name in table.get_locals() if not name.startswith(".")}
    for inner in table.get_children():
        if isinstance(inner, symtable.Function) and inner.get_name() in COMPREHENSIONS:
            found |= locals_of(inner)
    return found


@pytest.mark.parametrize("package", ["trace", "graph", "syntax", "columns"])
def test_the_local_names_of_functions_are_those_that_the_compiler_finds(package: str) -> None:
    for path in sorted(Path(migrate.__file__).parent.joinpath(package).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        scopes = Scopes([module(source)])
        ours = {node: set(scope.names) for node, scope in scopes.items() if isinstance(node, FUNCTIONS)}
        for scope in scopes.values():
            if scope.owner.node in ours:
                ours[scope.owner.node] |= scope.names
        found = sorted((node.lineno, *sorted(names)) for node, names in ours.items())
        table = symtable.symtable(source, path.name, "exec")
        theirs = sorted((f.get_lineno(), *sorted(locals_of(f))) for f in functions_below(table))
        assert [names for _, *names in found] == [names for _, *names in theirs], path
