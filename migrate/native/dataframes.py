"""Callbacks that only turn the RDD of a batch into a DataFrame or bring it to the driver: on columns.

Each place where the callback uses the RDD is replaced by what gives the same on the batch's DataFrame; if one
place is not covered, none is touched.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from migrate.columns import Record, Refusal, Scalar, leaves, projection
from migrate.edits import Edit
from migrate.native.guards import Rows
from migrate.native.rdd_chain import frame_of
from migrate.native.roles import Callback, is_rdd
from migrate.native.stage import Frame, tokens_of
from migrate.native.step import Step
from migrate.native.style import one_line
from migrate.nodes import walk
from migrate.shapes import Bool, Float, Int, Str

_SESSION_MEMBERS = frozenset(
    {"sql", "createDataFrame", "read", "table", "catalog", "conf", "udf", "sparkContext", "range"}
)
_VIEWS = frozenset(
    {"createOrReplaceTempView", "createTempView", "registerTempTable", "createOrReplaceGlobalTempView"}
)
_SCHEMA_READERS = frozenset({"printSchema", "schema", "explain", "rdd", "_jdf"})


@dataclass
class Conversion:
    """A callback on a DataFrame: replacements of its expressions, by node."""

    callback: Callback
    step: Step
    frame: Frame
    parameter: str
    """What the DataFrame is called in the callback."""
    replaced: dict[ast.AST, str] = field(default_factory=dict)
    guards: dict[ast.stmt, str] = field(default_factory=dict)
    """Statements to put before others: what an empty batch does in the original."""
    dropped: set[ast.stmt] = field(default_factory=set)
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    frames: dict[str, Frame] = field(default_factory=dict)
    """Local names of RDDs, and the frames that they stand for."""
    sessions: set[str] = field(default_factory=set)
    uses: int = 0
    used_session: bool = False


def convert(step: Step, callback: Callback, frame: Frame, parameter: str) -> Conversion:
    """Plan a callback on a DataFrame.

    Raises:
        Refusal: one of its uses of the RDD has no proven form on a DataFrame.
    """
    named = frame.materialised()
    conversion = Conversion(callback, step, replace(named, base=parameter, calls=()), parameter)
    conversion.frames[callback.rdd] = conversion.frame
    for part in callback.body:
        for node in walk(part):
            for child in ast.iter_child_nodes(node):
                conversion.parents[child] = node
    _Converter(conversion).run()
    return conversion


class _Converter:
    def __init__(self, conversion: Conversion) -> None:
        self.to = conversion
        self.callback = conversion.callback
        self.step = conversion.step

    def run(self) -> None:
        for part in self.callback.body:
            self._visit(part)
        for node in self.callback.walk():
            if isinstance(node, ast.Name) and node.id in self.to.frames and not self._is_replaced(node):
                if isinstance(node.ctx, ast.Store) and self.to.parents.get(node) in self.to.dropped:
                    continue
                raise self._refused(node, "the RDD is used in a way that has no proven form on a DataFrame")
        if not self.to.uses:
            raise self._refused(
                self.callback.node, "the callback makes no DataFrame and brings nothing to the driver"
            )
        self._check_views()

    def _refused(self, node: ast.AST, why: str) -> Refusal:
        return Refusal(why, node)

    def _is_replaced(self, node: ast.AST) -> bool:
        step: ast.AST | None = node
        while step is not None:
            if step in self.to.replaced or step in self.to.dropped:
                return True
            step = self.to.parents.get(step)
        return False

    # --- walking --------------------------------------------------------------------------------------------

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign) and self._assignment(node):
            return
        if isinstance(node, ast.expr):
            text = self._expression(node)
            if text is not None:
                self.to.replaced[node] = text
                return
        if isinstance(node, ast.Lambda | ast.FunctionDef) and self._mentions(node):
            raise self._refused(node, "an inner function uses the RDD")
        for child in ast.iter_child_nodes(node):
            self._visit(child)

    def _mentions(self, node: ast.AST) -> bool:
        return any(isinstance(inner, ast.Name) and inner.id in self.to.frames for inner in walk(node))

    def _assignment(self, node: ast.Assign) -> bool:
        if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            return False
        name = node.targets[0].id
        if is_rdd(node.value, set(self.to.frames)):
            self._only_binding(name)
            self.to.frames[name] = frame_of(self.step, node.value, self.to.frames)
            self.callback.rdds.add(name)
            self.to.dropped.add(node)
            return True
        if self._is_session(node.value):
            self._only_binding(name)
            self.to.sessions.add(name)
        return False

    def _only_binding(self, name: str) -> None:
        stores = [
            n
            for n in self.callback.walk()
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
        ]
        if len(stores) != 1:
            raise self._refused(stores[-1], f"`{name}` is assigned more than once")

    # --- expressions ----------------------------------------------------------------------------------------

    def _expression(self, node: ast.expr) -> str | None:
        """The replacement of an expression that uses the RDD; None to look inside."""
        if self._is_session(node):
            self.to.used_session = True
            return f"{self.to.parameter}.sparkSession"
        if isinstance(node, ast.Name) and self._is_outer_session(node):
            self.to.used_session = True
            return f"{self.to.parameter}.sparkSession"
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        if node.func.attr == "createDataFrame" and node.args and is_rdd(node.args[0], set(self.to.frames)):
            return self._create(node, node.args[0], node.args[1:], node.keywords)
        if not is_rdd(node.func.value, set(self.to.frames)):
            return None
        if node.func.attr == "toDF":
            return self._create(node, node.func.value, node.args, node.keywords)
        return self._action(node, node.func.attr, frame_of(self.step, node.func.value, self.to.frames))

    def _action(self, node: ast.Call, name: str, frame: Frame) -> str | None:
        frame = frame.materialised()
        chain = one_line(frame.base, frame.calls)
        arguments = ", ".join(self.step.source(argument) for argument in node.args)
        if node.keywords:
            return None
        self.to.uses += 1
        if name == "isEmpty" and not node.args:
            return f"{chain}.isEmpty()"
        if name == "count" and not node.args:
            if tokens_of(frame.element):
                raise self._refused(node, "counting does not compute a value whose computation may raise")
            return f"{chain}.count()"
        if (name == "collect" and not node.args) or (name == "take" and len(node.args) == 1):
            rows = f"{chain}.{name}({arguments})"
            if isinstance(frame.element, Scalar):
                return f"[row[0] for row in {rows}]"
            if not all(isinstance(item, Scalar) for item in frame.element.items):
                raise self._refused(node, "the elements are nested tuples")
            return rows if self._unpacked(node) else f"[tuple(row) for row in {rows}]"
        raise self._refused(node, f"`{name}` of an RDD has no proven form on a DataFrame")

    def _unpacked(self, node: ast.AST) -> bool:
        """Whether rows are taken apart at once, so that a Row does as well as a tuple."""
        parent = self.to.parents.get(node)
        return isinstance(parent, ast.For) and parent.iter is node and isinstance(parent.target, ast.Tuple)

    # --- sessions -------------------------------------------------------------------------------------------

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
        if not (
            isinstance(parent, ast.Attribute)
            and parent.attr in _SESSION_MEMBERS
            and isinstance(node.ctx, ast.Load)
        ):
            return False
        binding = self.step.plan.facts.only_binding(node.id)
        if node.id in self.to.sessions or not isinstance(binding, ast.Name):
            return False
        statement = self.step.plan.facts.statement_of(binding)
        made = ast.unparse(statement.value) if isinstance(statement, ast.Assign) else ""
        return made.startswith(("SparkSession", "SQLContext(", "HiveContext("))

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
        names = _names(given[0]) if given else [leaf.name or f"_{i + 1}" for i, leaf in enumerate(columns)]
        if names is None or len(names) != len(columns) or len({name.lower() for name in names}) != len(names):
            raise self._refused(node, "the schema is not a list of column names")
        self._guard_empty(node, source, frame)
        self.step.plan.shuffles = True
        items = tuple(_typed(replace(leaf, name=name)) for leaf, name in zip(columns, names, strict=True))
        self.to.uses += 1
        if frame.calls == () and [leaf.name for leaf in leaves(frame.element)] == names and not frame.pending:
            return frame.base
        return one_line(frame.base, (*frame.calls, f"select({', '.join(projection(Record(items)))})"))

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
            if isinstance(node, ast.Attribute) and node.attr in _SCHEMA_READERS:
                raise self._refused(node, f"`{node.attr}` shows how the DataFrame was made")
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in _VIEWS
            ):
                argument = node.args[0] if node.args else None
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise self._refused(node, "the name of the temp view is not written out")
                views.add(argument.value)
        inside = set(self.callback.walk())
        for node in walk(self.step.plan.program.module.tree):
            if isinstance(node, ast.Call) and node not in inside and _reads_view(node, views):
                raise self._refused(node, "a temp view of the callback is read elsewhere")


def edits_of(conversion: Conversion, indent: str) -> list[Edit]:
    """The edits of a callback that is a function of its own."""
    text = conversion.step.plan.text
    edits = [Edit(text.start(node), text.end(node), new) for node, new in conversion.replaced.items()]
    for statement in conversion.dropped:
        start = text.line_start(statement.lineno)
        end = text.line_start((statement.end_lineno or statement.lineno) + 1)
        edits.append(Edit(start, end, ""))
    for statement, guard in conversion.guards.items():
        own = text.indent(statement.lineno)
        where = text.line_start(statement.lineno)
        lines = guard.format(indent=indent).split("\n")
        edits.append(Edit(where, where, "".join(f"{own}{line}{text.newline}" for line in lines)))
    return edits


def _returns_session(function: ast.FunctionDef) -> bool:
    text = ast.unparse(function)
    return ("SparkSession" in text or "SQLContext" in text) and any(
        isinstance(node, ast.Return) and node.value is not None for node in walk(function)
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


def _reads_view(node: ast.Call, views: set[str]) -> bool:
    """``spark.sql("... words ...")`` or ``spark.table("words")``.

    A query that is not written out may read any.
    """
    if not (
        isinstance(node.func, ast.Attribute)
        and node.func.attr in ("sql", "table", "cacheTable")
        and node.args
    ):
        return False
    query = node.args[0]
    if isinstance(query, ast.Constant) and isinstance(query.value, str):
        return any(view in query.value for view in views)
    return bool(views)
