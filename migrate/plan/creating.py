"""``createDataFrame`` and ``toDF`` of a batch's RDD: a ``select`` of its frame."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.columns import Record, Refusal, Scalar, leaves, projection
from migrate.columns.shapes import Bool, Float, Int, Str
from migrate.knowledge.rdd import SAME_ELEMENTS
from migrate.plan.conversion import Conversion
from migrate.plan.rdd_chain import frame_of, row_of
from migrate.plan.stages import Frame
from migrate.plan.tokens import tokens_of
from migrate.proofs.rows import Rows


class Frames:
    """Replaces the calls that make a DataFrame of a callback's RDD."""

    def __init__(self, conversion: Conversion) -> None:
        self.to = conversion
        self.callback = conversion.callback
        self.step = conversion.step

    def create(
        self, node: ast.Call, source: ast.expr, schema: list[ast.expr], keywords: list[ast.keyword]
    ) -> str:
        """The DataFrame of an RDD with the columns that the call names.

        Raises:
            Refusal: it would have others, or the call fails where a ``select`` does not.
        """
        given = [*schema, *(keyword.value for keyword in keywords if keyword.arg == "schema")]
        if len(given) != len(schema) + len(keywords) or len(given) > 1:
            raise Refusal("this form of createDataFrame is not covered", node)
        frame = frame_of(self.step, source, self.to.frames)
        if isinstance(frame.element, Scalar):
            raise Refusal("a DataFrame is made of rows or tuples", node)
        if tokens_of(frame.element):
            why = "a column may raise, and what reads the DataFrame may not read that column"
            raise Refusal(why, node)
        columns = list(leaves(frame.element))
        if len(columns) != len(frame.element.items):
            raise Refusal("a column would be a struct", node)
        names: list[str] | None
        if given:
            names = _names(given[0])
        elif self._are_rows(source):
            names = [leaf.name or "" for leaf in columns]
        else:
            names = [f"_{position}" for position in range(1, len(columns) + 1)]
        if names is None or len(names) != len(columns) or len({name.lower() for name in names}) != len(names):
            raise Refusal("the schema is not a list of column names", node)
        self._guard_empty(node, frame)
        self.step.need(shuffles=True)
        items = tuple(_typed(replace(leaf, name=name)) for leaf, name in zip(columns, names, strict=True))
        self.to.uses += 1
        if frame.calls == () and [leaf.name for leaf in leaves(frame.element)] == names and not frame.pending:
            return frame.base
        return frame.call(f"select({', '.join(projection(Record(items)))})").chain.text

    def _are_rows(self, source: ast.expr) -> bool:
        """Whether the elements of an RDD are Rows, which name the columns, and not tuples."""
        if isinstance(source, ast.Name):
            made = [
                node.value
                for node in self.callback.walk()
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == source.id
            ]
            return len(made) == 1 and self._are_rows(made[0])
        if not (isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute)):
            return False
        if source.func.attr in SAME_ELEMENTS:
            return self._are_rows(source.func.value)
        return (
            source.func.attr == "map" and bool(source.args) and row_of(source.args[0], self.step) is not None
        )

    def _guard_empty(self, node: ast.Call, frame: Frame) -> None:
        """Raise for an empty batch, as createDataFrame does: it looks at the first row."""
        child: ast.AST = node
        step = self.to.parents.get(node)
        statement: ast.stmt | None = None
        while step is not None:
            if (
                isinstance(step, ast.If)
                and child in step.body
                and not frame.filtered
                and Rows(self.callback).some(step.test)
            ):
                return
            if isinstance(child, ast.stmt) and statement is None:
                statement = child
            child, step = step, self.to.parents.get(step)
        statement = statement or (child if isinstance(child, ast.stmt) else None)
        if statement is None or not isinstance(self.callback.node, ast.FunctionDef):
            raise Refusal("createDataFrame raises on a batch without rows", node)
        if not frame.filtered and self._returned_before(statement):
            return
        frame = frame.materialised() if frame.calls else frame
        swallowed = self._swallowed(statement)
        self.to.raises |= not swallowed
        action = "return" if swallowed else 'raise ValueError("RDD is empty")'
        self.to.guards[statement] = f"if {frame.chain.text}.isEmpty():\n    {action}"

    def _returned_before(self, statement: ast.stmt) -> bool:
        assert isinstance(self.callback.node, ast.FunctionDef)
        for before in self.callback.node.body:
            if before is statement:
                return False
            early = isinstance(before, ast.If) and isinstance(before.body[-1], ast.Return)
            if (
                early
                and isinstance(before, ast.If)
                and ast.unparse(before.test) == f"{self.callback.rdd}.isEmpty()"
            ):
                return True
        return False

    def _swallowed(self, statement: ast.stmt) -> bool:
        """Whether an exception here only ends the callback.

        ``try: ... except Exception: pass`` as its last statement.
        """
        step = self.to.parents.get(statement)
        assert isinstance(self.callback.node, ast.FunctionDef)
        if (
            not isinstance(step, ast.Try)
            or statement not in step.body
            or step is not self.callback.node.body[-1]
        ):
            return False
        return not step.finalbody and any(
            (
                handler.type is None
                or ast.unparse(handler.type) in ("Exception", "BaseException", "ValueError")
            )
            and all(isinstance(inner, ast.Pass | ast.Return) for inner in handler.body)
            for handler in step.handlers
        )


def _names(node: ast.expr) -> list[str] | None:
    if isinstance(node, ast.List | ast.Tuple):
        names = [
            item.value for item in node.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)
        ]
        return names if len(names) == len(node.elts) else None
    return None


def _typed(column: Scalar) -> Scalar:
    """The column with the type that createDataFrame infers for its Python values."""
    if isinstance(column.shape, Int) and column.shape.width != 64:
        code = column.code if column.precedence == 100 else f"({column.code})"
        return replace(column, code=f'{code}.cast("bigint")', precedence=100)
    if not isinstance(column.shape, Str | Int | Float | Bool):
        raise Refusal(
            "the type of a column is not the one that createDataFrame would infer", ast.Constant(None)
        )
    return column
