"""Sessions and contexts in callbacks: which expressions are the batch's own session."""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.graph.session_expressions import Is, SessionExpressions, is_builder, makes_session
from migrate.knowledge.sessions import CHANGES_VIEWS, OF_SESSIONS, READS_VIEWS
from migrate.plan.conversion import Conversion

_OF_VIEWS = READS_VIEWS | {"catalog"}
"""Members of a session that read temp views, or list them."""


class Sessions:
    """The sessions that a callback reads: its own, which it makes, and those of outside."""

    def __init__(self, conversion: Conversion) -> None:
        self._to = conversion
        self._callback = conversion.callback
        self._step = conversion.step
        arguments = ast.walk(self._callback.node.args)
        self._parameters = {node.arg for node in arguments if isinstance(node, ast.arg)}
        self._values = SessionExpressions(self._step.program.module.tree, self._step.trace)

    def is_made(self, node: ast.AST) -> bool:
        """Whether an expression makes or finds the session of the batch.

        ``getSparkSessionInstance(rdd.context.getConf())``, or
        ``SparkSession.builder.config(conf=rdd.context.getConf()).getOrCreate()``.
        """
        if not isinstance(node, ast.Call):
            return False
        trace = self._step.trace
        if isinstance(node.func, ast.Attribute) and is_builder(node.func.value, trace):
            return makes_session(node, trace)
        return self._has_context(node) and self._values.is_session(node) is Is.YES

    def is_session(self, node: ast.AST) -> bool:
        """Whether an expression is a session, or stands for one."""
        own = isinstance(node, ast.Name) and node.id in self._to.sessions
        return own or self.is_made(node) or self._is_outside(node) is Is.YES

    def is_outer(self, node: ast.expr) -> bool:
        """Whether an expression is a session or SQLContext that was made outside.

        Its temp views are not those of the batch's session.
        """
        parent = self._to.parents.get(node)
        followed = isinstance(parent, ast.Attribute) and parent.attr in OF_SESSIONS
        return followed and self._is_outside(node) is Is.YES

    def _is_outside(self, node: ast.AST) -> Is:
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return Is.NO
        if isinstance(node, ast.Name):
            if node.id in self._to.sessions or node.id in self._parameters:
                return Is.NO
            basis = self._step.basis
            if node.id == basis.names.session and basis.session.builder is None:
                return Is.YES
        return self._values.is_session(node)

    def check_members(self) -> None:
        """Refuse a callback whose session has more than the session of the batch.

        Raises:
            Refusal: a member is one that only an SQLContext has, or an expression may be another session.
        """
        for node in self._callback.walk():
            if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.expr)):
                continue
            inner = isinstance(node.value, ast.Name) and node.value.id in self._to.sessions
            if (inner or self.is_made(node.value)) and node.attr not in OF_SESSIONS:
                raise Refusal(f"`{node.attr}` is not followed to the batch's session", node)
            outer = self._is_outside(node.value)
            if outer is Is.YES and self._to.used_session and node.attr not in OF_SESSIONS:
                raise Refusal(f"`{node.attr}` is of another session than the batch's", node)
            if outer is Is.UNKNOWN and node.attr in _OF_VIEWS and self._makes_views():
                shown = ast.unparse(node.value)
                raise Refusal(f"`{shown}` may be a session that lacks the temp views of the batch", node)

    def _makes_views(self) -> bool:
        nodes = (node for node in self._callback.walk() if isinstance(node, ast.Attribute))
        return any(node.attr in CHANGES_VIEWS for node in nodes)

    def _has_context(self, node: ast.Call) -> bool:
        """Whether a call is given the context of the batch's RDD, or that one's settings."""
        rdd = self._callback.rdd
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        ends = ("context", "ctx", "context.getConf()", "ctx.getConf()")
        return any(ast.unparse(argument) == f"{rdd}.{end}" for argument in given for end in ends)
