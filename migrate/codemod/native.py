"""The outcome native: what a plan decides for a module, as changes of its tree."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from migrate.codemod.changes import Changes, New
from migrate.codemod.comments.commented_code import Names
from migrate.codemod.comments.docstrings import docstring_words
from migrate.codemod.comments.gone_names import is_name
from migrate.codemod.comments.old_words import is_commented_code
from migrate.codemod.comments.own_rdds import own_rdds
from migrate.codemod.comments.subjects import is_of_start, names_context
from migrate.codemod.comments.telling import is_banner
from migrate.codemod.comments.told_comments import ToldComments
from migrate.codemod.imports import Imports
from migrate.codemod.ownership import Comment
from migrate.frozen import replace
from migrate.knowledge.rdd import ONLY_OF_RDDS
from migrate.model import Module
from migrate.plan.names.variable_names import OF_RDD
from migrate.plan.new_code.code import Function, Written, statements_replaced
from migrate.plan.new_code.planned_module import BatchFunction, PlannedModule
from migrate.syntax.nodes import LEAVES, children, code_of, of_kinds, walk
from migrate.syntax.quoting import names_in, quoted
from migrate.syntax.tree import is_idle
from migrate.syntax.wording import other_words

_WORD_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def native_changes(module: Module, plan: PlannedModule, others: frozenset[int] = frozenset()) -> Changes:
    """The changes of one module of a graph that becomes native.

    Args:
        module: the module.
        plan: what becomes of it.
        others: the lines of other programs in it, whose comments stay.
    """
    return _Native(module, plan, others).changes


class _Native:
    def __init__(self, module: Module, plan: PlannedModule, others: frozenset[int]) -> None:
        self.plan = plan
        self.changes = Changes(module.tree, module.source, others)
        self._comments = self.changes.old_comments
        self._has_cells = module.form.has_cells
        self._statements()
        self._expressions()
        if plan.function is not None:
            self._function(plan.function)
        self._read = self._lines()
        self._imports()
        told = ToldComments(self.changes, plan, self._names())
        told.tell()
        told.find_left()

    def _statements(self) -> None:
        plan, changes = self.plan, self.changes
        for statement, written in plan.replaced.items():
            changes.statements[statement] = tuple(_set_off(self._new(one), statement) for one in written)
        blocks = [*plan.replaced.values(), plan.function.body if plan.function is not None else ()]
        ours = {old for block in blocks for old in statements_replaced(block)}
        for statement, with_comments in plan.removed.items():
            changes.remove(statement)
            if not with_comments or (statement not in ours and self._has_heading(statement)):
                changes.remaining.add(statement)
        batched = set(statements_replaced(plan.function.body if plan.function is not None else ()))
        gone = {statement for statement, said in plan.removed.items() if said and statement not in batched}
        for text in self._texts_above(gone):
            changes.remove(text)
            lines = filter(None, map(str.strip, ast.literal_eval(text.value).splitlines()))
            changes.gone += [Comment(text.lineno, 0, 0, line, alone=True) for line in lines]
        for statement in plan.inner.dropped:
            changes.remove(statement)
        changes.remaining.update(plan.inner.gone)
        for statement, codes in plan.after.items():
            changes.put_after(statement, *map(New, codes))
        above: dict[ast.stmt, list[New]] = {}
        for statement, put in plan.inner.before:
            with_comments = isinstance(put.moved, ast.Assign) or put.moved in plan.removed
            moved = (put.moved,) if put.moved is not None and with_comments else ()
            copies = put.moved if isinstance(put.moved, ast.FunctionDef) else None
            new = replace(self._new(put.written), takes=(*put.replaces, *moved), copies=copies)
            above.setdefault(statement, []).append(new)
        for statement, news in above.items():
            ends = 2 if isinstance(statement, ast.FunctionDef) and not statement.col_offset else 0
            for place, new in enumerate(news, 1):
                apart = replace(new, blank=ends * (place == 1), gap=ends * (place == len(news)))
                changes.put_before(statement, _set_off(apart, statement))
        for function in plan.unused:
            changes.remove(function)
            if self._is_of_statement_above(function):
                changes.remaining.add(function)

    def _is_of_statement_above(self, function: ast.stmt) -> bool:
        """Whether what stands above a function is about the statement right above that.

        No blank line stands between them, and no word of the function's name is said.
        """
        said = self._comments.of(function).above
        above = next((one for one, below in self.changes.following.items() if below is function), None)
        if not said or above is None or not isinstance(function, ast.FunctionDef):
            return False
        words = {word.lower() for word in _WORD_OF_NAME.findall(function.name) if len(word) > 3}
        names = any(word in one.text.lower() for word in words for one in said)
        stays = self.changes.statements.get(above, (above,)) != ()
        return stays and said[0].line - 1 == above.end_lineno and not names

    def _texts_above(self, gone: Collection[ast.stmt]) -> Iterator[ast.Expr]:
        """The texts that stand as comments above statements that go, and are about a context."""
        functions: Sequence[ast.FunctionDef] = of_kinds(self.changes.tree, ast.FunctionDef)
        heads = {self.changes.tree.body[0], *(function.body[0] for function in functions)}
        for text, below in self.changes.following.items():
            match text:
                case ast.Expr(ast.Constant(str(said))) if below in gone and text not in heads:
                    if names_context(said):
                        yield text

    def _has_heading(self, statement: ast.stmt) -> bool:
        """Whether a heading that is set off stands above a statement, and is about those below it as well."""
        above, below = self._comments.of(statement).above, self.changes.following.get(statement)
        is_heading = any(is_banner(one.text) for one in above)
        return is_heading and below is not None and not any(names_context(one.text) for one in above)

    def _moved(self, written: Written) -> tuple[ast.stmt, ...]:
        """The statements whose comments go with a new one: those of a replaced one stay in its place."""
        return tuple(old for old in written.replaces if old not in self.plan.replaced)

    def _expressions(self) -> None:
        plan, changes = self.plan, self.changes
        changes.renamed.update(plan.inner.renamed)
        for literal, words in plan.inner.reworded:
            changes.reworded[literal] = (*changes.reworded.get(literal, ()), *words)
        changes.expressions.update(plan.inner.replaced)
        changes.rdds.update(plan.inner.rdds)
        changes.contexts.update(plan.inner.contexts)
        changes.parameters.update(plan.inner.parameters)
        texts = {one.line: one.text for one in self._comments.all}
        for (_, line), words in plan.inner.comments:
            changes.comments[line] = other_words(texts[line], words)
        for statement, comment in plan.inner.beside:
            changes.beside[statement.end_lineno or statement.lineno] = comment
        for statement, comment in plan.inner.above:
            changes.put_in(comment, statement)
        new = self._new_names()
        for one in self.changes.own_comments if new else ():
            said = changes.said(one)
            in_prose = {old: name for old, name in new.items() if is_name(old, starts=True)}
            names = new if is_commented_code(one.text) else in_prose
            text = _with_names(said, names) if names and not _calls_rdd(said, names) else said
            if text != said:
                changes.comments[one.line] = text
        for told in docstring_words(changes, rdds=plan.rdds, per_batch=plan.per_batch):
            if told.words:
                changes.reworded[told.text] = (*changes.reworded.get(told.text, ()), *told.words)
            if told.whole is not None:
                changes.remove(told.whole)
            line = told.text.lineno
            changes.still += [Comment(line, 0, 0, text, alone=True) for text in told.left]
            changes.gone += [Comment(line, 0, 0, text, alone=True) for text in told.gone]

    def _function(self, function: BatchFunction) -> None:
        """The batch function, in the place of the last statement that went into it, or below that."""
        changes, place = self.changes, function.place
        blank = 1 if place.col_offset else 2
        moved = {statement for one in function.body for statement in one.replaces}
        texts = {} if self._has_cells else dict(_texts_between(moved, changes.following))
        body = self._block(function.body, texts)
        head = Function(f"def {function.name}({', '.join(function.parameters)}):")
        above = [self._new(one, blank=0 if number else 1) for number, one in enumerate(function.above)]
        below = [New(function.below, blank=blank)] if function.below is not None else []
        made = [New(head, blank=blank, gap=blank, body=body)] if body and function.within is None else []
        if function.within is not None:
            self._go_into(function.within, body, function)
        news = (*above, *made, *below)
        if news:
            changes.after.setdefault(place, [])[:0] = news

    def _go_into(self, within: ast.FunctionDef, first: Sequence[New], function: BatchFunction) -> None:
        """Put what the batch function does beside calling a function of the program into that one."""
        changes, body = self.changes, within.body
        declares = (isinstance(one, ast.Global | ast.Nonlocal) or is_idle(one) for one in body)
        top = next((one for one, ours in zip(body, declares, strict=True) if not ours), body[-1])
        changes.before.setdefault(top, [])[:0] = first
        if function.released is not None:
            changes.finals[function.released] = self._block(function.last)
        else:
            changes.put_after(within.body[-1], *map(self._new, function.last))

    def _block(
        self, statements: tuple[Written, ...], texts: Mapping[ast.stmt, ast.Expr] = MappingProxyType({})
    ) -> tuple[New, ...]:
        """The statements of a block, with the texts that stood below some of them."""
        own = [one for one in statements if one.replaces]
        news = []
        for before, one in zip((None, *statements), statements, strict=False):
            # between what is ours and the program's first statement only a block is set off
            set_off = one not in own[:1] or (before is not None and bool(before.body))
            blank = 1 if set_off and self._is_apart(one) else 0
            news.append(self._new(one, blank))
            for text in (texts[old] for old in one.replaces if old in texts):
                blank = int(self._comments.has_blank_above(text))
                news.append(New(quoted(text.value), (text,), blank=blank))
                self.changes.remove(text)
        return tuple(news)

    def _new(self, one: Written, blank: int = 0) -> New:
        """A statement with its blocks, and the comments of those that it stands for."""
        new = New(one.code, self._moved(one), blank=blank, is_branch=one.is_branch, makes=one.makes)
        new = replace(new, comment=one.comment, origin=one.origin) if one.comment or one.origin else new
        if not one.body:
            return new
        body, clauses, orelse = map(self._block, (one.body, one.clauses, one.orelse))
        return replace(new, body=body, clauses=clauses, orelse=orelse)

    def _is_apart(self, written: Written) -> bool:
        """Whether a blank line stood above a statement of the program."""
        return bool(written.replaces) and self._comments.has_blank_above(written.replaces[0])

    def _imports(self) -> None:
        plan = self.plan
        Imports(
            self.changes,
            self._read,
            plan.imports,
            plan.settings,
            plan.helpers,
            plan.libraries,
            plan.moved,
            plan.begin,
            plan.own_imports,
        ).change()

    def _names(self) -> Names:
        """The names of the module's variables, parameters, functions and classes before and after."""
        changes = self.changes
        places = (*changes.statements, *changes.expressions, *changes.parameters)
        gone = {inner for node in places for inner in walk(node)}
        of_lambdas = {one for node in of_kinds(changes.tree, ast.Lambda) for one in walk(node.args)}
        stored = {one.id for one in of_kinds(changes.tree, ast.Name) if isinstance(one.ctx, ast.Store)}
        called, given = {*_named_tuples(changes.tree)}, set[str]()
        there = {*self._read, *changes.renamed.values()}
        definitions: list[ast.FunctionDef | ast.ClassDef] = [*of_kinds(changes.tree, ast.FunctionDef)]
        definitions += of_kinds(changes.tree, ast.ClassDef)
        for definition in definitions:
            called.add(definition.name)
            stays = definition not in gone and definition not in changes.renamed
            there |= {definition.name} if stays else set()
        for parameter in of_kinds(changes.tree, ast.arg):
            (given if parameter in of_lambdas else stored).add(parameter.arg)
            there |= {parameter.arg} if parameter not in gone and parameter not in changes.renamed else set()
        there |= changes.new_parameters()
        new = self._new_names()
        left = (stored | called) - there - {*new}
        return Names(
            frozenset(left),
            frozenset(called & left),
            frozenset(given - there),
            frozenset(there),
            others=self._others(left),
            sessions=self.plan.sessions,
            rdds=frozenset(own_rdds(changes)),
        )

    def _others(self, gone: Collection[str]) -> dict[str, str]:
        """The new names of variables that are gone, if all code that read one reads the same name now."""
        changes, found = self.changes, defaultdict[str, set[str | None]](set)
        reads = {*self.plan.inner.reads}
        for node in of_kinds(changes.tree, ast.Name):
            if node.id not in gone or not isinstance(node.ctx, ast.Load) or node.id in self.plan.contexts:
                continue
            if node in changes.expressions:
                found[node.id].add(changes.expressions[node] if node in reads else None)
            elif node in changes.renamed:
                found[node.id].add(changes.renamed[node])
        alone = ((name, new) for name, (new, *more) in found.items() if not more)
        # ``rows.rdd`` in the place of ``rdd`` would be words that nobody wrote
        read = {name: new for name, new in alone if new is not None and not new.endswith(".rdd")}
        return {**self._unread_contexts(gone), **read}

    def _unread_contexts(self, gone: Collection[str]) -> dict[str, str]:
        """Variables of an SQLContext that are gone and that only comments read, with that of the session."""
        tree, sessions = self.changes.tree, {*self.plan.sessions.values()}
        loads = {one.id for one in of_kinds(tree, ast.Name) if isinstance(one.ctx, ast.Load)}
        made: defaultdict[str, list[ast.expr]] = defaultdict(list)
        for statement in of_kinds(tree, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    made[target.id].append(statement.value)
        return {
            name: session
            for name, values in made.items()
            for session in sessions
            if name in gone and name not in loads and len(sessions) == 1
            if all(isinstance(one, ast.Call) and code_of(one.func) in _SQL_CONTEXTS for one in values)
        }

    def _new_names(self) -> dict[str, str]:
        """The variables and functions that have other names now, with those."""
        functions = (
            (node, name) for node, name in self.plan.inner.renamed if isinstance(node, ast.FunctionDef)
        )
        return {**self.plan.variables, **{node.name: name for node, name in functions}}

    def _lines(self) -> dict[str, int]:
        """The names that the rewritten module reads, with the old line of each one's first read.

        Of a notebook that is the first one in cells that run with the program.
        """
        changes, user, begin = self.changes, self.changes.user, self.plan.begin
        gone: set[ast.AST] = {*changes.statements, *changes.expressions, *changes.parameters}
        left = {inner for node in gone for inner in walk(node)}
        waiting: list[ast.AST] = [name for name in of_kinds(changes.tree, ast.Name) if name not in left]
        found: dict[str, int] = {}
        for place, code in changes.codes():
            # an expression is quoted by what replaces it, else with what replaces it
            quoted = [user[name] for name in names_in(code) if name in user]
            waiting += [node for node in quoted if node is place or node not in changes.expressions]
        for place, name in changes.names_read():
            line: int = place.lineno  # type: ignore[attr-defined]
            found[name] = _first(line, found.get(name, line), begin)
        for node in waiting:  # grows while it is walked
            if type(node) is ast.Name:
                name = changes.renamed.get(node, node.id)
                found[name] = _first(node.lineno, found.get(name, node.lineno), begin)
            elif type(node) not in LEAVES:
                below = children(node)
                waiting += below if gone.isdisjoint(below) else [one for one in below if one not in gone]
        return found


_SQL_CONTEXTS = frozenset({"HiveContext", "SQLContext"})
"""Classes in whose place the program has its session."""


def _first(line: int, other: int, begin: int) -> int:
    """The first of two lines that runs with the program, the cells of which begin with a line."""
    return min(line, other) if min(line, other) > begin else max(line, other)


def _with_names(code: str, names: Mapping[str, str]) -> str:
    """Commented-out code with other names of variables."""
    return re.sub(rf"\b(?:{'|'.join(names)})\b", lambda found: names[found[0]], code)


def _calls_rdd(code: str, names: Mapping[str, str]) -> bool:
    """Whether commented-out code calls what only RDDs have, on a variable that is a DataFrame now."""
    frames = [old for old, new in names.items() if OF_RDD.search(new) is None]
    called = re.findall(rf"\b(?:{'|'.join(frames)})\.(\w+)\(", code) if frames else []
    return is_commented_code(code) and not ONLY_OF_RDDS.isdisjoint(called)


def _named_tuples(tree: ast.Module) -> Iterator[str]:
    """The classes that a module makes with `collections.namedtuple`."""
    for statement in of_kinds(tree, ast.Assign):
        match statement:
            case ast.Assign([ast.Name(name)], ast.Call(func)) if code_of(func).endswith("namedtuple"):
                yield name


def _texts_between(
    moved: Collection[ast.stmt], following: Mapping[ast.stmt, ast.stmt]
) -> Iterator[tuple[ast.stmt, ast.Expr]]:
    """The statements that move together with what stands below them: a text, which shows what they print.

    Below the last of them a text may be of what follows, unless others have theirs between them.
    """
    found: dict[ast.stmt, ast.Expr] = {}
    for statement in moved:
        match following.get(statement):
            case ast.Expr(ast.Constant(str())) as text:
                found[statement] = text
    between = {statement for statement, text in found.items() if following.get(text) in moved}
    for statement, text in found.items():
        if statement in between or (between and not is_of_start(f"# {ast.literal_eval(text.value).strip()}")):
            yield statement, text


def _set_off(new: New, place: ast.stmt) -> New:
    """A statement with the blank lines that stand around it: one or two around a function."""
    lines = 1 if place.col_offset else 2
    return replace(new, blank=lines, gap=lines) if new.is_function else new
