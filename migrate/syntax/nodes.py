"""The nodes of syntax trees: a cached `ast.walk`, for trees that nobody changes."""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)
Found = TypeVar("Found")


@lru_cache(maxsize=16)
def parsed(source: str) -> ast.Module:
    """The syntax tree of a text that several parts of a rewrite look at; nobody changes it.

    Raises:
        SyntaxError: it is not Python.
    """
    return ast.parse(source)


def parses(source: str) -> bool:
    """Whether a text is Python 3."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # null bytes, nesting without end
        return False
    return True


def walk(node: ast.AST) -> Sequence[ast.AST]:
    """A node and everything below it, as `ast.walk` gives it; of all but expressions it is found once."""
    found: list[ast.AST] | None = node.__dict__.get("nodes")
    if found is None:
        found = _nodes(node) if isinstance(node, _KEPT) else _below(node)
    return found


def root_of(node: ast.expr) -> ast.expr:
    """The expression that attributes are read from: `args` in ``args.source.port``."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def of_kinds(tree: ast.Module, *kinds: type[Node]) -> Sequence[Node]:
    """The nodes of a module that are of one of `kinds`, kind by kind."""
    held = tree.__dict__
    if "kinds" not in held:
        walk(tree)
    by_kind = held["kinds"]
    if len(kinds) == 1:
        only: Sequence[Node] = by_kind.get(kinds[0], ())
        return only
    found: list[Node] = []
    for kind in kinds:
        found += by_kind.get(kind, ())
    return found


def once(tree: ast.Module, find: Callable[[ast.Module], Found]) -> Found:
    """The result of `find` for a module, computed once: several plans and graphs ask for the same."""
    kept = vars(tree).setdefault("found", {})
    if find not in kept:
        kept[find] = find(tree)
    found: Found = kept[find]
    return found


def blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The blocks of statements of a module."""
    walk(tree)
    for kind, nodes in vars(tree)["kinds"].items():
        if not issubclass(kind, ast.expr):  # the body of a lambda is none
            for name in _BLOCKS.intersection(kind._fields):
                yield from (getattr(node, name) for node in nodes)


_BLOCKS = frozenset({"body", "orelse", "finalbody"})
_KEPT = (ast.Module, ast.stmt, ast.Lambda)


def parents_of(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """The parent of every node."""
    if not isinstance(tree, ast.Module):
        return {child: node for node in walk(tree) for child in children(node)}
    walk(tree)
    found: dict[ast.AST, ast.AST] = vars(tree)["parents"]
    return found


def around(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """What a node is in, from the inside out, by `parents_of` its tree."""
    while node in parents:
        node = parents[node]
        yield node


def with_around(nodes: Iterable[ast.AST], parents: Mapping[ast.AST, ast.AST]) -> set[ast.AST]:
    """Some nodes with all that they are in, by `parents_of` their tree."""
    found: set[ast.AST] = set()
    for node in nodes:
        step: ast.AST | None = node
        while step is not None and step not in found:
            found.add(step)
            step = parents.get(step)
    return found


def position(node: ast.AST) -> tuple[int, int]:
    """Where a node begins, its line and column: several statements may share a line.

    A node without a place of its own, such as a module, comes before all others.
    """
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def end_of(node: ast.AST) -> tuple[int, int]:
    """Where a node ends, its line and column; where it begins, if that is not known."""
    line, column = position(node)
    return getattr(node, "end_lineno", None) or line, getattr(node, "end_col_offset", None) or column


def lines_of(node: ast.AST) -> range:
    """The lines that a node is on."""
    return range(position(node)[0], end_of(node)[0] + 1)


def code_of(node: ast.AST) -> str:
    """The code of a node; that of names and their members, ``self.ssc``, is found sooner than by `ast`."""
    members: list[str] = []
    holder = node
    while isinstance(holder, ast.Attribute):
        members.append(holder.attr)
        holder = holder.value
    if isinstance(holder, ast.Name):
        return ".".join([holder.id, *reversed(members)])
    return ast.unparse(node)


def deeper_than(limit: int, tree: ast.Module) -> bool:
    """Whether a tree has more levels than `limit`; without recursion, so that no tree is too deep."""
    parents = parents_of(tree)
    step = _nodes(tree)[-1]  # it is on the lowest level
    levels = 1
    while step is not tree:
        step = parents[step]
        levels += 1
    return levels > limit


def _nodes(node: ast.AST) -> list[ast.AST]:
    """What `walk` gives for a node whose nodes are found once."""
    kept = node.__dict__
    if "nodes" not in kept:
        kept["nodes"] = _below(node) if type(node) is not ast.Module else _whole(node)
    found: list[ast.AST] = kept["nodes"]
    return found


def _whole(tree: ast.Module) -> list[ast.AST]:
    """The nodes of a module; their parents and kinds, which are asked for as often, are found on the way."""
    found: list[ast.AST] = [tree]
    parents: dict[ast.AST, ast.AST] = {}
    kinds: defaultdict[type[ast.AST], list[ast.AST]] = defaultdict(list)
    for one in found:  # grows while it is walked
        kind = type(one)
        kinds[kind].append(one)
        if kind not in LEAVES:
            held = one.__dict__
            inner = held.get("children")
            if inner is None:
                inner = held["children"] = _children(one)
            found += inner
            for child in inner:
                parents[child] = one
    vars(tree).update(parents=parents, kinds=dict(kinds))
    return found


def _below(node: ast.AST) -> list[ast.AST]:
    found = [node]
    for one in found:  # grows while it is walked
        if type(one) not in LEAVES:
            found += one.__dict__.get("children") or children(one)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, as `ast.iter_child_nodes` gives them, but for load and store."""
    held = node.__dict__
    found: list[ast.AST] | None = held.get("children")
    if found is None:
        found = held["children"] = _children(node)
    return found


def _children(node: ast.AST) -> list[ast.AST]:
    kind = type(node)
    parts = _PARTS.get(kind)
    return parts(node) if parts is not None else _by_fields(node)


def _by_fields(node: ast.AST) -> list[ast.AST]:
    """What is right below a node of any kind."""
    found: list[ast.AST] = []
    held = node.__dict__
    for name in fields_of(type(node)):
        value = held.get(name)
        if value.__class__ is not list:
            if isinstance(value, ast.AST):
                found.append(value)
        elif value:
            found += value if name not in _MIXED else [item for item in value if isinstance(item, ast.AST)]
    return found


def fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of nodes that may hold nodes, but for load and store."""
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _NO_NODES)
    return fields


def _of_arguments(node: ast.arguments) -> list[ast.AST]:
    """The parameters of a function and their defaults; most functions have none after a star."""
    if node.vararg is None and node.kwarg is None and not node.kwonlyargs:
        return [*node.posonlyargs, *node.args, *node.defaults]
    return _by_fields(node)


_PARTS: dict[type[ast.AST], Callable[[Any], list[ast.AST]]] = {
    ast.Attribute: lambda node: [node.value],
    ast.Call: lambda node: [node.func, *node.args, *node.keywords],
    ast.keyword: lambda node: [node.value],
    ast.Expr: lambda node: [node.value],
    ast.Assign: lambda node: [*node.targets, node.value],
    ast.arg: lambda node: [] if node.annotation is None else [node.annotation],
    ast.arguments: _of_arguments,
    ast.Lambda: lambda node: [node.args, node.body],
    ast.Subscript: lambda node: [node.value, node.slice],
    ast.Compare: lambda node: [node.left, *node.ops, *node.comparators],
    ast.BinOp: lambda node: [node.left, node.op, node.right],
    ast.Tuple: lambda node: [*node.elts],
    ast.ImportFrom: lambda node: [*node.names],
    ast.Import: lambda node: [*node.names],
    ast.If: lambda node: [node.test, *node.body, *node.orelse],
    ast.Return: lambda node: [] if node.value is None else [node.value],
}
"""What is right below the commonest kinds of nodes; of the others it is looked for, field by field."""
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: ()}
"""The fields that may hold nodes, by the kind of node."""
LEAVES = frozenset(
    {
        *(ast.Name, ast.Constant, ast.alias, ast.Pass),
        *ast.operator.__subclasses__(),
        *ast.cmpop.__subclasses__(),
        *ast.unaryop.__subclasses__(),
        *ast.boolop.__subclasses__(),
    }
)
"""Nodes with nothing below them but load and store."""
_MIXED = frozenset({"names", "keys", "kw_defaults", "kwd_attrs"})
"""The lists that may hold something else than nodes."""
_NO_NODES = frozenset(
    {
        "ctx",
        "id",
        "attr",
        "asname",
        "kind",
        "type_comment",
        "module",
        "level",
        "conversion",
        "simple",
        "is_async",
    }
)
