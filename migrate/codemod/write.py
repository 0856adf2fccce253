"""Turns a plan into the new text of a file: what is not of the graph stays byte for byte where it is."""

from __future__ import annotations

import ast

from migrate.codemod.edits import Edit, apply_edits
from migrate.codemod.imports import rewrite_imports
from migrate.codemod.layout import Layout
from migrate.codemod.render import Render
from migrate.graph.blocked import Blocked
from migrate.model import Module, Options
from migrate.plan.code import BatchFunction, Code, ModuleChanges, Written
from migrate.plan.plan import Plan
from migrate.plan.planner import plan_graph
from migrate.rules import rule_for
from migrate.syntax.nodes import parsed
from migrate.trace import Graph, Trace


def migrate_graph(graph: Graph, trace: Trace, options: Options) -> tuple[Plan, str]:
    """The native form of a graph, and the new text of its file.

    Raises:
        Blocked: it has none that is proven to be the same.
    """
    plan = plan_graph(graph, trace, options, rule_for)
    try:
        text = write(plan)
        parsed(text)
    except (SyntaxError, ValueError) as error:
        # an error of ours; the program is better off on compat than unmigrated
        raise Blocked(f"its native form could not be written, please report it: {error}") from None
    return plan, text


def write(plan: Plan) -> str:
    """The new text of the plan's module."""
    module = plan.program.module
    changes = plan.changes[module.relative]
    return rewrite_imports(changes, module.tree, _Writer(module, changes).result())


class _Writer(Layout):
    def __init__(self, module: Module, changes: ModuleChanges) -> None:
        super().__init__(module.source)
        self.changes = changes
        self.render = Render(module.tree, self.text, self.style, changes)
        self.tree = module.tree

    def result(self) -> str:
        changes = self.changes
        for statement, with_comments in changes.removed.items():
            self.delete(statement, with_comments=with_comments)
            for decorator in getattr(statement, "decorator_list", []):
                self.deleted.update(range(decorator.lineno, statement.lineno))
        for function in changes.unused:
            self.delete(function)
        for statement, written in changes.replaced.items():
            self._replace(statement, written)
        for statement, text in changes.inner.before:
            own = self.own(statement)
            code = self.lines(self.render.code(text, 0), own) + self.text.newline + own
            at = self.text.start(statement)
            self.edits.append(Edit(at, at, code))
        for statement in changes.inner.dropped:
            self.deleted.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
        if changes.function is not None:
            self._function(changes.function)
        for statement, added in changes.after.items():
            self._after(statement, added)
        self._inner()
        return apply_edits(self.text.source, self.all_edits())

    def _inner(self) -> None:
        """Replace and rename what is not part of something that is replaced or deleted as a whole."""
        done = [(edit.start, edit.end) for edit in self.edits if edit.start < edit.end]
        for edit in self.render.edits(self.tree):
            inside = any(start <= edit.start and edit.end <= end for start, end in done)
            if not inside and self.text.line_of(edit.start) not in self.deleted:
                self.edits.append(Edit(edit.start, edit.end, self.style.quoted(edit.text)))

    def _replace(self, statement: ast.stmt, written: tuple[Written, ...]) -> None:
        rows: list[str] = []
        for part in written:
            for old in part.replaces:
                moved = self.comments(old)
                rows += [*moved.above, *moved.inner, *([moved.trailing] if moved.trailing else [])]
            rows.append(self.render.code(part.code, len(self.own(statement))))
        self.replace(statement, "\n".join(rows))

    def _function(self, function: BatchFunction) -> None:
        place = function.place
        own = self.own(place)
        depth = len(own.expandtabs()) + len(self.style.indent.expandtabs())
        body: list[str] = []
        for written in function.body:
            body += self._inside(written, depth, opening=not body)
        head = f"def {function.name}({', '.join(function.parameters)}):"
        blank = 1 if own else 2
        rows = [row for code in function.above for row in self.render.code(code, len(own)).split("\n")]
        rows += [""] * (blank if rows else 0)
        rows += [head, *(self.style.indent + row if row else row for row in body)]
        if function.below is not None:
            rows += [*[""] * blank, *self.render.code(function.below, len(own)).split("\n")]
        code = self.style.quoted("\n".join(rows)).split("\n")
        # the source is made before the function, where one statement was both
        replaced = place in self.changes.removed
        first = self.comments(place).first_line if replaced else (place.end_lineno or place.lineno) + 1
        above = self._kept_above(first)
        opening = [] if above is None or above.rstrip().endswith(":") else [""] * blank
        there = self._blank_after(place.end_lineno or place.lineno)
        after = [""] * (there if function.below is not None else blank if replaced else max(0, blank - there))
        self.inserted[first] = self._joined([*opening, *code, *after], own)

    def _after(self, last: ast.stmt, added: Code) -> None:
        """Put a statement at the end of a block."""
        line = (last.end_lineno or last.lineno) + 1
        newline = self.text.newline
        open_end = line > len(self.text.lines) and not self.text.source.endswith(("\n", "\r"))
        row = f"{self.own(last)}{self.render.code(added, 0)}{newline}"
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

    def _inside(self, written: Written, depth: int, *, opening: bool) -> list[str]:
        """A statement of the batch function under the comments of what it replaces, set off as that was."""
        above: list[str] = []
        trailing = ""
        for old in written.replaces:
            if old in self.changes.replaced:
                continue
            comments = self.comments(old)
            above += [*comments.above, *comments.inner]
            if comments.trailing and trailing:
                above.append(comments.trailing)
            trailing = trailing or comments.trailing
        rows = self.render.code(written.code, depth).split("\n")
        first = min((self.comments(old).first_line for old in written.replaces), default=1)
        gap = [""] if not opening and first > 1 and not self.text.lines[first - 2].strip() else []
        if trailing:
            if len(rows) == 1:
                rows[0] += f"  {trailing}"
            else:
                above.append(trailing)
        return [*gap, *above, *rows]
