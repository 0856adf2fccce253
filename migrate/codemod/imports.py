"""The imports of a rewritten module: what new code needs is added once, what nothing reads any more goes."""

from __future__ import annotations

import ast
import sys
from bisect import bisect
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from migrate.cached import cached_property
from migrate.codemod.changes import Changes, Names, New
from migrate.codemod.stale_imports import STREAMING, StaleImports
from migrate.codemod.wanted_imports import (
    HOMES,
    STARRED,
    STDLIB,
    WANTED,
    Import,
    bound,
    import_line,
    module_of,
)
from migrate.columns import Helper
from migrate.frozen import replace
from migrate.plan.new_code.code import Function
from migrate.plan.new_code.own_imports import OwnImport
from migrate.syntax.cells import borders
from migrate.syntax.code_names import names_in_code
from migrate.syntax.nodes import around, of_kinds, parents_of, walk


class Imports:
    """Changes the imports of one module, and adds the settings and helper functions that stand below them."""

    def __init__(
        self,
        changes: Changes,
        lines: Mapping[str, int],
        wanted: Iterable[str],
        settings: Sequence[Helper],
        functions: Sequence[Helper],
        libraries: Container[str] = (),
        moved: Mapping[ast.alias, str] = MappingProxyType({}),
        begin: int = 0,
        own: Iterable[OwnImport] = (),
    ) -> None:
        """Take all that is known of the new module.

        Args:
            changes: all its other changes.
            lines: the names that it reads, with the old line of each one's first read.
            wanted: names that new code needs imported, if it reads them.
            settings: assignments to add.
            functions: functions to add.
            libraries: packages whose imports go where nothing reads their names, though they extend others.
            moved: names that other statements bind now, with these.
            begin: the line above which nothing runs with the new code.
            own: imports of names of the project.
        """
        self._changes = changes
        self._tree = changes.tree
        self._settings = settings
        self._functions = [one.source for one in functions]
        self._moved = moved
        self._body = [statement for statement in self._tree.body if statement.lineno > begin]
        self._parents = parents_of(changes.tree)
        found: list[Import] = [*of_kinds(self._tree, ast.Import), *of_kinds(self._tree, ast.ImportFrom)]
        gone: set[ast.AST] = {statement for statement, new in changes.statements.items() if not new}
        self._statements = sorted(
            (node for node in found if gone.isdisjoint((node, *around(node, self._parents)))),
            key=lambda node: (node.lineno, node.col_offset),
        )
        added = (*settings, *functions)
        defined = {one.name for one in added}
        self._user = min((lines[name] for name in defined if name in lines), default=sys.maxsize)
        """The line that reads one of them first."""
        self._lines = dict(lines)
        for name in names_in_code(*(one.source for one in added)).variables:
            self._lines[name] = min(self._lines.get(name, sys.maxsize), self._place_of_helpers[1])
        self._needed = frozenset(name for name in wanted if bound(name) in self._lines)
        self._own = sorted(own, key=lambda one: one.code)
        self._stale = StaleImports(changes, self._statements, self._lines, self._needed, libraries, moved)

    def change(self) -> None:
        """Add the changes of imports to those of the module."""
        missing = [name for name in WANTED if name in self._needed and not self._is_imported(name)]
        kept = {
            statement: tuple(
                alias
                for alias in statement.names
                if not self._stale.is_left_over(statement, alias)
                and not self._comes_too_late(statement, missing)
            )
            for statement in self._statements
        }
        hosts = self._hosts(kept, missing)
        joining: dict[Import, list[str]] = {}
        new: dict[tuple[str, str], list[str]] = {}
        for name in (one for one in missing if one not in STDLIB):
            module, _, alias = WANTED[name]
            if module in hosts and alias is None:
                joining.setdefault(hosts[module], []).append(name)
            else:
                new.setdefault((module, alias or ""), []).append(name)
        lines = [import_line(*names) for names in new.values()]
        place = hosts.get("pyspark.sql") or self._place(kept, missing)
        for statement, aliases in kept.items():
            added = tuple(map(ast.alias, joining.get(statement, ())))
            moved = [self._moved[alias] for alias in statement.names if self._stale.is_moved(alias)]
            if not aliases and not added:
                here = [*moved, *(lines if statement is place else [])]
                self._changes.statements[statement] = tuple(map(New, here))
                if self._heads_others(statement):
                    self._changes.remaining.add(statement)
            elif len(aliases) < len(statement.names) or added:
                self._changes.imports[statement] = Names(aliases, added)
                self._changes.put_after(statement, *map(New, moved))
        self._add_stdlib([name for name in STDLIB if name in missing], kept)
        if lines and (place is None or kept[place]):
            self._insert(place, lines)
        self._add_own(kept)
        self._add_helpers()

    def _add_own(self, kept: Mapping[Import, tuple[ast.alias, ...]]) -> None:
        """Imports of the project's own names stand with others of their module, or below all."""
        top = [statement for statement in self._body if isinstance(statement, Import) and kept.get(statement)]
        for own in self._own:
            wanted = own.statement
            host = next((s for s in top if _samemodule_of(s, wanted)), None)
            if host is not None:
                names = self._changes.imports.get(host, Names(kept[host]))
                added = (*names.added, *wanted.names)
                self._changes.imports[host] = replace(names, added=added)
            elif top:
                apart = isinstance(wanted, ast.ImportFrom) and wanted.level > 0
                self._changes.put_after(top[-1], New(own.code, blank=int(apart)))
            else:
                self._changes.put_before(self._first, New(own.code, gap=self._gap))

    def _heads_others(self, statement: Import) -> bool:
        """Whether the comment above an import is about those below it, too: no blank line is between them."""
        below = [other for other in self._statements if other.lineno == (statement.end_lineno or 0) + 1]
        return bool(below) and below[0].col_offset == statement.col_offset

    def _insert(self, place: Import | None, lines: list[str]) -> None:
        if place is not None:
            first, *rest = lines
            blank = 1 if module_of(place) == "__future__" else 0
            self._changes.put_after(place, New(first, blank=blank), *map(New, rest))
        else:
            *others, last = lines
            self._changes.put_before(
                self._first, *map(New, others), New(last, gap=1 if self._own else self._gap)
            )

    # --- what is there --------------------------------------------------------------------------------------

    def _is_imported(self, name: str) -> bool:
        module, member, _ = WANTED[name]
        if name in STARRED and self._is_starred(module, self._top([name])):
            return True
        for statement in self._top([name]):
            named = [(alias.name, alias.asname or alias.name) for alias in statement.names]
            if isinstance(statement, ast.Import):
                full = module if member is None else f"{module}.{member}"
                if (full, bound(name)) in named:
                    return True
            elif statement.module in (module, HOMES.get(name)) and (member, name) in named:
                return True
        return False

    def _is_starred(self, module: str, statements: Sequence[Import]) -> bool:
        """Whether a star import gives a name, and no other one after it may give another."""
        stars = [module_of(one) for one in statements if one.names[0].name == "*"]
        after = stars[stars.index(module) + 1 :] if module in stars else []
        return module in stars and all(one.split(".")[0] in ("pyspark", "compat") for one in after)

    def _top(self, names: Iterable[str]) -> list[Import]:
        """The imports at the top of the module that come before the first use of any of some names."""
        limit = min((self._lines.get(bound(name), sys.maxsize) for name in names), default=sys.maxsize)
        return [
            statement
            for statement in self._body
            if isinstance(statement, Import) and statement.lineno < limit
        ]

    def _comes_too_late(self, statement: Import, missing: Iterable[str]) -> bool:
        """Whether an import of the standard library stands below a read in new code, and so goes to the top.

        In a notebook its cell may be one that runs alone.
        """
        if borders(self._tree) or statement not in self._body or len(statement.names) > 1:
            return False
        wanted = [import_line(name) for name in missing if name in STDLIB]
        return bool(wanted) and ast.unparse(statement) in wanted

    # --- where new ones stand -------------------------------------------------------------------------------

    def _hosts(
        self, kept: Mapping[Import, tuple[ast.alias, ...]], missing: list[str]
    ) -> dict[str | None, ast.ImportFrom]:
        """The imports that can take more names, by their modules: the first one of each."""
        return {
            statement.module: statement
            for statement in reversed(self._top(missing))
            if isinstance(statement, ast.ImportFrom)
            and not statement.level
            and statement.names[0].name != "*"
            and kept.get(statement)
        }

    def _place(self, kept: Mapping[Import, tuple[ast.alias, ...]], missing: list[str]) -> Import | None:
        """The import that new ones of PySpark take the place of, or stand after."""
        top = [statement for statement in self._top(missing) if statement in kept]
        emptied = [s for s in top if module_of(s).startswith(STREAMING) and not kept[s]]
        pyspark = [s for s in top if module_of(s).split(".")[0] == "pyspark"]
        # a session is what the context was, with the comment of that
        lines = Counter(statement.lineno for statement in self._tree.body)
        contexts = [s for s in pyspark if not kept[s] and any(a.name == "SparkContext" for a in s.names)]
        own = [s for s in contexts if "SparkSession" in missing and lines[s.lineno] == 1]
        inner = [] if pyspark else self._in_blocks(kept, missing)
        return next((found[-1] for found in (own, emptied, pyspark, inner, top) if found), None)

    def _in_blocks(
        self, kept: Mapping[Import, tuple[ast.alias, ...]], missing: Iterable[str]
    ) -> list[Import]:
        """The imports of PySpark in blocks of the module that go, above all reads of the new ones.

        What stands above them in their block may be what makes PySpark's import possible: a `sys.path`. A
        handler around them may say what to do where it is not.
        """
        limit = min((self._lines.get(bound(name), sys.maxsize) for name in missing), default=0)
        return [
            statement
            for statement in self._statements
            if module_of(statement).split(".")[0] == "pyspark"
            and not kept[statement]
            and statement.lineno < limit
            if self._is_in_blocks(statement)
        ]

    def _is_in_blocks(self, statement: Import) -> bool:
        """Whether a statement of the module is in nothing but conditions and bodies of ``try``."""
        inner: ast.AST = statement
        for above in around(statement, self._parents):
            if not isinstance(above, ast.If | ast.Module | ast.Try):
                return False
            if isinstance(above, ast.Try) and inner not in above.body:
                return False
            inner = above
        return True

    def _add_stdlib(self, names: list[str], kept: Mapping[Import, tuple[ast.alias, ...]]) -> None:
        """Imports of the standard library stand among the others of it."""
        if not names:
            return
        top = self._in_a_cell_that_runs([s for s in self._top(names) if s in kept])
        own = [
            s
            for s in top
            if module_of(s).split(".")[0] in sys.stdlib_module_names
            and module_of(s) != "__future__"
            and kept[s]
        ]
        if own:
            for name in names:
                above = [s for s in own if _order(s) < _order_of(name)]
                new = New(import_line(name))
                if above:
                    self._changes.put_after(above[-1], new)
                else:
                    self._changes.put_before(own[0], new)
            return
        lines = [*map(import_line, sorted(names, key=_order_of))]
        *others, last = map(New, lines)
        future = [s for s in top if module_of(s) == "__future__"]
        rest = [s for s in top if s not in future]
        if rest:
            self._changes.put_before(rest[0], *others, New(last.code, gap=1))
        elif future:
            first, *more = (*others, last)
            self._changes.put_after(future[-1], New(first.code, blank=1), *more)
        else:
            self._changes.put_before(self._first, *others, New(last.code, gap=1))

    def _in_a_cell_that_runs(self, top: list[Import]) -> list[Import]:
        """Those of a notebook's imports that are in the cell of PySpark's first: any other may never run."""
        spark = next((s for s in top if module_of(s).split(".")[0] == "pyspark"), None)
        if spark is None:
            return top
        lines = borders(self._tree)
        cell = bisect(lines, spark.lineno)
        return [statement for statement in top if bisect(lines, statement.lineno) == cell]

    @property
    def _first(self) -> ast.stmt:
        """The first statement after the docstring."""
        body = self._body
        is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        return body[1] if is_text and len(body) > 1 and isinstance(body[0].value.value, str) else body[0]  # type: ignore[attr-defined]

    @property
    def _gap(self) -> int:
        """How many blank lines stand between the imports and that statement: two above a definition."""
        return 2 if isinstance(self._first, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else 1

    # --- helper functions -----------------------------------------------------------------------------------

    def _add_helpers(self) -> None:
        """Put settings and helper functions after the imports at the top of the module."""
        news = [
            New(one.source, blank=1 if position == 0 else 0, comment=one.comment)
            for position, one in enumerate(self._settings)
        ]
        news += [New(Function(code), blank=2, gap=2) for code in self._functions]
        if not news:
            return
        place, _, above = self._place_of_helpers
        if above:
            self._changes.put_before(place, *news)
        else:
            self._changes.put_after(place, *news)

    @cached_property
    def _place_of_helpers(self) -> tuple[ast.stmt, int, bool]:
        """The statement at which settings and helpers stand, their line, and whether they are above it."""
        after, line = self._end_of_imports()
        user = next((s for s in self._tree.body if self._user <= (s.end_lineno or s.lineno)), None)
        if user is not None and _start(user) <= line:
            # PySpark's first import is in the statement that needs them
            return user, _start(user), True
        for constant in self._constants_below(after, line):
            after, line = constant, constant.end_lineno or constant.lineno
        return (after, line + 1, False) if after is not None else (self._first, self._first.lineno, True)

    def _constants_below(self, after: ast.stmt | None, line: int) -> Iterator[ast.stmt]:
        """The constants and settings of the environment that stand right below the imports, in their cell."""
        lines = borders(self._tree)
        for statement in self._tree.body if after is not None else ():
            end = statement.end_lineno or statement.lineno
            if end <= line:
                continue
            apart = bisect(lines, statement.lineno) != bisect(lines, line)
            new = self._changes.statements.get(statement)
            if apart or end >= self._user or not _is_constant(statement) or new:
                return
            if new is None:  # else it goes
                yield statement

    def _end_of_imports(self) -> tuple[ast.stmt | None, int]:
        """The statement that settings and helper functions stand after, and its last line."""
        last: ast.stmt | None = None
        for statement in self._body:
            if isinstance(statement, Import):
                last = statement
            elif last is not None and self._does_more(statement):
                break
        if last is None:
            return None, 0
        # what stands before PySpark's first import may be what makes it possible: findspark, sys.path
        own = (s for s in self._statements if s.lineno >= self._body[0].lineno)
        spark = next((s for s in own if module_of(s).split(".")[0] == "pyspark"), None)
        if spark is not None:
            holder = next(s for s in self._body if spark.lineno <= (s.end_lineno or s.lineno))
            last = max(last, holder, key=lambda statement: statement.lineno)
        return last, last.end_lineno or last.lineno

    def _does_more(self, statement: ast.stmt) -> bool:
        """Whether a statement below an import does more than prepare others: defines or uses something."""
        if isinstance(statement, ast.Assign | ast.Expr | ast.Try | ast.If):
            return any(isinstance(node, ast.Name) and node.id in self._spark for node in walk(statement))
        return True

    @cached_property
    def _spark(self) -> frozenset[str]:
        """The names that the module has from PySpark."""
        named = [one for one in self._statements if module_of(one).split(".")[0] == "pyspark"]
        return frozenset(alias.asname or alias.name.split(".")[0] for one in named for alias in one.names)


def _is_constant(statement: ast.stmt) -> bool:
    """Whether a statement gives a constant its value, or sets a variable of the environment.

    ``TOPIC = "pages"``, ``os.environ["SPARK_HOME"] = HOME``.
    """
    match statement:
        case ast.Assign([ast.Name(name)], value):
            named = name.isupper()
        case ast.Assign([ast.Subscript(ast.Attribute(ast.Name("os"), "environ"))], value):
            named = True
        case _:
            return False
    return named and not any(isinstance(node, ast.Call | ast.Lambda | ast.Await) for node in walk(value))


def _start(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _order(statement: Import) -> tuple[bool, str]:
    """Plain imports stand before those of names, each by module."""
    return isinstance(statement, ast.ImportFrom), module_of(statement)


def _order_of(name: str) -> tuple[bool, str]:
    """The same for the import of a name that new code needs."""
    module, member, _ = WANTED[name]
    return member is not None, module


def _samemodule_of(one: Import, other: Import) -> bool:
    """Whether two imports take names of the same module."""
    named = isinstance(one, ast.ImportFrom) and isinstance(other, ast.ImportFrom)
    return named and (one.module, one.level) == (other.module, other.level) and one.names[0].name != "*"  # type: ignore[union-attr]
