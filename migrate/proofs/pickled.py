"""What a batch function takes along where it runs in another process, as on Spark Connect.

There it is pickled with the variables that it reads. Sessions, DataFrames, generators and connections are no
plain values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge.builtins import BUILTINS, Gives
from migrate.knowledge.connect import MEMBERS, NOT_PLAIN, PLAIN, SESSIONS
from migrate.knowledge.rdd import ON_DRIVER
from migrate.proofs.analysis.variables import Function, Variable, Variables
from migrate.syntax.nodes import walk
from migrate.syntax.tree import yields_among

SESSION = "the batch function uses the session `{}`, and Spark Connect has another one for each batch"
FRAME = "the batch function uses the DataFrame `{}`, which was made outside of it"
GENERATOR = "the batch function uses the iterator `{}`, which cannot be pickled"
UNKNOWN = "the batch function uses `{}`, which Spark Connect would have to pickle"
METHOD = "the batch function is a method of `{}`, which Spark Connect would have to pickle"
_ITERATORS = (ast.GeneratorExp,)
_DEFINED = (ast.FunctionDef, ast.ClassDef)
_OF_BUILDERS = frozenset(
    {"appName", "config", "master", "remote", "enableHiveSupport", "getOrCreate", "create"}
)
"""Members of a session's builder, which give the builder again or the session."""
_TO_DRIVER = ON_DRIVER | {"head", "tail", "toPandas"}
"""Actions of a DataFrame, which give values: numbers, rows."""
_WHOLE = (ast.Constant, ast.JoinedStr, ast.Compare, ast.Lambda)


def troubles(function: ast.expr, variables: Variables) -> Iterator[str]:
    """Why a batch function cannot be pickled, or would be something else afterwards."""
    found = variables.functions_of(function)
    if isinstance(function, ast.Attribute):
        yield METHOD.format(ast.unparse(function.value))
    elif not found:
        yield UNKNOWN.format(ast.unparse(function))
    for one in found:
        for variable in taken_along(one, variables):
            why = _Values(variables).of_all(variables.bindings(variable))
            if why is not None:
                yield why.format(variable[1])


def taken_along(function: ast.AST, variables: Variables) -> dict[Variable, bool]:
    """The variables that a function takes along, and whether any other code reads them.

    They are those of outer scopes that it names, and that functions and classes name which it uses.
    """
    found = [function]
    for one in found:  # grows while it is walked
        for variable in variables.outer(one):
            bindings = variables.bindings(variable)
            found += [node for node in bindings if isinstance(node, _DEFINED) and node not in found]
    inside = {node for one in found for node in walk(one)}
    return {
        variable: any(name not in inside for name in variables.loads(variable))
        for one in found
        for variable in variables.outer(one)
    }


def _gone_through(given: ast.expr) -> list[ast.expr]:
    """The parts of an argument; of a generator those that ``set(w.strip() for w in words)`` goes through."""
    return [*_sources(given), given.elt] if isinstance(given, ast.GeneratorExp) else [given]


def _sources(node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp) -> Iterator[ast.expr]:
    """What a comprehension goes through, but for files, whose lines are texts."""
    for one in node.generators:
        match one.iter:
            case ast.Call(ast.Name("open")):
                continue
        yield one.iter


class _Values:
    """Whether values are plain, which a pickle can hold: numbers, texts, collections of them, types."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables
        self._seen: set[ast.AST] = set()
        """What has been looked at, or is being looked at."""

    def of_all(self, bindings: list[ast.AST]) -> str | None:
        """The first reason why a variable is not plain, or None."""
        return next((why for one in bindings if (why := self._of_binding(one)) is not None), None)

    def _of_binding(self, binding: ast.AST) -> str | None:
        if binding in self._seen or isinstance(binding, ast.alias | ast.FunctionDef | ast.ClassDef):
            return None
        self._seen.add(binding)
        if isinstance(self._variables.above(binding), ast.comprehension):
            return None  # a part of what is looked at as a whole
        values = self._variables.values_of(binding)
        return next((why for one in values if (why := self.of(one)) is not None), None)

    def of(self, node: ast.expr | None) -> str | None:
        """Why a value is not plain, with a place for the name of the variable, or None."""
        if node is None:
            return UNKNOWN
        if isinstance(node, _WHOLE):
            return None
        if isinstance(node, _ITERATORS):
            return GENERATOR
        match node:
            case ast.Name():
                variable = self._variables.of(node)
                if variable is None:
                    return None
                bindings = self._variables.bindings(variable)
                return self.of_all(bindings) if bindings else UNKNOWN
            case ast.Call():
                return self._of_call(node)
            case ast.Attribute():
                return self._of_attribute(node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
                return self._first([*_sources(node), *values])
        return self._first([part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)])

    def _first(self, nodes: list[ast.expr]) -> str | None:
        return next((why for node in nodes if (why := self.of(node)) is not None), None)

    def _of_attribute(self, node: ast.Attribute) -> str | None:
        name = self._variables.qualified(node)
        if name is not None:
            return None if is_plain(name) else UNKNOWN
        if node.attr == "sparkSession":
            return SESSION
        if node.attr in MEMBERS:
            return UNKNOWN
        why = self.of(node.value)
        if why == FRAME and node.attr in _TO_DRIVER:
            return None
        return FRAME if why == SESSION and node.attr not in _OF_BUILDERS else why

    def _of_call(self, node: ast.Call) -> str | None:
        name = self._variables.qualified(node.func)
        if name is not None:
            if any(f"{name}.".startswith(f"{known}.") for known in SESSIONS):
                return SESSION
            return None if is_plain(name) else UNKNOWN
        own = self._variables.functions_of(node.func)
        if own:
            return next((why for one in own if (why := self._of_result(one, node)) is not None), None)
        if isinstance(node.func, ast.Name) and self._variables.of(node.func) is None:
            row = BUILTINS.get(node.func.id)
            if row is None:
                return UNKNOWN
            if row.gives is Gives.ITERATOR:
                return GENERATOR
            return self._first([part for given in node.args for part in _gone_through(given)])
        return self.of(node.func)

    def _of_result(self, function: Function | ast.ClassDef, call: ast.Call) -> str | None:
        """Why what a function or class of the program gives is not plain, or None."""
        if function in self._seen:
            return None
        self._seen.add(function)
        if isinstance(function, ast.ClassDef):
            return UNKNOWN
        if isinstance(function, ast.Lambda):
            return self.of(function.body)
        if yields_among(walk(function)):
            return GENERATOR
        returned = [node.value for node in walk(function) if isinstance(node, ast.Return) and node.value]
        return self._first(returned)


def is_plain(name: str) -> bool:
    """Whether what an imported name is or gives can be pickled: ``os.environ``, ``datetime.datetime.now``."""
    parts = name.split(".")
    above = {".".join(parts[:end]) for end in range(1, len(parts) + 1)}
    return bool(above & PLAIN) and not above & NOT_PLAIN
