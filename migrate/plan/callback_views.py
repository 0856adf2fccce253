"""Temp views that a callback makes in the batch's session, and what it reads of the session."""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.knowledge.sessions import CHANGES_VIEWS, READS_VIEWS, SHOWS_SCHEMA
from migrate.plan.conversion import Conversion
from migrate.proofs.session_changes import later, session_changes


class Views:
    """Checks that only the callback itself reads the temp views that it makes."""

    def __init__(self, conversion: Conversion) -> None:
        self.to = conversion
        self.callback = conversion.callback
        self.step = conversion.step

    def check(self) -> None:
        """Refuse a callback that makes a temp view which code outside of it reads."""
        views: set[str] = set()
        for node in self.callback.walk():
            if isinstance(node, ast.Attribute) and node.attr in SHOWS_SCHEMA:
                raise Refusal(f"`{node.attr}` shows how the DataFrame was made", node)
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in CHANGES_VIEWS
            ):
                argument = node.args[0] if node.args else None
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise Refusal("the name of the temp view is not written out", node)
                views.add(argument.value)
        inside = set(self.callback.walk())
        for node in self.step.program.tree.nodes():
            if isinstance(node, ast.Call) and node not in inside and _reads_view(node, views):
                raise Refusal("a temp view of the callback is read elsewhere", node)
        self._check_outer_session(views)

    def _check_outer_session(self, own: set[str]) -> None:
        """Refuse views of the outer session: the batch's session is a clone from when the query started."""
        program = self.step.program
        if not self.to.used_session:
            return
        inside = set(self.callback.walk())
        callbacks = [one for one in program.operations if one.operator in ("foreachRDD", "transform")]
        for call in session_changes(program.tree):
            is_view = isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES_VIEWS
            if call in inside and not is_view and len(callbacks) > 1:
                raise Refusal("what it changes in its session may be read by another callback", call)
        read = [node for node in inside if isinstance(node, ast.Call)]
        start = program.start.node if program.start is not None else None
        for call in later(program.tree, start):
            if call in inside:
                continue
            named = call.args[-1] if call.args else None
            view = named.value if isinstance(named, ast.Constant) else None
            is_view = isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES_VIEWS
            known = is_view and isinstance(view, str)
            if known and (view in own or not any(_reads_view(node, {str(view)}) for node in read)):
                continue
            raise Refusal("the session that it reads may change while the query runs", call)


def _reads_view(node: ast.Call, views: set[str]) -> bool:
    """``spark.sql("... words ...")`` or ``spark.table("words")``.

    A query that is not written out may read any.
    """
    if not (isinstance(node.func, ast.Attribute) and node.func.attr in READS_VIEWS and node.args):
        return False
    query = node.args[0]
    if isinstance(query, ast.Constant) and isinstance(query.value, str):
        return any(view in query.value for view in views)
    return bool(views)
