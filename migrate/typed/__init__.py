"""The types of Python functions that stay Python, as typed functions of Spark.

The grammar is closed, as that of `migrate.columns`: what it covers is pure and of the type that it says, on
every value on which the function returns at all.

    result_of_map(function, [element], scope)        # Result: the columns of what it returns
    result_of_filter(function, [element], scope)     # whether it is a bool already
    result_of_flat_map(function, [element], scope)   # the columns of each item
"""

from migrate.typed.held import Held
from migrate.typed.learnt import Result
from migrate.typed.results import (
    pair_of,
    prints,
    result_of_filter,
    result_of_flat_map,
    result_of_map,
    result_of_state,
    result_of_type,
    type_left,
    type_of,
    type_of_items,
    type_of_result,
)
from migrate.typed.types import Type
from migrate.typed.unshared import given_back

__all__ = [
    "Held",
    "Result",
    "Type",
    "given_back",
    "pair_of",
    "prints",
    "result_of_filter",
    "result_of_flat_map",
    "result_of_map",
    "result_of_state",
    "result_of_type",
    "type_left",
    "type_of",
    "type_of_items",
    "type_of_result",
]
