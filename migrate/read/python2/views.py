"""Uses of ``d.items()`` that need no list of it: loops in which nothing changes the dict, ``sorted``.

for name, count in counts.items():
    print name, count

Python 3 raises an error where the number of keys changes while a loop runs. Another value for a later key
would be seen, so a loop that may set one, and one over what may have another name, keeps its list.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from migrate.syntax.nodes import of_kinds, parents_of, walk
from migrate.syntax.text import Edit, Text

_VIEWS = frozenset({"items", "keys", "values"})
_READING = _VIEWS | {"copy", "get"}
_READERS = frozenset({"len", "list", "print", "sorted", "str"})
_GOING_THROUGH = frozenset(
    {"all", "any", "dict", "join", "list", "max", "min", "set", "sorted", "sum", "tuple"}
)
"""Functions that go through a generator before they return."""
_CHANGING = frozenset({"clear", "pop", "popitem", "setdefault", "update"})
_Loop = ast.For | ast.comprehension
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_PAUSES = (ast.Await, ast.Yield, ast.YieldFrom)


def views(tree: ast.Module, text: Text, old: str) -> Iterator[Edit]:
    """The lists that go.

    Args:
        tree: the module in Python 3.
        text: its text.
        old: the text in Python 2: a list that stands there is the program's own.
    """
    parents = parents_of(tree)
    loops: list[_Loop] = [*of_kinds(tree, ast.For), *of_kinds(tree, ast.comprehension)]
    if "defaultdict" in text.source:  # a read of such a dict may give it a key
        loops = []
    for call in of_kinds(tree, ast.Call):
        match call:
            case ast.Call(ast.Name("list"), [ast.Call(ast.Attribute(owner, name), [], []) as view], []):
                over = [loop for loop in loops if loop.iter is call]
                alone = any(_is_left_alone(owner, loop, tree, parents) for loop in over)
            case _:
                continue
        idle = alone or _is_gone_through(call, parents.get(call))
        if idle and name in _VIEWS and text.of(call) not in old:
            yield Edit(text.start(call), text.start(view), "")
            yield Edit(text.end(view), text.end(call), "")


def _is_gone_through(items: ast.expr, above: ast.AST | None) -> bool:
    """Whether a function goes through a list before it returns: ``sorted(list(d.items()), key=f)``."""
    match above:
        case ast.Call(ast.Name(name) | ast.Attribute(_, "join" as name), [first, *_]):
            return first is items and name in _GOING_THROUGH
    return False


def _is_left_alone(
    owner: ast.expr, loop: _Loop, tree: ast.Module, parents: Mapping[ast.AST, ast.AST]
) -> bool:
    """Whether nothing changes a dict, by its name or that of `self`, while a loop goes through it."""
    whole, body = ast.unparse(owner), [inner for node in _body(loop, parents) for inner in walk(node)]
    pauses = _is_lazy(loop, parents) or any(isinstance(node, _PAUSES) for node in body)
    if pauses or _has_aliases(whole, tree):
        return False
    match owner:
        case ast.Name(name):
            elsewhere = _of_variable(name, loop, tree, parents)
            if any(_is_changed(node, parents) for node in elsewhere):
                return False
        case ast.Attribute(ast.Name("self")):
            if any(_hands_self(node, parents) for node in body):
                return False
        case _:
            return False
    same = [node for node in body if isinstance(node, type(owner)) and ast.unparse(node) == whole]
    key = _key(loop)
    return all(_is_read(node, parents) or _sets_own(node, key, parents) for node in same)


def _key(loop: _Loop) -> str:
    """The variable of a loop that holds the key, if nothing else is bound to it in there."""
    match loop.iter, loop.target:
        case ast.Call(_, [ast.Call(ast.Attribute(_, "keys"))]), ast.Name(name):
            pass
        case ast.Call(_, [ast.Call(ast.Attribute(_, "items"))]), ast.Tuple([ast.Name(name), _]):
            pass
        case _:
            return ""
    bound = [node for node in walk(loop) if isinstance(node, ast.Name) and node.id == name and _stores(node)]
    return name if len(bound) == 1 else ""


def _sets_own(node: ast.expr, key: str, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a dict gets another value for the key that a loop is at, which it has passed."""
    match parents.get(node):
        case ast.Subscript(value, ast.Name(name), ast.Store()):
            return value is node and name == key
    return False


def _of_variable(
    name: str, loop: _Loop, tree: ast.Module, parents: Mapping[ast.AST, ast.AST]
) -> Iterator[ast.Name]:
    """Where other functions name the variable of a loop's function: they may run while the loop does."""
    around = _function(loop, parents)
    shared = {one for node in of_kinds(tree, ast.Global) for one in node.names}
    is_local = around is not None and name not in shared and name in _bound_in(around)
    for node in walk(around if around is not None and is_local else tree):
        if isinstance(node, ast.Name) and node.id == name and _function(node, parents) is not around:
            yield node


def _bound_in(function: ast.AST) -> set[str]:
    """The parameters and variables of a function, and of those in it."""
    names = {node.id for node in walk(function) if isinstance(node, ast.Name) and _stores(node)}
    return names | {node.arg for node in walk(function) if isinstance(node, ast.arg)}


def _body(loop: _Loop, parents: Mapping[ast.AST, ast.AST]) -> list[ast.AST]:
    """What runs while a loop does."""
    if isinstance(loop, ast.For):
        return list(loop.body)
    whole = parents[loop]
    return [child for child in ast.iter_child_nodes(whole) if child is not loop] + list(loop.ifs)


def _is_lazy(loop: _Loop, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a loop is that of a generator which something goes through later."""
    whole = parents[loop]
    match parents.get(whole):
        case ast.Call(ast.Name(name) | ast.Attribute(_, name)):
            return isinstance(whole, ast.GeneratorExp) and name not in _GOING_THROUGH
    return isinstance(whole, ast.GeneratorExp)


def _has_aliases(whole: str, tree: ast.Module) -> bool:
    """Whether a dict may have another name: ``other = counts``."""
    for node in of_kinds(tree, ast.Assign):
        if len(node.targets) > 1 and any(ast.unparse(target) == whole for target in node.targets):
            return True
        names = {ast.unparse(node.value), *map(ast.unparse, node.targets)}
        if whole in names and isinstance(node.value, ast.Name | ast.Attribute):
            return True
    return False


def _is_read(node: ast.expr, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a dict is only read where it stands."""
    above = parents.get(node)
    match above:
        case ast.Subscript(value, _, ast.Load()):
            return value is node
        case ast.Compare(_, [ast.In() | ast.NotIn()], [right]):
            return right is node
        case ast.Attribute(_, name, ast.Load()):
            return name in _READING and isinstance(parents.get(above), ast.Call)
        case ast.Call(ast.Name(name)):
            return name in _READERS and above.func is not node
    return False


def _is_changed(node: ast.Name, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether code changes a dict, or binds its name, where it stands."""
    match parents.get(node):
        case ast.Subscript(value, _, ctx) if value is node:
            return not isinstance(ctx, ast.Load)
        case ast.Attribute(_, name):
            return name in _CHANGING
    return _stores(node)


def _stores(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _function(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.AST | None:
    step: ast.AST | None = node
    while step is not None and not isinstance(step, _FUNCTIONS):
        step = parents.get(step)
    return step


def _hands_self(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a method of `self` is called, or `self` given to something, that may change its dicts."""
    if not isinstance(node, ast.Name) or node.id != "self":
        return False
    above = parents.get(node)
    if not isinstance(above, ast.Attribute):
        return True
    call = parents.get(above)
    return isinstance(call, ast.Call) and call.func is above
