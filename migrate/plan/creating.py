"""``createDataFrame`` and ``toDF`` of a batch's RDD: a ``select`` of its frame; temp views made of it."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.codemod.style import one_line
from migrate.columns import Record, Refusal, Scalar, leaves, projection
from migrate.columns.shapes import Bool, Float, Int, Str
from migrate.knowledge.rdd import SAME_ELEMENTS
from migrate.knowledge.sessions import CHANGES_VIEWS, READS_VIEWS, SHOWS_SCHEMA
from migrate.plan.callback_sessions import Sessions
from migrate.plan.rdd_chain import frame_of, row_of
from migrate.plan.stages import Frame, tokens_of
from migrate.proofs.guards import Rows
from migrate.proofs.session_changes import changes, later
from migrate.syntax.nodes import walk


class Creating(Sessions):
    """Replaces what makes a DataFrame."""

    # --- DataFrames -----------------------------------------------------------------------------------------

    def _create(
        self, node: ast.Call, source: ast.expr, schema: list[ast.expr], keywords: list[ast.keyword]
    ) -> str:
        given = [*schema, *(keyword.value for keyword in keywords if keyword.arg == "schema")]
        if len(given) != len(schema) + len(keywords) or len(given) > 1:
            raise self._refused(node, "this form of createDataFrame is not covered")
        frame = frame_of(self.step, source, self.to.frames)
        if isinstance(frame.element, Scalar):
            raise self._refused(node, "a DataFrame is made of rows or tuples")
        if tokens_of(frame.element):
            raise self._refused(
                node, "a column may raise, and what reads the DataFrame may not read that column"
            )
        columns = list(leaves(frame.element))
        if len(columns) != len(frame.element.items):
            raise self._refused(node, "a column would be a struct")
        names: list[str] | None
        if given:
            names = _names(given[0])
        elif self._are_rows(source):
            names = [leaf.name or "" for leaf in columns]
        else:
            names = [f"_{position}" for position in range(1, len(columns) + 1)]
        if names is None or len(names) != len(columns) or len({name.lower() for name in names}) != len(names):
            raise self._refused(node, "the schema is not a list of column names")
        self._guard_empty(node, source, frame)
        self.step.plan.shuffles = True
        items = tuple(_typed(replace(leaf, name=name)) for leaf, name in zip(columns, names, strict=True))
        self.to.uses += 1
        if frame.calls == () and [leaf.name for leaf in leaves(frame.element)] == names and not frame.pending:
            return frame.base
        return one_line(frame.base, (*frame.calls, f"select({', '.join(projection(Record(items)))})"))

    def _are_rows(self, source: ast.expr) -> bool:
        """Whether the elements of an RDD are Rows, whose names are the columns', and not tuples."""
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
        return source.func.attr == "map" and bool(source.args) and row_of(source.args[0]) is not None

    def _guard_empty(self, node: ast.Call, source: ast.expr, frame: Frame) -> None:
        """createDataFrame looks at the first row, and raises where there is none."""
        unfiltered = not any(
            call.startswith(("where(", "select(F.explode")) or "F.explode(" in call for call in frame.calls
        )
        child: ast.AST = node
        step = self.to.parents.get(node)
        statement: ast.stmt | None = None
        while step is not None:
            if (
                isinstance(step, ast.If)
                and child in step.body
                and unfiltered
                and Rows(self.callback).some(step.test)
            ):
                return
            if isinstance(child, ast.stmt) and statement is None:
                statement = child
            child, step = step, self.to.parents.get(step)
        statement = statement or (child if isinstance(child, ast.stmt) else None)
        if statement is None or not isinstance(self.callback.node, ast.FunctionDef):
            raise self._refused(node, "createDataFrame raises on a batch without rows")
        if unfiltered and self._returned_before(statement):
            return
        frame = frame.materialised() if frame.calls else frame
        empty = f"{one_line(frame.base, frame.calls)}.isEmpty()"
        action = "return" if self._swallowed(statement) else 'raise ValueError("RDD is empty")'
        self.to.guards[statement] = f"if {empty}:\n{{indent}}{action}"

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

    # --- views ----------------------------------------------------------------------------------------------

    def _check_views(self) -> None:
        """A temp view made in the batch function is not seen outside it."""
        views: set[str] = set()
        for node in self.callback.walk():
            if isinstance(node, ast.Attribute) and node.attr in SHOWS_SCHEMA:
                raise self._refused(node, f"`{node.attr}` shows how the DataFrame was made")
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in CHANGES_VIEWS
            ):
                argument = node.args[0] if node.args else None
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise self._refused(node, "the name of the temp view is not written out")
                views.add(argument.value)
        inside = set(self.callback.walk())
        for node in walk(self.step.plan.program.module.tree):
            if isinstance(node, ast.Call) and node not in inside and _reads_view(node, views):
                raise self._refused(node, "a temp view of the callback is read elsewhere")
        self._check_outer_session(views)

    def _check_outer_session(self, own: set[str]) -> None:
        """The batch's session is a clone of the outer one, as that was when the query started."""
        program = self.step.plan.program
        if not self.to.used_session:
            return
        inside = set(self.callback.walk())
        callbacks = [one for one in program.operations if one.operator in ("foreachRDD", "transform")]
        for call in changes(program.tree.tree):
            is_view = isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES_VIEWS
            if call in inside and not is_view and len(callbacks) > 1:
                raise self._refused(call, "what it changes in its session may be read by another callback")
        read = [node for node in inside if isinstance(node, ast.Call)]
        start = program.start.node if program.start is not None else None
        for call in later(program.tree.tree, start, program.tree.scope_of):
            if call in inside:
                continue
            named = call.args[-1] if call.args else None
            view = named.value if isinstance(named, ast.Constant) else None
            is_view = isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES_VIEWS
            known = is_view and isinstance(view, str)
            if known and (view in own or not any(_reads_view(node, {str(view)}) for node in read)):
                continue
            raise self._refused(call, "the session that it reads may change while the query runs")


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
