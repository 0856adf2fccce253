"""Whether more than one place reads an argument, an option or a variable of the environment.

``zk, db = sys.argv[1], sys.argv[1]``: what callers pass as that argument is the host of both.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.printed import counted, is_printed
from migrate.read.reach import reached
from migrate.syntax.nodes import of_kinds
from migrate.syntax.tree import is_main_guard

Places = tuple[int, int | None]
"""The first place in ``sys.argv``, and the one behind the last; None for all that follow."""
_EVERYTHING: Places = (0, None)
_SHOWN = frozenset({"len", "str", "repr"})
"""Functions that hand none of the arguments on, given ``sys.argv`` as a whole."""
_TESTING = (ast.If, ast.IfExp, ast.While)


def argument_is_read(end: ast.expr, item: int | None, own: Collection[ast.AST], facts: Facts) -> bool:
    """Whether something else reads an argument of the command line.

    Args:
        end: ``sys.argv[1]``, or ``sys.argv[1:]``.
        item: the place in such a slice; None if it is all of it.
        own: the expressions that may read it.
        facts: the names of the module that it is in.
    """
    wanted = _places(end, item)
    for found in _together(end, facts):
        for node in found.nodes(ast.Attribute, ast.Name):
            if isinstance(node, ast.Attribute | ast.Name) and found.facts.qualified(node) == "sys.argv":
                reader, places = _read(node, found.facts)
                if reader is end and item is not None:  # ``zk, db = sys.argv[1:]`` gives each once
                    continue
                if reader not in own and places is not None and _overlap(places, wanted):
                    return True
    return False


def option_is_read(end: ast.expr, own: Collection[ast.AST], facts: Facts) -> bool:
    """Whether something may read an option, ``args.zk``, by way of all options: ``vars(args)``."""
    if not isinstance(end, ast.Attribute) or not isinstance(end.value, ast.Name):
        return False
    whole = [name for name in facts.loads.get(end.value.id, ()) if not _is_looked_at(name, facts)]
    return bool(whole) and any(
        _word(node) == end.attr
        for found in _together(end, facts)
        for node in found.nodes(ast.Attribute, ast.Constant, ast.arg)
        if node not in own
    )


def variable_is_read(key: ast.Constant, own: Collection[ast.AST], facts: Facts) -> bool:
    """Whether something else reads a variable of the environment: another text is its name."""
    texts = (node for found in _together(key, facts) for node in found.nodes(ast.Constant))
    return any(
        isinstance(node, ast.Constant) and node.value == key.value and node not in own for node in texts
    )


class _Module:
    """A module of a program, and the code of it that runs with the program."""

    def __init__(self, facts: Facts, *, is_main: bool) -> None:
        self.facts = facts
        guards = [one for one in facts.tree.body if isinstance(one, ast.If) and is_main_guard(one)]
        self._left_out = set() if is_main else {node for guard in guards for node in ast.walk(guard)}

    def nodes(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        return (node for node in of_kinds(self.facts.tree, *kinds) if node not in self._left_out)


def _together(node: ast.AST, facts: Facts) -> Iterator[_Module]:
    """The modules that run in the programs of the module that a node is in."""
    modules = {module.relative: module for module in facts.trace.modules}
    (own,) = (path for path, module in modules.items() if module.tree is facts.of(node).tree)
    above = {path for path in modules if own in reached([path], modules)}
    for path in sorted(reached(above, modules)):
        tree = modules[path].tree
        if tree.body:
            yield _Module(facts.of(tree.body[0]), is_main=path in above)


def _read(node: ast.expr, facts: Facts) -> tuple[ast.AST, Places | None]:
    """What reads ``sys.argv`` somewhere, and the places in it that it reads; None for none of them."""
    around = facts.above[node]
    if not isinstance(around, ast.Subscript) or around.value is not node:
        return node, None if _is_shown(node, facts) else _EVERYTHING
    places = _places(around, None)
    if isinstance(around.slice, ast.Name):
        places = counted(around.slice, facts) or _EVERYTHING
    is_slice = isinstance(around.slice, ast.Slice)
    return around, None if is_slice and _is_shown(around, facts) else places


def _is_shown(node: ast.expr, facts: Facts) -> bool:
    """Whether of some arguments only the number is looked at, or all are printed, also one by one."""
    around = facts.above[node]
    while isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not):
        node, around = around, facts.above[around]
    if isinstance(around, _TESTING):
        return around.test is node
    told = isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id in _SHOWN
    return told or is_printed(node, facts)


def _places(read: ast.expr, item: int | None) -> Places:
    """The places in ``sys.argv`` that an expression reads, or one item of them."""
    match read:
        case ast.Subscript(slice=ast.Constant(value=int(place))):
            return place, place + 1
        case ast.Subscript(slice=ast.Slice(lower, upper, None)):
            first, end = _bound(lower, 0), _bound(upper, None)
            if first is not None and (upper is None or end is not None):
                return (first, end) if item is None else (first + item, first + item + 1)
    return _EVERYTHING


def _bound(node: ast.expr | None, missing: int | None) -> int | None:
    """A bound of a slice; None where it is not known."""
    if node is None:
        return missing
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _overlap(one: Places, other: Places) -> bool:
    starts, ends = max(one[0], other[0]), [end for end in (one[1], other[1]) if end is not None]
    return all(starts < end for end in ends)


def _is_looked_at(name: ast.Name, facts: Facts) -> bool:
    """Whether of all options one is read, or they are printed."""
    around = facts.above[name]
    return (isinstance(around, ast.Attribute) and around.attr != "__dict__") or _is_shown(name, facts)


def _word(node: ast.AST) -> str:
    """The name of an option that a node may read it by."""
    match node:
        case ast.Attribute(attr=word) | ast.arg(arg=word) | ast.Constant(value=str(word)):
            return word
    return ""
