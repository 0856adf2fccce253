"""Code that a program has in comments, statement by statement."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence

from migrate.cached import cached_property
from migrate.codemod.comments.shown_code import examples
from migrate.frozen import dataclass
from migrate.knowledge.connectors import CONNECTOR_SOURCES
from migrate.knowledge.streaming import CONTEXT, STREAM
from migrate.syntax.nodes import walk

HASHES = re.compile(r"^#+ ?")
_LONGEST = 40
"""Lines of a comment that is looked at."""
_SHARED = frozenset({"filter", "union", "join", "count", "cache", "persist", "repartition", "transform"})
"""Methods of streams that DataFrames have, too."""
GIVEN_FUNCTIONS = frozenset({"filter", "transform"})
"""Those that were given functions of Python."""
OF_STREAMS = (STREAM.keys() | CONNECTOR_SOURCES) - _SHARED - {"context"}
CONTEXTS = frozenset({"SparkContext", "StreamingContext"})
"""Classes in whose place a program has a session."""
_CALLED = OF_STREAMS | CONTEXT.keys() | CONTEXTS | GIVEN_FUNCTIONS
"""What code of the old API calls."""
_ROW = re.compile(
    r"^(?:for\b.*\bin\b.*:\s*$|(?:while|if|elif|except|with|def|class)\b.*:\s*$"
    r"|(?:else|try|finally)\s*:\s*$"
    r"|(?:return|import|from|print)\b.*\)\s*$|[.)\]}](?!\.)|[\w.]+(?:\[.*\])?\s*[-+*/|&]?=\s*\S|[\w.]+\(.*\)\s*$|.*\\$)"
)
"""A line that is code by itself, or a part of some."""
_METHOD = re.compile(r"\.\w+\(\)\s*[^\W_a-zA-Z0-9]")
"""How a sentence begins that is about a method: ``.pprint() 方法``."""
_WORD = re.compile(r"\w+")
_READ = re.compile(r"(?<![\w.])[^\W\d]\w*")
TEXTS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_PRINTED = re.compile(
    r"^([ \t]*print)(?: +(?=.*[.(\['\"%])| *(?=['\"]))([^\s(=].*?)(;?[ \t]*)$", re.MULTILINE
)
"""``print`` as a statement of Python 2."""
_TAKEN_APART = re.compile(r"\blambda\s*\(([^()]*)\)\s*:")
"""A lambda of Python 2 that takes a tuple: ``lambda (word, n): n``."""
_PLACEHOLDER = re.compile(r"\[[A-Za-z][\w-]*(?: [\w-]+)+\]")
"""What the documentation has for an argument: ``[ZK quorum]``."""
_IMPORT = re.compile(r"(?:from|import)\s+pyspark\.streaming\b[\w.]*(?:\s+import\s+[\w ,*]+)?$")
_TARGET = re.compile(r"\s*(\w+)\s*=(?!=)")


@dataclass(frozen=True)
class Unit:
    """A statement, or a line that is code, but no Python by itself."""

    first: int
    """The position of its first line in the comment."""
    end: int
    """That of the line below its last one."""
    text: str
    code: ast.stmt | None = None

    @cached_property
    def made(self) -> frozenset[str]:
        """The names that it gives values: variables, functions, classes, modules."""
        if self.code is None:
            target = _TARGET.match(self.text)
            return frozenset({target[1]} if target is not None else ())
        names = {one.id for one in walk(self.code) if isinstance(one, ast.Name) and _is_stored(one)}
        match self.code:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                return frozenset({name})
            case ast.Import(aliases) | ast.ImportFrom(names=aliases):
                return frozenset(one.asname or one.name.partition(".")[0] for one in aliases)
        return frozenset(names)

    @cached_property
    def read(self) -> frozenset[str]:
        """The names that it reads, and does not make itself."""
        if self.code is None:
            return frozenset(_READ.findall(TEXTS.sub("", self.text))) - self.made
        names = {one.id for one in walk(self.code) if isinstance(one, ast.Name) and not _is_stored(one)}
        given = {one.arg for one in walk(self.code) if isinstance(one, ast.arg)}
        inner = {one.id for one in walk(self.code) if isinstance(one, ast.Name) and _is_stored(one)}
        return frozenset(names - given - inner - self.made)

    @property
    def is_definition(self) -> bool:
        """Whether it does no more than to give names their values."""
        kinds = ast.Assign | ast.AnnAssign | ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
        return isinstance(self.code, kinds) or (self.code is None and bool(self.made))


def units(lines: Sequence[str]) -> Iterator[Unit]:
    """The code in a comment, without its prose.

    Args:
        lines: those of the comment, each with its ``#``.
    """
    texts = [HASHES.sub("", line.strip()) for line in lines]
    if len(texts) > _LONGEST:
        if any(map(is_row, lines)):
            yield Unit(0, len(texts), "\n".join(texts))
        return
    start = 0
    shown = examples(texts)
    while start < len(texts):
        if is_old_import(lines[start]):
            yield Unit(start, start + 1, texts[start])
            start += 1
            continue
        end, tree = _longest(texts, start)
        if tree is None and is_row(texts[start]):
            yield Unit(start, end, texts[start])
        for statement in tree.body if tree is not None else ():
            first, last = start + statement.lineno - 1, start + (statement.end_lineno or 0)
            if first not in shown and not _is_word(statement):
                yield Unit(first, last, ast.unparse(statement), statement)
        start = end


def is_old_import(text: str) -> bool:
    """Whether a comment is an import of `pyspark.streaming`."""
    return _IMPORT.match(HASHES.sub("", text.strip()).strip()) is not None


def is_row(text: str) -> bool:
    """Whether a line is code by itself, or a part of some: ``.pprint()`` before other words is none."""
    text = HASHES.sub("", text.strip()).strip()
    starts = text.startswith(".") and _METHOD.match(text) is not None
    return _ROW.match(text) is not None and not starts


def _longest(texts: Sequence[str], start: int) -> tuple[int, ast.Module | None]:
    """The end of the longest piece of code that begins at a line, and its tree; None if none does."""
    begins = is_row(texts[start])
    for end in range(len(texts), start, -1):
        text = "\n".join(texts[start:end]).rstrip().removesuffix("\\")
        if not texts[end - 1].strip() or not ("(" in text or "=" in text):
            continue
        if not begins and _CALLED.isdisjoint(_WORD.findall(text)):
            continue  # most comments are prose, and it takes long to find that they are no code
        try:
            code = _TAKEN_APART.sub(r"lambda \1:", _PRINTED.sub(r"\1(\2)\3", textwrap.dedent(text)))
            if code.startswith(".") and not (start and texts[start - 1].rstrip().endswith(":")):
                code = f"stream{code}"  # the links of a chain that begins above, if prose does not show them
            return end, ast.parse(_PLACEHOLDER.sub("None", code))
        except (SyntaxError, ValueError):
            continue
    return start + 1, None


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _is_word(statement: ast.stmt) -> bool:
    """Whether a statement is prose that can be parsed: ``done``."""
    return isinstance(statement, ast.Expr) and not any(isinstance(one, ast.Call) for one in walk(statement))
