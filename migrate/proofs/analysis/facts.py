"""The names of a module: their bindings, and the values of those that are bound once."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from migrate.cached import cached_property
from migrate.graph.program import Program
from migrate.knowledge.star_imports import hidden_by
from migrate.model import Module
from migrate.syntax.bindings import BINDING, bound_by
from migrate.syntax.nodes import of_kinds, parents_of, position, walk
from migrate.trace import Trace
from migrate.trace.values import External

Found = TypeVar("Found")
_HARMLESS_STARS = frozenset(
    {"pyspark", "pyspark.streaming", "compat.streaming", "pyspark.sql", "pyspark.sql.types"}
    | {"pyspark.streaming.kafka", "compat.streaming.kafka"}
)
_BUILTINS = frozenset(dir(builtins))
_HOMES = {"pyspark.Row": "pyspark.sql.Row", "pyspark.sql.types.Row": "pyspark.sql.Row"}
"""More names of classes of PySpark."""


class Facts:
    """The names of one module, as a graph sees them; `of` gives those of the module that a node is in."""

    def __init__(self, program: Program, trace: Trace, module: Module | None = None) -> None:
        self.program = program
        self.trace = trace
        self.tree = (module or program.module_of(program.scope)).tree
        self._top = trace.scopes[self.tree]
        self._modules: dict[ast.AST, Facts] = {self.tree: self}
        self.above = parents_of(self.tree)
        self.bindings: dict[str, list[ast.AST]] = {}
        """The nodes that bind each name in the module, in any scope, without parameters of lambdas."""
        self.loads: dict[str, list[ast.Name]] = {}
        self._declared: set[str] = set()
        """Names that any function declares global or nonlocal, and binds."""
        self._collect()
        self._homes: dict[ast.Name, ast.AST | None] = {}
        self._only: dict[str, ast.AST | None] = {}
        self._found: dict[Callable[[Facts], Any], Any] = {}

    def of(self, node: ast.AST) -> Facts:
        """The names of the module that a node is in, or is, which may be another than that of the graph."""
        if node in self.above or node is self.tree:
            return self
        for module in self.trace.modules:
            if node is module.tree or node in parents_of(module.tree):
                if module.tree not in self._modules:
                    other = self._modules[module.tree] = Facts(self.program, self.trace, module)
                    other._modules = self._modules
                return self._modules[module.tree]
        return self

    def once(self, find: Callable[[Facts], Found]) -> Found:
        """The result of `find` for this module, computed once: ``facts.once(Constants)``."""
        if find not in self._found:
            self._found[find] = find(self)
        found: Found = self._found[find]
        return found

    # --- collected once -------------------------------------------------------------------------------------

    def _collect(self) -> None:
        for name in of_kinds(self.tree, ast.Name):
            found = self.loads if isinstance(name.ctx, ast.Load) else self.bindings
            found.setdefault(name.id, []).append(name)
        for node in of_kinds(self.tree, *BINDING):
            bound = bound_by(node) if not self._is_of_the_future(node) else None
            if bound and not (isinstance(node, ast.arg) and self._is_lambda_parameter(node)):
                self.bindings.setdefault(bound, []).append(node)
        for globals_ in of_kinds(self.tree, ast.Global):
            self._declared |= self._bound_there(globals_)
        for nonlocals in of_kinds(self.tree, ast.Nonlocal):
            self._declared |= self._bound_there(nonlocals)

    def _bound_there(self, declaration: ast.Global | ast.Nonlocal) -> set[str]:
        """The names of a declaration that its function binds; one that is only read has no need of it."""
        around = self.above[declaration]
        while not isinstance(around, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            around = self.above[around]
        bound = {name for node in walk(around) for name in [_bound_by(node)] if name is not None}
        return bound.intersection(declaration.names)

    @cached_property
    def _stored(self) -> frozenset[str]:
        """Attributes that anything in the module assigns."""
        attributes = of_kinds(self.tree, ast.Attribute)
        return frozenset(node.attr for node in attributes if not isinstance(node.ctx, ast.Load))

    def _is_of_the_future(self, node: ast.AST) -> bool:
        """Whether an import is a ``from __future__`` directive, whose name nobody reads."""
        statement = self.above[node] if isinstance(node, ast.alias) else None
        return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"

    def _is_lambda_parameter(self, node: ast.arg) -> bool:
        return isinstance(self.above[self.above[node]], ast.Lambda)

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """All names of the module, in any scope."""
        parameters = (node.arg for node in of_kinds(self.tree, ast.arg))
        return frozenset({*self.bindings, *self.loads, *parameters})

    # --- single bindings ------------------------------------------------------------------------------------

    def only_binding(self, name: str) -> ast.AST | None:
        """The only node in the module that binds `name`, if the graph always sees it.

        It is the first one of an import that the module repeats, as notebooks do.
        """
        if name not in self._only:
            self._only[name] = self._only_binding(name)
        return self._only[name]

    def only_binding_of(self, name: ast.Name) -> ast.AST | None:
        """The only node that binds a variable; other functions may have variables of their own of that name.

        ``args = parser.parse_args()`` stands in a function that returns it, and ``args = read_args()`` below.
        """
        binding = self.only_binding(name.id)
        if binding is not None or name.id in self._declared | self.starred:
            return binding
        home = self.home(name)
        nodes = self.bindings.get(name.id, ())
        here = [node for node in nodes if (self.home(node) if isinstance(node, ast.Name) else home) is home]
        return here[0] if len(here) == 1 else None

    def _only_binding(self, name: str) -> ast.AST | None:
        found = self.bindings.get(name, [])
        if len(found) > 1 and self._are_one_import(found):
            found = found[:1]
        if len(found) != 1 or self.is_declared_elsewhere(name):
            return None
        return found[0] if name not in self.starred or self._is_starred_alike(found[0]) else None

    def _is_starred_alike(self, binding: ast.AST) -> bool:
        """Whether an import below the star imports gives a name what they bring in by it, too."""
        statement = self.above[binding]
        if not isinstance(binding, ast.alias) or statement not in self.tree.body:
            return False
        stars = [one for one in of_kinds(self.tree, ast.ImportFrom) if one.names[0].name == "*"]
        above = all(position(s) < position(statement) or s.module in _HARMLESS_STARS for s in stars)
        return above and self.starred_as(bound_by(binding) or "") == {self.imported(binding)}

    def _are_one_import(self, bindings: Sequence[ast.AST]) -> bool:
        """Whether all of some bindings import the same, outside of functions and blocks."""
        found = [self.imported(one) if isinstance(one, ast.alias) else "" for one in bindings]
        names = {_HOMES.get(name or "", name) for name in found}
        top = all(self.above.get(self.above.get(one)) is self.tree for one in bindings)  # type: ignore[arg-type]
        return top and len(names) == 1 and not names & {"", None}

    @property
    def stars(self) -> list[str]:
        """The modules whose names star imports bring in."""
        return self._top.stars

    @property
    def starred(self) -> set[str]:
        """The names that star imports of modules of the project bring in."""
        return self._top.starred

    def is_only_starred(self, name: str) -> bool:
        """Whether a name is one that a star import of a module of the project brings in, and no other."""
        own = name in self.bindings or self.is_declared_elsewhere(name)
        return name in self.starred and not own and self.has_known_stars

    @property
    def has_known_stars(self) -> bool:
        """Whether it is known which names the star imports bring in."""
        return not set(self.stars) - _HARMLESS_STARS

    def starred_as(self, name: str) -> frozenset[str]:
        """The qualified names of what star imports of modules bring in by a name; "" stands for others."""
        if name not in self.starred:
            return frozenset()
        values = self._top.ever.get(name, frozenset())
        return frozenset(value.name if isinstance(value, External) else "" for value in values) or frozenset(
            {""}
        )

    def is_declared_elsewhere(self, name: str) -> bool:
        """Whether a function declares a name global or nonlocal, and binds it."""
        return name in self._declared

    def is_unbound(self, name: str) -> bool:
        """Whether a name is read, and nothing here can give it a value."""
        arguments = {node.arg for node in of_kinds(self.tree, ast.arg)}
        bound = name in self.bindings or name in self.starred or name in arguments
        return name in self.loads and not bound and self.has_known_stars

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that a node is in."""
        while not isinstance(node, ast.stmt):
            node = self.above[node]
        return node

    def visible(self, node: ast.AST) -> bool:
        """Whether a binding is in the graph's own function or in the module."""
        if node in self.program.hoisted:
            return True
        step: ast.AST | None = self.above.get(node)
        while step is not None and not isinstance(step, ast.Module):
            if isinstance(step, _HIDING):
                return False
            if isinstance(step, _FUNCTIONS):
                return step is self.program.scope
            step = self.above.get(step)
        return True

    def unchanging(self, node: ast.expr) -> bool:
        """Whether an expression gives the same value whenever it is evaluated: ``limit``, ``args.top``."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Attribute):
            own = isinstance(node.value, ast.Name) and self.unchanging(node.value)
            return own and not self.stores_attribute(node.attr)
        if not isinstance(node, ast.Name):
            return False
        binding = self.only_binding_of(node)
        if isinstance(binding, ast.arg):
            return self.above[self.above[binding]] is self.program.scope
        return isinstance(binding, ast.Name) and self.visible(binding)

    def home(self, name: ast.Name) -> ast.AST | None:
        """The function, class or comprehension whose variable a name is; None: the module's, or a builtin."""
        if name not in self._homes:
            scope = self.trace.scopes.home(name)
            self._homes[name] = scope.node if scope is not None and scope.parent is not None else None
        return self._homes[name]

    def value_of(self, binding: ast.AST | None) -> ast.expr | None:
        """The value that an assignment gives one name alone: ``name = value``."""
        made = self.statement_of(binding) if isinstance(binding, ast.Name) else None
        return made.value if isinstance(made, ast.Assign) and made.targets == [binding] else None

    def part_of(self, binding: ast.AST | None) -> ast.expr | None:
        """The value that an assignment gives a name, be it beside others: ``length, slide = 60, 20``."""
        made = self.statement_of(binding) if isinstance(binding, ast.Name) else None
        if not isinstance(made, ast.Assign) or len(made.targets) != 1:
            return None
        match made.targets[0], made.value:
            case ast.Tuple(names) | ast.List(names), ast.Tuple(values) | ast.List(values):
                starred = any(isinstance(node, ast.Starred) for node in (*names, *values))
                if starred or len(names) != len(values):
                    return None
                return next(
                    (value for name, value in zip(names, values, strict=True) if name is binding), None
                )
        return self.value_of(binding)

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
        bound = (name for name in _BUILTINS & self.bindings.keys() if not self._stays_inside(name))
        return hidden_by(self._top.stars) | {*bound, *(_BUILTINS & self.starred)}

    def _stays_inside(self, name: str) -> bool:
        """Whether a name is only a variable of functions that hold no others, where nothing calls it.

        ``for tuple in rows: print(tuple[0])`` says nothing of `tuple` in other functions.
        """
        functions = {self._function_of(node) for node in self.bindings[name]}
        if self.tree in functions or self.is_declared_elsewhere(name):
            return False
        inside = [node for function in functions for node in walk(function) if node is not function]
        if any(isinstance(node, (*_FUNCTIONS, ast.Lambda, ast.ClassDef)) for node in inside):
            return False
        read = (node for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        return all(isinstance(self.above[node], _LOOKING) for node in read if node.id == name)

    def _function_of(self, node: ast.AST) -> ast.AST:
        """The function that a node is in; the module outside of functions."""
        step = self.above[node]
        while not isinstance(step, (*_FUNCTIONS, ast.Module)):
            step = self.above[step]
        return step


_HIDING = (ast.For, ast.While, ast.ClassDef, ast.Lambda, ast.AsyncFor)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOKING = (ast.Subscript, ast.Attribute, ast.Compare, ast.BinOp, ast.FormattedValue)
"""What reads a value, and neither calls it nor hands it on."""


def _bound_by(node: ast.AST) -> str | None:
    """The name that a node binds or deletes, if it does."""
    if isinstance(node, ast.Name):
        return None if isinstance(node.ctx, ast.Load) else node.id
    return bound_by(node) if isinstance(node, BINDING) else None
