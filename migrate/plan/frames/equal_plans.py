"""DataFrames that Spark may take for one another.

Spark keeps persisted data by plan, in which the names of columns do not count (`CacheManager`,
`QueryPlan.canonicalized`): where two DataFrames have one plan, the first ``unpersist`` releases both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from migrate.columns import leaves
from migrate.columns.pieces import written_out
from migrate.plan.frames.frame import Frame
from migrate.plan.new_code.code import Chain, Written
from migrate.plan.new_code.spark_types import type_name
from migrate.syntax.nodes import walk

Outline = tuple[tuple[str, ...], frozenset[str]]
"""The types of the columns, and the functions and literals that make them."""

_OF_NAMES = frozenset({"select", "col", "lit", "alias", "agg", "toDF"})
"""Calls that may be in one of two expressions with the same plan, and not in the other."""
_OF_TEXTS = frozenset({"lit", "contains", "startswith", "endswith", "like", "rlike", "isin"})
"""Calls whose texts are literals for certain, and no names of columns."""


def outline(frame: Frame, above: Iterable[Written]) -> Outline:
    """Return what DataFrames with the same plan have in common; others may have it in common, too.

    Args:
        frame: the DataFrame.
        above: the statements before it, which may make variables that it reads.
    """
    types = tuple(type_name(leaf.shape) for leaf in leaves(frame.element))
    return types, frozenset(_parts(frame.chain.text, _variables(above)))


def is_made_by(found: Outline, above: Iterable[Written]) -> bool:
    """Whether some statements may make a DataFrame with the plan of another one."""
    variables = _variables(above)
    return any(frozenset(_parts(code, variables)) == found[1] for code in variables.values())


def _variables(above: Iterable[Written]) -> dict[str, str]:
    """The code of the variables that statements bind."""
    chains = (one.code for one in above if isinstance(one.code, Chain) and one.code.target)
    return {chain.target: chain.text for chain in chains}


def _parts(text: str, variables: Mapping[str, str]) -> Iterator[str]:
    """The functions and literals of an expression, and of the variables that it reads.

    Expressions of columns are texts, and Spark compares what they come to: so the text is the thing here.
    """
    for node in walk(ast.parse(written_out(text), mode="eval")):
        match node:
            case ast.Name(name) if name in variables:
                yield from _parts(variables[name], {key: variables[key] for key in variables if key != name})
            case ast.Call(function):
                called = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
                if called not in _OF_NAMES:
                    yield called
                if called in _OF_TEXTS:
                    yield from map(ast.dump, node.args)
            case ast.Compare():
                yield from (ast.dump(side) for side in node.comparators if isinstance(side, ast.Constant))
            case ast.Constant(value) if not isinstance(value, str):
                yield repr(value)
