"""Functions that only compute: their calls show in nothing but their results."""

from __future__ import annotations

import ast

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
