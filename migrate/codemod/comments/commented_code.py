"""Code of the old API that a program has in comments, beside code that is rewritten.

``# ssc.awaitTermination()`` above what stops the query says ``# query.awaitTermination()``, and
``# sc.stop()`` says ``# spark.stop()``; any other such code, as ``# words.pprint()``, calls what is not there
any more, and goes. So does code that reads a variable which the program does not have any more. Comments
without a blank line between them are one piece: where some of it is other code, all stays, and where some of
it goes, nothing shows a stream or waits for a start that is gone.
"""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType

from migrate.codemod.comments.old_words import is_commented_code
from migrate.codemod.comments.shown_code import examples
from migrate.codemod.comments.subjects import speaks_of_old
from migrate.codemod.ownership import Comment
from migrate.frozen import dataclass
from migrate.knowledge.connectors import CONNECTOR_SOURCES
from migrate.knowledge.streaming import CONTEXT, LIFECYCLE, STREAM
from migrate.syntax.nodes import of_kinds, walk

_HASHES = re.compile(r"^#+ ?")
_RDDS = frozenset({"rdd", "RDD"})
"""The words of RDD code, which callbacks may have still."""
_BUILTINS = frozenset(vars(builtins))
_EXAMPLES = 5
"""Outputs in comments, set off from each other by blank lines, from which on they are examples."""
_LONGEST = 40
"""Lines of a comment that is looked at."""
_SHARED = frozenset({"filter", "union", "join", "count", "cache", "persist", "repartition", "transform"})
"""Methods of streams that DataFrames have, too."""
_GIVEN_FUNCTIONS = frozenset({"filter", "transform"})
"""Those that were given functions of Python."""
_GIVES_RDDS = frozenset({"foreachRDD", "transform"})
_OUTPUTS = frozenset({"pprint", "saveAsTextFiles", "foreachRDD"})
_SHOWN = re.compile(rf"(\w+)\.(?:.*\.)?(?:{'|'.join(sorted(_OUTPUTS))})\(")
"""Code that puts out a stream, or one that is made of it."""
_OF_STREAMS = (STREAM.keys() | CONNECTOR_SOURCES) - _SHARED - {"context"}
_ROW = re.compile(
    r"^(?:for\b.*\bin\b.*:\s*$|(?:while|if|elif|except|with|def|class)\b.*:\s*$"
    r"|(?:else|try|finally)\s*:\s*$"
    r"|(?:return|import|from|print)\b.*\)\s*$|[.)\]}](?!\.)|[\w.]+(?:\[.*\])?\s*[-+*/|&]?=\s*\S|[\w.]+\(.*\)\s*$|.*\\$)"
)
"""A line that is code by itself, or a part of some."""
_METHOD = re.compile(r"\.\w+\(\)\s*[^\W_a-zA-Z0-9]")
"""How a sentence begins that is about a method: ``.pprint() 方法``."""
_CONTEXTS = frozenset({"SparkContext", "StreamingContext"})
"""Classes in whose place a program has a session."""
_CALLED = _OF_STREAMS | CONTEXT.keys() | _CONTEXTS
"""What code of the old API calls."""
_WORD = re.compile(r"\w+")
_PARAMETERS = re.compile(r"\blambda\b([^:]*):")
_READ = re.compile(r"(?<![\w.])\w+")
_TEXT = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_PRINTED = re.compile(r"^([ \t]*print) +(?=.*[.(\['\"%])([^\s(=].*)$", re.MULTILINE)
"""``print`` as a statement of Python 2."""
_PLACEHOLDER = re.compile(r"\[[A-Za-z][\w-]*(?: [\w-]+)+\]")
"""What the documentation has for an argument: ``[ZK quorum]``."""
_IMPORT = re.compile(r"(?:from|import)\s+pyspark\.streaming\b[\w.]*(?:\s+import\s+[\w ,*]+)?$")
_INNER = re.compile(r"#+[ \t]+#")
"""A comment in code that is a comment itself."""
_LINK = re.compile(r"#+\s*\.(\w+)\s*\(")
_CALL_OF_STREAM = re.compile(r"[\w.]+\.(\w+)\s*\(.*\)\s*")
_TARGET = re.compile(r"#+\s*(\w+)\s*=(?!=)")


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
        words = rf"{_TEXT.pattern}|(?<![\w.])(?:{'|'.join(others)})\b(?!\s*=[^=])"
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


def old_pieces(
    pieces: Sequence[Sequence[str]], found: Sequence[Mapping[int, str | None]]
) -> Iterator[Mapping[int, str | None]]:
    """What goes of each piece of comments above a statement: nothing that code which stays reads.

    Args:
        pieces: the lines of each.
        found: for each what `old_code` finds.
    """
    code = [[text for text in lines if is_row(text)] for lines in pieces]
    made = [{target[1] for text in own if (target := _TARGET.match(text.strip()))} for own in code]
    read = [{word for text in own for word in _READ.findall(_TEXT.sub("", text))} for own in code]
    stays = {
        n
        for n, (lines, old) in enumerate(zip(pieces, found, strict=True))
        if any(is_row(text) and row not in old for row, text in enumerate(lines))
    }
    waiting = [*stays]
    for n in waiting:  # grows while it is walked
        linked = (m for m in range(len(pieces)) if made[m] & read[n] or made[n] & read[m])
        waiting += [m for m in linked if m not in stays]
        stays.update(waiting)
    yield from ({} if n in stays else old for n, old in enumerate(found))


def has_examples(tree: ast.Module, comments: Sequence[Comment]) -> bool:
    """Whether comments put out streams that no code reads, of which a reader is to choose some.

    Each stands by itself, with a heading or without; a few may be left of a search for a mistake.
    """
    loads = {one.id for one in of_kinds(tree, ast.Name) if isinstance(one.ctx, ast.Load)}
    made = {one.id for one in of_kinds(tree, ast.Name) if isinstance(one.ctx, ast.Store)} - loads
    code = [_SHOWN.match(_HASHES.sub("", one.text.strip())) for one in comments] if made else []
    shown = {n for n, found in enumerate(code) if found is not None and found[1] in made}
    lines = [one.line for one in comments] if len(shown) >= _EXAMPLES else []
    return sum(not shown.isdisjoint(piece) for piece in paragraphs(lines)) >= _EXAMPLES


def is_old_import(text: str) -> bool:
    """Whether a comment is an import of `pyspark.streaming`."""
    return _IMPORT.match(_HASHES.sub("", text.strip()).strip()) is not None


def is_old_link(text: str) -> bool:
    """Whether a comment inside a chain is a call of a stream's method, or begins with one."""
    found = _LINK.match(text)
    return found is not None and found[1] in _OF_STREAMS


def is_row(text: str) -> bool:
    """Whether a line is code by itself, or a part of some: ``.pprint()`` before other words is none."""
    text = _HASHES.sub("", text.strip()).strip()
    starts = text.startswith(".") and _METHOD.match(text) is not None
    return _ROW.match(text) is not None and not starts


def old_code(
    block: Sequence[str],
    contexts: frozenset[str],
    query: str,
    frames: Mapping[str, str] = MappingProxyType({}),
    names: Names = NO_NAMES,
) -> Iterator[tuple[int, str | None]]:
    """The lines of a comment above a statement that are code of the old API, if all code there is.

    Args:
        block: the lines, each with its ``#``.
        contexts: the variables that held a StreamingContext.
        query: the variable of the query; empty if there is none in reach.
        frames: the variables that held streams, with those of their DataFrames at that place.
        names: the names that the program had, and those that it has.

    Yields:
        the position of each such line, and what it says now; None for one that goes.
    """
    texts = [_HASHES.sub("", line.strip()) for line in block]
    if len(texts) > _LONGEST:
        return
    start = 0
    shown = examples(texts)
    found: dict[int, str | None] = {}
    gone = {*names.gone}
    of_query: set[int] = set()
    of_frame: set[int] = set()
    starts = False
    values: dict[int, set[str]] = {}
    read: set[str] = set()
    started = bool(query)
    while start < len(texts):
        if is_old_import(block[start]):
            found[start] = None
            start += 1
            continue
        end, tree = _longest(texts, start, gone)
        if tree is None and is_row(texts[start]):
            given = _given_values(texts[start]) - names.there
            if not given and not _calls_stream(texts[start]):
                return
            values[start] = given
        for statement in tree.body if tree is not None else ():
            first, last = start + statement.lineno - 1, start + (statement.end_lineno or 0)
            if first in shown or _is_word(statement):
                continue
            stop = _of_session(statement, names.sessions)
            if not stop and not _is_old(statement, contexts, gone, names.rdds):
                given = _given_values(ast.unparse(statement)) - names.there
                if not given:
                    return
                values[first] = given
                found.update(dict.fromkeys(range(first + 1, last)))
                continue
            read |= {node.id for node in walk(statement) if isinstance(node, ast.Name)}
            gone |= _bound(statement) - names.there
            new = _of_query(statement, contexts, query, names.writer)
            of_query |= {first} if new else set()
            started |= bool(new) and _starts(statement)
            starts |= not new and _starts(statement)
            frame = "" if new or stop else _of_frame(statement, frames)
            of_frame |= {first} if frame else set()
            new = new or stop or frame
            found[first] = f"# {new}" if new else None
            found.update(dict.fromkeys(range(first + 1, last)))
        start = end
    if any(given - read for given in values.values()):
        return
    found |= dict.fromkeys(values)
    halves = {*of_query} if starts or not started else set[int]()
    halves |= of_frame if any(text is None for text in found.values()) else set()
    for row, text in found.items():
        yield row, None if row in halves else text


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


def _longest(texts: Sequence[str], start: int, gone: Collection[str]) -> tuple[int, ast.Module | None]:
    """The end of the longest piece of code that begins at a line, and its tree; None if none does.

    Code that calls nothing of the old API and reads no variable that is gone is not looked for.
    """
    for end in range(len(texts), start, -1):
        text = "\n".join(texts[start:end]).rstrip().removesuffix("\\")
        words = {*_WORD.findall(text)} if "(" in text or "=" in text else set()
        called = _CALLED if "lambda" not in words else _CALLED | _GIVEN_FUNCTIONS
        if not texts[end - 1].strip() or (words.isdisjoint(called) and words.isdisjoint(gone)):
            continue  # most comments are prose, and it takes long to find that they are no code
        try:
            code = _PRINTED.sub(r"\1(\2)", textwrap.dedent(text))
            if code.startswith(".") and not (start and texts[start - 1].rstrip().endswith(":")):
                code = f"stream{code}"  # the links of a chain that begins above, if prose does not show them
            return end, ast.parse(_PLACEHOLDER.sub("None", code))
        except (SyntaxError, ValueError):
            continue
    return start + 1, None


def _given_values(text: str) -> set[str]:
    """The variables to which a line gives values that need no other one: ``log = open("a.log", "w")``."""
    found = _TARGET.match(f"# {text.strip()}")
    if found is None:
        return set()
    try:
        value = ast.parse(text.strip().partition("=")[2].strip(), mode="eval")
    except (SyntaxError, ValueError):
        return set()
    read = {node.id for node in walk(value) if isinstance(node, ast.Name)}
    return {found[1]} if read <= _BUILTINS else set()


def _calls_stream(text: str) -> bool:
    """Whether a line that is no Python calls a method of streams alone: ``words.saveAsTextFiles(/out/)``."""
    found = _CALL_OF_STREAM.fullmatch(text.strip())
    return found is not None and found[1] in _OUTPUTS


def _is_word(statement: ast.stmt) -> bool:
    """Whether a statement is prose that can be parsed: ``done``."""
    return isinstance(statement, ast.Expr) and not any(isinstance(one, ast.Call) for one in walk(statement))


def _bound(statement: ast.AST) -> set[str]:
    """The variables and parameters that a statement gives values."""
    names = {n.id for n in walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names | {node.arg for node in walk(statement) if isinstance(node, ast.arg)}


def _is_old(
    statement: ast.stmt, contexts: frozenset[str], gone: Collection[str], rdds: Collection[str]
) -> bool:
    """Whether a statement reads what is gone, makes a context or a source, or calls a method of streams.

    Args:
        statement: the statement.
        contexts: the variables that held a StreamingContext.
        gone: the names that the program does not have any more.
        rdds: the variables of RDDs, whose methods are there still.
    """
    read = {n.id for n in walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    if not (read - _bound(statement)).isdisjoint(gone):
        return True
    own = (_RDDS - _given(statement)) | {*rdds}
    if any(isinstance(node, ast.Name) and node.id in own for node in walk(statement)):
        return False
    for call in (node for node in walk(statement) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id in _CONTEXTS:
            return True
        if isinstance(call.func, ast.Attribute):
            receiver = call.func.value
            of_context = isinstance(receiver, ast.Name) and receiver.id in contexts
            if isinstance(receiver, ast.Name) and receiver.id in _CONTEXTS:
                return True
            if _is_of_frame(receiver):
                continue
            given = call.func.attr in _GIVEN_FUNCTIONS and any(isinstance(a, ast.Lambda) for a in call.args)
            if (of_context and call.func.attr in CONTEXT) or call.func.attr in _OF_STREAMS or given:
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
    """The call that stops the session for one that stopped the SparkContext; empty for any other code."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "stop"), [], [])) if name in sessions:
            return f"{sessions[name]}.stop()"
    return ""


def _starts(statement: ast.stmt) -> bool:
    """Whether a statement starts a context."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(attr="start"))):
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
