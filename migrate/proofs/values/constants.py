"""Variables that are bound once, to a literal, and whose value nothing changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from migrate.knowledge import methods
from migrate.proofs.analysis.aliases import parameter_of
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.tree import parameter_names

Constant = (
    None | bool | int | float | str | tuple[object, ...] | list[object] | set[object] | dict[object, object]
)
_READING = methods.VIEWS | {"get", "index", "count"}
"""Methods that look at a list or a dict."""

Handed = frozenset[tuple[ast.FunctionDef, str]]
"""Parameters of functions, by these and their names."""
_FIXED = (str, int, float, type(None))
_ONLY_READ = frozenset(
    {"createDataFrame", "createDirectStream", "dict", "len", "namedtuple", "parallelize", "sorted", "toDF"}
    | {"broadcast"}
)
"""Functions and methods that leave a list or dict that they are given as it is."""


def constant(name: str, before: int, facts: Facts) -> tuple[bool, Constant]:
    """Whether `name` is bound once, to a literal, before line `before`, and never changed; its value."""
    return facts.once(_Constants).constant(name, before)


def literal(node: ast.expr, facts: Facts) -> object:
    """The value of a literal, or of a name that is bound once to one; else None."""
    if isinstance(node, ast.Name):
        return constant(node.id, node.lineno, facts)[1]
    return node.value if isinstance(node, ast.Constant) else None


def constants_of(names: Iterable[str], facts: Facts) -> dict[str, tuple[int, Constant]]:
    """Those of some names that are bound so, with the lines on which they are and their values."""
    known = facts.once(_Constants)
    return {name: found for name in names if (found := known.of(name)) is not None}


def _gone_through(load: ast.Name, facts: Facts) -> bool:
    """Whether a loop or a comprehension goes through a list there."""
    parent = facts.above[load]
    return isinstance(parent, ast.For | ast.comprehension) and parent.iter is load


def only_read(load: ast.Name, facts: Facts) -> bool:
    """Whether reading a list, set or dict there cannot lead to a change of it: ``limits[0]``."""
    return _only_read(load, facts, frozenset())


def _only_read(load: ast.Name, facts: Facts, inside: Handed) -> bool:
    """The same, in functions of the program that hand it on to one another."""
    parent = facts.above[load]
    if isinstance(parent, ast.keyword):
        parent = facts.above[parent]
    if isinstance(parent, ast.Compare):
        return load in parent.comparators
    if isinstance(parent, ast.Subscript):
        return parent.value is load and isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Attribute):
        return parent.attr in _READING
    if isinstance(parent, ast.Call):
        function = parent.func
        called = function.id if isinstance(function, ast.Name) else getattr(function, "attr", None)
        return called in _ONLY_READ or is_read_there(load, parent, facts, inside, _only_read)
    return False


def is_read_there(
    argument: ast.Name,
    call: ast.Call,
    facts: Facts,
    inside: Handed,
    reads: Callable[[ast.Name, Facts, Handed], bool],
) -> bool:
    """Whether a function of the program only looks at what a call gives to it.

    Args:
        argument: the argument.
        call: the call.
        facts: those of the module that calls.
        inside: the parameters of functions that hand it on to this one.
        reads: whether one read of the function's parameter only looks at it.
    """
    called = called_function(call.func, facts)
    if called is None:
        return False
    name = parameter_of(argument, call, parameter_names(called.node)[called.bound :])
    if name is None or (called.node, name) in inside:
        return name is not None
    own, around = facts.of(called.node), inside | {(called.node, name)}
    return all(
        isinstance(node.ctx, ast.Load) and reads(node, own, around)
        for node in walk(called.node)
        if isinstance(node, ast.Name) and node.id == name
    )


def written_by_name(facts: Facts) -> frozenset[str]:
    """Variables that ``globals()["name"] = ...`` writes."""
    return facts.once(_written_by_name)


def _written_by_name(facts: Facts) -> frozenset[str]:
    found = set()
    for node in of_kinds(facts.tree, ast.Subscript):
        written = not isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Constant)
        if written and ast.unparse(node.value) in ("globals()", "vars()", "locals()"):
            found.add(str(node.slice.value))  # type: ignore[attr-defined]
    return frozenset(found)


class _Constants:
    """The constants of one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[str, tuple[int, Constant] | None] = {}

    def constant(self, name: str, before: int) -> tuple[bool, Constant]:
        """See `constant`."""
        known = self.of(name)
        return (True, known[1]) if known is not None and known[0] < before else (False, None)

    def of(self, name: str) -> tuple[int, Constant] | None:
        """The line on which `name` is bound, and its value; None if it is no constant."""
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> tuple[int, Constant] | None:
        """The line on which `name` is bound once, to a literal that is never changed, and its value."""
        facts = self._facts
        node = facts.only_binding(name)
        if node is None or not isinstance(node, ast.Name) or not facts.visible(node):
            return None
        if name in written_by_name(facts):
            return None
        statement, made = facts.statement_of(node), facts.part_of(node)
        if made is None or isinstance(facts.above[statement], ast.Try | ast.With):
            return None  # it may be skipped; who reads it in spite of that fails in the original too
        try:
            value: Constant = ast.literal_eval(made)
        except (ValueError, TypeError, MemoryError, SyntaxError, RecursionError):
            return None
        if isinstance(value, list | set | dict):
            # what goes through its items can change none of these
            fixed = all(isinstance(item, _FIXED) for item in value)
            loads = (one for one in facts.loads.get(name, ()) if not (fixed and _gone_through(one, facts)))
            if not all(only_read(load, facts) for load in loads):
                return None
        return statement.lineno, value
