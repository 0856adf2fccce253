"""Functions of the program that return what a typed function does, once their pairs are flat.

    def parse(line):
        record = json.loads(line)
        return record["name"], (float(record["price"]), 1)

returns ``only_text(record["name"]), float(record["price"]), 1``, where nothing else calls it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.plan.draft.step import Step
from migrate.proofs.callbacks.roles import is_used_only_by
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import own_nodes


def flat_returns(step: Step, function: ast.expr, of_key: str) -> Mapping[ast.AST, str]:
    """The values that a function returns, each with a key that goes through another function.

    Args:
        step: the operator that the function is given to.
        function: the name of the function.
        of_key: the name of the one for keys.

    Returns:
        the replacements; none where something else may call it, or it may return anything else.
    """
    node = step.facts.only_binding(function.id) if isinstance(function, ast.Name) else None
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or step.facts.of(node) is not step.facts:
        return {}
    if any(isinstance(one, ast.Yield | ast.YieldFrom) for one in walk(node)):
        return {}
    if not isinstance(node.body[-1], ast.Return) or not is_used_only_by([function], node, step.facts):
        return {}
    found: dict[ast.AST, str] = {}
    for made in (one for part in node.body for one in own_nodes(part) if isinstance(one, ast.Return)):
        match made.value:
            case ast.Tuple([key, ast.Tuple(values)]) if not any(map(_is_starred, values)):
                found[made.value] = ", ".join([f"{of_key}({quoted(key)})", *map(quoted, values)])
            case _:
                return {}
    return found


def _is_starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)
