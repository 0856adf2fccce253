"""Callbacks that only turn the RDD of a batch into a DataFrame or bring it to the driver: on columns.

Each use of the RDD is replaced by an equal expression on the batch's DataFrame; if one use is not covered,
none is replaced.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.columns import Record, Refusal, has_unread
from migrate.graph.operations import upstream
from migrate.knowledge.rdd import RDDS
from migrate.knowledge.streaming import SHUFFLES_SEVERAL
from migrate.plan.callbacks.callback_sessions import Sessions, read_in_place
from migrate.plan.callbacks.callback_views import Views, is_registered
from migrate.plan.callbacks.conversion import Conversion
from migrate.plan.callbacks.counted_beside import counted_beside
from migrate.plan.callbacks.creating import Frames, read_as_json
from migrate.plan.callbacks.frame_actions import Actions
from migrate.plan.callbacks.given_sessions import leave_out_given_sessions
from migrate.plan.callbacks.kept_sessions import leave_out_kept_sessions
from migrate.plan.callbacks.parts_of_time import parts_of_time
from migrate.plan.callbacks.rdd_chain import EQUAL, frame_of, sorted_by
from migrate.plan.callbacks.second_names import leave_out_second_names
from migrate.plan.callbacks.uncached import drop_caches
from migrate.plan.checks.rdd_methods import INDEXED
from migrate.plan.draft.step import Step
from migrate.plan.elements.aggregated_rdd import together
from migrate.plan.elements.caught_errors import is_caught, takes_all
from migrate.plan.elements.summed_next import is_only_counted
from migrate.plan.frames.frame import Frame, is_part
from migrate.plan.frames.row_elements import has_json
from migrate.plan.typed.composed import rows_left, texts_of
from migrate.plan.typed.shown_rows import may_come_late
from migrate.proofs.callbacks.roles import Callback, is_there, made_of
from migrate.proofs.callbacks.rows import Rows
from migrate.proofs.callbacks.takes_elements import BRINGING, telling_handler
from migrate.syntax.copies import changed
from migrate.syntax.nodes import children, code_of, end_of, position, walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import declared_among, is_only_shown, tries_around


def convert(
    step: Step,
    callback: Callback,
    frame: Frame,
    parameter: str,
    shared: ast.FunctionDef | None = None,
    *,
    composes: bool = False,
) -> Conversion:
    """Plan a callback on a DataFrame.

    Args:
        step: the output.
        callback: the function.
        frame: the DataFrame.
        parameter: its name in the callback.
        shared: the function that several callbacks hand their RDDs to, if there is one.
        composes: whether functions whose results no columns hold may be called by the next one.

    Raises:
        Refusal: one of its uses of the RDD has no proven form on a DataFrame.
    """
    named = frame.without_times().materialised()
    step = step.knowing(parts_of_time(step, callback))
    conversion = Conversion(callback, step, named.named(parameter), parameter, composes)
    conversion.frames[callback.rdd] = conversion.frame
    conversion.parents.update(callback.parents)
    _Converter(conversion, shared).run()
    return conversion


class _Converter:
    """Replaces the uses of the RDD in one callback."""

    def __init__(self, conversion: Conversion, shared: ast.FunctionDef | None) -> None:
        self.to = conversion
        self.shared = shared
        self.callback = conversion.callback
        self.step = conversion.step
        self._sessions = Sessions(conversion)
        self._frames = Frames(conversion)
        self._actions = Actions(conversion)

    def run(self) -> None:
        for part in self.callback.body:
            self._visit(part)
        for call in self.callback.walk() if self._actions.values else ():
            if isinstance(call, ast.Call) and (
                code := together(call, self._actions.values, self.to.replaced)
            ):
                self.to.replaced[call] = code
        self._count_beside()
        for node in self.callback.walk():
            if isinstance(node, ast.Name) and self.to.is_frame(node) and not self.to.is_gone(node):
                assignment = self.to.parents.get(node)
                bound = {*self.to.dropped, *self.to.held}
                if isinstance(node.ctx, ast.Store) and assignment in bound:
                    continue
                raise Refusal(_why_it_stays(node, self.to.parents), node)
        if not (self.to.uses or self.to.peeks or self.to.reads):
            why = "the callback makes no DataFrame and brings nothing to the driver"
            raise Refusal(why, self.callback.node)
        self._sessions.check_members()
        self._leave_out_sessions()
        if self.shared is None:
            leave_out_given_sessions(self.to, self._sessions)
        read_in_place(self.to)
        self.to.renamed.update(self._sessions.renamed())
        self._read_own_session()
        Views(self.to).check()
        leave_out_second_names(self.to)

    def _count_beside(self) -> None:
        """Make one job of a number of elements and aggregates of them, which follow each other."""
        own = (self.callback.node, *self.callback.walk()) if self._actions.in_rows else ()
        declared, rows = declared_among(own), Rows(self.callback)
        fields = (getattr(node, name, None) for node in own for name in ("body", "orelse", "finalbody"))
        for block in (block for block in fields if isinstance(block, list)):
            for one in counted_beside(block, self._actions.in_rows, declared, rows):
                self.to.replaced[one.first.value] = one.value
                self.to.replaced[one.first.targets[0]] = one.target
                self.to.dropped |= dict.fromkeys(one.others)
                self.to.uses -= len(one.others)

    def _leave_out_sessions(self) -> None:
        """Leave out variables of sessions that were read to make DataFrames of RDDs, and for nothing else."""
        for node in self.callback.walk():
            match node:
                case ast.Assign([ast.Name(name)], value) if value in self.to.replaced:
                    if self._is_unread(name) and len(self._block(node)) > 1:
                        del self.to.replaced[value]
                        self.to.dropped[node] = None
                        self.to.sessions.discard(name)
        leave_out_kept_sessions(self.to)

    def _read_own_session(self) -> None:
        """Read the callback's variable of the batch's session, below it, where others were read."""
        for node in self.callback.body:
            match node:
                case ast.Assign([ast.Name() as target], value) if value in self.to.own_sessions:
                    name = self.to.renamed.get(target, target.id)
                    if value not in self.to.replaced or target.id not in self.to.sessions:
                        continue
                    for one in self.to.own_sessions:
                        free = one in self.to.replaced and name not in self.callback.hidden_at(one)
                        if free and position(one) >= end_of(node):
                            self.to.replaced[one] = name
                    return

    def _is_unread(self, name: str) -> bool:
        """Whether a variable is a session that nothing reads any more."""
        nodes = self.callback.walk()
        if name in declared_among(nodes):
            return False
        names = (one for one in nodes if isinstance(one, ast.Name) and one.id == name)
        loads = [one for one in names if isinstance(one.ctx, ast.Load)]
        return name in self.to.sessions and bool(loads) and all(map(self._is_gone, loads))

    def _is_gone(self, session: ast.Name) -> bool:
        """Whether a session is read for a call, ``spark.createDataFrame(rdd)``, that is replaced."""
        method = self.to.parents.get(session)
        call = self.to.parents.get(method) if isinstance(method, ast.Attribute) else None
        return isinstance(call, ast.Call) and call.func is method and call in self.to.replaced

    # --- walking --------------------------------------------------------------------------------------------

    def _is_rdd(self, node: ast.expr) -> bool:
        """Whether an expression is an RDD made of the batch's."""
        made = made_of(node, RDDS | {INDEXED})
        return isinstance(made, ast.Name) and self.to.is_frame(made)

    def _is_made(self, source: ast.expr | None) -> bool:
        """Whether an expression is an RDD made of the batch's, or that itself where all else failed."""
        own = isinstance(source, ast.Name) and source.id == self.callback.rdd and not self.to.composes
        return source is not None and not own and self._is_rdd(source)

    def _visit(self, node: ast.AST) -> None:
        if node in self.to.replaced:
            return
        if isinstance(node, ast.Assign) and self._assignment(node):
            return
        if isinstance(node, ast.Expr) and drop_caches(self.to, node):
            return
        if isinstance(node, ast.expr):
            text = self._expression(node)
            if text is not None:
                self.to.replaced[node] = text
                match node:
                    case ast.Call(ast.Attribute(attr="take"), [number]):  # rdd.take(rdd.count() // 2)
                        self._visit(number)
                return
        if isinstance(node, ast.Lambda | ast.FunctionDef) and self.to.mentions(node):
            raise Refusal("an inner function uses the RDD", node)
        for child in children(node):
            self._visit(child)

    def _assignment(self, node: ast.Assign) -> bool:
        if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            return False
        name = node.targets[0].id
        if self._is_rdd(node.value):
            self._check_bindings(name, node)
            frame = frame_of(self.step, node.value, self.to.frames, composes=self.to.composes, within=True)
            self.callback.rdds.add(name)
            held = frame.elements_only()
            counted = isinstance(node.value, ast.Call) and is_only_counted(node.value, self.step.facts)
            held = held.with_what_differs(keys=True) if counted else held.materialised(name)
            if self._is_held(name, frame) and held.calls:
                variable = self.to.parameter if name == self.callback.rdd else name
                self.to.replaced[node.value] = held.chain.text
                self.to.replaced[node.targets[0]] = variable
                self.to.held.add(node)
                known = {"filtered": held.filtered, "shuffles": held.shuffles}
                self.to.frames[name] = changed(held.named(variable), **known)
            else:
                self.to.frames[name] = frame
                self.to.dropped[node] = None
            return True
        if self._sessions.is_made(node.value):
            if len(self._stores(name)) != 1:
                raise Refusal(f"`{name}` is assigned more than once", node)
            self.to.sessions.add(name)
        return False

    def _is_held(self, name: str, frame: Frame) -> bool:
        """Whether a variable of an RDD stays one, of a DataFrame.

        One that is only read for the next RDD or DataFrame goes: what it is made of stands there.
        """
        if has_json(frame.element) or has_unread(frame.element):
            return False
        reads = list(self.callback.reads(name))
        if is_part(frame) and not all(self._makes_late(read, self._method_of(read), frame) for read in reads):
            return False
        if isinstance(frame.element, Record) and frame.element.only_framed:
            others = [read for read in reads if not self._is_passed_on(read)]
            return len(reads) > len(others) > 0 and all(map(self._is_counted, others))
        return len(reads) > 1 or not all(map(self._is_passed_on, reads))

    def _method_of(self, read: ast.Name) -> str:
        """The name of the method of an RDD that is called where it is read; empty if there is none."""
        above = self.to.parents.get(read)
        return above.attr if isinstance(above, ast.Attribute) else ""

    def _is_counted(self, read: ast.Name) -> bool:
        """Whether an RDD is read for its number of elements alone, whatever these are."""
        return self._method_of(read) in ("isEmpty", "count")

    def _is_passed_on(self, read: ast.Name) -> bool:
        """Whether an RDD is read to be made into another one or into a DataFrame, and for nothing else."""
        node: ast.AST = read
        while (above := self.to.parents.get(node)) is not None:
            call = self.to.parents.get(above)
            if isinstance(above, ast.Attribute) and isinstance(call, ast.Call) and call.func is above:
                if above.attr == "toDF":
                    return True
                if above.attr not in RDDS:
                    return False
                node = call
            else:
                break
        if isinstance(above, ast.keyword):
            above = self.to.parents.get(above)
        if isinstance(above, ast.Call) and isinstance(above.func, ast.Attribute):
            return above.func.attr == "createDataFrame" or read_as_json(above) is node
        return isinstance(above, ast.Assign)

    def _check_bindings(self, name: str, assignment: ast.Assign) -> None:
        """Check that an RDD's variable has one value after the other: ``rdd = rdd.map(f)`` in one block."""
        stores = self._stores(name)
        block = self._block(assignment)
        is_parameter = name == self.callback.rdd
        one_block = {self.to.parents[store] for store in stores} <= {*block}
        is_parameter &= not (one_block and self._is_all_read(name, assignment))
        if (is_parameter and assignment in self.to.parents) or (len(stores) > 1 and not one_block):
            raise Refusal(f"`{name}` is assigned more than once", stores[-1])

    def _is_all_read(self, name: str, assignment: ast.stmt) -> bool:
        """Whether the block that binds the name runs once, and nothing below reads it: that of a ``try``."""
        above = self.to.parents.get(assignment)
        while above is not None:
            if isinstance(above, ast.For | ast.While | ast.AsyncFor):
                return False
            above = self.to.parents.get(above)
        block = self._block(assignment)
        inside = {node for statement in block for node in walk(statement)}
        names = (node for node in self.callback.walk() if isinstance(node, ast.Name) and node.id == name)
        return all(node in inside or position(node) < position(block[0]) for node in names)

    def _block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements of the block that one is in."""
        above = self.to.parents.get(statement, self.callback.node)
        blocks = (getattr(above, name, None) for name in ("body", "orelse", "finalbody"))
        return next(block for block in blocks if isinstance(block, list) and statement in block)

    def _stores(self, name: str) -> list[ast.Name]:
        """Where the callback binds a name."""
        names = (node for node in self.callback.walk() if isinstance(node, ast.Name) and node.id == name)
        stores = (node for node in names if isinstance(node.ctx, ast.Store))
        return [store for store in stores if name not in self.callback.hidden_at(store)]

    # --- expressions ----------------------------------------------------------------------------------------

    def _expression(self, node: ast.expr) -> str | None:
        """The replacement of an expression that uses the RDD; None to look inside."""
        is_read = isinstance(node, ast.Name | ast.Attribute)
        if self._sessions.is_made(node) or (is_read and self._sessions.is_outer(node)):
            self.to.used_session = True
            self.to.own_sessions.append(node)
            return f"{self.to.parameter}.sparkSession"
        if (setting := self._sessions.setting_of(node)) is not None:
            self.to.used_session = True
            self.to.reads.append(node)
            return f"{self.to.parameter}.sparkSession.{setting}"
        if isinstance(node, ast.Name) and (self._is_only_shown(node) or self._is_given_back(node)):
            self.to.reads += [] if self.to.frames[node.id].is_made else [node]
            return self.to.frames[node.id].base
        own = isinstance(node, ast.Name) and node.id == self.callback.rdd and self.to.is_frame(node)
        if own and is_there(self.to.parents.get(node)):
            self.to.reads.append(node)
            return self.to.parameter
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        if is_registered(node) and self._sessions.is_session(node.func.value):
            registered, view = node.args
            self._visit(registered)
            return f"{quoted(registered)}.createOrReplaceTempView({quoted(view)})"
        if node.func.attr == "createDataFrame" and self._is_rdd(data := _data_of(node)):
            if not self._sessions.is_session(node.func.value):
                raise Refusal(f"`{ast.unparse(node.func.value)}` is not known to be a session", node)
            keywords = [keyword for keyword in node.keywords if keyword.value is not data]
            return self._frames.create(node, data, node.args[1:], keywords)
        if self._is_made(source := read_as_json(node)):
            assert source is not None
            self.to.replaced[source] = self._frames.texts(node, source)
        if not self._is_rdd(node.func.value):
            return None
        if node.func.attr == "toDF":
            return self._frames.create(node, node.func.value, node.args, node.keywords)
        name = node.func.attr
        if name in ("takeOrdered", "top") and (len(node.args) == 2 or node.keywords):
            return self._first_of_order(node, name)
        within = name in ("collect", "collectAsMap", "count", "isEmpty", "saveAsTextFile", "take")
        frame = self._frame_of(node, node.func.value, within=within)
        if name in ("count", "isEmpty") and self._of_batch(frame) and not self._sees_count(node):
            frame = rows_left(self.step.inner(frame.within[-1].call), frame)
        if name == "saveAsTextFile" and frame.within:
            frame = texts_of(self.step, frame)
        if is_part(frame) and not self._makes_late(node, name, frame):
            raise Refusal("its elements are of no type that a column holds", node)
        return self._actions.code(node, name, frame)

    def _sees_count(self, action: ast.Call) -> bool:
        """Whether a handler sees that a count no longer makes the elements, of which one may fail.

        The one that sees it otherwise is the same where ``read.json(rdd)`` makes them at once.
        """
        if not is_caught(self.step, self.callback):
            return False
        parents = self.to.parents
        tries = [*tries_around(action, parents)]
        if not tries or not all(takes_all(handler) for one in tries for handler in one.handlers):
            return True
        asking: ast.AST = action
        while asking in parents and asking not in tries[0].body:
            asking = parents[asking]
        match asking:
            case ast.If(body=[ast.Return() | ast.Raise()], orelse=[]):
                below = tries[0].body[tries[0].body.index(asking) + 1 :]
                return not self._reads_json_first(below)
        return True

    def _reads_json_first(self, block: Sequence[ast.stmt]) -> bool:
        """Whether statements get a session at most before they make a DataFrame of the RDD's JSON."""
        for statement in block:
            value = statement.value if isinstance(statement, ast.Assign) else None
            if value is None or not self._sessions.is_session(value):
                return value is not None and self._is_made(read_as_json(value))
        return False

    def _frame_of(self, action: ast.Call, rows: ast.expr, *, within: bool) -> Frame:
        """The DataFrame of the RDD that an action is called on.

        ``set(rdd.distinct().collect())`` is a set without `distinct`, too, whose elements may have any type.
        """

        def made(rows: ast.expr) -> Frame:
            return frame_of(self.step, rows, self.to.frames, composes=self.to.composes, within=within)

        match rows, self.to.parents.get(action):
            case ast.Call(ast.Attribute(others, "distinct"), [], []), ast.Call(ast.Name("set"), [_], []):
                if not self.step.facts.bindings.get("set"):
                    return self.step.either(lambda _: made(rows), lambda _: made(others))
        return made(rows)

    def _makes_late(self, action: ast.expr, name: str, frame: Frame) -> bool:
        """Whether functions can make elements of the rows that are brought to the driver.

        No handler there sees whether an error is theirs or Spark's.
        Those of the old keys are read from JSON there, ``[(json.loads(key), n + 1) for key, n in rows]``.
        """
        parts = [part for part in frame.within if not part.decodes]
        return (
            name in BRINGING
            and telling_handler(action, self.to.parents) is None
            and (len(parts) < len(frame.within) or self._of_batch(frame))
            and all(part.operator == "map" and not part.prints for part in frame.within)
            and all(may_come_late(part.function, self.step.facts, typed=True) for part in parts)
        )

    def _of_batch(self, frame: Frame) -> bool:
        """Whether functions of the stream, which are within the batch, make the elements."""
        given = self.to.frame.within
        return bool(given) and frame.within[: len(given)] == given

    def _first_of_order(self, node: ast.Call, name: str) -> str | None:
        """The first elements by a key, ``rdd.takeOrdered(5, key=lambda pair: -pair[1])``."""
        inner = self.step.inner(node)
        found = inner.arguments("num", "key")
        assert isinstance(node.func, ast.Attribute)
        frame = frame_of(self.step, node.func.value, self.to.frames)
        if frame.sure is not True and self.step.basis.guards.fail_as_python_does:
            raise Refusal("it fails for an RDD without partitions, which somebody catches", node)
        frame = sorted_by(inner, frame, found["key"], down=name == "top")
        if not any(one.operator in SHUFFLES_SEVERAL for one in upstream(self.step.operation)):
            self.step.note(EQUAL.format(code_of(node)))  # behind a shuffle that is told of every form
        return self._actions.code(node, "take", frame, [found["num"]])

    def _is_only_shown(self, read: ast.Name) -> bool:
        """Whether a variable of an RDD that holds a DataFrame now is printed as an object: ``print(rdd)``."""
        if not self.to.is_frame(read) or self.to.frames[read.id].calls:
            return False
        return is_only_shown(read, self.to.parents, self.step.facts.bindings)

    def _is_given_back(self, read: ast.Name) -> bool:
        """Whether a variable of a DataFrame is what the callback returns, which nobody reads."""
        own = isinstance(self.callback.node, ast.FunctionDef) and self.callback.node is not self.shared
        returned = isinstance(self.to.parents.get(read), ast.Return)
        return own and returned and self.to.is_frame(read) and not self.to.frames[read.id].calls


def _why_it_stays(read: ast.Name, parents: Mapping[ast.AST, ast.AST]) -> str:
    """The reason why a read of an RDD has no replacement."""
    above = parents.get(read)
    match above:
        case ast.Attribute(attr=name):
            return f"`{name}` of an RDD has no proven form on a DataFrame"
        case ast.keyword():
            above = parents.get(above)
    if isinstance(above, ast.Call):
        return f"the RDD is handed to `{code_of(above.func)}`, which is not known to take a DataFrame"
    return "the RDD is used in a way that has no proven form on a DataFrame"


def _data_of(call: ast.Call) -> ast.expr:
    """What `createDataFrame` makes a DataFrame of."""
    named = (keyword.value for keyword in call.keywords if keyword.arg == "data")
    return call.args[0] if call.args else next(named, call)
