"""Sessions and contexts in callbacks: which expressions are the batch's own session."""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.knowledge.sessions import OF_SESSIONS
from migrate.plan.conversion import Conversion
from migrate.syntax.nodes import walk


class Sessions:
    """Recognises them."""

    def __init__(self, conversion: Conversion) -> None:
        self.to = conversion
        self.callback = conversion.callback
        self.step = conversion.step

    def _refused(self, node: ast.AST, why: str) -> Refusal:
        return Refusal(why, node)

    def _is_session(self, node: ast.AST) -> bool:
        """``getSparkSessionInstance(rdd.context.getConf())``,
        ``SparkSession.builder.config(conf=...).getOrCreate()``.
        """
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Name):
            if not any(self._is_context(argument) for argument in node.args):
                return False
            function = self.step.plan.facts.only_binding(node.func.id)
            if isinstance(function, ast.FunctionDef):
                return _returns_session(function)
            return node.func.id in ("SparkSession", "SQLContext", "HiveContext") and isinstance(
                function, ast.alias
            )
        text = ast.unparse(node)
        return text.startswith("SparkSession.builder") and text.endswith(".getOrCreate()")

    def _check_members(self) -> None:
        """See that the batch's session has all that the callback asks its own for.

        Raises:
            Refusal: an SQLContext has more, or keeps it to itself.
        """
        for node in self.callback.walk():
            if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.expr)):
                continue
            inner = isinstance(node.value, ast.Name) and node.value.id in self.to.sessions
            if (inner or self._is_session(node.value)) and node.attr not in OF_SESSIONS:
                raise self._refused(node, f"`{node.attr}` is not followed to the batch's session")
            outer = isinstance(node.value, ast.Name) and self._is_made_outside(node.value)
            if outer and self.to.used_session and node.attr not in OF_SESSIONS:
                raise self._refused(node, f"`{node.attr}` is of another session than the batch's")

    def _is_context(self, node: ast.AST) -> bool:
        text = ast.unparse(node)
        return text in (
            f"{self.callback.rdd}.{end}" for end in ("context", "ctx", "context.getConf()", "ctx.getConf()")
        )

    def _is_outer_session(self, node: ast.Name) -> bool:
        """A session or SQLContext that was made outside.

        Its temp views are not those of the batch's session.
        """
        parent = self.to.parents.get(node)
        return (
            isinstance(parent, ast.Attribute)
            and parent.attr in OF_SESSIONS
            and isinstance(node.ctx, ast.Load)
            and self._is_made_outside(node)
        )

    def _is_made_outside(self, node: ast.Name) -> bool:
        binding = self.step.plan.facts.only_binding(node.id)
        if node.id in self.to.sessions or not isinstance(binding, ast.Name):
            return False
        statement = self.step.plan.facts.statement_of(binding)
        made = ast.unparse(statement.value) if isinstance(statement, ast.Assign) else ""
        return made.startswith(("SparkSession", "SQLContext(", "HiveContext("))


def _returns_session(function: ast.FunctionDef) -> bool:
    text = ast.unparse(function)
    return ("SparkSession" in text or "SQLContext" in text) and any(
        isinstance(node, ast.Return) and node.value is not None for node in walk(function)
    )
