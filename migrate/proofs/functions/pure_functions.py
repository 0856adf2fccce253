"""Functions that only compute: their calls show in nothing but their results."""

from __future__ import annotations

import ast

from migrate.graph.program import Operation, upstream
from migrate.knowledge.libraries import RESULTS
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.functions.stateless import NOTHING, is_stateless
from migrate.syntax.tree import parameter_names

_LIBRARY = frozenset(
    {
        *("json.loads", "json.dumps", "time.time", "time.strftime", "time.localtime", "time.gmtime"),
        *("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.strptime"),
        *("datetime.datetime.fromtimestamp", "datetime.date.today", "datetime.timedelta"),
        *("uuid.uuid1", "uuid.uuid4", "random.random", "random.randint", "random.uniform"),
        *("re.findall", "re.match", "re.search", "re.split", "re.sub", "pyspark.sql.Row"),
        *RESULTS,
    }
)
"""What they may call beside builtins and methods that only read.

The time, an identifier or a random number may be another one at each call.
"""


def is_pure(function: ast.expr, facts: Facts, *, typed: bool = False) -> bool:
    """Whether a function of one argument, given as a lambda or by its name, only computes, or raises.

    Args:
        function: the function.
        facts: the names of the module.
        typed: whether the types of all its values are known.
    """
    if isinstance(function, ast.Lambda):
        own = {*parameter_names(function)}
        return is_stateless([function.body], own, NOTHING, facts, _LIBRARY, typed=typed)
    if facts.qualified(function) in _LIBRARY:
        return True
    if not isinstance(function, ast.Name):
        return False
    return is_stateless([function], NOTHING, NOTHING, facts, _LIBRARY, typed=typed)


def only_computes(stream: Operation, facts: Facts) -> bool:
    """Whether all functions that make a stream only compute, so that its RDDs may be computed once."""
    given = ((node, operation) for operation in upstream(stream) for node in _given(operation))
    return all(_is_pure(node, operation, facts.of(node)) for node, operation in given)


def _given(operation: Operation) -> list[ast.expr]:
    return [*operation.call.args, *(keyword.value for keyword in operation.call.keywords)]


def _is_pure(node: ast.expr, operation: Operation, facts: Facts) -> bool:
    """Whether an argument is a function that only computes, or is called by no batch."""
    is_function = isinstance(node, ast.Lambda) or called_function(node, facts) is not None
    if isinstance(node, ast.Constant) or (operation.is_source and not is_function):
        return True
    return is_pure(node, facts) or (facts.qualified(node) or "").startswith("operator.")
