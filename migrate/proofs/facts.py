"""What is proven of the names of a module.

Constants, functions to inline, imports, and names that are free.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from migrate.columns import Scope as ColumnScope
from migrate.graph.program import Program
from migrate.syntax.nodes import of_kinds, parents_of, walk
from migrate.trace import Trace
from migrate.trace.values import Bound, Function

_HARMLESS_STARS = frozenset(
    {"pyspark", "pyspark.streaming", "compat.streaming", "pyspark.sql", "pyspark.sql.types"}
    | {"pyspark.streaming.kafka", "compat.streaming.kafka"}
)
_READING = frozenset({"get", "keys", "values", "items", "index", "count"})
_BUILTINS = frozenset(dir(builtins))
Constant = (
    None | bool | int | float | str | tuple[object, ...] | list[object] | set[object] | dict[object, object]
)


@dataclass(frozen=True)
class Called:
    """A function that was read, as an expression names it."""

    node: ast.FunctionDef
    bound: bool
    """Whether it is a method taken from its object, which is its first argument."""


class Facts:
    """The names of the module that a program is in."""

    def __init__(self, program: Program, trace: Trace) -> None:
        self.program = program
        self.trace = trace
        self.tree = program.module.tree
        self._top = trace.scopes[self.tree]
        self.above = parents_of(self.tree)
        self.bindings: dict[str, list[ast.AST]] = {}
        """What binds each name in the module, in any scope, parameters of lambdas left out."""
        self.loads: dict[str, list[ast.Name]] = {}
        self._global: set[str] = set()
        """Names that any scope declares global or nonlocal."""
        self._stored: set[str] = set()
        """Attributes that anything in the module assigns."""
        self._collect()
        self._lambda_parameters = set(self._all_parameters())
        self.identifiers = {*self.bindings, *self.loads, *self._lambda_parameters}
        self._taken: set[str] = set()
        self._scopes: dict[int, ColumnScope] = {}

    def _collect(self) -> None:
        for name in of_kinds(self.tree, ast.Name):
            found = self.loads if isinstance(name.ctx, ast.Load) else self.bindings
            found.setdefault(name.id, []).append(name)
        for node in of_kinds(self.tree, *_BINDING):
            bound = _bound_by(node) if not self._is_of_the_future(node) else None
            if bound and not (isinstance(node, ast.arg) and self._is_lambda_parameter(node)):
                self.bindings.setdefault(bound, []).append(node)
        for globals_ in of_kinds(self.tree, ast.Global):
            self._global.update(globals_.names)
        for nonlocals in of_kinds(self.tree, ast.Nonlocal):
            self._global.update(nonlocals.names)
        for attribute in of_kinds(self.tree, ast.Attribute):
            if not isinstance(attribute.ctx, ast.Load):
                self._stored.add(attribute.attr)

    def _is_of_the_future(self, node: ast.AST) -> bool:
        """Whether an import is a directive: the name that it binds as well, nobody reads."""
        statement = self.above[node] if isinstance(node, ast.alias) else None
        return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"

    def _is_lambda_parameter(self, node: ast.arg) -> bool:
        return isinstance(self.above[self.above[node]], ast.Lambda)

    def _all_parameters(self) -> Iterator[str]:
        return (node.arg for node in of_kinds(self.tree, ast.arg))

    # --- free names -----------------------------------------------------------------------------------------

    def fresh(self, wanted: str, *, anywhere: bool = False) -> str:
        """`wanted`, or with a number where that name is taken; never given out twice.

        Args:
            wanted: the name.
            anywhere: no function of the module may use it, not only that of the batch function.
        """
        name, number = wanted, 2
        while (
            self._is_taken(name)
            or name in self._taken
            or name in _BUILTINS
            or (anywhere and name in self.identifiers)
        ):
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name

    def _is_taken(self, name: str) -> bool:
        """Whether the graph's function or the module binds a name.

        Locals of other functions do not matter.
        """
        if self.is_declared_elsewhere(name):
            return True
        return (
            any(not isinstance(node, ast.arg) and self.visible(node) for node in self.bindings.get(name, ()))
            or any(
                isinstance(node, ast.arg) and self.above[self.above[node]] is self.program.scope
                for node in self.bindings.get(name, ())
            )
            or self._read_but_not_bound(name)
        )

    def _read_but_not_bound(self, name: str) -> bool:
        return name in self.loads and name not in self.bindings and name not in self._lambda_parameters

    # --- single bindings ------------------------------------------------------------------------------------

    def only_binding(self, name: str) -> ast.AST | None:
        """What binds `name`, if only one thing in the module does and it is always visible to the graph."""
        found = self.bindings.get(name, [])
        if len(found) != 1 or self.is_declared_elsewhere(name) or name in self._top.starred:
            return None
        return found[0]

    def repeated(self, name: str) -> list[ast.FunctionDef]:
        """The definitions of a function that the module repeats word by word, as notebooks do.

        Each is as good as any other.
        """
        found = self.bindings.get(name, [])
        same = [
            node
            for node in found
            if isinstance(node, ast.FunctionDef) and not node.decorator_list and self.visible(node)
            if all(isinstance(default, ast.Constant | None) for default in _defaults(node))
        ]
        if len(same) < 2 or len(same) != len(found) or len({ast.dump(node) for node in same}) != 1:
            return []
        return [] if self.is_declared_elsewhere(name) or name in self._top.starred else same

    def is_declared_elsewhere(self, name: str) -> bool:
        """Whether a function declares a name global or nonlocal."""
        return name in self._global

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that a node is in."""
        while not isinstance(node, ast.stmt):
            node = self.above[node]
        return node

    def visible(self, node: ast.AST) -> bool:
        """Whether a binding is in the graph's own function or in the module."""
        step: ast.AST | None = self.above.get(node)
        while step is not None and not isinstance(step, ast.Module):
            if isinstance(step, ast.For | ast.While | ast.ClassDef | ast.Lambda | ast.AsyncFor):
                return False
            if isinstance(step, ast.FunctionDef | ast.AsyncFunctionDef):
                return step is self.program.scope
            step = self.above.get(step)
        return True

    def constant(self, name: str, before: int) -> tuple[bool, Constant]:
        """Whether `name` is bound once, to a literal, before line `before`, and never changed.

        And its value.
        """
        node = self.only_binding(name)
        if node is None or not isinstance(node, ast.Name) or not self.visible(node):
            return False, None
        if name in self._written_by_name:
            return False, None
        statement = self.statement_of(node)
        if not isinstance(statement, ast.Assign) or statement.targets != [node] or statement.lineno >= before:
            return False, None
        if self._conditional(statement):
            return False, None
        try:
            value: Constant = ast.literal_eval(statement.value)
        except (ValueError, TypeError, MemoryError, SyntaxError, RecursionError):
            return False, None
        if isinstance(value, list | set | dict) and not all(
            self.only_read(load) for load in self.loads.get(name, [])
        ):
            return False, None
        return True, value

    def unchanging(self, node: ast.expr) -> bool:
        """Whether an expression gives the same value whenever it is evaluated: ``limit``, ``args.top``."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Attribute):
            stored = any(
                isinstance(other, ast.Attribute)
                and other.attr == node.attr
                and not isinstance(other.ctx, ast.Load)
                for other in walk(self.tree)
            )
            return not stored and isinstance(node.value, ast.Name) and self.unchanging(node.value)
        if not isinstance(node, ast.Name):
            return False
        binding = self.only_binding(node.id)
        if isinstance(binding, ast.arg):
            return self.above[self.above[binding]] is self.program.scope
        return isinstance(binding, ast.Name) and self.visible(binding)

    def _conditional(self, statement: ast.stmt) -> bool:
        """Whether a binding may be skipped.

        A name that is read in spite of that fails in the original too.
        """
        step = self.above.get(statement)
        return isinstance(step, ast.Try | ast.With)

    def only_read(self, load: ast.Name) -> bool:
        """Whether reading a list, set or dict there cannot lead to a change of it."""
        parent = self.above[load]
        if isinstance(parent, ast.Compare):
            return load in parent.comparators
        if isinstance(parent, ast.Subscript):
            return parent.value is load and isinstance(parent.ctx, ast.Load)
        if isinstance(parent, ast.Attribute):
            return parent.attr in _READING
        if isinstance(parent, ast.Call):
            called = (
                parent.func.id if isinstance(parent.func, ast.Name) else getattr(parent.func, "attr", None)
            )
            return called in ("len", "sorted", "parallelize")
        return False

    def function(self, node: ast.expr) -> Called | None:
        """The function or method that an expression is, if it is one that was read, and can be no other."""
        values = self.trace.kinds.get(node, frozenset())
        same = self.repeated(node.id) if isinstance(node, ast.Name) else []
        if same and all(isinstance(value, Function) and value.node in same for value in values):
            return Called(same[0], bound=False)
        if len(values) != 1:
            return None
        (value,) = values
        bound = isinstance(value, Bound)
        function = value.function if isinstance(value, Bound) else value
        if not isinstance(function, Function) or not isinstance(function.node, ast.FunctionDef):
            return None
        decorators = {ast.unparse(decorator) for decorator in function.node.decorator_list}
        if decorators - {"staticmethod"} or not self._is_only(node, function.node):
            return None
        return Called(function.node, bound)

    def _is_only(self, node: ast.expr, function: ast.FunctionDef) -> bool:
        """Whether nothing else is ever bound to the name that an expression reads a function by."""
        home = self.trace.scopes[function].module.tree
        same = [n for n in walk(home) if isinstance(n, ast.FunctionDef) and n.name == function.name]
        if len(same) != 1:
            return False
        if isinstance(node, ast.Name):
            binding = self.only_binding(node.id)
            if home is self.tree:
                return binding is function
            stored = any(
                isinstance(n, ast.Name) and n.id == function.name and isinstance(n.ctx, ast.Store)
                for n in walk(home)
            )
            return isinstance(binding, ast.alias) and not stored
        return isinstance(node, ast.Attribute) and not any(
            isinstance(n, ast.Attribute) and n.attr == node.attr and isinstance(n.ctx, ast.Store)
            for n in (*walk(self.tree), *walk(home))
        )

    @cached_property
    def _written_by_name(self) -> set[str]:
        """Variables that ``globals()["name"] = ...`` writes."""
        found = set()
        for node in of_kinds(self.tree, ast.Subscript):
            written = not isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Constant)
            if written and ast.unparse(node.value) in ("globals()", "vars()", "locals()"):
                found.add(str(node.slice.value))  # type: ignore[attr-defined]
        return found

    # --- for the compiler of expressions --------------------------------------------------------------------

    def column_scope(self, line: int) -> ColumnScope:
        """What is proven of the names that a function on `line` reads."""
        if line not in self._scopes:
            functions, imports, variables = self._bound_once
            found = ((name, *self.constant(name, line)) for name in variables)
            constants = {name: value for name, known, value in found if known}
            identifiers = frozenset(self.identifiers)
            self._scopes[line] = ColumnScope(constants, functions, imports, self.shadowed, identifiers)
        return self._scopes[line]

    @cached_property
    def _bound_once(self) -> tuple[dict[str, ast.Lambda | ast.FunctionDef], dict[str, str], list[str]]:
        """The functions, imported names and variables that one thing binds."""
        functions: dict[str, ast.Lambda | ast.FunctionDef] = {}
        imports: dict[str, str] = {}
        variables: list[str] = []
        for name in self.bindings:
            node = next(iter(self.repeated(name)), None) or self.only_binding(name)
            if isinstance(node, ast.FunctionDef) and not node.decorator_list and self.visible(node):
                functions[name] = node
            elif isinstance(node, ast.alias):
                qualified = self.imported(node)
                if qualified is not None:
                    imports[name] = qualified
            elif isinstance(node, ast.Name):
                variables.append(name)
                statement = self.statement_of(node)
                if (
                    isinstance(statement, ast.Assign)
                    and isinstance(statement.value, ast.Lambda)
                    and statement.targets == [node]
                    and self.visible(node)
                ):
                    functions[name] = statement.value
        return functions, imports, variables

    def imported(self, alias: ast.alias) -> str | None:
        """The qualified name that an import binds."""
        statement = self.above[alias]
        if isinstance(statement, ast.Import):
            return alias.name if alias.asname else alias.name.split(".")[0]
        if isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
            return f"{statement.module}.{alias.name}"
        return None

    def qualified(self, node: ast.expr) -> str | None:
        """The qualified name of something imported: ``operator.itemgetter``."""
        if isinstance(node, ast.Attribute):
            above = self.qualified(node.value)
            return f"{above}.{node.attr}" if above is not None else None
        binding = self.only_binding(node.id) if isinstance(node, ast.Name) else None
        return self.imported(binding) if isinstance(binding, ast.alias) else None

    def stores_attribute(self, name: str) -> bool:
        """Whether anything in the module assigns an attribute of that name."""
        return name in self._stored

    @cached_property
    def shadowed(self) -> frozenset[str]:
        """The builtins whose names may mean something else in the module."""
        if set(self._top.stars) - _HARMLESS_STARS:
            return _BUILTINS
        return frozenset(_BUILTINS & (self.bindings.keys() | self._top.starred))


def code_of(given: Iterable[ast.AST], facts: Facts) -> Iterator[ast.AST]:
    """All nodes of what operators are given, with the functions of this module that it calls."""
    pending = list(given)
    seen: set[ast.AST] = set()
    while pending:
        for node in walk(pending.pop()):
            yield node
            called = facts.function(node) if isinstance(node, ast.Name | ast.Attribute) else None
            if called is not None and called.node not in seen:
                seen.add(called.node)
                pending.append(called.node)


def binder_of(name: ast.Name, facts: Facts) -> ast.AST | None:
    """The function or comprehension that a variable is of; None for one of the module."""
    step = facts.above.get(name)
    while step is not None:
        if isinstance(step, ast.Lambda | ast.FunctionDef):
            if any(isinstance(node, ast.arg) and node.arg == name.id for node in walk(step.args)):
                return step
            stores = isinstance(step, ast.FunctionDef) and any(
                isinstance(node, ast.Name) and node.id == name.id and isinstance(node.ctx, ast.Store)
                for node in walk(step)
            )
            if stores:
                return step
        elif isinstance(step, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            targets = [node for generator in step.generators for node in walk(generator.target)]
            if any(isinstance(node, ast.Name) and node.id == name.id for node in targets):
                return step
        step = facts.above.get(step)
    return None


_BINDING: tuple[type[ast.AST], ...] = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.arg, ast.alias),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
)


def _defaults(function: ast.FunctionDef) -> list[ast.expr | None]:
    return [*function.args.defaults, *function.args.kw_defaults]


def _bound_by(node: ast.AST) -> str | None:
    """The name that something else than an assignment binds."""
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.alias):
        return None if node.name == "*" else node.asname or node.name.split(".")[0]
    return getattr(node, "name", None)
