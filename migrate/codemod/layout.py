"""Breaks lines of new code: the one place that does.

A chain of calls stands on one line if it fits, of a few columns more than other code may have, else a link a
line inside parentheses. Expressions of the program stand in it under their names still, and count with the
length that they have.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import pairwise

from migrate.codemod.ownership import Beside
from migrate.codemod.style import LEVEL, WIDE, Style
from migrate.frozen import dataclass, replace
from migrate.plan.new_code.code import Chain

_CHAIN = 3
"""Calls of a chain that has a line for each."""
_PAIR = 2
_BROKEN = 3
"""The lines of a call whose arguments have one of their own."""
_JOINING: dict[type[ast.operator], bytes] = {ast.BitAnd: b"&", ast.BitOr: b"|"}
"""The operators of conditions."""


@dataclass(frozen=True)
class _Row:
    """A line of a broken chain."""

    code: str
    said: Beside
    """The comments of its links."""
    groups: bool = False
    """Whether it is a ``groupBy``."""


class Layout:
    """Breaks the lines of new code in one file."""

    def __init__(self, style: Style, shown: Callable[[str], str]) -> None:
        """Take the file's habits, and what gives new code with the program's expressions written out."""
        self._style = style
        self._shown = shown

    def chain(self, chain: Chain, depth: int, beside: Sequence[Beside] = (), behind: str = "") -> str:
        """The text of a statement; none where a comment has no room behind its link, but must stand there.

        Args:
            chain: the statement.
            depth: how many columns it is indented by.
            beside: the comments of its links; one that has some is broken, so that they stay beside them.
            behind: the comment that must stand behind its link; none if each may stand above.
        """
        prefix = _prefix(chain)
        if not chain.calls:
            return self._value(chain.base, prefix, depth)
        said = _comment(chain)
        commented = any(one.above or one.trailing for one in beside)
        flat = prefix + chain.text
        if said and not commented and self.fits(f"{flat}  {said}", depth, WIDE):
            return f"{flat}  {said}"
        commented = commented or bool(said)
        # to break a chain of several takes a line for each call
        if not commented and self.fits(flat, depth, WIDE if len(chain.calls) > 1 else None):
            return flat
        calls_once = sum(call.arguments is not None for call in chain.calls) == 1
        if not commented and calls_once and self._is_broken(flat, depth):
            return flat
        is_of_calls = self._shown(chain.base).endswith(")") and chain.calls[0].arguments is not None
        if not commented and not is_of_calls and (calls_once or len(chain.calls) == 1):
            return self.broken(flat, depth, depth)
        if not prefix and not commented:
            short = self._last_broken(flat, depth) or self._first_broken(chain, flat, depth)
            if short is not None:
                return short
        indent = LEVEL
        rows: list[str] = []
        inner = depth + self._style.columns
        links = self._rows(chain, beside)
        if not self.fits(links[0].code, inner):
            links = self._rows(chain, beside, apart=True)
        for link in self._with_aggregates(links, inner):
            own = link.said
            rows += [f"{indent}{comment}" for comment in own.above]
            # nothing is won where two texts get lines of their own
            stays = _is_of_texts(self._shown(link.code)) and self.fits(link.code, inner, WIDE)
            row = link.code if stays else self.broken(link.code, inner, inner)
            row = indent + row.replace("\n", f"\n{indent}")
            both = f"{row}  {own.trailing}"
            one = own.trailing == said or "\n" not in self._shown(row)
            if own.trailing and one and not self.fits(both, depth, WIDE):
                if own.trailing == behind:
                    return ""
                rows += [f"{indent}{own.trailing}", row]
            else:
                rows.append(both if own.trailing else row)
        return "\n".join([f"{prefix}(", *rows, ")"])

    def without_comment(self, chain: Chain, depth: int) -> tuple[Chain, str]:
        """A chain and what is said of one of its links, if it stands on one line without room for that."""
        said, flat = _comment(chain), _prefix(chain) + chain.text
        if not said or self.fits(f"{flat}  {said}", depth, WIDE) or not self.fits(flat, depth, WIDE):
            return chain, ""
        return replace(chain, calls=tuple(replace(call, comment="") for call in chain.calls)), said

    def _rows(self, chain: Chain, beside: Sequence[Beside], *, apart: bool = False) -> list[_Row]:
        """The links that stand on a line each, with their comments: an attribute stands before the next one.

        Where they are to stand `apart`, one that the chain begins with does not: ``self.lines.writeStream``.
        """
        rows: list[_Row] = []
        start, waiting = chain.base, Beside()
        if self._shown(chain.base).endswith(")"):
            rows.append(_Row(start, waiting))
            start = ""
        for position, call in enumerate(chain.calls):
            own = beside[position] if position < len(beside) else Beside()
            waiting = Beside([*waiting.above, *own.above], own.trailing or call.comment or waiting.trailing)
            groups = call.method == "groupBy" and not start
            start += f".{call.code}"
            begins = apart and not rows
            if call.arguments is not None or position == len(chain.calls) - 1 or begins:
                rows.append(_Row(start, waiting, groups=groups))
                start, waiting = "", Beside()
        return rows

    def _with_aggregates(self, links: list[_Row], column: int) -> list[_Row]:
        """The links of a chain, with a ``groupBy`` and what is made of its groups on one line if they fit."""
        made: list[_Row] = []
        for link in links:
            before = made[-1] if made else link
            joins = before.groups and before is not link and not (link.said.above or before.said.trailing)
            if joins and self.fits(before.code + link.code, column):
                made[-1] = _Row(before.code + link.code, Beside(before.said.above, link.said.trailing))
            else:
                made.append(link)
        return made

    def statement(self, code: str, depth: int) -> str:
        """A statement of one line, broken if it is a call that is too long, or a chain of them."""
        prefix, value = _assigned(code)
        return self._value(value, prefix, depth)

    def _value(self, code: str, prefix: str, depth: int) -> str:
        """A value with what it is assigned to: a chain that is too long has a line for each call."""
        broken = prefix + self.broken(code, depth + len(prefix), depth)
        if self.links(code) < _CHAIN or all(self.fits(row, depth) for row in broken.split("\n")):
            return broken
        return prefix + self._link_a_line(code, depth)

    def value(self, code: str, column: int, depth: int) -> str:
        """A value at a column of a statement of the program: a long chain has a line for each call."""
        if self.fits(code, column) or self.links(code) < _CHAIN:
            return self.broken(code, column, depth)
        return self._link_a_line(code, depth)

    def _link_a_line(self, code: str, depth: int) -> str:
        inner = depth + self._style.columns
        rows = [row.code for row in self._with_aggregates(self._links(code, inner), inner)]
        indented = (LEVEL + row.replace("\n", f"\n{LEVEL}") for row in rows)
        return "\n".join(["(", *indented, ")"])

    def _last_broken(self, code: str, depth: int) -> str | None:
        """A chain of which the last call alone is broken, if it fits then; None if it does not."""
        call = _calls(code)[0] if _calls(code) else None
        if call is None or not (call.args or call.keywords):
            return None
        given = sum(len(ast.unparse(part)) for part in (*call.args, *call.keywords))
        if 4 * given < len(code):
            return None  # too little of the line is in it
        broken = self._with_rows(code, call, depth)
        rows = self._shown(broken).split("\n")
        return broken if all(depth + len(row) <= self._style.width for row in rows) else None

    def _first_broken(self, chain: Chain, code: str, depth: int) -> str | None:
        """A chain of two calls of which the first alone has three lines, if it fits then; else None."""
        calls = _calls(code)
        if len(chain.calls) != len(calls) or len(calls) != _PAIR or not (calls[1].args or calls[1].keywords):
            return None
        broken = self._with_rows(code, calls[1], depth)
        rows = self._shown(broken).split("\n")
        fits = len(rows) == _BROKEN and all(depth + len(row) <= self._style.width for row in rows)
        return broken if fits else None

    def broken(self, code: str, column: int, depth: int) -> str:
        """A call whose arguments stand on a line of their own where it is too long, or on one each.

        Args:
            code: the call; it may begin with a dot or with what its value is assigned to.
            column: where it begins.
            depth: how many columns its line is indented by.
        """
        if self.fits(code, column) or self._is_broken(code, column):
            return code
        if (listed := _comprehension(code)) is not None:
            inner = depth + self._style.columns
            rows = [*self._argument(listed[0], inner).split("\n"), *self._clause(listed[1], inner)]
            return "\n".join(["[", *(f"{LEVEL}{row}" for row in rows), "]"])
        if (given := _generator(code)) is not None:
            opening, made, clauses = given
            inner = depth + self._style.columns
            rows = [self.broken(made, inner, inner), self.broken(clauses, inner, inner)]
            return "\n".join([opening, *(LEVEL + row.replace("\n", f"\n{LEVEL}") for row in rows), ")"])
        head = "x" if code.startswith(".") else ""
        calls = [call for call in _calls(head + code) if call.args or call.keywords]
        if not calls or any(isinstance(part, ast.GeneratorExp) for call in calls for part in call.args):
            return code  # a generator's parentheses may be the call's
        longest = max(calls, key=lambda call: (call.end_col_offset or 0) - (call.func.end_col_offset or 0))
        return self._with_rows(head + code, longest, depth)[len(head) :]

    def _clause(self, code: str, depth: int) -> list[str]:
        """The ``for value in values`` of a comprehension: a long chain has a line for each call."""
        broken = self.broken(code, depth, depth)
        parts = _looped(code)
        if parts is None or self.links(parts[1]) < _CHAIN or self.fits(code, depth):
            return broken.split("\n")
        return f"{parts[0]}{self._link_a_line(parts[1], depth)}".split("\n")

    def _with_rows(self, code: str, call: ast.Call, depth: int) -> str:
        """Code with the arguments of one of its calls on a line of their own, or on one each."""
        source = code.encode()
        given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        parts = sorted(given, key=lambda part: part.col_offset)
        texts = [source[part.col_offset : part.end_col_offset].decode() for part in parts]
        opening = source[: parts[0].col_offset].decode()
        closing = source[(call.end_col_offset or 0) :].decode()
        inner = depth + self._style.columns
        together = ", ".join(texts)
        if self.fits(together, inner):
            return f"{opening}\n{LEVEL}{together}\n){closing}"
        comma = "," if len(texts) > 1 else ""
        broken = (self._argument(text, inner).replace("\n", f"\n{LEVEL}") for text in texts)
        rows = "".join(f"{LEVEL}{text}{comma}\n" for text in broken)
        return f"{opening}\n{rows}){closing}"

    def _argument(self, code: str, column: int) -> str:
        """An argument on lines of its own, where conditions or a chain of three calls need no parentheses."""
        if not self.fits(code, column) and len(conditions := _conditions(code)) > 1:
            first, *others = conditions
            rows = [one[:2] + self.broken(one[2:], column + 2, column) for one in others]
            return "\n".join([self.broken(first, column, column), *rows])
        return "\n".join(row.code for row in self._links(code, column))

    def _links(self, code: str, column: int) -> list[_Row]:
        """The links of a chain: three calls that are too long have a line each, which may be broken, too."""
        calls = _calls(code)
        methods = [one.func for one in calls[::-1] if isinstance(one.func, ast.Attribute)]
        if len(methods) < _CHAIN or self.fits(code, column) or self._is_broken(code, column):
            return [_Row(self.broken(code, column, column), Beside())]
        source = code.encode()
        starts = [method.value.end_col_offset or 0 for method in methods[1:]]
        base = calls[-1]
        if base.func is not methods[0] and not self.fits(source[: starts[0]].decode(), column):
            starts, methods = [base.end_col_offset or 0, *starts], [methods[0], *methods]
        rows = []
        for (start, end), method in zip(pairwise([0, *starts, len(source)]), methods, strict=True):
            link = self.broken(source[start:end].decode(), column, column)
            rows.append(_Row(link, Beside(), groups=start > 0 and method.attr == "groupBy"))
        return rows

    def links(self, code: str) -> int:
        """The calls of methods that a chain begins with or consists of; 0 for code of several lines."""
        shown = self._shown(code)
        calls = _calls(shown) if "\n" not in shown else []
        return sum(isinstance(call.func, ast.Attribute) for call in calls)

    def _is_broken(self, code: str, column: int) -> bool:
        """Whether the program has broken the code over lines already, each of which fits."""
        first, *others = self._shown(code).split("\n")
        rows = [" " * column + first, *others]
        return bool(others) and all(len(row.rstrip()) <= self._style.width for row in rows)

    def fits(self, code: str, column: int, width: int | None = None) -> bool:
        """Whether new code stands on one line of the file's width, or another one."""
        shown = self._shown(code)
        return "\n" not in shown and column + len(shown) <= (width or self._style.width)


def _is_of_texts(link: str) -> bool:
    """Whether a link of a chain is given texts alone: ``.config("spark.jars.packages", "org:name:1.0")``."""
    if not link.startswith("."):
        return False
    try:
        call = ast.parse(f"x{link}", mode="eval").body
    except (SyntaxError, ValueError):
        return False
    given = call.args if isinstance(call, ast.Call) and not call.keywords else []
    return bool(given) and all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in given)


def _assigned(code: str) -> tuple[str, str]:
    """What stands before the value that a statement assigns, ``x = ``, and the value; else all of it."""
    try:
        (statement,) = ast.parse(code).body
    except (SyntaxError, ValueError):
        return "", code
    if not isinstance(statement, ast.Assign):
        return "", code
    source = code.encode()
    start = statement.value.col_offset
    return source[:start].decode(), source[start:].decode()


def _prefix(chain: Chain) -> str:
    """What stands before a chain in its statement."""
    return f"{chain.target} = " if chain.target else "return " if chain.returned else ""


def _comment(chain: Chain) -> str:
    """What is to be said of a link."""
    return next((call.comment for call in chain.calls if call.comment), "")


def _conditions(code: str) -> list[str]:
    """The conditions of ``a & b & c``, each but the first with its operator: ``a``, ``& b``, ``& c``."""
    source = code.encode()
    try:
        node: ast.expr = ast.parse(code, mode="eval").body
    except SyntaxError:
        return [code]
    starts: list[int] = []
    kind = type(node.op) if isinstance(node, ast.BinOp) else None
    while isinstance(node, ast.BinOp) and type(node.op) is kind and kind in _JOINING:
        starts.insert(0, source.index(_JOINING[kind], node.left.end_col_offset or 0))
        node = node.left
    return [source[start:end].decode().strip() for start, end in pairwise([0, *starts, len(source)])]


def _comprehension(code: str) -> tuple[str, str] | None:
    """What a list has for each value, and ``for value in values``, if code is a comprehension of both."""
    if not code.startswith("["):
        return None
    try:
        node = ast.parse(code, mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(node, ast.ListComp):
        return None
    source = code.encode()
    end = node.elt.end_col_offset or 0
    return source[node.elt.col_offset : end].decode(), source[end:-1].decode().strip()


def _looped(code: str) -> tuple[str, str] | None:
    """``for value in `` and the values of a clause of a comprehension without conditions."""
    opening = "[0 "
    try:
        node = ast.parse(f"{opening}{code}]", mode="eval").body
    except SyntaxError:
        return None
    match node:
        case ast.ListComp(generators=[ast.comprehension(iter=values, ifs=[])]):
            start = values.col_offset - len(opening)
            source = code.encode()
            return source[:start].decode(), source[start:].decode()
    return None


def _generator(code: str) -> tuple[str, str, str] | None:
    """``lambda rows: put(``, ``made`` and ``for row in rows`` of code that hands on what it makes of rows.

    So ``dict(``, ``(key, value)`` and ``for key, value in rows``.
    """
    try:
        node = ast.parse(code, mode="eval").body
    except SyntaxError:
        return None
    match node.body if isinstance(node, ast.Lambda) else node:
        case ast.Call(func, [ast.GeneratorExp(made, [clause, *_]) as given], []) if (
            given.col_offset == func.end_col_offset  # it has no parentheses of its own
        ):
            source, start = code.encode(), (func.end_col_offset or 0) + 1
            behind = source.rindex(b"for", made.end_col_offset, clause.target.col_offset)
            parts = source[:start], source[start:behind], source[behind:-1]
            opening, element, clauses = (part.decode().strip() for part in parts)
            return opening, element, clauses
    return None


def _calls(code: str) -> list[ast.Call]:
    """The calls of a chain that code of one line is, or ends with: the last one first."""
    try:
        (statement,) = ast.parse(code).body
    except (SyntaxError, ValueError):
        return []
    found: list[ast.Call] = []
    step = getattr(statement, "value", None)
    while isinstance(step, ast.Call | ast.Attribute):
        if isinstance(step, ast.Call):
            found.append(step)
        step = step.func if isinstance(step, ast.Call) else step.value
    return found
