"""Callbacks that bind the name of their RDD to something else: ``def save(rows): rows = rows.collect()``.

The parameter gets a name of its own, with which the callback is as good as any other:
``def save(rdd): rows = rdd.collect()``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from migrate.frozen import replace
from migrate.model import Module
from migrate.proofs.roles import stays_an_rdd
from migrate.read.python2 import Modernised
from migrate.syntax.nodes import around, of_kinds, parents_of, parsed, position, walk
from migrate.syntax.text import Edit, Text, apply_edits
from migrate.syntax.tree import parameter_names

_CALLBACKS = frozenset({"foreachRDD", "transform"})
_NAMES = ("rdd", "batch_rdd", "rdd_of_batch")
_APART = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_AGAIN = (ast.For, ast.AsyncFor, ast.While)


def with_own_parameters(modules: Sequence[Module]) -> list[Module] | None:
    """The modules with such parameters renamed; None if there are none."""
    found = [_renamed(module) for module in modules]
    return found if any(new is not old for new, old in zip(found, modules, strict=True)) else None


def _renamed(module: Module) -> Module:
    text = Text(module.source)
    functions = {function: name for function, name in _callbacks(module.tree) if name}
    edits = [edit for function, name in functions.items() for edit in _edits(function, name, text)]
    if not edits:
        return module
    code = apply_edits(module.source, edits)
    lines = tuple(range(1, len(text.lines) + 2))
    form = Modernised(module.source, code, lines, (), module.form)
    return replace(module, source=code, tree=parsed(code), form=form)


def _callbacks(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The functions of a module that get the RDD of a batch, and the parameter for it."""
    defined: dict[str, list[ast.FunctionDef]] = {}
    for function in of_kinds(tree, ast.FunctionDef):
        defined.setdefault(function.name, []).append(function)
    for call in of_kinds(tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _CALLBACKS and call.args:
            name, place = _called(call.args[0])
            for function in defined.get(name, ()):
                names = [one for one in parameter_names(function) if one != "self"]
                yield function, names[place] if -len(names) <= place < len(names) else ""


def _called(node: ast.expr) -> tuple[str, int]:
    """The name of a callback or of a function that it only hands its RDD to, and the place of the RDD."""
    match node:
        case ast.Lambda(args=given, body=ast.Call(called, arguments)) if given.args:
            names = [one.id if isinstance(one, ast.Name) else "" for one in arguments]
            rdd = given.args[-1].arg
            return (_called(called)[0], names.index(rdd)) if rdd in names else ("", 0)
        case ast.Name(name) | ast.Attribute(attr=name):
            return name, -1
    return "", 0


def _edits(function: ast.FunctionDef, parameter: str, text: Text) -> list[Edit]:
    """The edits that rename a parameter, as far as it is the RDD; none where that is not certain."""
    parents, inside = parents_of(function), walk(function)
    names = [node for node in inside if isinstance(node, ast.Name) and node.id == parameter]
    stores = [name for name in names if not isinstance(name.ctx, ast.Load)]
    others = [name for name in stores if not stays_an_rdd(parents[name], parameter)]
    first = min(others, key=position, default=None)
    if first is None:
        return []
    statement = parents[first]
    if not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
        return []
    of_value = set(walk(statement.value))
    before = [name for name in names if name in of_value or position(name) < position(statement)]
    after = [name for name in names if name not in before]
    block = parents[statement]
    taken = {getattr(node, key, None) for node in inside for key in ("id", "arg", "name")}
    new = next((name for name in _NAMES if name not in taken), None)
    is_certain = (
        new is not None
        and not any(isinstance(outer, (*_AGAIN, *_APART)) for outer in _up_to(function, statement, parents))
        and all(block in around(name, parents) for name in after)
        and _branch(block, statement).issuperset(after)
        and not any(isinstance(o, _APART) for name in before for o in _up_to(function, name, parents))
        and not any(isinstance(node, ast.arg) and node.arg == parameter for node in _nested(function))
        and not any(parameter in node.names for node in inside if isinstance(node, ast.Global | ast.Nonlocal))
    )
    if not is_certain or new is None:
        return []
    given = next(one for one in walk(function.args) if isinstance(one, ast.arg) and one.arg == parameter)
    start = text.start(given)
    found = [Edit(start, start + len(parameter), new), *_told(function, parameter, new, text)]
    return found + [Edit(text.start(name), text.end(name), new) for name in before]


def _told(function: ast.FunctionDef, parameter: str, new: str, text: Text) -> Iterator[Edit]:
    """The edits of a docstring that describes the parameter: ``:param rows:``, ``rows: the words``."""
    match function.body:
        case [ast.Expr(ast.Constant(str()) as docstring), *_]:
            start, end = text.start(docstring), text.end(docstring)
            described = re.compile(
                rf"(?:(:param\s+(?:\w+\s+)?)|(^[ \t]*)){parameter}(?=[ \t]*:)", re.MULTILINE
            )
            for match in described.finditer(text.source, start, end):
                yield Edit(match.end() - len(parameter), match.end(), new)


def _up_to(function: ast.FunctionDef, node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """What a node of a function is in, below that function."""
    for outer in around(node, parents):
        if outer is function:
            return
        yield outer


def _branch(block: ast.AST, statement: ast.stmt) -> set[ast.AST]:
    """All that runs behind a statement, in its own branch of the block."""
    for statements in (value for _, value in ast.iter_fields(block) if isinstance(value, list)):
        if statement in statements:
            rest = statements[statements.index(statement) :]
            return {node for one in rest for node in walk(one)}
    return set()


def _nested(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of the functions inside of a function."""
    for node in walk(function):
        if node is not function and isinstance(node, _APART):
            yield from walk(node)
