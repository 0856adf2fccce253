"""The call graph of a program, as far as it leads to the code of one graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.blocked import Blocked
from migrate.graph.joined import Joined
from migrate.graph.stopping_callbacks import callbacks, ends_by_stopping
from migrate.knowledge.streaming import LIFECYCLE
from migrate.syntax.nodes import of_kinds
from migrate.syntax.tree import Tree, own_nodes
from migrate.trace import Graph, Trace
from migrate.trace.values import Bound, Class, Function, Values

_ENDING = LIFECYCLE - {"start"}
IMPORTS = (ast.Import, ast.ImportFrom)
Called = ast.FunctionDef | ast.AsyncFunctionDef


class CallGraph:
    """Knows which functions a graph's code is in, and the calls and imports that lead there."""

    def __init__(self, graph: Graph, trace: Trace, joined: Joined) -> None:
        self.trace = trace
        self.tree = tree = Tree(*(module.tree for module in joined.modules))
        self._paths = {module.tree: module.relative for module in joined.modules}
        self.imports: dict[ast.stmt, list[ast.Module]] = {}
        """The modules of the graph that import statements run, unless others did before."""
        if len(joined.modules) > 1:
            for module in joined.modules:
                for statement in of_kinds(module.tree, *IMPORTS):
                    self.imports[statement] = [*joined.imported(statement, module)]
        self.sites: dict[ast.AST, list[ast.Call]] = {}
        """The calls of each function of the project that are in the graph's modules."""
        self.targets: dict[ast.Call, Called] = {}
        """The function that a call enters, where that is known."""
        inner: set[ast.AST] = set()
        self.recovering: dict[ast.Call, ast.expr] = {}
        """CallGraph of ``getOrCreate``, each with its function, or with the call that its lambda makes."""
        for root in tree.roots:
            for call in of_kinds(root, ast.Call):
                self._site(call)
        for use in graph.uses:
            if use.constructor and use.name == "getOrCreate" and use.call is not None:
                inner |= self._recovers(use.call)
        ours = {*graph.contexts, *graph.streams}
        kinds = trace.kinds
        self.carriers = [
            node for node in tree.above if node in kinds and ours & kinds[node] and node not in inner
        ]
        """The expressions that can be the context or one of the streams."""
        working = {tree.scope_of(node) for node in (*(use.node for use in graph.uses), *self.carriers)}
        self.working = {scope for scope in working if tree.holds(scope)}
        self.ending = self._only_ending(graph)
        """The functions that only stop the context or wait for it."""
        self.working -= self.ending
        """The scopes whose own code uses the context or a stream."""
        self.leading = self._leading()
        """These scopes, and the functions that lead to them by calls."""
        self._entering = {call for call, target in self.targets.items() if target in self.leading}

    def _only_ending(self, graph: Graph) -> set[ast.AST]:
        """Functions that only stop the context or wait for it, whenever somebody calls them.

        Of those that run in a batch only callbacks that end by it: Spark interrupts what stops its own query.
        """
        found: set[ast.AST] = set()
        for scope in self.working:
            if not isinstance(scope, ast.FunctionDef):
                continue
            uses = [use for use in graph.uses if self.tree.scope_of(use.node) is scope]
            receivers = {use.node.value for use in uses if isinstance(use.node, ast.Attribute)}
            carriers = {node for node in self.carriers if self.tree.scope_of(node) is scope}
            ends = bool(uses) and all(use.name in _ENDING for use in uses)
            if ends and carriers <= receivers:
                found.add(scope)
        if not found:
            return found
        own = found & callbacks(graph, self.trace)
        last = {function for function in own if ends_by_stopping(function, graph, self.tree)}
        return (found - self._called_back(graph)) | last

    def _called_back(self, graph: Graph) -> set[ast.AST]:
        """The functions that operators are given, and all that those call."""
        pending: list[ast.AST] = []
        for use in graph.uses:
            if use.call is not None:
                pending += [*use.call.args, *(keyword.value for keyword in use.call.keywords)]
        found: set[ast.AST] = set()
        while pending:
            for node in ast.walk(pending.pop()):
                functions = [
                    value.function if isinstance(value, Bound) else value
                    for value in self.trace.kinds.get(node, ())
                    if isinstance(value, Bound | Function)
                ]
                new = {function.node for function in functions} - found
                found |= new
                pending += new
        return found

    def _site(self, call: ast.Call) -> None:
        functions = list(self._functions(call))
        for function in functions:
            self.sites.setdefault(function, []).append(call)
        if len(functions) == 1:
            self.targets[call] = functions[0]

    def _recovers(self, call: ast.Call) -> set[ast.AST]:
        """``getOrCreate(d, build)`` calls `build` where there is no checkpoint.

        Returns:
            The call in ``getOrCreate(d, lambda: build(x))``, which is not one of its own.
        """
        found: set[ast.AST] = set()
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        function = call.args[1] if len(call.args) > 1 else named.get("setupFunc")
        if isinstance(function, ast.Lambda) and isinstance(function.body, ast.Call):
            inner = function.body
            found.add(inner)
            target = self.targets.pop(inner, None)
            if target is not None:
                self.sites[target].remove(inner)
            stands: ast.expr | None = inner
        else:
            values = self.trace.kinds.get(function, frozenset()) if function is not None else frozenset()
            nodes = [value.node for value in values if isinstance(value, Function)]
            target = nodes[0] if len(nodes) == 1 and isinstance(nodes[0], Called) else None
            stands = function
        if target is not None and stands is not None:
            self.sites.setdefault(target, []).append(call)
            self.targets[call] = target
            self.recovering[call] = stands
        return found

    def _functions(self, call: ast.Call) -> Iterator[Called]:
        for value in self.trace.called(call.func):
            if isinstance(value, Bound):
                value = value.function
            if isinstance(value, Class):
                found = self._init(value.node)
                value = next(iter(found)) if len(found) == 1 else value
            if isinstance(value, Function) and isinstance(value.node, Called):
                yield value.node

    def _init(self, cls: ast.ClassDef) -> Values:
        """What a class calls to make an object, of its own or of one that it derives from."""
        own = self.trace.scopes[cls].ever.get("__init__", frozenset())
        return own or frozenset().union(*map(self._init, self.trace.bases(cls)))

    def _leading(self) -> set[ast.AST]:
        found: set[ast.AST] = set(self.working)
        steps: list[tuple[ast.AST, ast.AST]] = [*self.targets.items()]
        steps += [(statement, module) for statement, run in self.imports.items() for module in run]
        grown = True
        while grown:
            grown = False
            for call, target in steps:
                scope = self.tree.scope_of(call)
                if target in found and scope not in found:
                    found.add(scope)
                    grown = True
        return found

    def in_code(self, node: ast.AST) -> list[ast.Call]:
        """The calls in a statement's own code that lead to the graph, in the order in which they run."""
        if not self._entering:
            return []
        return [inner for inner in own_nodes(node) if inner in self._entering and isinstance(inner, ast.Call)]

    def reach(self, scope: ast.AST) -> set[ast.AST]:
        """A function and all that it calls on the way to the graph."""
        found: set[ast.AST] = set()
        pending = [scope]
        while pending:
            step = pending.pop()
            if step in found:
                continue
            found.add(step)
            assert isinstance(step, ast.Module | Called)
            for statement in step.body:
                pending += [self.targets[call] for call in self.in_code(statement)]
                pending += self.imported(statement)
        return found

    def imported(self, statement: ast.stmt) -> list[ast.AST]:
        """The modules in a statement's own code that are imported and lead to the graph."""
        if not self.imports:
            return []
        own = (node for node in own_nodes(statement) if isinstance(node, IMPORTS))
        return [module for node in own for module in self.imports[node] if module in self.leading]

    def root(self, start: ast.AST) -> ast.Module | Called:
        """The innermost function, from `start` outwards, that leads to all code of the graph.

        Raises:
            Blocked: there is none that is certain to run all of it once.
        """
        scope = start
        while True:
            if isinstance(scope, ast.Module | ast.FunctionDef) and self.working <= self.reach(scope):
                return scope
            if isinstance(scope, ast.ClassDef | ast.AsyncFunctionDef | ast.Lambda):
                raise Blocked("the graph is built in the body of a class, a lambda or a coroutine")
            sites = self.sites.get(scope, [])
            if isinstance(scope, ast.Module) and (entry := self._entry()) is not None:
                return entry
            if len(sites) != 1 or isinstance(scope, ast.Module):
                raise Blocked(self._lost(start, scope, len(sites)))
            scope = self.tree.scope_of(sites[0])

    def _entry(self) -> ast.Module | None:
        """The module that leads to all code of the graph by its imports and calls, if there is one."""
        found = [module for module in self.tree.roots if self.working <= self.reach(module)]
        inner = [module for module in found if {*found} & self.reach(module) == {module}]
        return inner[0] if len(inner) == 1 else None

    def _place(self, scope: ast.AST) -> tuple[str, int]:
        """Where a function or a module is, for an order that is always the same."""
        return self._paths[self.tree.root_of(scope)], getattr(scope, "lineno", 0)

    def _lost(self, start: ast.AST, outermost: ast.AST, calls: int) -> str:
        """Why the code from `start` to `outermost` does not lead to all of the graph."""
        reached = self.reach(start)
        missed = min(self.working - reached, key=self._place)
        name = getattr(missed, "name", "lambda")
        builds = getattr(outermost, "name", None)
        if isinstance(missed, ast.Module) and isinstance(outermost, ast.Module):
            path = self._paths[missed]
            return f"{path} works on the graph too, and nothing that builds it runs {path}"
        if builds is None:
            return f"`{name}` works on the graph too, and nothing that builds it calls `{name}`"
        found = "no call" if calls == 0 else "more than one call"
        if isinstance(missed, ast.Module):
            return f"code outside of functions works on the graph too, and {found} of `{builds}` was found"
        made = self.tree.class_of(outermost) if builds == "__init__" else None
        if made is not None:
            several = "in more than one place" if calls else "nowhere in the files that were read"
            return (
                f"`{name}` works on what an object of `{made.name}` builds, and such objects are made "
                f"{several}: which one it is for is not followed; make one object, and call `{name}` on that"
            )
        return f"`{name}` works on the graph too, and {found} of `{builds}`, which builds it, was found"
