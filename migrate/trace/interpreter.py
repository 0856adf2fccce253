"""Follows what values flow where through whole modules, without running them.

A function is seen with all the arguments that any call gives it. Rounds repeat until nothing new turns up, so
that what is found does not depend on the order of definitions.
"""

from __future__ import annotations

from collections.abc import Sequence

from migrate.model import Module
from migrate.trace.calls import Calls
from migrate.trace.expressions import Expressions
from migrate.trace.findings import Findings
from migrate.trace.members import Members
from migrate.trace.passing import Passing
from migrate.trace.scopes import FUNCTIONS
from migrate.trace.spark_calls import SparkCalls
from migrate.trace.statements import Statements
from migrate.trace.unknown import Unknown

ROUNDS = 30
"""Rounds after which the facts are taken as they are.

Chains of calls deeper than this are not met in practice.
"""


def interpret(modules: Sequence[Module]) -> Findings:
    """Find all facts, first those that follow from the code alone, then what can only be a context."""
    findings = Findings(modules)
    unknown, passing = Unknown(findings), Passing(findings)
    members = Members(findings, unknown, passing)
    calls = Calls(findings, members, passing, SparkCalls(findings, unknown, passing))
    statements = Statements(findings, Expressions(findings, members, calls), passing)
    _settle(findings, unknown, statements)
    if unknown.waiting:
        unknown.naming = True
        _settle(findings, unknown, statements)
    return findings


def _settle(findings: Findings, unknown: Unknown, statements: Statements) -> None:
    """Go round until nothing new turns up; what is used where is that of the last round."""
    for _ in range(ROUNDS):
        findings.changed = unknown.waiting = False
        findings.uses.clear()
        findings.escapes.clear()
        findings.kinds.clear()
        _round(findings, statements)
        if not findings.changed:
            return


def _round(findings: Findings, statements: Statements) -> None:
    for top in findings.tops.values():
        statements.module(top)
    for node, scope in list(findings.scopes.items()):
        if isinstance(node, FUNCTIONS):
            statements.function(node, scope)
