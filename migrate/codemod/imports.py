"""The imports and helper functions of a rewritten module.

What is needed is added once, what is left over goes.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property

from migrate.codemod.edits import Edit, Text, apply_edits
from migrate.graph.blocked import Blocked
from migrate.knowledge.connectors import KAFKA_NAMES
from migrate.plan.plan import Plan
from migrate.syntax.nodes import of_kinds, parsed, walk

_WANTED: dict[str, tuple[str, str | None, str | None]] = {
    "SparkSession": ("pyspark.sql", "SparkSession", None),
    "F": ("pyspark.sql", "functions", "F"),
    "datetime": ("datetime", "datetime", None),
    "json": ("json", None, None),
    "copy": ("copy", None, None),
    "os": ("os", None, None),
    "LinearRegressionWithSGD": ("pyspark.mllib.regression", "LinearRegressionWithSGD", None),
    "LogisticRegressionWithSGD": ("pyspark.mllib.classification", "LogisticRegressionWithSGD", None),
}
"""Module, member of it or None for itself, and alias of what new code may need."""
_HOMES = {"SparkSession": "pyspark.sql.session"}
"""Where members are defined, from which some import them."""
_STDLIB = ("copy", "datetime", "json", "os")
_STREAMING = ("pyspark.streaming", "compat.streaming")
_KAFKA = ("pyspark.streaming.kafka", "compat.streaming.kafka")
Import = ast.Import | ast.ImportFrom


def rewrite_imports(plan: Plan, source: str) -> str:
    """The module's new text with its imports in order.

    Args:
        plan: says which names the new code needs and which helper functions.
        source: the new text, with the imports of the old.
    """
    if any(f"{helper.source}" for helper in plan.helpers.values()) or "F." in source:
        plan.imports.add("F")
    tree = parsed(source)
    if not _reads(tree, "F") and not any("F." in helper.source for helper in plan.helpers.values()):
        plan.imports.discard("F")
    return _Imports(plan, source, tree).result()


class _Imports:
    def __init__(self, plan: Plan, source: str, tree: ast.Module) -> None:
        self.plan = plan
        self.text = Text(source)
        self.tree = tree
        self.old = set(_names(plan.program.module.tree))
        self.new = set(_names(tree))
        self.added: set[str] = set()
        """What settings and helper functions read, which are not in the text yet."""
        for helper in (*plan.helpers.values(), *plan.settings.values()):
            self.added |= set(_names(parsed(helper.source)))
        self.new |= self.added
        self.statements: list[Import] = [*of_kinds(tree, ast.Import), *of_kinds(tree, ast.ImportFrom)]
        self.statements.sort(key=lambda node: (node.lineno, node.col_offset))
        self.edits: list[Edit] = []
        self.place: int | None = None
        """The line before which new imports of pyspark stand."""

    def result(self) -> str:
        missing = [name for name in _WANTED if name in self.plan.imports]
        missing = [name for name in missing if not self._is_imported(name)]
        kept: dict[Import, list[ast.alias]] = {}
        for statement in self.statements:
            kept[statement] = [alias for alias in statement.names if not self._left_over(statement, alias)]
            if kept[statement] and _module(statement).startswith(_KAFKA):
                names = sorted(KAFKA_NAMES & self.new)
                name = names[0] if kept[statement][0].name == "*" else kept[statement][0].name
                raise Blocked(f"`{name}` is still used for something else than a stream, and it is gone")
        self._write(kept, missing)
        return apply_edits(self.text.source, self.edits)

    def _is_imported(self, name: str) -> bool:
        module, member, _ = _WANTED[name]
        for statement in self._top([name]):
            if member is None:
                named = [(alias.name, alias.asname or alias.name) for alias in statement.names]
                if isinstance(statement, ast.Import) and (module, name) in named:
                    return True
                continue
            if (
                isinstance(statement, ast.ImportFrom)
                and statement.module in (module, _HOMES.get(name))
                and any(
                    alias.name == member and (alias.asname or alias.name) == name for alias in statement.names
                )
            ):
                return True
            if isinstance(statement, ast.Import):
                full = f"{module}.{member}"
                if any(alias.name == full and alias.asname == name for alias in statement.names):
                    return True
        return False

    def _top(self, names: Iterable[str]) -> list[Import]:
        """The imports at the top of the module that come before the first use of any of `names`."""
        wanted = set(names)
        uses = [node.lineno for node in of_kinds(self.tree, ast.Name) if node.id in wanted]
        if wanted & self.added:
            uses.append(self._line_of_helpers)
        limit = min(uses, default=sys.maxsize)
        imports = [node for node in self.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        return [statement for statement in imports if statement.lineno < limit]

    def _left_over(self, statement: Import, alias: ast.alias) -> bool:
        """Whether the rewrite took away the last use of an import."""
        if alias.name == "*":
            if _module(statement) in _KAFKA:
                return not KAFKA_NAMES & self.new
            return _module(statement) in _STREAMING
        bound = alias.asname or alias.name.split(".")[0]
        module = statement.module if isinstance(statement, ast.ImportFrom) else alias.name
        if bound in self.new or self._in_text(bound):
            return False
        return bound in self.old or (module or "").startswith(_STREAMING)

    def _in_text(self, name: str) -> bool:
        """Whether a string that may be an annotation, or ``__all__``, names it."""
        named = re.compile(rf"\b{re.escape(name)}\b")
        return any(named.search(text) for text in self._texts)

    @cached_property
    def _texts(self) -> list[str]:
        """``__all__``, and the strings that may be annotations."""
        found = [
            ast.unparse(node.value)
            for node in of_kinds(self.tree, ast.Assign)
            if any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
        ]
        annotations: list[ast.expr | None] = [node.annotation for node in of_kinds(self.tree, ast.arg)]
        annotations += [node.annotation for node in of_kinds(self.tree, ast.AnnAssign)]
        annotations += [node.returns for node in of_kinds(self.tree, ast.FunctionDef)]
        annotations += [node.returns for node in of_kinds(self.tree, ast.AsyncFunctionDef)]
        parts = [part for annotation in annotations if annotation is not None for part in walk(annotation)]
        found += [
            part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
        ]
        return found

    # --- writing --------------------------------------------------------------------------------------------

    def _write(self, kept: dict[Import, list[ast.alias]], missing: list[str]) -> None:
        sql = [name for name in missing if name not in _STDLIB]
        hosts = {
            s.module: s
            for s in reversed(self._top(missing))
            if isinstance(s, ast.ImportFrom) and not s.level and s.names[0].name != "*" and kept.get(s)
        }
        host = hosts.get("pyspark.sql")
        joins: dict[Import, list[str]] = {}
        for name in list(sql):
            module, _, alias = _WANTED[name]
            if module in hosts and alias is None:
                joins.setdefault(hosts[module], []).append(name)
                sql.remove(name)
        new_lines = [_line(name) for name in sql]
        place = self._place(kept, host, missing)
        emptied: list[Import] = []
        for statement, aliases in kept.items():
            added = joins.get(statement, [])
            if len(aliases) == len(statement.names) and not added:
                continue
            if not aliases and not added:
                emptied.append(statement)
            else:
                self._shorten(statement, aliases, added)
        helpers = [*self.plan.settings.values(), *self.plan.helpers.values()]
        self._insert(place, new_lines, emptied, host)
        self._stdlib(missing, kept)
        if helpers:
            self._helpers()

    def _place(
        self, kept: dict[Import, list[ast.alias]], host: ast.ImportFrom | None, missing: list[str]
    ) -> Import | None:
        """The import that new ones of pyspark.sql take the place of, or stand after."""
        top = self._top(missing)
        if host is not None:
            return host
        streaming = [s for s in top if _module(s).startswith(_STREAMING)]
        emptied = [s for s in streaming if not kept[s]]
        if emptied:
            return emptied[-1]
        pyspark = [s for s in top if _module(s).split(".")[0] == "pyspark"]
        if pyspark:
            return pyspark[-1]
        return top[-1] if top else None

    def _insert(
        self, place: Import | None, new: list[str], emptied: list[Import], host: Import | None
    ) -> None:
        newline = self.text.newline
        for statement in emptied:
            if statement is place and new:
                indent = self.text.indent(statement.lineno)
                code = (newline + indent).join(new)
                self.edits.append(Edit(self.text.start(statement), self.text.end(statement), code))
            else:
                self._take_out(statement, emptied)
        if new and place not in emptied:
            if place is None:
                line = self._after_docstring()
                at = self.text.line_start(line)
                self._insertion(at, newline.join([*new, "", ""]))
            else:
                end = self.text.end(place)
                self._insertion(end, newline + newline.join(new))

    def _take_out(self, statement: Import, emptied: list[Import]) -> None:
        """Delete an import's lines.

        An import that shares its line, or is the last one of a block of which nothing stays, only loses
        itself.
        """
        start = self.text.line_start(statement.lineno)
        last = statement.end_lineno or statement.lineno
        end = self.text.line_start(last + 1) if last < len(self.text.lines) else len(self.text.source)
        before = self.text.source[start : self.text.start(statement)]
        after = self.text.source[self.text.end(statement) : end].strip()
        block = self._block(statement)
        nothing_stays = all(other in emptied for other in block) and statement is block[-1]
        if before.strip() or (after and not after.startswith("#")) or nothing_stays:
            self.edits.append(Edit(self.text.start(statement), self.text.end(statement), "pass"))
            return
        lines = self.text.lines
        blank_above = statement.lineno < 2 or not lines[statement.lineno - 2].strip()
        while blank_above and last < len(lines) and not lines[last].strip():
            end += len(lines[last])
            last += 1
        self.edits.append(Edit(start, end, ""))

    def _block(self, statement: ast.stmt) -> list[ast.stmt]:
        for node in walk(self.tree):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and statement in block:
                    return block
        return []

    def _shorten(self, statement: Import, aliases: list[ast.alias], added: list[str]) -> None:
        """The same statement with other names, in the form that it has."""
        names = [self.text.of(alias) for alias in aliases]
        in_order = names == sorted(names, key=str.lower)
        names += added
        if in_order:
            names.sort(key=str.lower)
        old = self.text.of(statement)
        if isinstance(statement, ast.Import):
            code = f"import {', '.join(names)}"
        else:
            head = old[: old.index("import", old.index(statement.module or "."))]
            if "(" in old and "\n" in old:
                inner = (
                    self.text.indent(statement.names[0].lineno)
                    if statement.names[0].lineno > statement.lineno
                    else "    "
                )
                rows = "".join(f"{inner}{name},{self.text.newline}" for name in names)
                code = f"{head}import ({self.text.newline}{rows}{self.text.indent(statement.lineno)})"
            else:
                code = f"{head}import {', '.join(names)}"
        self.edits.append(Edit(self.text.start(statement), self.text.end(statement), code))

    def _stdlib(self, missing: list[str], kept: dict[Import, list[ast.alias]]) -> None:
        """Imports of the standard library stand among the others of it."""
        wanted = [name for name in _STDLIB if name in missing]
        if not wanted:
            return
        top = [s for s in self._top(wanted) if _module(s) != "__future__"]
        own = [s for s in top if _module(s).split(".")[0] in sys.stdlib_module_names and kept[s]]
        newline = self.text.newline
        if own:
            for name in wanted:
                above = [s for s in own if _order(s) < (_WANTED[name][1] is not None, _WANTED[name][0])]
                at = self._end_of_line(above[-1]) if above else self.text.line_start(own[0].lineno)
                self._insertion(at, _line(name) + newline)
            return
        number = top[0].lineno if top else self._after_docstring()
        lines = sorted(map(_line, wanted), key=lambda line: (line.startswith("from"), line))
        self._insertion(self.text.line_start(number), newline.join([*lines, "", ""]))

    def _insertion(self, at: int, code: str) -> None:
        """Put code in; behind what is taken out where that place is in the middle of it."""
        for edit in self.edits:
            if edit.start < at < edit.end:
                at = edit.end
        self.edits.append(Edit(at, at, code))

    def _end_of_line(self, statement: ast.stmt) -> int:
        last = statement.end_lineno or statement.lineno
        return self.text.line_start(last + 1)

    def _after_docstring(self) -> int:
        body = self.tree.body
        first = body[0] if body else None
        if (
            isinstance(first, ast.Expr)
            and isinstance(first.value, ast.Constant)
            and isinstance(first.value.value, str)
        ):
            return (first.end_lineno or 1) + 1
        return first.lineno if first is not None else 1

    @cached_property
    def _line_of_helpers(self) -> int:
        """The line before which settings and helper functions stand."""
        last = 0
        for statement in self.tree.body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                last = statement.end_lineno or statement.lineno
            elif last and not isinstance(statement, ast.Expr | ast.Try | ast.If):
                break
        # what stands before PySpark's first import may be what makes it possible: findspark, sys.path
        spark = min((s.lineno for s in self.statements if _is_spark(s)), default=None)
        first = 0
        if spark is not None:
            first = next(s.end_lineno or spark for s in self.tree.body if spark <= (s.end_lineno or s.lineno))
        line = max(last, first) + 1 if last else self._after_docstring()
        helpers = {helper.name for helper in self.plan.helpers.values()} | self.plan.settings.keys()
        read = [node.lineno for node in of_kinds(self.tree, ast.Name) if node.id in helpers]
        if min(read, default=line) >= line:
            return line
        # PySpark's first import is in the statement that needs them
        user = next(s for s in self.tree.body if min(read) <= (s.end_lineno or s.lineno))
        decorators: list[ast.expr] = getattr(user, "decorator_list", [])
        return min([user.lineno, *(decorator.lineno for decorator in decorators)])

    def _helpers(self) -> None:
        """Settings and helper functions stand after the imports at the top of the module."""
        newline = self.text.newline
        at = self.text.line_start(self._line_of_helpers)
        settings = "".join(setting.source + newline for setting in self.plan.settings.values())
        helpers = [helper.source.replace("\n", newline) for helper in self.plan.helpers.values()]
        code = newline * bool(settings) + settings
        code += "".join(newline * 2 + source + newline for source in helpers)
        following = self.text.source[at:]
        gap = len(following) - len(following.lstrip("\r\n"))
        tail = "" if gap >= 2 * len(newline) else newline * (2 - gap // len(newline))
        self._insertion(at, code + tail)


def _order(statement: Import) -> tuple[bool, str]:
    """Plain imports stand before those of names, each by module."""
    return isinstance(statement, ast.ImportFrom), _module(statement)


def _line(name: str) -> str:
    module, member, alias = _WANTED[name]
    if member is None:
        return f"import {module}"
    return f"from {module} import {member}" + (f" as {alias}" if alias else "")


def _module(statement: Import) -> str:
    if isinstance(statement, ast.ImportFrom):
        return statement.module or "."
    return statement.names[0].name


def _names(tree: ast.Module) -> Iterator[str]:
    return (node.id for node in of_kinds(tree, ast.Name))


def _reads(tree: ast.Module, name: str) -> bool:
    return name in _names(tree)


def _is_spark(statement: Import) -> bool:
    return _module(statement).split(".")[0] == "pyspark"
