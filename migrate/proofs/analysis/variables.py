"""The variables of some modules, and everything that binds each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from migrate.model import Module
from migrate.syntax.nodes import of_kinds, parents_of, walk
from migrate.trace.scopes import FUNCTIONS, Scope, Scopes

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Variable = tuple[ast.AST, str]
"""The node of the scope that it belongs to, and its name."""


@dataclass
class _Known:
    """Where the variables with one name are bound and read."""

    bindings: dict[Variable, list[ast.AST]] = field(default_factory=dict)
    loads: dict[Variable, list[ast.Name]] = field(default_factory=dict)


class Variables:
    """The variables of modules that nobody changes any more; most are never asked for."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self.modules = modules
        self._scopes = Scopes(modules)
        self._above = {module.tree: parents_of(module.tree) for module in modules}
        self._outer: dict[ast.AST, dict[Variable, ast.Name]] = {}
        self._spelled: dict[str, list[ast.AST]] = {}
        """Names, parameters, imports and definitions by their texts, whatever variables they are."""
        for module in modules:
            for read in of_kinds(module.tree, ast.Name):
                self._spelled.setdefault(read.id, []).append(read)
            for node in of_kinds(module.tree, *_DEFINING):
                if (name := _name(node)) is not None:
                    self._spelled.setdefault(name, []).append(node)
        self._known: dict[str, _Known] = {}
        self._names: dict[Variable | None, str | None] = {}
        """The qualified names of the variables that were asked for; None for those that are no imports."""
        imports = (of_kinds(module.tree, ast.alias) for module in modules)
        self._imported_names = {_name(alias) for aliases in imports for alias in aliases}

    def bindings(self, variable: Variable | None) -> list[ast.AST]:
        """The names, parameters, imports and definitions that bind a variable; none for no variable."""
        return self._of_name(variable[1]).bindings.get(variable, []) if variable is not None else []

    def loads(self, variable: Variable) -> list[ast.Name]:
        """The names that read a variable."""
        return self._of_name(variable[1]).loads.get(variable, [])

    def _of_name(self, name: str) -> _Known:
        """What is known of the variables with one name."""
        if name not in self._known:
            found = self._known[name] = _Known()
            for node in self._spelled.get(name, ()):
                home = self._scopes.around(node).home(name)
                if home is None:
                    continue
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    found.loads.setdefault((home.node, name), []).append(node)
                else:
                    found.bindings.setdefault((home.node, name), []).append(node)
        return self._known[name]

    def of(self, name: ast.Name) -> Variable | None:
        """The variable that a name is; None for builtins and undefined names."""
        home: Scope | None = self._scopes.home(name)
        return (home.node, name.id) if home is not None else None

    def above(self, node: ast.AST) -> ast.AST | None:
        """The parent of a node."""
        return next((above[node] for above in self._above.values() if node in above), None)

    def statement_of(self, node: ast.AST) -> ast.AST:
        """The innermost statement that a node is in."""
        step: ast.AST | None = node
        while step is not None and not isinstance(step, ast.stmt):
            node, step = step, self.above(step)
        return node if step is None else step

    def outer(self, function: ast.AST) -> dict[Variable, ast.Name]:
        """The variables of outer scopes that the code of a function reads or binds, with one of the names."""
        if function not in self._outer:
            inside = set(walk(function))
            found = self._outer[function] = {}
            for node in walk(function):
                variable = self.of(node) if type(node) is ast.Name else None
                if variable is not None and variable[0] not in inside:
                    assert type(node) is ast.Name
                    found.setdefault(variable, node)
        return self._outer[function]

    def qualified(self, node: ast.AST) -> str | None:
        """The qualified name of something imported: ``os.environ``; None for anything else."""
        members: list[str] = []
        while isinstance(node, ast.Attribute):
            members.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._imported_names:
            return None
        name = self._qualified(node)
        return ".".join([name, *reversed(members)]) if name is not None else None

    def _qualified(self, name: ast.Name) -> str | None:
        variable = self.of(name)
        if variable not in self._names:
            bindings = self.bindings(variable)
            imported = {self._imported(one) if isinstance(one, ast.alias) else None for one in bindings}
            self._names[variable] = imported.pop() if len(imported) == 1 else None
        return self._names[variable]

    def _imported(self, alias: ast.alias) -> str | None:
        statement = self.above(alias)
        if isinstance(statement, ast.Import):
            return alias.name if alias.asname else alias.name.partition(".")[0]
        if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            return f"{statement.module}.{alias.name}"
        return None

    def functions_of(self, node: ast.expr) -> list[Function | ast.ClassDef]:
        """The functions and classes of the modules that an expression may be."""
        if isinstance(node, ast.Lambda):
            return [node]
        bindings = self.bindings(self.of(node)) if isinstance(node, ast.Name) else []
        return [one for one in bindings if isinstance(one, (*FUNCTIONS, ast.ClassDef))]

    def values_of(self, binding: ast.AST) -> Iterator[ast.expr | None]:
        """The expressions that a name gets its value from; None for what is not known."""
        statement = self.statement_of(binding)
        match statement:
            case ast.Assign():
                yield statement.value
            case ast.AnnAssign() | ast.AugAssign() if statement.value is not None:
                yield statement.value
            case ast.For():
                yield statement.iter
            case ast.FunctionDef() if isinstance(binding, ast.arg):
                yield from self._arguments(statement, binding)
            case _:
                yield None

    def _arguments(self, function: ast.FunctionDef, parameter: ast.arg) -> Iterator[ast.expr | None]:
        """What a parameter is in the calls of its function; None if a call is not understood."""
        names = [one.arg for one in function.args.args]
        defaults = dict(
            zip(reversed(names), reversed(function.args.defaults), strict=False)
        )  # those of the last ones
        calls = [
            call
            for module in self.modules
            for call in of_kinds(module.tree, ast.Call)
            if function in self.functions_of(call.func)
        ]
        if not calls or parameter.arg not in names:
            yield None
        for call in calls:
            given = dict(zip(names, call.args, strict=False))
            given |= {one.arg: one.value for one in call.keywords if one.arg}
            yield given.get(parameter.arg, defaults.get(parameter.arg))


_DEFINING: tuple[type[ast.AST], ...] = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.arg, ast.alias, ast.ExceptHandler),
)


def _name(node: ast.AST) -> str | None:
    match node:
        case ast.Name():
            return node.id
        case ast.arg():
            return node.arg
        case ast.alias():
            return node.asname or node.name.partition(".")[0]
    return getattr(node, "name", None)
