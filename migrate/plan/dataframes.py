"""Callbacks that only turn the RDD of a batch into a DataFrame or bring it to the driver: on columns.

Each use of the RDD is replaced by an equal expression on the batch's DataFrame; if one use is not covered,
none is replaced.
"""

from __future__ import annotations

import ast

from migrate.columns import Refusal, Scalar, has_unread
from migrate.plan.callback_sessions import Sessions
from migrate.plan.callback_views import Views
from migrate.plan.conversion import Conversion
from migrate.plan.creating import Frames
from migrate.plan.named_rows import check_unnamed
from migrate.plan.parts_of_time import parts_of_time
from migrate.plan.rdd_chain import frame_of
from migrate.plan.row_functions import field_of, listed, named_places, of_row, of_rows
from migrate.plan.stages import Frame, has_json, is_flat
from migrate.plan.step import Step
from migrate.plan.tokens import tokens_of
from migrate.proofs.arrival import in_order_of_arrival
from migrate.proofs.roles import Callback, is_rdd, is_there
from migrate.proofs.rows_as_tuples import gives_row, gives_rows
from migrate.syntax.nodes import children, walk
from migrate.syntax.quoting import quoted


def convert(step: Step, callback: Callback, frame: Frame, parameter: str) -> Conversion:
    """Plan a callback on a DataFrame.

    Raises:
        Refusal: one of its uses of the RDD has no proven form on a DataFrame.
    """
    named = frame.without_times().materialised()
    step = step.knowing(parts_of_time(step, callback))
    conversion = Conversion(callback, step, named.named(parameter), parameter)
    conversion.frames[callback.rdd] = conversion.frame
    conversion.parents.update(callback.parents)
    _Converter(conversion).run()
    return conversion


class _Converter:
    """Replaces the uses of the RDD in one callback."""

    def __init__(self, conversion: Conversion) -> None:
        self.to = conversion
        self.callback = conversion.callback
        self.step = conversion.step
        self._sessions = Sessions(conversion)
        self._frames = Frames(conversion)

    def run(self) -> None:
        for part in self.callback.body:
            self._visit(part)
        for node in self.callback.walk():
            if isinstance(node, ast.Name) and node.id in self.to.frames and not self._is_replaced(node):
                if isinstance(node.ctx, ast.Store) and self.to.parents.get(node) in self.to.dropped:
                    continue
                raise Refusal("the RDD is used in a way that has no proven form on a DataFrame", node)
        if not (self.to.uses or self.to.peeks):
            why = "the callback makes no DataFrame and brings nothing to the driver"
            raise Refusal(why, self.callback.node)
        self._sessions.check_members()
        self.to.renamed.update(self._sessions.renamed())
        Views(self.to).check()

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
            raise Refusal("an inner function uses the RDD", node)
        for child in children(node):
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
            self.to.dropped[node] = None
            return True
        if self._sessions.is_made(node.value):
            self._only_binding(name)
            self.to.sessions.add(name)
        return False

    def _only_binding(self, name: str) -> None:
        stores = [
            n
            for n in self.callback.walk()
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
        ]
        if len(stores) != 1 or name == self.callback.rdd:
            raise Refusal(f"`{name}` is assigned more than once", stores[-1])

    # --- expressions ----------------------------------------------------------------------------------------

    def _expression(self, node: ast.expr) -> str | None:
        """The replacement of an expression that uses the RDD; None to look inside."""
        if self._sessions.is_made(node):
            self.to.used_session = True
            return f"{self.to.parameter}.sparkSession"
        if isinstance(node, ast.Name | ast.Attribute) and self._sessions.is_outer(node):
            self.to.used_session = True
            return f"{self.to.parameter}.sparkSession"
        own = isinstance(node, ast.Name) and node.id == self.callback.rdd
        if own and is_there(self.to.parents.get(node)):
            return self.to.parameter
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        creates = node.func.attr == "createDataFrame" and node.args
        if creates and is_rdd(node.args[0], set(self.to.frames)):
            if not self._sessions.is_session(node.func.value):
                raise Refusal(f"`{ast.unparse(node.func.value)}` is not known to be a session", node)
            return self._frames.create(node, node.args[0], node.args[1:], node.keywords)
        if not is_rdd(node.func.value, set(self.to.frames)):
            return None
        if node.func.attr == "toDF":
            return self._frames.create(node, node.func.value, node.args, node.keywords)
        return self._action(node, node.func.attr, frame_of(self.step, node.func.value, self.to.frames))

    def _action(self, node: ast.Call, name: str, frame: Frame) -> str | None:
        if name not in ("isEmpty", "count"):
            check_unnamed(frame, node)
            if has_json(frame.element):
                raise Refusal("its elements are JSON, which has no form on columns here", node)
        frame = (frame if name in ("isEmpty", "count") else frame.elements_only()).materialised()
        chain = frame.chain.text
        if name in ("foreach", "foreachPartition") and len(node.args) == 1 and not node.keywords:
            self.to.uses += 1
            of_rows_ = of_row if name == "foreach" else of_rows
            function, inner = of_rows_(self.step, node.args[0], frame.element)
            self.to.replaced.update(inner.replaced)
            return f"{chain}.{name}({function})"
        arguments = ", ".join(map(quoted, node.args))
        if node.keywords:
            return None
        if name == "isEmpty" and not node.args:
            if frame.shuffles or not in_order_of_arrival(self.step.operation):
                self.to.uses += 1
            self.to.peeks += 1
            return f"{chain}.isEmpty()"
        self.to.uses += 1
        if name == "count" and not node.args:
            if tokens_of(frame.element):
                raise Refusal("counting does not compute a value whose computation may raise", node)
            return f"{chain}.count()"
        if (name == "collect" and not node.args) or (name == "take" and len(node.args) == 1):
            rows = f"{chain}.{name}({arguments})"
            if any(isinstance(part, ast.NamedExpr) for part in walk(node)):
                raise Refusal("`:=` cannot stand in the comprehension that reads the rows", node)
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
                raise Refusal("the elements are nested tuples", node)
            if gives_rows(node, self.step.facts):
                return rows
            loop = self.to.parents.get(node)
            once = isinstance(loop, ast.For | ast.comprehension) and loop.iter is node
            plain = once and not {"map", "tuple"} & self.step.facts.shadowed
            return f"map(tuple, {rows})" if plain else f"[tuple(row) for row in {rows}]"
        if name == "first" and not node.args:
            # of a DataFrame without rows it is None, where an RDD raises
            row = f"{chain}.head(1)[0]"
            if isinstance(frame.element, Scalar):
                return field_of(row, frame.element, node, self.step)
            if is_flat(frame.element):
                return row if gives_row(node, self.step.facts) else f"tuple({row})"
        raise Refusal(f"`{name}` of an RDD has no proven form on a DataFrame", node)

    def _unpacks(self, node: ast.Call) -> bool:
        """Whether a loop goes through the elements, and now unpacks their rows: ``for (line,) in ...``."""
        loop = self.to.parents.get(node)
        if not isinstance(loop, ast.For | ast.comprehension) or loop.iter is not node:
            return False
        if not isinstance(loop.target, ast.Name):
            return False
        self.to.replaced[loop.target] = f"({loop.target.id},)"
        return True
