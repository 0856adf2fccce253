"""Methods of RDDs that give values and no RDD, on DataFrames: ``[row[0] for row in frame.collect()]``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import Refusal, Scalar, has_unread, leaves
from migrate.frozen import replace
from migrate.plan.callbacks.conversion import Conversion
from migrate.plan.callbacks.counted_beside import COUNT
from migrate.plan.callbacks.counted_values import check_counted
from migrate.plan.callbacks.rows_by_position import COLLECTING, in_key_order
from migrate.plan.choices import Choices, RatherError
from migrate.plan.elements.aggregated_rdd import ACTIONS, Aggregate, value_of
from migrate.plan.elements.element_texts import FILES, as_texts
from migrate.plan.elements.row_functions import (
    dict_of_rows,
    field_of,
    listed,
    made_of_rows,
    named_places,
    of_row,
    of_rows,
    tuples_of_rows,
)
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.row_elements import has_json, is_flat
from migrate.plan.new_code.code import Call
from migrate.plan.rows.named_rows import check_unnamed
from migrate.plan.typed.composed import loop_of
from migrate.proofs.elements.arrival import in_order_of_arrival
from migrate.proofs.elements.rows_as_tuples import gives_row, gives_rows
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted

_PARTS = 6
"""The most parts of tuples of tuples that a typed function makes, and a list puts together again."""


class Actions:
    """The calls of such methods in one callback.

    Attributes:
        values: the aggregates that stand for some.
        in_rows: these, sums of floats and numbers of elements, which may be together in a row.
    """

    def __init__(self, conversion: Conversion) -> None:
        self.to = conversion
        self.callback = conversion.callback
        self.step = conversion.step
        self.values: dict[ast.AST, Aggregate] = {}
        self.in_rows: dict[ast.AST, Aggregate] = {}

    def code(
        self, node: ast.Call, name: str, frame: Frame, given: Sequence[ast.expr] | None = None
    ) -> str | None:
        """What a call gives of a DataFrame; None to look inside.

        Args:
            node: the call.
            name: the method of RDDs.
            frame: the DataFrame.
            given: other arguments than the call's own.

        Raises:
            Refusal: it has no proven form.
        """
        looks = name in ("isEmpty", "count")
        if not looks:
            check_unnamed(frame, node)
            if has_json(frame.element):
                raise Refusal("its elements are JSON, which has no form on columns here", node)
        if name in ACTIONS:
            return self._aggregated(node, frame)
        if name == "saveAsTextFile":
            return self._saved(node, frame)
        if not looks:
            frame = frame.elements_only().materialised()
        elif any(leaf.parse is not None for leaf in leaves(frame.element)):
            frame = frame.materialised()
        if name in COLLECTING and given is None:
            frame = in_key_order(self.step, self.callback, node, frame)
        if name in ("foreach", "foreachPartition") and len(node.args) == 1 and not node.keywords:
            return self._for_each(node, name, frame)
        if node.keywords and given is None:
            return None
        if looks and not node.args:
            return self._looked(node, name, frame)
        self.to.uses += 1
        arguments = node.args if given is None else given
        found = self._collected(node, name, frame, arguments)
        if found is None:
            raise Refusal(f"`{name}` of an RDD has no proven form on a DataFrame", node)
        return found

    def _aggregated(self, node: ast.Call, frame: Frame) -> str:
        """A sum, a maximum or the like."""
        self.to.uses += 1
        value = value_of(self.step, self.callback, node, frame)
        self.to.floats += [node] if value.is_float else []
        self.in_rows[node] = value
        if value.frame and not value.is_float:
            self.values[node] = value
        return value.code

    def _for_each(self, node: ast.Call, name: str, frame: Frame) -> str:
        """``foreach`` or ``foreachPartition``, with a function of rows."""
        self.to.uses += 1
        given = of_row if name == "foreach" else of_rows
        function, inner = given(self.step, node.args[0], frame.element)
        self.to.replaced.update(inner.replaced)
        self.to.renamed.update(inner.renamed)
        return f"{frame.chain.text}.{name}({function})"

    def _looked(self, node: ast.Call, name: str, frame: Frame) -> str:
        """``isEmpty`` or ``count``."""
        chain = frame.chain.text
        if name == "isEmpty":
            if frame.shuffles or not in_order_of_arrival(self.step.operation):
                self.to.uses += 1
            self.to.peeks += 1
        else:
            self.to.uses += 1
            check_counted(self.step, frame, node)
            self.in_rows[node] = replace(COUNT, frame=chain)
        return f"{chain}.{name}()"

    def _collected(
        self, node: ast.Call, name: str, frame: Frame, arguments: Sequence[ast.expr]
    ) -> str | None:
        """Elements that come to the driver: all, some, one by one, as a dict; None for another method."""
        chain = frame.chain.text
        if (name == "collect" and not node.args) or (name == "take" and len(arguments) == 1):
            return self._list(node, f"{chain}.{name}({', '.join(map(quoted, arguments))})", frame)
        if node.args:
            return None
        if name == "collectAsMap":
            return self._as_dict(node, f"{chain}.collect()", frame)
        if name == "toLocalIterator":
            return self._iterated(node, f"{chain}.toLocalIterator()", frame)
        if name == "first":
            # of a DataFrame without rows it is None, where an RDD raises
            row = f"{chain}.head(1)[0]"
            if isinstance(frame.element, Scalar):
                return field_of(row, frame.element, node, self.step)
            if is_flat(frame.element):
                return row if gives_row(node, self.step.facts) else f"tuple({row})"
        return None

    def _list(self, node: ast.Call, rows: str, frame: Frame) -> str:
        """The list of the elements, or what may stand in its place, from the code of one of rows.

        Raises:
            Refusal: it cannot be made there.
        """
        if frame.within:
            return f"[{loop_of(self.step, frame, holds=False).comprehended(rows)}]"
        if any(isinstance(part, ast.NamedExpr) for part in walk(node)):
            raise Refusal("`:=` cannot stand in the comprehension that reads the rows", node)
        if self._is_unread(node):
            return rows
        if isinstance(frame.element, Scalar):
            if self._unpacks(node):
                return rows
            place, code = listed(self.step, rows, frame.element, node)
            self.to.replaced[place] = code
            return code if place is node else rows
        if has_unread(frame.element):
            self.to.replaced.update(named_places(node, frame.element, self.step))
            return rows
        if not is_flat(frame.element):
            if frame.python and len(leaves(frame.element)) > _PARTS:
                raise RatherError(Choices(dict.fromkeys(frame.python, "")))
            above = self.to.parents.get(node)
            changed, made = tuples_of_rows(self.step, node, above, frame.element, rows)
            self.to.replaced.update(changed)
            return made
        if gives_rows(node, self.step.facts):
            return rows
        loop = self.to.parents.get(node)
        once = isinstance(loop, ast.For | ast.comprehension) and loop.iter is node
        plain = once and not {"map", "tuple"} & self.step.facts.shadowed
        return f"map(tuple, {rows})" if plain else f"[tuple(row) for row in {rows}]"

    def _as_dict(self, node: ast.Call, rows: str, frame: Frame) -> str:
        """The dict of the pairs in a list of rows.

        Raises:
            Refusal: they are no pairs.
        """
        if "dict" in self.step.facts.shadowed:
            raise Refusal("`dict` is something else", node)
        if frame.within:
            return f"dict({loop_of(self.step, frame, holds=False).comprehended(rows)})"
        return dict_of_rows(frame.element, rows, node)

    def _iterated(self, node: ast.Call, rows: str, frame: Frame) -> str:
        """An iterator of the elements, from the code of one of rows."""
        if isinstance(frame.element, Scalar):
            if self._unpacks(node):
                return rows
            return f"({field_of('row', frame.element, node, self.step)} for row in {rows})"
        if has_unread(frame.element):
            raise RatherError(Choices(all_places=True))
        if not is_flat(frame.element):
            return f"({made_of_rows(frame.element, rows)})"
        if {"map", "tuple"} & self.step.facts.shadowed:
            raise Refusal("`map` and `tuple` are something else", node)
        loop = self.to.parents.get(node)
        match loop, self.to.parents.get(loop) if loop is not None else None:
            case ast.comprehension(ast.Name(name), _, []), ast.ListComp(ast.Name(read) as item, [_]) if (
                read == name and loop.iter is node
            ):
                self.to.replaced[item] = f"tuple({name})"
                return rows
        return f"map(tuple, {rows})"

    def _unpacks(self, node: ast.Call) -> bool:
        """Whether a loop goes through the elements, and now unpacks their rows: ``for (line,) in ...``."""
        loop = self.to.parents.get(node)
        if not isinstance(loop, ast.For | ast.comprehension) or loop.iter is not node:
            return False
        if not isinstance(loop.target, ast.Name):
            return False
        self.to.replaced[loop.target] = f"({loop.target.id},)"
        return True

    def _is_unread(self, node: ast.expr) -> bool:
        """Whether nothing reads the result of a call, which may be a branch: ``save(x) if x else None``."""
        whole, above = node, self.to.parents.get(node)
        while isinstance(above, ast.IfExp) and above.test is not whole:
            whole, above = above, self.to.parents.get(above)
        return isinstance(above, ast.Expr) or whole in self.callback.body

    def _saved(self, node: ast.Call, frame: Frame) -> str:
        """The write of the elements' texts, ``rdd.saveAsTextFile(path)``."""
        if (
            not self._is_unread(node)
            or node.keywords
            or len(node.args) != 1
            or self.to.mentions(node.args[0])
        ):
            raise Refusal("`saveAsTextFile` has arguments that are not covered", node)
        texts = as_texts(self.step, frame)
        if texts is None:
            raise Refusal("the texts of its elements may be other ones as those of columns", node)
        self.step.note(FILES)
        self.to.uses += 1
        return texts.call(Call("write"), Call("text", quoted(node.args[0]))).chain.text
