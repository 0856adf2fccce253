"""The graphs of a project: what hangs together on a StreamingContext, over as many files as it spans."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from migrate.cached import cached_property
from migrate.frozen import dataclass, replace
from migrate.model import Module
from migrate.syntax.nodes import of_kinds
from migrate.trace.findings import Findings
from migrate.trace.interpreter import interpret
from migrate.trace.scopes import Scopes
from migrate.trace.taken import Taken, find_taken
from migrate.trace.uses import Escape, Use
from migrate.trace.values import Bound, Class, Context, Instance, Stream, Traced, Value, Values


@dataclass(frozen=True)
class Graph:
    """Everything traced that belongs together; no other graph shares any of it."""

    id: str
    """Where its first site is: ``path:line``."""
    contexts: tuple[Context, ...]
    streams: tuple[Stream, ...]
    uses: tuple[Use, ...]
    """In the order of the files, then of their text."""
    escapes: tuple[Escape, ...]
    files: tuple[str, ...]
    """All files that the graph's code is in, also those that only import the context's class for it."""

    @property
    def modules(self) -> dict[str, Module]:
        """The modules that hold uses, by path."""
        return {use.module.relative: use.module for use in self.uses}

    def told(self, module: Module) -> Module:
        """A module whose lines have its name in the report, unless the graph is in that alone."""
        return module if self.files == (module.relative,) else replace(module, told_by_name=True)


@dataclass(frozen=True)
class Trace:
    """All that is known of the modules that were read."""

    graphs: tuple[Graph, ...]
    kinds: dict[ast.AST, Values]
    """What each name, attribute and call can be, wherever that is anything known."""
    scopes: Scopes
    """Which variable each name is."""
    modules: tuple[Module, ...] = ()
    beside: tuple[Module, ...] = ()
    """Those of other programs, which share some of the modules: new names in these are free there, too."""

    def bases(self, cls: ast.ClassDef) -> list[ast.ClassDef]:
        """The classes of the project that a class derives from."""
        return [
            value.node
            for base in cls.bases
            for value in self.kinds.get(base, ())
            if isinstance(value, Class) and value.node is not cls
        ]

    def called(self, node: ast.AST) -> Iterator[Value]:
        """What an expression that is called can be, without methods of classes that have no object."""
        values = self.kinds.get(node, frozenset())
        for value in values:
            if isinstance(value, Bound) and len(values) > 1:
                owner = value.receiver.of if isinstance(value.receiver, Instance) else value.receiver
                if owner.node not in self._made:
                    continue  # the object of a derived class has another one
            yield value

    @cached_property
    def _made(self) -> frozenset[ast.ClassDef]:
        """The classes that something else than a derived class names, so that there may be objects of them.

        ``Base.save(self)`` names one for a method of an object that there is.
        """
        trees = [module.tree for module in self.modules]
        other = {base for tree in trees for cls in of_kinds(tree, ast.ClassDef) for base in cls.bases}
        other |= {node.value for tree in trees for node in of_kinds(tree, ast.Attribute)}
        names = (node for tree in trees for node in of_kinds(tree, ast.Name, ast.Attribute))
        read = (self.kinds.get(node, ()) for node in names if node not in other)
        return frozenset(value.node for values in read for value in values if isinstance(value, Class))

    @cached_property
    def taken(self) -> Taken:
        """What the modules take from each other, found once it is asked for: nothing if there is one."""
        return find_taken(self.modules, self.kinds) if len(self.modules) > 1 else Taken()


def trace(modules: Sequence[Module]) -> Trace:
    """Find the graphs of `modules`; none of them is imported or run."""
    findings = interpret(modules)
    graphs = tuple(_graphs(findings, modules))
    return Trace(graphs, findings.kinds, findings.scopes, tuple(modules))


def _graphs(findings: Findings, modules: Sequence[Module]) -> Iterable[Graph]:
    order = {module.relative: position for position, module in enumerate(modules)}
    groups = _Groups()
    for left, right in findings.links:
        groups.join(left, right)
    uses: dict[Traced, list[Use]] = {}
    for use in findings.uses.values():
        first, *others = use.owners
        for other in others:
            groups.join(first, other)
    for escape in findings.escapes.values():
        first, *others = escape.values
        for other in others:
            groups.join(first, other)
    for use in findings.uses.values():
        uses.setdefault(groups.find(next(iter(use.owners))), []).append(use)
    found = []
    for root, members in uses.items():
        members.sort(key=lambda use: (order[use.module.relative], *_place(use)))
        inside = groups.members(root)
        files = {use.module.relative for use in members}
        for value in inside:
            files |= findings.origins.get(value, set())
        found.append(
            Graph(
                id=_id(members[0]),
                contexts=tuple(value for value in inside if isinstance(value, Context)),
                streams=tuple(value for value in inside if isinstance(value, Stream)),
                uses=tuple(members),
                escapes=tuple(
                    e for e in findings.escapes.values() if groups.find(next(iter(e.values))) == root
                ),
                files=tuple(sorted(files, key=lambda path: order[path])),
            )
        )
    found.sort(key=lambda graph: (order[graph.uses[0].module.relative], *_place(graph.uses[0])))
    return _distinct(found)


def _distinct(graphs: list[Graph]) -> list[Graph]:
    """Two graphs that begin on one line still have ids of their own."""
    seen: dict[str, int] = {}
    result = []
    for graph in graphs:
        seen[graph.id] = count = seen.get(graph.id, 0) + 1
        if count > 1:
            graph = Graph(
                f"{graph.id}#{count}", graph.contexts, graph.streams, graph.uses, graph.escapes, graph.files
            )
        result.append(graph)
    return result


def _id(first: Use) -> str:
    place = first.module.place(_place(first)[0])
    cell = "" if place.cell is None else f"cell {place.cell}:"
    return f"{first.module.relative}:{cell}{place.line}"


def _place(use: Use) -> tuple[int, int]:
    node = use.node
    if isinstance(node, ast.Attribute):
        return node.end_lineno or node.lineno, (node.end_col_offset or 0) - len(node.attr.encode())
    return node.lineno, node.col_offset


class _Groups:
    """Disjoint sets of traced values."""

    def __init__(self) -> None:
        self._above: dict[Traced, Traced] = {}

    def find(self, value: Traced) -> Traced:
        above = self._above
        step = above.setdefault(value, value)
        while (higher := above[step]) is not step:
            above[step] = step = above[higher]
        return step

    def join(self, left: Traced, right: Traced) -> None:
        self._above[self.find(left)] = self.find(right)

    def members(self, root: Traced) -> list[Traced]:
        found = [value for value in self._above if self.find(value) == root]
        return sorted(found, key=lambda value: (value.node.lineno, value.node.col_offset))  # type: ignore[attr-defined]
