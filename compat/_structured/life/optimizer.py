"""Which rules of Spark's optimizer the engine's plans go without."""

from __future__ import annotations

from typing import Any

EXCLUDED_RULES = "spark.sql.optimizer.excludedRules"
_RULES = "org.apache.spark.sql.catalyst.optimizer."
_KEPT = {
    _RULES + name
    for name in (
        "CollapseProject",
        "ColumnPruning",
        "EliminateSerialization",
        "PushDownPredicates",
        "PushProjectionThroughUnion",
    )
}
"""Those that find something in selections, unions and Python functions."""


def needless_rules(java_session: Any) -> str:
    """A value of `EXCLUDED_RULES`: what Spark can leave out and the engine's plans have no use for.

    Each rule walks each plan, and every batch makes plans of its own. Rules of extensions stay.

    Args:
        java_session: a session of the JVM; what it excludes already is among the result.
    """
    optimizer = java_session.sessionState().optimizer()
    rules = {rule.ruleName() for batch in _each(optimizer.defaultBatches()) for rule in _each(batch.rules())}
    needless = {rule for rule in rules if rule.startswith(_RULES)} - _KEPT
    needless -= set(_each(optimizer.nonExcludableRules()))
    users = java_session.conf().get(EXCLUDED_RULES, "")
    return ",".join([*filter(None, [users]), *sorted(needless)])


def _each(of_scala: Any) -> list[Any]:
    return [of_scala.apply(index) for index in range(of_scala.size())]
