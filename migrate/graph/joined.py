"""The modules that a graph is read in: those with its streams, and those that lead from one to the other."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from migrate.model import Module
from migrate.read.modules import Imports
from migrate.read.reach import imported_by
from migrate.syntax.nodes import of_kinds, walk
from migrate.trace import Graph, Trace, Use
from migrate.trace.values import Bound, Class, Function, ModuleValue


class Joined:
    """Finds the modules of a project that belong to a graph, and which of them a statement imports."""

    def __init__(self, graph: Graph, trace: Trace) -> None:
        self.trace = trace
        self._imports = Imports(trace.modules)
        self._ours = {*graph.contexts, *graph.streams}
        using = graph.modules
        self.modules = tuple(
            module for module in trace.modules if module.relative in using or self._holds(module)
        )
        """Those with the graph's contexts and streams, or its callbacks, in the order of the files."""
        self.of_callbacks = frozenset(module.relative for module in self._of_callbacks(graph))
        """The paths of those that have nothing of it but functions that its callbacks are."""
        own = {module.relative for module in self.modules} | self.of_callbacks
        self.modules = tuple(module for module in trace.modules if module.relative in own)

    def _of_callbacks(self, graph: Graph) -> Iterator[Module]:
        """The other modules that define callbacks, of which nothing else in the project takes anything.

        None where another graph shares a module with this one: each is rewritten in what the other leaves.
        """
        own = {module.relative for module in self.modules}
        alone = all(other is graph or own.isdisjoint(other.modules) for other in self.trace.graphs)
        if not alone or any(module.origin is not None for module in self.modules):
            return
        by_tree = {
            module.tree: module
            for module in self.trace.modules
            if module.relative not in own and not (module.outside or module.form.has_cells)
        }
        for function in (one for use in graph.uses for one in _callbacks(use)) if by_tree else ():
            for node in self._named(function):
                outer = self.trace.scopes.around(node).node if isinstance(node, ast.FunctionDef) else None
                module = by_tree.get(outer) if isinstance(outer, ast.Module) else None
                if module is not None and not self.trace.taken.of_module(module, own):
                    yield module

    def _holds(self, module: Module) -> bool:
        kinds = self.trace.kinds
        return any(node in kinds and self._ours & kinds[node] for node in walk(module.tree))

    def grow(self) -> bool:
        """Add the modules that call functions of those that are there; tell whether there are any."""
        defined = {node for module in self.modules for node in walk(module.tree)}
        own = {module.relative for module in self.modules}
        more = {
            module.relative
            for module in self.trace.modules
            if module.relative not in own
            and any(defined & self._called(call) for call in of_kinds(module.tree, ast.Call))
        }
        self.modules = tuple(module for module in self.trace.modules if module.relative in own | more)
        return bool(more)

    def _called(self, call: ast.Call) -> set[ast.AST]:
        return self._named(call.func)

    def _named(self, function: ast.expr) -> set[ast.AST]:
        """The functions and classes that were read which an expression may be."""
        values = self.trace.kinds.get(function, ())
        functions = (value.function if isinstance(value, Bound) else value for value in values)
        return {value.node for value in functions if isinstance(value, Function | Class)}

    def called_by_others(self) -> frozenset[ast.AST]:
        """What the other modules of the project call."""
        own = {module.relative for module in self.modules}
        others = (module for module in self.trace.modules if module.relative not in own)
        calls = (call for module in others for call in of_kinds(module.tree, ast.Call))
        return frozenset().union(*map(self._called, calls))

    def imports_of(self, names: Container[str]) -> Iterator[ast.alias]:
        """The names in import statements of the modules that bring in a context of the graph."""
        for module in self.modules:
            for statement in of_kinds(module.tree, ast.ImportFrom):
                found = self._imports.find(statement.module or "", module, statement.level)
                top = self.trace.scopes.tops.get(found.relative) if found is not None else None
                for alias in statement.names:
                    held = top.ever.get(alias.name, frozenset()) if top is not None else frozenset()
                    if alias.name in names and self._ours & held:
                        yield alias

    def is_module(self, node: ast.expr) -> bool:
        """Whether an expression is a module of the project."""
        return any(isinstance(value, ModuleValue) for value in self.trace.kinds.get(node, ()))

    def imported(self, statement: ast.stmt, module: Module) -> Iterable[ast.Module]:
        """The modules of the graph that an import statement runs, if it is the first to import them."""
        found = {other.relative: other for other in imported_by(statement, module, self._imports)}
        own = {other.relative for other in self.modules}
        return [other.tree for path, other in found.items() if path in own]


def _callbacks(use: Use) -> Iterator[ast.expr]:
    """The functions that ``foreachRDD`` is given, or that a lambda hands its RDD on to."""
    if use.name == "foreachRDD" and use.call is not None and len(use.call.args) == 1:
        (given,) = use.call.args
        match given:
            case ast.Lambda(body=ast.Call(function)):
                yield function
            case _:
                yield given
