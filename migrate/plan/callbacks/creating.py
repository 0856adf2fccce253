"""``createDataFrame`` and ``toDF`` of a batch's RDD: a ``select`` of its frame."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import Record, Refusal, Scalar, leaves, projection
from migrate.columns.shapes import Maybe, text_or_none
from migrate.frozen import replace
from migrate.plan.callbacks.conversion import Conversion, Guard
from migrate.plan.callbacks.counted_values import check_computed
from migrate.plan.callbacks.handled_empty import LEFT, MESSAGE, UNPRINTED, handled, shows_message
from migrate.plan.callbacks.rdd_chain import NO_COLUMNS, frame_of
from migrate.plan.draft.beside import has_room
from migrate.plan.draft.step import Step
from migrate.plan.elements.caught_errors import catches
from migrate.plan.elements.written_schemas import Field, schema_of, value_of_type
from migrate.plan.frames.frame import Frame, is_part
from migrate.plan.frames.tokens import tokens_of
from migrate.plan.new_code.code import Call, Written
from migrate.plan.new_code.inner import Inner
from migrate.plan.rows.given_lists import of_lists
from migrate.plan.rows.given_schema import as_given
from migrate.plan.rows.learnt_dicts import of_dicts
from migrate.plan.typed.by_schema import by_schema
from migrate.plan.typed.composed import texts_of
from migrate.proofs.callbacks.guards import only_with_rows
from migrate.proofs.callbacks.rows import Rows
from migrate.syntax.nodes import walk
from migrate.syntax.tree import goes_on_after

_ALL = 0.99
"""The ratio from which on Spark samples no rows, but looks at all of them."""
NONES = (
    '`fillna("None")` stands for messages without a value: `read.json` of an RDD takes them for the text '
    "`None`, a corrupt record"
)
_FILL = Call("fillna", '"None"')
_FILLED = '# a message without a value was read as "None"'
OF_FRAMES = "`spark.read.json` takes a DataFrame from Spark 4.2 on: code for an older one comes with --spark"
EMPTY = "an RDD without elements for `createDataFrame`"


def filled(step: Step, read: ast.AST) -> Call:
    """The call that gives ``read.json`` the texts that it is given by an RDD, where one may be missing.

    Args:
        step: gets what is to be said of it.
        read: the call of ``read.json``, or a part of it.
    """
    statement = step.facts.statement_of(read)
    said = isinstance(statement, ast.Assign) and has_room(statement, f".{_FILL.code}{_FILLED}", step)
    step.note(NONES)
    step.need(inner=Inner(beside=((statement, _FILLED),) if said else ()))
    return _FILL


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
        keywords = [keyword for keyword in keywords if not _takes_all_rows(keyword)]
        given = [*schema, *(keyword.value for keyword in keywords if keyword.arg == "schema")]
        if len(given) != len(schema) + len(keywords) or len(given) > 1:
            raise Refusal("this form of createDataFrame is not covered", node)
        frame = self._frame(node, source, given)
        columns = list(leaves(frame.element))
        if isinstance(frame.element, Record) and len(columns) != len(frame.element.items):
            raise Refusal("a column would be a struct", node)
        parameter = self._parameter(given[0]) if given else None
        fields = self._fields(node, frame, given, parameter)
        if not any(field.type for field in fields):
            self._guard_empty(node, frame)
        self.step.need(shuffles=True)
        if parameter is not None:  # which gives the names
            pairs = zip(columns, fields, strict=True)
            fields = [Field(leaf.name or field.name) for leaf, field in pairs]
        caught = catches(self.callback, self.step.facts)
        pairs = zip(columns, fields, strict=True)
        items = tuple(as_given(leaf, field, self.step, caught=caught) for leaf, field in pairs)
        self.to.uses += 1
        if not self._is_there(frame, items):
            frame = _selected(frame, items)
        return frame.chain.text if parameter is None else frame.call(Call("toDF", f"*{parameter}")).chain.text

    def _frame(self, node: ast.Call, source: ast.expr, given: Sequence[ast.expr]) -> Frame:
        """The frame of the RDD that a DataFrame is made of, with the schema that is given, if one is.

        Raises:
            Refusal: no columns hold its elements, or Spark would make no DataFrame of them.
        """
        frame = frame_of(self.step, source, self.to.frames, composes=self.to.composes, within=True)
        if frame.within:
            if not (given and is_part(frame)):
                raise Refusal(NO_COLUMNS, frame.within[-1].call)
            frame = by_schema(self.step, self.callback, frame, given[0])
        frame = (None if given else of_dicts(self.step, frame, node)) or frame
        typed = given and value_of_type(given[0], self.step)
        frame = (None if typed else of_lists(self.step, frame, node)) or frame
        if isinstance(frame.element, Scalar) and not typed:
            raise Refusal("a DataFrame is made of rows or tuples", node)
        if tokens_of(frame.element):
            why = "a column may raise, and what reads the DataFrame may not read that column"
            raise Refusal(why, node)
        check_computed(self.step, self.callback, frame, node)
        return frame

    def _fields(
        self, node: ast.Call, frame: Frame, given: Sequence[ast.expr], parameter: str | None
    ) -> list[Field]:
        """The names of the columns, and their types if the schema has them.

        Args:
            node: the call.
            frame: the frame of its RDD.
            given: the schema, if one is.
            parameter: that of the callback by which the schema comes.

        Raises:
            Refusal: they do not fit the elements.
        """
        columns = list(leaves(frame.element))
        names_of_row = frame.element.fields if isinstance(frame.element, Record) else ()
        value = value_of_type(given[0], self.step) if isinstance(frame.element, Scalar) and given else None
        fields: list[Field] | None
        if value is not None:
            fields = [value]
        elif given:
            fields = schema_of(given[0] if parameter is None else self.callback.given[parameter], self.step)
        else:
            numbered = [f"_{place}" for place in range(1, len(columns) + 1)]
            fields = [Field(name) for name in names_of_row or numbered]
        if fields is None or len(fields) != len(columns):
            raise Refusal("the schema does not name the columns", node)
        names = [field.name for field in fields]
        if len({name.lower() for name in names}) != len(names):
            raise Refusal("two columns of the schema have one name", node)
        typed = any(field.type for field in fields)
        if typed and parameter is not None:
            raise Refusal("its schema is given as an argument", node)
        if typed and names_of_row not in ((), tuple(names)):
            raise Refusal("the fields of the Row are not those of the schema", node)
        return fields

    def texts(self, node: ast.Call, source: ast.expr) -> str:
        """The DataFrame of texts that ``spark.read.json`` is given for an RDD of them.

        Raises:
            Refusal: its elements are no texts, or this version of Spark reads JSON of RDDs only.
        """
        frame = frame_of(self.step, source, self.to.frames, composes=self.to.composes, within=True)
        if is_part(frame) and "str" not in self.step.facts.shadowed:
            frame = texts_of(self.step, frame)
        if frame.within or not isinstance(frame.element, Scalar) or not text_or_none(frame.element.shape):
            raise Refusal("the JSON that it reads is not known to be texts", node)
        if not self.step.options.spark.reads_json_of_frames:
            raise Refusal("this version of Spark reads JSON of RDDs only", node)
        self.step.note(OF_FRAMES)
        self.to.uses += 1
        frame = frame.elements_only().materialised()
        if isinstance(frame.element, Scalar) and isinstance(frame.element.shape, Maybe):
            frame = frame.call(filled(self.step, node))
        return frame.chain.text

    def _is_there(self, frame: Frame, columns: Sequence[Scalar]) -> bool:
        """Whether a DataFrame has some columns, in this order and no others."""
        if frame.pending or frame.kept or frame.beside:
            return False
        given = self.to.frame
        if not frame.calls and frame.base == given.base:  # which is known by the names in it
            if given.kept or given.beside or self.callback.rebound:
                return False
            frame = given
        found = leaves(frame.element)
        return [(one.code, one.name) for one in columns] == [(one.code, one.name) for one in found]

    def _parameter(self, schema: ast.expr) -> str | None:
        """The parameter that the callback takes the names of the columns from, if it does."""
        if not isinstance(schema, ast.Name) or schema.id not in self.callback.given:
            return None
        return None if self.callback.binds(schema.id) else schema.id

    def _guard_empty(self, node: ast.Call, frame: Frame) -> None:
        """Raise for an empty batch, as createDataFrame does: it looks at the first row."""
        has_input = only_with_rows(node, Rows(self.callback), self.to.parents)
        if not frame.filtered and has_input:
            return
        above: ast.AST | None = node
        while above is not None and not isinstance(above, ast.stmt):
            above = self.to.parents.get(above)
        statement = above
        if not self.step.basis.guards.fail_as_python_does and not catches(self.callback, self.step.facts):
            self.to.emptied = True
            self.to.empty_at_first |= not has_input
            self.step.need(gives=(EMPTY,))
            return
        if statement is None or not isinstance(self.callback.node, ast.FunctionDef):
            raise Refusal("createDataFrame raises on a batch without rows", node)
        frame = frame.materialised() if frame.calls else frame
        place, below = statement, self._below(statement)
        rows = frame.chain.text
        match statement:
            case ast.Assign([ast.Name(name)], value) if value is node and frame.calls and below is not None:
                place, rows = below, name
        asked = [before for before, guard in self.to.guards.items() if guard.frame == rows]
        if not self.callback.rebound and any(self._comes_before(before, statement) for before in asked):
            return
        prints = self.step.options.strict
        ends = handled(self.callback.node, statement, self.to.parents, self.step.facts, prints_error=prints)
        self.step.note(*([UNPRINTED] if ends == (LEFT,) else []))
        is_caught = goes_on_after(statement, self.to.parents, "ValueError")
        self.to.raises |= not (ends or has_input or is_caught)
        self.to.told_empty |= not has_input and (ends is None or len(ends) > 1)
        text = MESSAGE if shows_message(statement, self.to.parents) else "the batch is empty"
        fails = Written(f'raise ValueError("{text}")', comment="# as createDataFrame does")
        self.to.guards[place] = Guard(rows, ends or (fails,), returns=bool(ends))

    def _below(self, statement: ast.stmt) -> ast.stmt | None:
        """The statement below one in its block, if it has no guard."""
        above = self.to.parents.get(statement, self.callback.node)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and statement in block[:-1]:
                below: ast.stmt = block[block.index(statement) + 1]
                return below if below not in self.to.guards else None
        return None

    def _comes_before(self, first: ast.stmt, statement: ast.stmt) -> bool:
        """Whether a statement is reached only past another one of the same block, or of one around it."""
        inner: ast.AST | None = statement
        while inner is not None:
            outer = self.to.parents.get(inner, self.callback.node)
            for block in (getattr(outer, name, None) for name in ("body", "orelse", "finalbody")):
                if isinstance(block, list) and inner in block and first in block[: block.index(inner)]:
                    return True
            inner = None if outer is self.callback.node else outer
        return False


def read_as_json(call: ast.AST | None) -> ast.expr | None:
    """The only argument that is no option of ``spark.read.json(rows)``; None for any other call."""
    match call:
        case ast.Call(ast.Attribute(reader, "json"), [source]):
            parts = walk(reader)
            return (
                source
                if any(isinstance(one, ast.Attribute) and one.attr == "read" for one in parts)
                else None
            )
    return None


def _selected(frame: Frame, columns: Sequence[Scalar]) -> Frame:
    """A select of columns by new names; where they were the fields of a struct, of these at once."""
    made = Record(tuple(columns))
    select = frame.select(made, ", ".join(projection(made)))
    if not frame.spread:
        return frame.call(select)
    names = [leaf.name for leaf in leaves(frame.element)]
    if names == [column.column for column in columns] == [column.name for column in columns]:
        return frame
    fields = [column.column for column in columns]
    if not all(field is not None and field.isidentifier() for field in fields):
        return frame.call(select)
    taken = [
        f'"{frame.spread}.{field}"'
        if field == column.name
        else f'F.col("{frame.spread}.{field}").alias("{column.name}")'
        for field, column in zip(fields, columns, strict=True)
    ]
    last = replace(frame.calls[-1], arguments=", ".join(taken))
    return replace(frame, calls=(*frame.calls[:-1], last))


def _takes_all_rows(keyword: ast.keyword) -> bool:
    """``samplingRatio=1``: the types are those of all rows, which are of one type in each column."""
    value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
    return keyword.arg == "samplingRatio" and isinstance(value, int | float) and value >= _ALL
