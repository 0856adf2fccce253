"""Turns a plan into the new text of a file: what is not of the graph stays byte for byte where it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from migrate.codemod.dead import without_dead_functions
from migrate.codemod.edits import Edit, apply_edits
from migrate.codemod.imports import rewrite_imports
from migrate.codemod.layout import Layout
from migrate.codemod.renaming import renaming_edits
from migrate.plan.batch_time import FIRST
from migrate.plan.lifecycle import Lifecycle
from migrate.plan.plan import Plan, Written
from migrate.plan.side_by_side import side_by_side
from migrate.syntax.nodes import of_kinds, walk

WHOLE = "# the state is kept only if all of the batch is computed"
PARTITIONS = "spark.sql.shuffle.partitions"


def write(plan: Plan) -> str:
    """The new text of the plan's module."""
    body = _Writer(plan).result()
    module = plan.program.module
    kept = plan.trace.taken.of_module(module)
    return rewrite_imports(plan, without_dead_functions(module.tree, body, kept))


class _Writer(Layout):
    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.text)
        self.plan = plan
        self.program = plan.program
        self.life = Lifecycle(plan, self)
        self.indent = self.text.indent(self.program.construction.lineno)

    # --- the parts ------------------------------------------------------------------------------------------

    def result(self) -> str:
        plan = self.plan
        if self.program.reading.is_unused:
            for statement in (self.program.construction, *self.program.removed):
                self.delete(statement)
            return apply_edits(self.text.source, self.all_edits())
        self._session()
        for statement, written in plan.outside.items():
            self.replace(statement, written.text)
        for statement in self.program.removed:
            self.delete(statement)
        for line in self.program.lines:
            if line.statement not in plan.outside and line.argument not in plan.arguments:
                self.delete(line.statement)
        for statement, rows in plan.before.items():
            own = self.text.newline + self.own(statement)
            at = self.text.start(statement)
            self.edits.append(Edit(at, at, self.style.quoted("".join(row + own for row in rows))))
        for argument, new in plan.arguments.items():
            start, end = self.text.start(argument), self.text.end(argument)
            self.edits.append(Edit(start, end, self.style.quoted(new)))
        self._other_functions()
        self._function(self.plan.place.anchor)
        if self.life.last is not None:
            self._return(self.life.last)
        for use in self.program.lifecycle:
            if use.name == "start":
                self.life.start(use)
            else:
                self.life.end(use)
        for use in self.program.spark_contexts:
            assert isinstance(use.node, ast.Attribute)
            session = plan.session_at(use.node.value)
            self.edits.append(
                Edit(self.text.start(use.node), self.text.end(use.node), f"{session}.sparkContext")
            )
        for call, build in self.program.recovering.items():
            new = self.text.of(build) + ("" if isinstance(build, ast.Call) else "()")
            self.edits.append(Edit(self.text.start(call), self.text.end(call), new))
        self.edits += plan.callback_edits
        if self.program.carriers is not None:
            self.edits += self._untouched(renaming_edits(self.program.carriers, self.text))
            if self.program.carriers.annotated:
                plan.imports.add("SparkSession")
        return apply_edits(self.text.source, self.all_edits())

    def _untouched(self, renaming: Iterable[Edit]) -> list[Edit]:
        """The renaming of what no other edit replaces."""
        done = [(edit.start, edit.end) for edit in self.edits if edit.start < edit.end]
        kept = []
        for edit in renaming:
            inside = any(start <= edit.start and edit.end <= end for start, end in done)
            if not inside and self.text.line_of(edit.start) not in self.deleted:
                kept.append(edit)
        return kept

    def _other_functions(self) -> None:
        """What other functions only did for the streams goes."""
        place = self.plan.place
        for line in place.kept:
            if line.statement not in self.plan.outside and line.argument is None:
                assert line.inner is not None
                self.replace(line.statement, "return " + self.text.of(line.inner))
                first = self.comments(line.statement).first_line
                self.deleted -= set(range(first, (line.statement.end_lineno or first) + 1))
        for statement in place.deleted:
            if statement not in self.plan.outside:
                self.delete(statement)
        for function in place.consumed:
            self.delete(function)
            for decorator in function.decorator_list:
                self.deleted.update(range(decorator.lineno, function.lineno))

    def _session(self) -> None:
        plan = self.plan
        session = plan.session_plan
        assert session is not None
        settings = self._settings()
        for statement in session.conf:
            self.delete(statement, with_comments=False)
        if session.taken_from is not None:
            self._drop_unread(session.taken_from)
        construction = self.program.construction
        rows: list[str] = []
        if session.builder is not None:
            plan.imports.add("SparkSession")
            calls = ("builder", *session.builder, "getOrCreate()")
            rows.append(self.style.chain(f"{session.name} = ", "SparkSession", calls, len(self.indent)))
        rows += settings
        if session.statement is not None:
            if session.spark_context is not None and self._still_used(
                session.spark_context, session.statement
            ):
                rows.append(f"{session.spark_context} = {session.name}.sparkContext")
            self.replace(session.statement, "\n".join(rows))
            self.delete(construction)
        elif rows:
            self.replace(construction, "\n".join(rows))
        else:
            self.delete(construction)

    def _drop_unread(self, statement: ast.Assign) -> None:
        """Delete an assignment that was there for the context alone."""
        name = ast.unparse(statement.targets[0])
        taken = self.plan.trace.taken.of_module(self.program.module)
        if name not in taken and not self._still_used(name, statement):
            self.delete(statement, with_comments=False)

    def _settings(self) -> list[str]:
        plan = self.plan
        if not plan.shuffles or self._partitions_are_set():
            return []
        number = (
            str(max(plan.partitions))
            if plan.partitions
            else f"{plan.session}.sparkContext.defaultParallelism"
        )
        return [f'{plan.session}.conf.set("{PARTITIONS}", {number})']

    def _partitions_are_set(self) -> bool:
        """Whether the program sets them anywhere, or another graph's new code where this one is built."""
        module, tree = self.program.module, self.program.tree
        if module.origin is None or PARTITIONS in module.origin:
            return PARTITIONS in module.source
        named = [node for node in of_kinds(module.tree, ast.Constant) if node.value == PARTITIONS]
        return any(tree.scope_of(node) in (module.tree, self.program.scope) for node in named)

    def _new_text(self) -> str:
        """What is written in the place of the graph's statements."""
        plan = self.plan
        written = [part.text for part in (*plan.outside.values(), *plan.inside)]
        return "\n".join([*written, *(row for rows in plan.before.values() for row in rows)])

    def _still_used(self, name: str, statement: ast.stmt) -> bool:
        """Whether what is left reads the variable or attribute of the SparkContext."""
        if re.search(rf"(?<![\w.]){re.escape(name)}\b", self._new_text()):
            return True
        gone: set[ast.AST] = set()
        for old in (statement, self.program.construction, *self.plan.outside, *self.program.removed):
            gone.update(walk(old))
        if "." not in name:
            home = self.program.tree.scope_of(statement)
            within = set(walk(home)) if isinstance(home, ast.FunctionDef) else None
            loads = self.plan.facts.loads.get(name, ())
            return any(node not in gone and (within is None or node in within) for node in loads)
        attribute = name.rsplit(".", 1)[1]
        return any(
            isinstance(node, ast.Attribute) and node.attr == attribute and node not in gone
            for node in walk(self.program.module.tree)
        )

    def _function(self, place: ast.stmt) -> None:
        plan = self.plan
        body: list[str] = []
        if plan.states:
            word = "global" if isinstance(plan.place.scope, ast.Module) else "nonlocal"
            body.append(f"{word} {', '.join(plan.states)}")
        given = plan.facts.fresh("unsorted") if plan.places else plan.batch
        above_function = [f"{name} = {before}" for name, before in plan.states.items() if before]
        if plan.inputs:
            base, calls = side_by_side(plan)
            above_function.append(self.style.chain(f"{plan.streaming} = ", base, calls, len(self.own(place))))
        above_function += self._time(body, given)
        if plan.empty_guard:
            body += [f"if {given}.isEmpty():", f"{self.style.indent}return"]
        partial = plan.state is not None and not plan.reads_all
        # a sort reads its input twice, which takes Kafka's source seconds
        persist = partial or bool(plan.places) or (plan.batch_uses > 1 and plan.keeps_batch)
        if persist:
            body.append(f"{given}.persist()")
        if plan.places:
            places = ", ".join(f'"{name}"' for name in plan.places)
            body.append(f"{plan.batch} = {given}.orderBy({places}).drop({places})")
        if partial:
            # `show` and `take` leave partitions out, whose state would stay as it was
            body.append(f"{plan.batch}.count()  {WHOLE}")
        for written in plan.inside:
            body += self._inside(written, opening=not body)
        if persist:
            body.append(f"{given}.unpersist()")
        own = self.own(place)
        head = f"def {plan.function}({given}, {plan.batch_id}):"
        blank = 1 if own else 2
        rows = [*above_function, *[""] * (blank if above_function else 0)]
        rows += [head, *(self.style.indent + row if row else row for row in body)]
        writer = self.life.writer(len(own))
        rows += [*[""] * blank, *writer.split("\n")] if writer is not None else []
        code = self.style.quoted("\n".join(rows)).split("\n")
        lines = [line.statement for line in self.program.lines]
        # the source is made before the function, where one statement was both
        replaced = (place in self.plan.place.deleted or place in lines) and place not in self.plan.outside
        first = self.comments(place).first_line if replaced else (place.end_lineno or place.lineno) + 1
        above = self._kept_above(first)
        opening = [] if above is None or above.rstrip().endswith(":") else [""] * blank
        there = self._blank_after(place.end_lineno or place.lineno)
        after = [""] * (there if writer is not None else blank if replaced else max(0, blank - there))
        self.inserted[first] = self._joined([*opening, *code, *after], own)

    def _time(self, body: list[str], given: str) -> list[str]:
        """Begin the batch function with the time of its batch; what that needs above the function."""
        plan = self.plan
        guard = [
            f"if {plan.batch_id} == 0 and {given}.isEmpty():  # {FIRST}",
            f"{self.style.indent}return",
        ]
        guard = [] if plan.empty_guard or plan.queues else guard
        if plan.batch_time and not plan.has_any_time:
            times = plan.facts.fresh("times")
            body += [f"{plan.batch_time} = next({times})", *guard]
            return [f"{times} = {plan.times()}({self.life.seconds()})"]
        if plan.batch_time:
            body.append(f"{plan.batch_time} = {plan.now()}")
        if plan.first_guard:
            body += guard
        return []

    def _return(self, last: ast.stmt) -> None:
        """``return writer`` at the end of a function that returned nothing."""
        line = (last.end_lineno or last.lineno) + 1
        newline = self.text.newline
        open_end = line > len(self.text.lines) and not self.text.source.endswith(("\n", "\r"))
        row = f"{self.own(last)}return {self.plan.writer}{newline}"
        self.inserted[line] = self.inserted.get(line, "") + (newline if open_end else "") + row

    def _blank_after(self, line: int) -> int:
        """How many blank lines follow a line that goes."""
        rest = self.text.lines[line:]
        return next((count for count, row in enumerate(rest) if row.strip()), len(rest))

    def _kept_above(self, line: int) -> str | None:
        """The nearest line above that stays and is not blank."""
        for number in range(line - 1, 0, -1):
            if number not in self.deleted and self.text.lines[number - 1].strip():
                return self.text.lines[number - 1]
        return None

    def _joined(self, rows: list[str], indent: str) -> str:
        return "".join((indent + row if row else "") + self.text.newline for row in rows)

    def _inside(self, written: Written, *, opening: bool) -> list[str]:
        """A statement of the batch function under the comments of what it replaces, set off as that was."""
        above: list[str] = []
        trailing = ""
        for old in written.replaces:
            if old in self.plan.outside:
                continue
            comments = self.comments(old)
            above += [*comments.above, *comments.inner]
            if comments.trailing and trailing:
                above.append(comments.trailing)
            trailing = trailing or comments.trailing
        rows = written.text.split("\n")
        first = min((self.comments(old).first_line for old in written.replaces), default=1)
        gap = [""] if not opening and first > 1 and not self.text.lines[first - 2].strip() else []
        if trailing:
            if len(rows) == 1:
                rows[0] += f"  {trailing}"
            else:
                above.append(trailing)
        return [*gap, *above, *rows]
