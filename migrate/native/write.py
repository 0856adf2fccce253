"""Turns a plan into the new text of a file: what is not of the graph stays byte for byte where it is."""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass, field

from migrate.edits import Edit, Text, apply_edits
from migrate.native.blocked import Blocked
from migrate.native.dead import without_dead_functions
from migrate.native.imports import rewrite_imports
from migrate.native.plan import Plan, Written
from migrate.native.style import Style
from migrate.trace import Use

PARTITIONS = "spark.sql.shuffle.partitions"


def write(plan: Plan) -> str:
    """The new text of the plan's module."""
    body = _Writer(plan).result()
    return rewrite_imports(plan, without_dead_functions(plan.program.module.tree, body))


@dataclass
class _Comments:
    """The comments that belong to a statement."""

    first_line: int
    """The first line of the comments above it, or its own first line."""
    above: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    trailing: str = ""


class _Writer:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.program = plan.program
        self.text: Text = plan.text
        self.style = Style(self.text)
        self.indent = self.text.indent(self.program.construction.lineno)
        self.comment_tokens = _comment_tokens(self.text.source)
        self.edits: list[Edit] = []
        self.deleted: set[int] = set()
        self.inserted: dict[int, str] = {}
        """New text before a line."""

    # --- comments -------------------------------------------------------------------------------------------

    def comments(self, statement: ast.stmt) -> _Comments:
        """The comment lines right above a statement, those inside it, and the one after it."""
        found = _Comments(statement.lineno)
        own = self.text.indent(statement.lineno)
        line = statement.lineno - 1
        while (
            line >= 1 and self.text.lines[line - 1].strip().startswith("#") and self.text.indent(line) == own
        ):
            found.above.insert(0, self.text.lines[line - 1].strip())
            line -= 1
        if line == 0:
            found.above.clear()  # the head of the file, which is about the file
        found.first_line = statement.lineno - len(found.above)
        end = statement.end_lineno or statement.lineno
        for row, column, comment in self.comment_tokens:
            if statement.lineno <= row <= end:
                after = row == end and self.text.offset(row, 0) + column >= self.text.end(statement)
                if after:
                    found.trailing = comment
                else:
                    found.inner.append(comment)
        return found

    def delete(self, statement: ast.stmt, *, with_comments: bool = True) -> None:
        """Take a statement's lines out, with the comments above it."""
        first = self.comments(statement).first_line if with_comments else statement.lineno
        self.deleted.update(range(first, (statement.end_lineno or statement.lineno) + 1))

    def replace(self, statement: ast.stmt, code: str) -> None:
        """Put new code in a statement's place; the comments around it stay."""
        inner = "".join(f"{comment}\n" for comment in self.comments(statement).inner)
        self.edits.append(
            Edit(
                self.text.start(statement),
                self.text.end(statement),
                self.lines(inner + code, self.own(statement)),
            )
        )

    def own(self, statement: ast.stmt) -> str:
        return self.text.indent(statement.lineno)

    def lines(self, code: str, indent: str) -> str:
        """Code of several lines as it stands at an indentation; the first line's is there already."""
        return self.style.quoted(code).replace("\n", self.text.newline + indent)

    # --- the parts ------------------------------------------------------------------------------------------

    def result(self) -> str:
        plan = self.plan
        self._session()
        for statement, written in plan.outside.items():
            self.replace(statement, written.text)
        for statement in self.program.removed:
            self.delete(statement)
        place = self.program.lines[-1].statement
        for line in self.program.lines:
            if any(operation.is_output for operation in line.operations):
                place = line.statement
        for line in self.program.lines:
            if line.statement not in plan.outside:
                self.delete(line.statement)
        self._function(place)
        self._query()
        for use in self.program.lifecycle:
            if use.name != "start":
                self._lifecycle(use)
        for use in self.program.spark_contexts:
            self.edits.append(
                Edit(self.text.start(use.node), self.text.end(use.node), f"{plan.session}.sparkContext")
            )
        self.edits += plan.callback_edits
        self._delete_lines()
        return apply_edits(self.text.source, self.edits)

    def _session(self) -> None:
        plan = self.plan
        session = plan.session_plan
        assert session is not None
        settings = self._settings()
        for statement in session.conf:
            self.delete(statement, with_comments=False)
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

    def _settings(self) -> list[str]:
        plan = self.plan
        if not plan.shuffles or PARTITIONS in self.text.source:
            return []
        number = (
            str(max(plan.partitions))
            if plan.partitions
            else f"{plan.session}.sparkContext.defaultParallelism"
        )
        return [f'{plan.session}.conf.set("{PARTITIONS}", {number})']

    def _still_used(self, name: str, statement: ast.stmt) -> bool:
        gone: set[ast.AST] = set()
        for old in (statement, self.program.construction, *self.plan.outside, *self.program.removed):
            gone.update(ast.walk(old))
        return any(node not in gone for node in self.plan.facts.loads.get(name, ()))

    def _function(self, place: ast.stmt) -> None:
        plan = self.plan
        body: list[str] = []
        if plan.empty_guard:
            body += [f"if {plan.batch}.isEmpty():", f"{self.style.indent}return"]
        persist = plan.batch_uses > 1
        if persist:
            body.append(f"{plan.batch}.persist()")
        for written in plan.inside:
            body += self._inside(written, opening=not body)
        if persist:
            body.append(f"{plan.batch}.unpersist()")
        own = self.own(place)
        head = f"def {plan.function}({plan.batch}, {plan.batch_id}):"
        rows = [head, *(self.style.indent + row if row else row for row in body)]
        code = self.style.quoted("\n".join(rows)).split("\n")
        blank = 1 if own else 2
        first = self.comments(place).first_line
        above = self._kept_above(first)
        opening = [] if above is None or above.rstrip().endswith(":") else [""] * blank
        self.inserted[first] = self._joined([*opening, *code, *[""] * blank], own)
        self.blank_around = (first, blank)

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

    # --- starting and stopping ------------------------------------------------------------------------------

    def _query(self) -> None:
        plan = self.plan
        use = self.program.start
        statement = self._statement(use)
        interval = self._interval()
        calls = (
            "writeStream",
            f'outputMode("{plan.output_mode}")',
            f"trigger(processingTime={interval})",
            f"foreachBatch({plan.function})",
            "start()",
        )
        own = self.own(statement)
        code = self.style.chain(f"{plan.query} = ", plan.streaming, calls, len(own))
        moved = self.comments(self.program.construction)
        session = plan.session_plan
        if (
            session is not None
            and session.statement is not None
            and [*moved.above, *moved.inner, moved.trailing] != [""]
        ):
            remarks = [*moved.above, *moved.inner, *([moved.trailing] if moved.trailing else [])]
            code = "\n".join([*remarks, code])
        self.replace(statement, code)

    def _statement(self, use: Use) -> ast.stmt:
        statement = self.plan.facts.statement_of(use.node)
        if not isinstance(statement, ast.Expr) or statement.value is not use.call:
            raise Blocked(f"`{use.name}` is not a statement of its own", use)
        return statement

    def _interval(self) -> str:
        call = self.program.constructor.call
        assert call is not None
        node = (
            call.args[1]
            if len(call.args) > 1
            else next((keyword.value for keyword in call.keywords if keyword.arg == "batchDuration"), None)
        )
        if node is None:
            raise Blocked("the batch interval is missing", self.program.constructor)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            if isinstance(node.value, int) or node.value == int(node.value):
                seconds = int(node.value)
                return f'"{seconds} second{"" if seconds == 1 else "s"}"'
            return f'"{int(node.value * 1000)} milliseconds"'
        text = self.text.of(node) if "\n" not in self.text.of(node) else ast.unparse(node)
        if isinstance(node, ast.Name) and isinstance(self.plan.facts.constant(node.id, node.lineno)[1], int):
            return f'f"{{{text}}} seconds"'
        quote = "'" if '"' in text else '"'
        if "'" in text and '"' in text:
            return f'"%d milliseconds" % ({text} * 1000)'
        inner = (
            text if not isinstance(node, ast.BinOp | ast.IfExp | ast.BoolOp | ast.Compare) else f"({text})"
        )
        return f"f{quote}{{int({inner} * 1000)}} milliseconds{quote}"

    def _lifecycle(self, use: Use) -> None:
        call = use.call
        assert call is not None
        query = self.plan.query
        if use.name == "stop":
            self._stop(use, call)
        elif use.name == "awaitTermination":
            statement = self._statement(use)
            if not call.args and not call.keywords:
                self.replace(statement, f"{query}.awaitTermination()")
            else:
                arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
                self.replace(statement, f"{query}.awaitTermination({self.text.of(arguments[0])})")
        else:
            arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
            if len(arguments) != 1:
                raise Blocked("`awaitTerminationOrTimeout` has one argument", use)
            new = f"{query}.awaitTermination({self.text.of(arguments[0])})"
            self.edits.append(Edit(self.text.start(call), self.text.end(call), new))

    def _stop(self, use: Use, call: ast.Call) -> None:
        statement = self._statement(use)
        given = dict(zip(("stopSparkContext", "stopGraceFully"), call.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
        for node in given.values():
            if not (isinstance(node, ast.Constant) and isinstance(node.value, bool)):
                raise Blocked("`stop`: its arguments are not literals", use)
        spark = given.get("stopSparkContext")
        graceful = given.get("stopGraceFully")
        if isinstance(graceful, ast.Constant) and graceful.value:
            self.plan.notes[
                "a query has no graceful stop: data that was received and not processed yet is left"
            ] = None
        rows = [f"{self.plan.query}.stop()"]
        if not (isinstance(spark, ast.Constant) and spark.value is False):
            rows.append(f"{self.plan.session}.stop()")
        self.replace(statement, "\n".join(rows))

    # --- lines that go --------------------------------------------------------------------------------------

    def _delete_lines(self) -> None:
        """Take deleted lines out, with blank lines that would stand double then."""
        lines = self.text.lines
        total = len(lines)
        gone = set(self.deleted)
        number = 1
        while number <= total:
            if number not in gone:
                number += 1
                continue
            end = number
            while end <= total and (
                end in gone or (not lines[end - 1].strip() and self._gap_to_gone(end, gone))
            ):
                gone.add(end)
                end += 1
            inserts = any(number <= place < end for place in self.inserted)
            before_blank = (
                number == 1 or not lines[number - 2].strip() or lines[number - 2].rstrip().endswith(":")
            )
            while (before_blank or inserts) and end <= total and not lines[end - 1].strip():
                gone.add(end)
                end += 1
            if inserts:
                back = number - 1
                while back >= 1 and not lines[back - 1].strip():
                    gone.add(back)
                    back -= 1
            number = end
        for line, code in self.inserted.items():
            self.edits.append(Edit(self.text.line_start(line), self.text.line_start(line), code))
        for line in sorted(gone):
            start = self.text.line_start(line)
            self.edits.append(Edit(start, start + len(lines[line - 1]), ""))

    def _gap_to_gone(self, line: int, gone: set[int]) -> bool:
        """Whether a blank line stands between lines that go."""
        while line <= len(self.text.lines) and not self.text.lines[line - 1].strip():
            line += 1
        return line in gone


def _comment_tokens(source: str) -> list[tuple[int, int, str]]:
    tokens = tokenize.generate_tokens(io.StringIO(source, newline="").readline)
    return [
        (token.start[0], token.start[1], token.string.rstrip())
        for token in tokens
        if token.type == tokenize.COMMENT
    ]
