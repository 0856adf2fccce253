"""Which expressions of a program are sessions: a SparkSession, or an SQLContext, which stands for one."""

from __future__ import annotations

import ast
import enum
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from migrate.cached import cached_property
from migrate.syntax.tree import Tree, own_nodes
from migrate.trace import Trace, canonical
from migrate.trace.values import Bound, External, Function, Made

_CLASSES = frozenset({"pyspark.sql.SparkSession", "pyspark.sql.SQLContext", "pyspark.sql.HiveContext"})
_BUILDER = "pyspark.sql.SparkSession.builder"
_GIVING = frozenset({"getOrCreate", "create", "getActiveSession", "active"})
"""Methods of a session's class, of its builder or of a session that give a session."""
_PREDEFINED = frozenset({"spark", "sqlContext"})
"""Names of sessions that notebooks and shells have from the beginning."""
_HOMELESS = re.compile(r"^pyspark\.(SQLContext|HiveContext)\b")
"""Classes that PySpark has in its first module as well."""
_SPARKS = re.compile("spark|session|context|sql|hive", re.IGNORECASE)
_DEPTH = 5
_NOTHING = frozenset[str]()
_OF_PACKAGES = (External, Made)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Is(enum.Enum):
    """Whether an expression is a session."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


def named(node: ast.AST, trace: Trace) -> frozenset[str]:
    """The names of what of a package an expression may be, as PySpark spells them itself."""
    values = trace.kinds.get(node)
    if not values:
        return _NOTHING
    return frozenset(_spelled(value.name) for value in values if isinstance(value, _OF_PACKAGES))


@lru_cache(maxsize=512)
def _spelled(name: str) -> str:
    for module in ("session", "context"):
        name = name.replace(f"pyspark.sql.{module}.", "pyspark.sql.")
    return canonical(_HOMELESS.sub(r"pyspark.sql.\1", name))


def is_builder(node: ast.AST, trace: Trace) -> bool:
    """Whether an expression is ``SparkSession.builder``, or a call on one that gives it back."""
    while isinstance(node, ast.Call | ast.Attribute):
        if _BUILDER in named(node, trace):
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def makes_session(node: ast.AST, trace: Trace) -> bool:
    """Whether a call makes or finds a session: ``SparkSession.builder.getOrCreate()``, ``SQLContext(sc)``."""
    if not isinstance(node, ast.Call):
        return False
    if named(node.func, trace) & _CLASSES:
        return True
    giving = isinstance(node.func, ast.Attribute) and node.func.attr in _GIVING
    return (
        giving
        and isinstance(node.func, ast.Attribute)
        and (is_builder(node.func.value, trace) or bool(named(node.func.value, trace) & _CLASSES))
    )


def _is_other_class(name: str) -> bool:
    """Whether a qualified name is that of a class of another package: ``happybase.Connection``.

    What is called a session or a context may be Spark's, by another way.
    """
    package, last = name.partition(".")[0], name.rpartition(".")[2]
    return package != "pyspark" and last[:1].isupper() and not _SPARKS.search(last)


class SessionExpressions:
    """The sessions of a program."""

    def __init__(self, tree: Tree, trace: Trace) -> None:
        self._tree = tree
        self._trace = trace

    @cached_property
    def _bindings(self) -> dict[str, list[ast.AST]]:
        """The nodes that bind each name; found when first asked for, as most programs make their session."""
        found: defaultdict[str, list[ast.AST]] = defaultdict(list)
        tree = self._tree
        for name in tree.of_kinds(ast.Name):
            if not isinstance(name.ctx, ast.Load):
                found[name.id].append(name)
        for argument in tree.of_kinds(ast.arg):
            found[argument.arg].append(argument)
        for alias in tree.of_kinds(ast.alias):
            found[alias.asname or alias.name.partition(".")[0]].append(alias)
        for function in tree.of_kinds(ast.FunctionDef):
            found[function.name].append(function)
        for cls in tree.of_kinds(ast.ClassDef):
            found[cls.name].append(cls)
        return dict(found)

    @cached_property
    def _values(self) -> dict[ast.AST, ast.expr]:
        """The values of names and attributes that are plainly assigned."""
        return dict(self._assigned())

    def _assigned(self) -> Iterator[tuple[ast.AST, ast.expr]]:
        """Names and attributes that are plainly assigned, and their values."""
        for statement in self._tree.of_kinds(ast.Assign):
            for target in statement.targets:
                yield target, statement.value
        for annotated in self._tree.of_kinds(ast.AnnAssign):
            if annotated.value is not None:
                yield annotated.target, annotated.value

    def is_predefined(self, name: str) -> bool:
        """Whether a name is bound nowhere, and is that of a session in notebooks and shells."""
        return name in _PREDEFINED and name not in self._bindings and "*" not in self._bindings

    def is_session(self, node: ast.AST, depth: int = _DEPTH) -> Is:
        """Whether an expression is a session, wherever it was made."""
        if makes_session(node, self._trace):
            return Is.YES
        if isinstance(node, ast.Call):
            return self._is_made(node, depth)
        if isinstance(node, ast.Attribute) and node.attr == "sparkSession":
            return Is.YES
        if isinstance(node, ast.Name) and self.is_predefined(node.id):
            return Is.YES
        values = self._trace.kinds.get(node, frozenset())
        if values and not any(isinstance(value, External) for value in values):
            sessions = [
                isinstance(value, Made) and (_spelled(value.name) in _CLASSES or _gives(value.name))
                for value in values
            ]
            return Is.YES if all(sessions) else Is.UNKNOWN if any(sessions) else Is.NO
        return self._all(self._values_of(node), depth)

    def _is_made(self, call: ast.Call, depth: int) -> Is:
        """Whether a function that was read returns a session."""
        values = self._trace.kinds.get(call.func, frozenset())
        if values and all(isinstance(value, External) and _is_other_class(value.name) for value in values):
            return Is.NO
        plain = [value.function if isinstance(value, Bound) else value for value in values]
        functions = [value.node for value in plain if isinstance(value, Function)]
        if not depth or not functions or len(functions) != len(values):
            return Is.UNKNOWN
        found = {self._gives_session(function, depth) for function in functions}
        return found.pop() if len(found) == 1 else Is.UNKNOWN

    def _gives_session(self, function: FunctionNode, depth: int) -> Is:
        if isinstance(function, ast.Lambda):
            return self.is_session(function.body, depth - 1)
        own = [node for statement in function.body for node in own_nodes(statement)]
        returned = [node.value for node in own if isinstance(node, ast.Return) and node.value is not None]
        kept = all(isinstance(value, ast.Name | ast.Attribute | ast.Subscript) for value in returned)
        if returned and kept and any(makes_session(node, self._trace) for node in own):
            return Is.YES  # one that it made, and keeps: ``globals()["session"]``
        return self._all(returned, depth)

    def _values_of(self, node: ast.AST) -> list[ast.AST]:
        """All that a name, an attribute or ``globals()["session"]`` is ever assigned; itself if not known."""
        if isinstance(node, ast.Name):
            bindings = self._bindings.get(node.id, [])
            return [self._values.get(binding, binding) for binding in bindings]
        if isinstance(node, ast.Attribute):
            same = (target for target in self._values if isinstance(target, ast.Attribute))
            return [self._values[target] for target in same if target.attr == node.attr]
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "globals()":
            key = ast.unparse(node)
            kept = (target for target in self._values if isinstance(target, ast.Subscript))
            return [self._values[target] for target in kept if ast.unparse(target) == key]
        return []

    def _all(self, nodes: Sequence[ast.AST], depth: int) -> Is:
        if not nodes or not depth or not all(isinstance(node, ast.expr) for node in nodes):
            return Is.UNKNOWN
        found = {self.is_session(node, depth - 1) for node in nodes}
        return found.pop() if len(found) == 1 else Is.UNKNOWN


def _gives(name: str) -> bool:
    """Whether the result of a method of PySpark is a session."""
    owner, _, method = _spelled(name).rpartition(".")
    return method in _GIVING and (owner in _CLASSES or owner.startswith(_BUILDER))
