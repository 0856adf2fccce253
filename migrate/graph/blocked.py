"""Why a graph is not native."""

from __future__ import annotations

import ast

from migrate.trace import Use


class Blocked(Exception):  # noqa: N818  (it is an answer, not a failure)
    """One call keeps its graph from becoming native.

    Attributes:
        reason: in words for the user.
        why: the same without the operator that it is about.
        use: the call that it is about, or None where it is about the whole graph.
        operator: the operator that the reason begins with; empty for none.
        at: where it is, if not at that call.
    """

    def __init__(
        self, why: str, use: Use | None = None, *, operator: str = "", at: ast.AST | None = None
    ) -> None:
        self.reason = f"`{operator}`: {why}" if operator else why
        super().__init__(self.reason)
        self.why = why
        self.use = use
        self.operator = operator
        self.at = at
