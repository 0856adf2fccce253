"""Why a graph is not native."""

from __future__ import annotations

import ast

from migrate.trace import Use


class Blocked(Exception):  # noqa: N818  (it is an answer, not a failure)
    """One call keeps its graph from becoming native.

    Attributes:
        reason: in words for the user.
        use: the call that it is about, or None where it is about the whole graph.
        at: where it is, if not at that call.
    """

    def __init__(self, reason: str, use: Use | None = None, *, at: ast.AST | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.use = use
        self.at = at
