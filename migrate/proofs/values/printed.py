"""Values that a program only prints, by themselves, in a text, or one by one in a loop."""

from __future__ import annotations

import ast

from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import walk

_TEXTS = frozenset({"repr", "str"})


def is_printed(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression goes nowhere else than to `print`: ``print("called with %s" % " ".join(x))``."""
    around = facts.above[node]
    match around:
        case ast.Call(ast.Name(name), arguments) if node in arguments:
            return name == "print" or (name in _TEXTS and is_printed(around, facts))
        case ast.Call(ast.Attribute(ast.Constant(str()), "join" | "format"), arguments) if node in arguments:
            return is_printed(around, facts)
        case ast.BinOp() | ast.Tuple() | ast.JoinedStr() | ast.FormattedValue() | ast.Starred():
            return is_printed(around, facts)
        case ast.For(ast.Name(item), source) if source is node:
            return _are_printed(item, around, facts)
    return False


def _are_printed(item: str, loop: ast.For, facts: Facts) -> bool:
    """Whether nothing but prints reads the variable of a loop."""
    within = {node for statement in loop.body for node in walk(statement)}
    reads = facts.loads.get(item, [])
    return all(is_printed(name, facts) if name in within else _is_of_loop(name, facts) for name in reads)


def _is_of_loop(name: ast.Name, facts: Facts) -> bool:
    """Whether a name is the variable of a loop that it is read in."""
    below: ast.AST = name
    around = facts.above.get(name)
    while around is not None:
        match around:
            case ast.For(ast.Name(name.id), _, body) if below in body:
                return True
        below, around = around, facts.above.get(around)
    return False


def counted(name: ast.Name, facts: Facts) -> tuple[int, int | None] | None:
    """The numbers that a name stands for in ``for index in range(3, n)``: the first, and the one behind them.

    None where it is no variable of such a loop alone, and for the end where that is not written out.
    """
    below: ast.AST = name
    around = facts.above.get(name)
    while around is not None and not isinstance(around, ast.FunctionDef | ast.Lambda):
        match around:
            case ast.For(ast.Name(name.id), source, body) if below in body:
                bound = [one for one in facts.bindings.get(name.id, ()) if one is not around.target]
                within = [one for one in bound if any(one is inner for inner in walk(around))]
                return None if within else _range(source)
        below, around = around, facts.above.get(around)
    return None


def _range(source: ast.expr) -> tuple[int, int | None] | None:
    match source:
        case ast.Call(ast.Name("range"), [ast.Constant(int(first)), ast.Constant(int(end))], []):
            return first, end
        case ast.Call(ast.Name("range"), [ast.Constant(int(first)), _], []):
            return first, None
    return None
