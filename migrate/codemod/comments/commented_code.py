"""Code of the old API that a program has in comments, beside code that is rewritten.

``# ssc.awaitTermination()`` above what stops the query says ``# query.awaitTermination()``, and
``# sc.stop()`` says ``# spark.stop()``; any other such code, as ``# words.pprint()``, calls what is not there
any more, and goes. So does code that reads a variable which the program does not have any more, and what
only such code reads: ``# def show(rdd):`` above ``# words.foreachRDD(show)``. What hangs together goes as a
whole, or stays as it was: comments without a blank line between them, and those that name the same thing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field

from migrate.codemod.comments.commented_units import (
    CONTEXTS,
    GIVEN_FUNCTIONS,
    HASHES,
    OF_STREAMS,
    TEXTS,
    Unit,
    is_old_import,
)
from migrate.codemod.comments.old_words import is_commented_code
from migrate.codemod.comments.subjects import speaks_of_old
from migrate.codemod.ownership import Comment
from migrate.frozen import dataclass
from migrate.knowledge.rdd import METHODS
from migrate.knowledge.streaming import CONTEXT, LIFECYCLE
from migrate.syntax.nodes import of_kinds, walk

_RDDS = frozenset({"rdd", "RDD"})
"""The words of RDD code, which callbacks may have still."""
_EXAMPLES = 5
"""Outputs in comments, set off from each other by blank lines, from which on they are examples."""
_GIVES_RDDS = frozenset({"foreachRDD", "transform"})
_OUTPUTS = frozenset({"pprint", "saveAsTextFiles", "foreachRDD"})
_SHOWN = re.compile(rf"(\w+)\.(?:.*\.)?(?:{'|'.join(sorted(_OUTPUTS))})\(")
"""Code that puts out a stream, or one that is made of it."""
_WORD = re.compile(r"\w+")
_PARAMETERS = re.compile(r"\blambda\b([^:]*):")
_INNER = re.compile(r"#+[ \t]+#")
"""A comment in code that is a comment itself."""
_LINK = re.compile(r"#+\s*\.(\w+)\s*\(")
_CALL_OF_STREAM = re.compile(r"[\w.]+\.(\w+)\s*\(.*\)\s*")


@dataclass(frozen=True)
class Names:
    """The names of a program before and after."""

    gone: frozenset[str] = frozenset()
    """Those of its variables, parameters, functions and classes that it does not have any more."""
    called: frozenset[str] = frozenset()
    """The functions and classes among them, those of `collections.namedtuple` as well."""
    given: frozenset[str] = frozenset()
    """Parameters of lambdas, of which nothing has the name any more."""
    there: frozenset[str] = frozenset()
    """All that it has."""
    writer: str = ""
    """The variable of the writer, where nothing starts a query of it."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Variables that are gone, with what all that read them reads now: ``sql`` with ``spark``."""
    sessions: Mapping[str, str] = field(default_factory=dict)
    """Variables of a SparkContext that are gone, with that of the session."""
    rdds: frozenset[str] = frozenset()
    """Variables of RDDs that the program makes itself, as it did."""

    def in_code(self, comment: str) -> str:
        """Commented-out code that reads what all other code reads now."""
        if not self.others or not is_commented_code(comment):
            return comment
        own = {name for given in _PARAMETERS.findall(comment) for name in _WORD.findall(given)}
        others = [name for name in self.others if name not in own]
        if not others:
            return comment
        words = rf"{TEXTS.pattern}|(?<![\w.])(?:{'|'.join(others)})\b(?!\s*=[^=])"
        return re.sub(words, lambda found: self.others.get(found[0], found[0]), comment)


NO_NAMES = Names()


def paragraphs(lines: Sequence[int]) -> Iterator[list[int]]:
    """The positions of comments without a blank line between them, by the lines of the comments."""
    piece: list[int] = []
    for position, line in enumerate(lines):
        if piece and line > lines[position - 1] + 1:
            yield piece
            piece = []
        piece.append(position)
    if piece:
        yield piece


def has_examples(tree: ast.Module, comments: Sequence[Comment]) -> bool:
    """Whether comments put out streams that no code reads, of which a reader is to choose some.

    Each stands by itself, with a heading or without; a few may be left of a search for a mistake.
    """
    loads = {one.id for one in of_kinds(tree, ast.Name) if isinstance(one.ctx, ast.Load)}
    made = {one.id for one in of_kinds(tree, ast.Name) if isinstance(one.ctx, ast.Store)} - loads
    code = [_SHOWN.match(HASHES.sub("", one.text.strip())) for one in comments] if made else []
    shown = {n for n, found in enumerate(code) if found is not None and found[1] in made}
    lines = [one.line for one in comments] if len(shown) >= _EXAMPLES else []
    return sum(not shown.isdisjoint(piece) for piece in paragraphs(lines)) >= _EXAMPLES


def is_old_link(text: str) -> bool:
    """Whether a comment inside a chain is a call of a stream's method, or begins with one."""
    found = _LINK.match(text)
    return found is not None and found[1] in OF_STREAMS


def headings(prose: Mapping[int, str], gone: Collection[int], below: int) -> Iterator[int]:
    """The headings of code that goes: what stands right above it.

    ``# print them`` above ``# words.pprint()`` is one, unless only the code stands between it and a
    statement: then it may be about that, but for ``# Debug:``, ``# # print them`` and what speaks of RDDs,
    and where other code that goes stands right above it.
    So are several lines, if a blank line stands below the code, but for an address.

    Args:
        prose: the comments that are no code, by their lines.
        gone: the lines of the code.
        below: the first line of the statement below the comments.
    """
    for line, text in prose.items():
        end = line + 1
        while end in gone:
            end += 1
        above = line - 1
        while _is_sentence(prose.get(above, "")):
            above -= 1
        of_code = text.endswith(":") or _INNER.match(text) or speaks_of_old(text, rdds=False)
        if end > line + 1 and (end != below or of_code or line - 1 in gone):
            if above == line - 1:
                yield line
            elif end != below and end not in prose:
                yield from range(above + 1, line + 1)


def _is_sentence(text: str) -> bool:
    """Whether a comment has several words, as an address has not."""
    return " " in text.strip("# \t")


class OldCode:
    """Tells code of the old API in comments, and what is said in its place.

    Args:
        contexts: the variables that held a StreamingContext.
        query: the variable of the query; empty if there is none in reach.
        names: the names that the program had, and those that it has.
    """

    def __init__(self, contexts: frozenset[str], query: str, names: Names) -> None:
        self._contexts = contexts
        self._query = query
        self._names = names

    def has(self, unit: Unit, gone: Collection[str], *, of_rdds: bool) -> bool:
        """Whether some code is of the old API, or reads what is gone.

        Args:
            unit: the code.
            gone: the names that the program does not have any more.
            of_rdds: whether it may call methods of RDDs.
        """
        if unit.code is None:
            return is_old_import(unit.text) or _calls_stream(unit.text)
        of_streams = isinstance(unit.code, ast.ImportFrom | ast.Import) and is_old_import(unit.text)
        methods = OF_STREAMS - METHODS.keys() if of_rdds else OF_STREAMS | GIVEN_FUNCTIONS
        return of_streams or _is_old(unit.code, self._contexts, gone, self._names.rdds, methods)

    def of_session(self, unit: Unit) -> str:
        """What is said of the session in the place of code of a SparkContext; empty for any other code."""
        new = _of_session(unit.code, self._names.sessions) if unit.code is not None else ""
        return f"# {new}" if new else ""

    def said(self, pieces: Sequence[tuple[Mapping[str, str], Sequence[Unit]]]) -> dict[int, str]:
        """What stands in the place of code that goes, by its identity.

        The query is named only where no start of it goes with the code, and streams are shown only where
        each that is printed has a DataFrame: half of some code would say what nothing around it is about.

        Args:
            pieces: the code that goes, with the DataFrames of streams where it stands.
        """
        every = [(one, one.code, frames) for frames, own in pieces for one in own if one.code is not None]
        of_query = {
            id(one): new
            for one, code, _ in every
            if (new := _of_query(code, self._contexts, self._query, self._names.writer))
        }
        starts = {id(one): _starts(code) for one, code, _ in every}
        started = self._query or any(starts[one] for one in of_query)
        if not started or any(start and one not in of_query for one, start in starts.items()):
            of_query = {}
        of_session = {id(one): new.lstrip("# ") for one, _, _ in every if (new := self.of_session(one))}
        shown: dict[int, str] = {}
        for frames, own in pieces:
            frame = {id(one): _of_frame(one.code, frames) for one in own if one.code is not None}
            whole = all(frame.get(id(one)) for one in own)
            prints = (one for one in own if one.code is not None and _prints(one.code))
            shown |= {id(one): frame[id(one)] if whole else "" for one in prints}
        if not all(shown.values()):
            shown = {}
        return {one: f"# {new}" for one, new in (of_query | of_session | shown).items()}


def _calls_stream(text: str) -> bool:
    """Whether a line that is no Python calls a method of streams alone: ``words.saveAsTextFiles(/out/)``."""
    found = _CALL_OF_STREAM.fullmatch(text.strip())
    return found is not None and found[1] in _OUTPUTS


def _bound(statement: ast.AST) -> set[str]:
    """The variables and parameters that a statement gives values."""
    names = {n.id for n in walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names | {node.arg for node in walk(statement) if isinstance(node, ast.arg)}


def _is_old(
    statement: ast.stmt,
    contexts: frozenset[str],
    gone: Collection[str],
    rdds: Collection[str],
    methods: Collection[str],
) -> bool:
    """Whether a statement reads what is gone, makes a context or a source, or calls a method of streams.

    Args:
        statement: the statement.
        contexts: the variables that held a StreamingContext.
        gone: the names that the program does not have any more.
        rdds: the variables of RDDs, whose methods are there still.
        methods: those of streams, and such as take a lambda.
    """
    read = {n.id for n in walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    if not (read - _bound(statement)).isdisjoint(gone):
        return True
    own = (_RDDS - _given(statement)) | {*rdds}
    if any(isinstance(node, ast.Name) and node.id in own for node in walk(statement)):
        return False
    for call in (node for node in walk(statement) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id in CONTEXTS:
            return True
        if isinstance(call.func, ast.Attribute):
            receiver = call.func.value
            of_context = isinstance(receiver, ast.Name) and receiver.id in contexts
            if isinstance(receiver, ast.Name) and receiver.id in CONTEXTS:
                return True
            if _is_of_frame(receiver):
                continue
            given = call.func.attr not in GIVEN_FUNCTIONS or any(isinstance(a, ast.Lambda) for a in call.args)
            if (of_context and call.func.attr in CONTEXT) or (call.func.attr in methods and given):
                return True
    return False


def _is_of_frame(node: ast.expr) -> bool:
    """Whether an expression is made of a DataFrame's RDD: ``pairs.rdd.map(tuple)``."""
    while isinstance(node, ast.Call | ast.Attribute):
        if isinstance(node, ast.Attribute) and node.attr == "rdd":
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def _given(statement: ast.stmt) -> set[str]:
    """The parameters of functions that are code itself, or that a stream calls with its RDDs.

    ``words.foreachRDD(lambda rdd: ...)``.
    """
    calls = (node for node in walk(statement) if isinstance(node, ast.Call))
    own = (call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in _GIVES_RDDS)
    lambdas = (one for call in own for one in call.args if isinstance(one, ast.Lambda))
    functions: list[ast.Lambda | ast.FunctionDef] = [*lambdas]
    functions += (node for node in walk(statement) if isinstance(node, ast.FunctionDef))
    return {parameter.arg for one in functions for parameter in one.args.args}


def _of_query(statement: ast.stmt, contexts: frozenset[str], query: str, writer: str) -> str:
    """The call of the query for one that waits for the context or stops it; empty for any other code.

    Where only comments start the context, the query is what they start.
    """
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not (query or writer) or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return ""
    receiver, name = call.func.value, call.func.attr
    own = isinstance(receiver, ast.Name) and receiver.id in contexts
    if not own or name not in LIFECYCLE - ({"start"} if not writer else set()):
        return ""
    if name == "start":
        return f"query = {writer}.start()"
    given = ", ".join(ast.unparse(argument) for argument in call.args if name != "stop")
    return f"{query or 'query'}.{'stop' if name == 'stop' else 'awaitTermination'}({given})"


def _of_session(statement: ast.stmt, sessions: Mapping[str, str]) -> str:
    """Code of the session for code that stopped a SparkContext, or made it; empty for any other code."""
    match statement:
        case ast.Assign(
            [ast.Name(name)], ast.Call(ast.Name("SparkContext"), [], [ast.keyword("conf", ast.Name(conf))])
        ) if name in sessions:
            return f"{sessions[name]} = SparkSession.builder.config(conf={conf}).getOrCreate()"
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "stop"), [], [])) if name in sessions:
            return f"{sessions[name]}.stop()"
    return ""


def _starts(statement: ast.stmt) -> bool:
    """Whether a statement starts a context."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(attr="start"))):
            return True
    return False


def _prints(statement: ast.stmt) -> bool:
    """Whether a statement prints a stream."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(attr="pprint"))):
            return True
    return False


def _of_frame(statement: ast.stmt, frames: Mapping[str, str]) -> str:
    """The call that shows a DataFrame for one that printed its stream; empty for any other code."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "pprint"), [], [])) if name in frames:
            return f"{frames[name]}.show(10, truncate=False)"
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "pprint"), [ast.Constant(int(n))], [])):
            return f"{frames[name]}.show({n}, truncate=False)" if name in frames else ""
    return ""
