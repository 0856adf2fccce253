"""A lambda that takes a large tuple apart, as a function that does so by the same names.

paths = flights.map(lambda (day, start, stop, delay): ((stop, day), (start, delay)))

def to_paths(items):
    day, start, stop, delay = items
    return ((stop, day), (start, delay))

paths = flights.map(to_paths)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fissix import pygram, pytree
from fissix.fixer_util import Name, parenthesize
from fissix.pgen2 import token
from fissix.pgen2.driver import Driver
from fissix.pygram import python_symbols as syms
from fissix.pytree import Base

FEW = 3
"""The names of a tuple, and the reads of them, up to which positions are as clear."""
_LAMBDAS = frozenset({syms.lambdef, syms.old_lambdef})
_STATEMENTS = frozenset({syms.expr_stmt, syms.power, syms.print_stmt, syms.return_stmt})
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PREDICATES = frozenset({"filter", "takeWhile", "dropWhile"})
_BLANKS = re.compile(r"(?:[ \t]*\n)*")


def statement_of(function: Base) -> Base | None:
    """The line of a block on which a lambda is an argument of a call, and nothing between has own names."""
    above, is_given = function.parent, False
    while above is not None and above.type != syms.simple_stmt:
        loops = any(part.type == syms.comp_for for part in above.children)
        if above.type in _LAMBDAS or loops:
            return None
        is_given |= above.type == syms.trailer
        above = above.parent
    if above is None or not is_given or above.children[0].type not in _STATEMENTS or len(above.children) != 2:
        return None
    block: Any = above.parent
    if block.type == syms.suite:
        return None if block.parent.type == syms.classdef else above
    return above if block.type == syms.file_input else None


def define(
    function: Base, parameter: Base, statement: Base, item: str, new_name: Callable[[str], str]
) -> Any:
    """Put a function above a statement, and its name in the place of a lambda; the body is the same node.

    Args:
        function: the lambda.
        parameter: its tuple.
        statement: the statement that it stands in.
        item: the name of the tuple.
        new_name: makes a name that the file does not have.
    """
    body = function.children[-1]
    name = new_name(_name(function, statement))
    block = statement.parent
    place = block.children.index(statement)
    indent = _indent(block)
    first = indent != "" and block.children[place - 1].type == token.INDENT
    names = " ".join("".join(str(part) for part in parameter.children[1:-1]).split())
    inner = indent + ("\t" if indent.endswith("\t") else "    ")
    code = f"def {name}({item}):\n{inner}{names} = {item}\n{inner}return {name}\n"
    made = Driver(pygram.python_grammar, convert=pytree.convert).parse_string(code).children[0]
    made.remove()
    for leaf in made.leaves():
        leaf.lineno = function.get_lineno()
    body.remove()
    body.prefix = ""
    returned = [leaf for leaf in made.leaves() if leaf.value == name][-1]
    value = parenthesize(body) if "\n" in str(body) and body.type != syms.atom else body
    value.prefix = " "
    returned.replace(value)
    function.replace(Name(name, prefix=function.prefix))
    blank = _BLANKS.match(statement.prefix)
    assert blank is not None
    space = "\n" * blank[0].count("\n") or ("" if first else "\n")
    made.prefix = space + ("" if first else indent)
    after = statement.prefix if blank[0] else "\n" + statement.prefix
    statement.prefix = after + (indent if first else "")
    block.insert_child(place, made)
    return made


def _indent(block: Base) -> str:
    """The white space before the statements of a block."""
    return next((part.value for part in block.children if part.type == token.INDENT), "")


def _name(function: Base, statement: Base) -> str:
    """A name for a function: ``to_paths`` for ``paths = flights.map(...)``, else by the method's own."""
    method = _method(function)
    target = statement.children[0].children[0] if statement.children[0].type == syms.expr_stmt else None
    if target is None or target.type != token.NAME:
        return f"{_snake(method)}_items" if method else "of_items"
    return f"{'is_in' if method in _PREDICATES else 'to'}_{_snake(target.value)}"


def _method(function: Base) -> str:
    """The name of the method that a lambda is given to."""
    trailer = function.parent
    while trailer.type != syms.trailer:
        trailer = trailer.parent
    before = trailer.prev_sibling
    return str([*before.leaves()][-1].value) if before is not None else ""


def _snake(name: str) -> str:
    return _HUMP.sub("_", name).lower()
