"""Keys that variables are named for: ``negative = [rows[0][1] for rows in counts]`` has "negative" first.

The names say what the program's author saw in each position, whichever Python ran it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrate.plan.callbacks.named_keys import Keys
from migrate.proofs.analysis.facts import Facts

_SHORTEST = 3
"""Letters of a name that can be short for a key: ``pos`` for "positive"."""
_INTO = frozenset({"add", "append", "put"})


def order_by_variables(reads: Iterable[ast.AST], keys: Keys, facts: Facts) -> Keys:
    """The keys in the order in which variables are named for them; none where not all are known by that.

    Args:
        reads: where rows are read by their position: ``rows[0]``.
        keys: the keys, in any order.
        facts: the names of the module.
    """
    found: dict[int, str] = {}
    for read in reads:
        match read:
            case ast.Subscript(slice=ast.Constant(int(place))):
                key = _key_of(_variable(read, facts.of(read)), keys)
                if key and found.setdefault(place, key) != key:
                    return ()
    places = range(len(keys))
    left = [key for key in keys if key not in found.values()]
    free = [place for place in places if place not in found]
    if not found or len(left) != len(free) or len(free) > 1 or not {*found} <= {*places}:
        return ()
    found.update(zip(free, (str(key) for key in left), strict=True))
    return tuple(found[place] for place in places)


def _key_of(variable: str, keys: Keys) -> str:
    """The only key that a variable is named for; empty if there is none."""
    name = variable.lower().replace("_", "")
    found = [key for key in keys if key and _are_alike(name, key.lower().replace("_", ""))]
    return found[0] if len(found) == 1 else ""


def _are_alike(name: str, key: str) -> bool:
    return min(len(name), len(key)) >= _SHORTEST and (key.startswith(name) or key in name)


def _variable(read: ast.AST, facts: Facts) -> str:
    """The variable that gets what is made of a row, or the list that it is put into; empty for others."""
    inner, node = read, facts.above.get(read)
    place: int | None = None
    while node is not None:
        match node:
            case ast.Tuple() if place is None and isinstance(inner, ast.expr):
                place = node.elts.index(inner)
            case ast.Call(ast.Attribute(ast.Name(name), method)) if inner in node.args:
                return name if method in _INTO else ""
            case ast.Assign([ast.Name(name)]) if place is None:
                return name
            case ast.Assign([ast.Tuple(elts=targets)], ast.Tuple(elts=values)) if place is not None:
                target = targets[place] if len(targets) == len(values) else None
                return target.id if isinstance(target, ast.Name) else ""
            case ast.stmt():
                return ""
        inner, node = node, facts.above.get(node)
    return ""
