"""Windows whose elements are put together to one number: the driver holds a value for each batch.

``window.append((now, batch.count()))`` needs no DataFrame that is persisted, and neither does the sum of what
is in the window. So it is where this number is printed, or what maps make of it; any other reader has a
DataFrame of it, which is made anew in each batch.
"""

from __future__ import annotations

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.graph.program import Line, Operation, upstream
from migrate.model import Tier
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.every_interval import HELPER as EVERY_INTERVAL
from migrate.plan.draft.held import Held
from migrate.plan.draft.needs import Needs
from migrate.plan.elements.places import check_place
from migrate.plan.frames.frame import Frame
from migrate.plan.names.variable_names import frame_name
from migrate.plan.new_code.code import Call, Chain, Value, When, Written
from migrate.plan.new_code.spark_types import type_name
from migrate.plan.windows.held_windows import Windows, named_after
from migrate.plan.windows.windows import subtracted
from migrate.syntax.copies import changed

COUNTED = "count becomes the sum of the counts of the last batches"
LONG = "# then DStream goes on with 0"
NOT_BEFORE = "# nothing is printed before the first row"
NONE_BEFORE = "# there is none before the first row"


class WindowValues:
    """Plans such windows, and what reads their numbers."""

    def __init__(self, draft: Draft, windows: Windows) -> None:
        self.draft = draft
        self._windows = windows
        self._windows_of: dict[Operation, Operation] = {}
        """The windows that streams of one number are made of."""
        self._held: dict[Operation, Held] = {}
        """What the driver holds of windows."""
        self._codes: dict[Operation, Value] = {}
        """Code of the numbers of streams."""

    def __contains__(self, operation: Operation) -> bool:
        """Whether a stream is such a number, or a window that is put together to one."""
        return operation in self._windows_of

    def check_not_given(self, operation: Operation | None) -> None:
        """Refuse a number for what only a DataFrame can be given to.

        Raises:
            RatherError: the stream is such a number.
        """
        if operation in self._windows_of:
            assert operation is not None
            raise RatherError(Choices(as_frames=frozenset({self._windows_of[operation].call})))

    def plan(self, operation: Operation, line: Line) -> bool:
        """Plan an operator if it makes such a number, or reads one.

        Raises:
            Blocked: the window has no native form.
            RatherError: it reads a number in another way than to print it, or the query must run a batch in
                every interval.
        """
        if any(parent in self for parent in operation.parents):
            self._read(operation, line)
            return True
        choices = self.draft.basis.choices
        if operation.call in choices.as_rdd or operation.is_source or operation.is_output:
            return False
        return self._made(operation, line)

    def _made(self, operation: Operation, line: Line) -> bool:
        draft = self.draft
        rule = draft.rules(operation.operator)
        if rule is None or not rule.to_number:
            return False
        if not draft.basis.allowed(rule.id) or draft.basis.options.pprint_exact:
            return False
        step = draft.step(operation, line, draft.basis.targets.get(operation))
        stage = draft.stages[operation.parents[0]].after(operation.call)
        try:
            held = rule.held(step, stage)
            check_place(step, *([stage] if isinstance(stage, Frame) else []))
        except Refusal:
            return False
        if held is None or self._is_hidden(held.together, operation):
            return False
        is_frame = operation.call in draft.basis.choices.as_frames
        if is_frame and (held.column is None or step.needs.windows[operation].keeps_if):
            return False
        if held.gaps and self._may_raise(operation, step.known):
            return False  # for batches that no window reads, too
        draft.accept(step)
        on_columns = isinstance(stage, Frame)
        summary = step.needs.reasons.get(operation.use, rule.summary)
        draft.decided(operation.use, Tier.COLUMN if on_columns else Tier.RDD, summary)
        if is_frame:
            self._as_frame(operation, line, held)
            return True
        self._windows_of[operation], self._held[operation] = operation, held
        self._keep(operation, held)
        self._windows.slide(operation)
        if not held.by_next:
            self._put_together(operation, line)
        return True

    def _is_hidden(self, builtin: str, operation: Operation) -> bool:
        """Whether the name of a builtin is another thing than the stream's own variable, which goes."""
        basis = self.draft.basis
        is_stream = basis.targets.get(operation) == builtin and basis.facts.only_binding(builtin) is not None
        return builtin in basis.facts.shadowed and not is_stream

    def _may_raise(self, operation: Operation, needs: Needs) -> bool:
        """Whether the value of a batch may fail to be computed."""
        gives = needs.gives or needs.gives_without_ansi
        helpers = needs.helpers.keys() - {EVERY_INTERVAL.name}
        in_python = {Tier.PYTHON, Tier.RDD} & {self.draft.tiers.get(one.use) for one in upstream(operation)}
        return needs.ansi or bool(in_python or needs.raises or gives or helpers)

    def _keep(self, operation: Operation, held: Held, comment: str = NOT_BEFORE) -> None:
        """Put what a batch adds in the window, and take out what is too old."""
        draft, body = self.draft, self.draft.body
        window, now = draft.needs.windows[operation], draft.needs.window_time
        added, is_none = held.added, held.may_be_none
        tested = held.keeps or is_none
        alike = [one for one in operation.parents[0].consumers if one.operator == operation.operator]
        variable, own = body.variable_with(added), self._count_beside(operation, held)
        body.uses += not variable
        if not variable and (len(added.calls) > 1 or tested or len(alike) > 1 or own):
            variable = own or draft.fresh(named_after("added", window))
            body.write(changed(added, target=variable), None)
        value = variable or added.text
        is_some = f"{variable} is not None" if is_none else variable
        if held.keeps:
            either = When(f"{is_some} or {window.name}", comment=comment, again=window.name)
            self._windows.only(operation, either)
            value = f"{value} or 0" if is_none else value
        appended = Call("append", f"({now}, {value})", origin=(operation.call,))
        some = When(is_some) if is_none and not held.keeps else None
        body.write(Chain(window.name, (appended,)), None, when=some)
        old = f"{window.name}[0][0] <= {now} - {subtracted(window.length, window.held)}"
        test = old if some is None else f"{window.name} and {old}"
        oldest = Written(Chain(window.name, (Call("popleft", ""),)))
        body.write(f"while {test}:", None, body=[oldest])

    def _count_beside(self, operation: Operation, held: Held) -> str:
        """The variable of the count of each batch, which is printed, too; empty if there is none."""
        basis, counted = self.draft.basis, held.word == "count"
        for one in operation.parents[0].consumers if counted else ():
            target, readers = basis.targets.get(one, ""), {reader.operator for reader in one.consumers}
            is_printed = one.operator == "count" and readers == {"pprint"}
            if is_printed and basis.facts.only_binding(target) and frame_name(target) == target:
                return target
        return ""

    def _as_frame(self, operation: Operation, line: Line, held: Held) -> None:
        """Give other readers than prints a DataFrame of what is in the window, put together."""
        draft, due, column = self.draft, self.draft.body.due, held.column
        assert column is not None
        window = draft.needs.windows[operation]
        if not window.is_shared:
            # a count of another window that shares it may go on with 0
            is_shared = operation.call in draft.basis.choices.longest
            self._keep(operation, replace(held, keeps=held.keeps or is_shared), NONE_BEFORE)
            self._windows.always(operation, due)
        self._windows.slide(operation)
        each = "n" if draft.basis.targets.get(operation) != "n" else held.word
        since = f"{draft.needs.window_time} - {subtracted(window.own, window.held)}"
        values = f"{each} for _, {each} in {window.name}"
        if window.own:
            values = f"{each} for then, {each} in {window.name} if then > {since}"
        total, some = f"{held.together}({values})", window.name
        if not (held.may_be_none or held.keeps):
            some = draft.fresh("total")
            draft.body.write(Chain(total, target=some), line.statement)
            total = some
        rows = f'[({total},)] if {some} else [], "{column.name} {type_name(column.shape)}"'
        code = f"{draft.basis.names.batch}.sparkSession.createDataFrame({rows})"
        frame = Frame(code, (), replace(column, aggregate=""), sure=True, filtered=True, is_made=True)
        draft.stages[operation] = replace(frame, origin=(operation.call,))

    def _put_together(self, operation: Operation, line: Line) -> None:
        """Put together what is in the window, in a variable of the stream."""
        draft = self.draft
        source = self._windows_of[operation]
        window, held = draft.needs.windows[source], self._held[source]
        is_none = held.may_be_none
        if is_none and not held.keeps:
            self._windows.only(operation, When(window.name))
        target = draft.basis.targets.get(operation, "")
        each = "n" if target != "n" else held.word
        total = f"{held.together}({each} for _, {each} in {window.name})"
        always = (is_none or held.keeps or held.always) and not window.keeps_if
        if always and not target and [one.operator for one in operation.consumers] == ["pprint"]:
            self._codes[operation] = Value(total)
            return
        # a variable that says DStream, or gets other streams as well, is none of a number
        is_builtin = target == held.together
        if is_builtin or not draft.basis.facts.only_binding(target) or frame_name(target) != target:
            target = draft.fresh("total")
        draft.body.write(Chain(total, target=target), line.statement)
        self._codes[operation] = Value(target, is_variable=True)
        if window.keeps_if:
            self._windows.only(operation, When(f"{target} or {window.keeps_if}", comment=LONG))
        elif not always:
            self._windows.only(operation, When(target))

    def _read(self, operation: Operation, line: Line) -> None:
        """Plan what reads a number, or a window that is put together to one."""
        draft, parent = self.draft, next(one for one in operation.parents if one in self)
        source = self._windows_of[parent]
        rule = draft.rules(operation.operator)
        if rule is None or not draft.basis.allowed(rule.id) or len(operation.parents) > 1:
            self.check_not_given(parent)
            return
        step = draft.step(operation, line)
        made = Value("")
        if parent in self._codes:
            try:
                made = rule.of_value(step, self._codes[parent])
            except Refusal:
                self.check_not_given(parent)
        draft.accept(step)
        summary = rule.summary if parent in self._codes else COUNTED
        summary = step.needs.reasons.get(operation.use, summary)
        draft.decided(operation.use, draft.tiers[source.use], summary)
        if operation.is_output:
            draft.body.write(made.code, line.statement)
            return
        self._windows_of[operation] = source
        if parent in self._codes:
            self._codes[operation] = made
        else:
            self._put_together(operation, line)

    def finish(self, line: Line) -> bool:
        """Let a line whose stream needs no variable become a part of the next statement.

        Returns:
            whether its stream is such a number, or a window that is put together to one.
        """
        last = line.operations[-1]
        if last not in self:
            return False
        written = self.draft.body.statements
        if not written or line.statement not in written[-1].replaces:
            self.draft.body.pending.append(line.statement)
        return True
