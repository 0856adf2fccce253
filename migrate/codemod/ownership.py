"""Which statement a comment belongs to, and which link of a chain of calls within it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache

from migrate.codemod.style import TAB
from migrate.frozen import dataclass
from migrate.syntax.lexical import pieces
from migrate.syntax.text import Text


@dataclass(frozen=True)
class Comment:
    """One comment of the program."""

    line: int
    """From 1."""
    column: int
    """From 0, in code points."""
    offset: int
    """The same in bytes of UTF-8, as `ast` counts."""
    text: str
    alone: bool
    """Whether nothing stands before it on its line."""


@dataclass(frozen=True)
class Own:
    """The comments of one statement."""

    above: tuple[Comment, ...] = ()
    """Right above it, indented as it is."""
    inner: tuple[Comment, ...] = ()
    """Between its first and its last line."""
    trailing: Comment | None = None
    """After it, on its last line."""
    apart: tuple[Comment, ...] = ()
    """Between the statement before it and those above it, set off by blank lines."""
    below: tuple[Comment, ...] = ()
    """Below the last statement of its block, indented as that is."""

    def part(self, *, above: bool, own: bool) -> Own:
        """Those above the statement alone, or its own, or both, or none."""
        if above and own:
            return self
        if own:
            return Own(inner=self.inner, trailing=self.trailing, below=self.below)
        return Own(above=self.above, apart=self.apart) if above else Own()

    @property
    def own(self) -> tuple[Comment, ...]:
        """All of them but those above it, in order."""
        return (*self.beside, *self.below)

    @property
    def beside(self) -> tuple[Comment, ...]:
        """Those on its own lines, in order."""
        return self.inner if self.trailing is None else (*self.inner, self.trailing)


@dataclass
class Beside:
    """What is said of one link of a chain."""

    above: list[str] = field(default_factory=list)
    trailing: str = ""


_CONTEXT = re.compile(r"stream\w*\s*context|context\w*\s*(?:d[eou]l?\s+)?stream", re.IGNORECASE)


def stays_true(above: Sequence[Comment]) -> bool:
    """Whether the lines of a comment above a statement are not about the StreamingContext.

    Above another statement such a comment would be false; it is one, however many lines it has.
    """
    return not any(_CONTEXT.search(comment.text) for comment in above)


def makes_context(statement: ast.stmt) -> bool:
    """Whether a statement makes a StreamingContext: that or the interval is what its comments are about."""
    match statement:
        case ast.Assign(value=ast.Call(func=ast.Name(name) | ast.Attribute(attr=name))):
            return name == "StreamingContext"
    return False


_CELL = re.compile(r"# ?(?:In ?\[[\d* ]*\]:?|%%)(?!\S)")


def begins_cell(text: str) -> bool:
    """Whether a notebook's cell begins at a comment: ``# In[3]:``, ``# %% [markdown]``, ``# %% The words``.

    It is of no statement, and stays where it is.
    """
    return _CELL.match(text) is not None


def is_bare_mark(text: str) -> bool:
    """Whether a comment says no more than that a cell begins, and has no title."""
    return _CELL.fullmatch(text.rstrip()) is not None


_END = re.compile(r"#\W*end\b.*", re.IGNORECASE)


def ends_section(text: str) -> bool:
    """Whether a comment is about what stands above it: ``# ---- end of the settings ----``."""
    return _END.fullmatch(text) is not None


class Comments:
    """The comments of a module's text, by the statements that they belong to."""

    def __init__(self, source: str) -> None:
        self._text = Text(source)
        self._by_line = {comment.line: comment for comment in _comments(source)}
        self._found: dict[ast.stmt, Own] = {}

    @property
    def all(self) -> Iterable[Comment]:
        """Every one, in order."""
        return self._by_line.values()

    def of(self, statement: ast.stmt) -> Own:
        """The comments of a statement.

        Those at the head of the file are about the file, not about its first statement.
        """
        if not self._by_line:
            return Own()
        if statement not in self._found:
            self._found[statement] = self._of(statement)
        return self._found[statement]

    def moved_with(self, statement: ast.stmt) -> Own:
        """The comments that go where new code takes a statement's place: of a branch those of its head."""
        own = self.of(statement)
        if not isinstance(statement, ast.If):
            return own
        end = statement.test.end_lineno or statement.lineno
        return Own(own.above, tuple(one for one in own.inner if one.line <= end), apart=own.apart)

    def _of(self, statement: ast.stmt) -> Own:
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        end = statement.end_lineno or statement.lineno
        above: list[Comment] = []
        line = first - 1 if self._text.begins_line(statement) else 0  # else it is the neighbour's
        while (comment := self._by_line.get(line)) is not None and comment.alone:
            if self._column(comment) > len(self._text.indent(first).expandtabs(TAB)):
                break
            if begins_cell(comment.text):
                break
            above.insert(0, comment)
            line -= 1
        if line == 0:
            above.clear()
        apart: list[Comment] = []
        while line > 0 and (not self._text.lines[line - 1].strip() or self._is_alone(line)):
            apart[:0] = [self._by_line[line]] if line in self._by_line else []
            line -= 1
        inner = [self._by_line[row] for row in range(first, end + 1) if row in self._by_line]
        trailing = None
        if inner and inner[-1].line == end and self._after(inner[-1], statement):
            last = inner.pop()
            trailing = last if self._is_last(last, statement) else None
        return Own(
            tuple(above), tuple(inner), trailing, tuple(apart) if line else (), tuple(self._below(statement))
        )

    def _is_alone(self, line: int) -> bool:
        return line in self._by_line and self._by_line[line].alone

    def _below(self, statement: ast.stmt) -> Iterator[Comment]:
        """The comments below a compound statement that its block's indentation makes part of it."""
        if not isinstance(getattr(statement, "body", None), list):
            return
        lines = self._text.lines
        for row in range((statement.end_lineno or statement.lineno) + 1, len(lines) + 1):
            comment = self._by_line.get(row)
            if comment is not None and comment.alone and comment.offset > statement.col_offset:
                yield comment
            elif lines[row - 1].strip():
                return

    def deeper(self, statement: ast.stmt) -> Iterator[Comment]:
        """The comments right above a statement, but deeper: LibCST has them in the block before."""
        line = statement.lineno - 1
        indent = len(self._text.indent(statement.lineno).expandtabs(TAB))
        while self._is_alone(line) and self._column(self._by_line[line]) > indent:
            yield self._by_line[line]
            line -= 1

    def behind(self, statement: ast.stmt) -> Iterator[Comment]:
        """The comments on the lines right below a statement."""
        line = (statement.end_lineno or statement.lineno) + 1
        while self._is_alone(line):
            yield self._by_line[line]
            line += 1

    def inside(self, node: ast.AST) -> list[Comment]:
        """The comments inside an expression."""
        assert isinstance(node, ast.expr | ast.arg)
        rows = range(node.lineno, node.end_lineno or node.lineno)
        return [self._by_line[row] for row in rows if row in self._by_line]

    def of_name(self, alias: ast.alias, statement: ast.Import | ast.ImportFrom) -> list[Comment]:
        """The comment of one name of an import in brackets: behind it, or above it on a line of its own."""
        others = [other for other in statement.names if other.lineno == alias.lineno]
        found = [self._by_line.get(alias.lineno - 1), self._by_line.get(alias.lineno)]
        inner = self.of(statement).inner
        return [
            comment
            for comment in found
            if comment in inner and comment is not None and others == [alias]
            if comment.alone == (comment.line < alias.lineno)
        ]

    def _column(self, comment: Comment) -> int:
        """The column of a comment that stands alone on its line, tabs counted as of some columns."""
        return len(self._text.indent(comment.line).expandtabs(TAB))

    def _after(self, comment: Comment, statement: ast.stmt) -> bool:
        place = self._text.line_start(comment.line) + comment.column
        return place >= self._text.end(statement)

    def _is_last(self, comment: Comment, statement: ast.stmt) -> bool:
        """Whether no other statement stands between a statement and the comment on its last line."""
        place = self._text.line_start(comment.line) + comment.column
        return self._text.source[self._text.end(statement) : place].strip() in ("", ";")

    def has_blank_above(self, statement: ast.stmt) -> bool:
        """Whether a blank line stands above a statement and its comments."""
        own = self.of(statement)
        first = own.above[0].line if own.above else statement.lineno
        return first > 1 and not self._text.lines[first - 2].strip()


@lru_cache(maxsize=8)
def _comments(source: str) -> tuple[Comment, ...]:
    lines = Text(source).lines

    def comment(line: int, column: int, text: str) -> Comment:
        before = lines[line - 1][:column]
        return Comment(line, column, len(before.encode()), text.rstrip(), not before.strip())

    return tuple(comment(p.line, p.column, p.text) for p in pieces(source) if p.is_comment)


def within(comment: Comment, nodes: Iterable[ast.expr]) -> bool:
    """Whether a comment stands inside one of some expressions, and moves with it."""
    return any(
        node.lineno <= comment.line <= (node.end_lineno or node.lineno)
        and (comment.line < (node.end_lineno or node.lineno) or comment.offset < (node.end_col_offset or 0))
        and (comment.line > node.lineno or comment.offset > node.col_offset)
        for node in nodes
    )


def beside_links(
    comments: Sequence[Comment], links: Sequence[tuple[ast.expr, ...]]
) -> tuple[list[Beside], list[Comment]]:
    """Deal the comments inside an old chain out to the links of the new one.

    Args:
        comments: those inside the old statement.
        links: for each link of the new chain what of the old one it says: calls, and arguments of calls.

    Returns:
        what stands beside each link, and what has no link and stands above the statement.
    """
    found = [Beside() for _ in links]
    rest: list[Comment] = []
    parts = [(part, number) for number, origin in enumerate(links) for part in origin]
    parts.sort(key=lambda pair: (pair[0].end_lineno or 0, pair[0].end_col_offset or 0))
    numbers = [link_of(comment, parts) for comment in comments]
    behind = Counter(number for comment, number in zip(comments, numbers, strict=True) if not comment.alone)
    for comment, number in zip(comments, numbers, strict=True):
        if number is None:
            rest.append(comment)
        elif comment.alone or behind[number] > 1:  # several stand in their order, above the link
            found[number].above.append(comment.text)
        else:
            found[number].trailing = comment.text
    return found, rest


def link_of(comment: Comment, parts: Sequence[tuple[ast.expr, int]]) -> int | None:
    """The link that a comment is about: the one it follows, or the next one if it has a line of its own.

    Args:
        comment: the comment.
        parts: calls and arguments of an old chain in their order, with the numbers of links.
    """
    if comment.alone:
        above = [pair for pair in parts if (pair[0].end_lineno or 0) < comment.line]
        below = [pair for pair in parts if (pair[0].end_lineno or 0) >= comment.line]
        if above and _replaces(comment, above[-1][0]):
            return above[-1][1]
        return below[0][1] if below else None
    ends = [number for part, number in parts if part.end_lineno == comment.line]
    if ends:
        return ends[-1]
    before = [number for part, number in parts if _name_line(part) <= comment.line]
    return before[-1] if before else None


def _replaces(comment: Comment, above: ast.expr) -> bool:
    """Whether a comment is another argument in the place of a list right above it: ``# ["other"],``."""
    code = comment.text.lstrip("# \t").rstrip()
    try:
        node = ast.parse(code.removesuffix(","), mode="eval").body if code.endswith(",") else None
    except SyntaxError:
        return False
    # the part is what the list holds
    texts = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    is_text = isinstance(above, ast.Constant) and isinstance(above.value, str)
    return bool(texts) and is_text and above.end_lineno == comment.line - 1


def _name_line(node: ast.expr) -> int:
    """The line of the name of a method that is called, or of an argument's end."""
    return (node.func.end_lineno if isinstance(node, ast.Call) else node.end_lineno) or node.lineno
