"""Parameters of a module's functions that other modules of the project give texts or whole numbers alone.

    # sending.py                                      # main.py
    def send(data, producer):                         sending.send("%d words\\n" % count, producer)
        producer.send("words", python2_str(data))

A module is brought to Python 3 by itself, where nothing says what `data` is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace as with_fields

from migrate.frozen import replace
from migrate.model import Module
from migrate.read.python2.form import Modernised
from migrate.read.python2.functions import true_division
from migrate.read.python2.handed import Given
from migrate.read.python2.kinds import kinds_of
from migrate.syntax.nodes import of_kinds, parents_of, parsed, walk
from migrate.syntax.text import Edit, Text, apply_edits

_SHOWN = "python2_str"


def with_given_elsewhere(modules: Sequence[Module]) -> list[Module]:
    """The modules of a project, with `str` of what all of them together show to be no float."""
    return [_shown(module, modules) if _asks(module) else module for module in modules]


def _asks(module: Module) -> bool:
    return isinstance(module.form, Modernised) and not module.form.has_cells and _SHOWN in module.source


def _shown(module: Module, modules: Sequence[Module]) -> Module:
    form, text = module.form, Text(module.source)
    found = [
        call.func
        for function in module.tree.body
        if isinstance(function, ast.FunctionDef) and not function.decorator_list
        for call, place in _of_parameters(function)
        if _is_shown_alike(function, place, modules)
    ]
    if not found or not isinstance(form, Modernised):
        return module
    code = apply_edits(module.source, [Edit(text.start(name), text.end(name), "str") for name in found])
    rows = Text(code).lines
    gone = _unread_helper(parsed(code), rows, form.lines)
    kept = [row for row in range(len(rows)) if row not in gone]
    code = "".join(rows[row] for row in kept)
    lines = (*(form.lines[row] for row in kept), *form.lines[len(rows) :])
    return replace(module, source=code, tree=parsed(code), form=with_fields(form, code=code, lines=lines))


def _of_parameters(function: ast.FunctionDef) -> Iterator[tuple[ast.Call, int]]:
    """The calls of ``python2_str`` for a parameter that nothing binds again, with its position."""
    names = [one.arg for one in function.args.args]
    nodes = walk(function)
    bound = {one.id for one in nodes if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    bound |= {one.arg for one in nodes if isinstance(one, ast.arg) and one not in function.args.args}
    for node in nodes:
        match node:
            case ast.Call(ast.Name(name), [ast.Name(given)], []):
                if name == _SHOWN and given in names and given not in bound:
                    yield node, names.index(given)


def _is_shown_alike(function: ast.FunctionDef, place: int, modules: Sequence[Module]) -> bool:
    """Whether all calls of a function give a parameter what Python 2 and 3 show alike, if there are any."""
    name, parameter = function.name, function.args.args[place].arg
    found = False
    for module in modules:
        if name not in module.source:
            continue
        if any(alias.name == name and alias.asname for alias in of_kinds(module.tree, ast.alias)):
            return False
        kinds = kinds_of(module.tree, true_division=true_division(module.tree))
        for call in _uses(name, module.tree):
            value = call and Given(call.args, call.keywords).given(place, parameter)
            if value is None or not kinds.shows_the_same(value):
                return False
            found = True
    return found


def _uses(name: str, tree: ast.Module) -> Iterator[ast.Call | None]:
    """The calls of a function in a module; None for another use of it."""
    parents = parents_of(tree)
    uses: list[ast.expr] = [one for one in of_kinds(tree, ast.Name) if one.id == name]
    uses += [one for one in of_kinds(tree, ast.Attribute) if one.attr == name]
    for use in uses:
        above = parents[use]
        yield above if isinstance(above, ast.Call) and above.func is use else None


def _unread_helper(tree: ast.Module, rows: Sequence[str], lines: Sequence[int]) -> range:
    """The rows of ``python2_str`` and of the blank lines that came with it, if nothing calls it any more.

    Args:
        tree: the module.
        rows: its lines.
        lines: the old line of each of them.
    """
    read = any(name.id == _SHOWN for name in of_kinds(tree, ast.Name))
    helpers = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == _SHOWN]
    if read or len(helpers) != 1:
        return range(0)
    begin, end = helpers[0].lineno - 1, helpers[0].end_lineno or 0
    while end < len(rows) and not rows[end].strip():
        end += 1
    above = begin
    while above > 0 and not rows[above - 1].strip():
        above -= 1
    blank = lines[end] - lines[above - 1] - 1 if above > 0 else 0  # as many as there were
    return range(min(begin, above + max(blank, 0)), end)
