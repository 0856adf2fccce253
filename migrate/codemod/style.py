"""Lays new code out as the file around it is: indentation, quotes, line length."""

from __future__ import annotations

import ast
import io
import itertools
import tokenize
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from migrate.codemod.edits import Text
from migrate.codemod.lexical import indents, pieces

NARROW, WIDE = 88, 100
"""Line lengths: of a file that keeps to the common limit, and of one that does not."""


def joined(text: str, node: ast.expr) -> str:
    """The source of an expression on one line, as it was written but for its line ends."""
    if "\n" not in text and "\r" not in text:
        return text
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({text})").readline))
    except (tokenize.TokenError, SyntaxError):
        return ast.unparse(node)
    rows = [token for token in tokens if token.type not in _LAYOUT]
    if any(token.type == tokenize.COMMENT for token in rows):
        return ast.unparse(node)
    for last_comma in (False, True):
        code = _spaced(rows, last_comma=last_comma)[1:-1]
        if "\n" not in code and _means(code, node):
            return code
    return ast.unparse(node)


def _means(code: str, node: ast.expr) -> bool:
    try:
        return ast.dump(ast.parse(f"({code})", mode="eval").body) == ast.dump(node)
    except SyntaxError:
        return False


def _spaced(tokens: list[tokenize.TokenInfo], *, last_comma: bool) -> str:
    """Tokens with the space that was between them, and what is usual where a line ended."""
    code = tokens[0].string
    for before, token in itertools.pairwise(tokens):
        if token.start[0] == before.end[0]:
            code += " " * (token.start[1] - before.end[1])
        elif before.string == "," and token.string in (")", "]", "}") and not last_comma:
            code = code[:-1]
        elif before.string not in ("(", "[", "{", ".") and token.string not in (")", "]", "}", ".", ",", ":"):
            code += " "
        code += token.string
    return code


_LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def one_line(base: str, calls: Sequence[str]) -> str:
    """A chain of method calls on one line."""
    return ".".join([base, *calls])


def duration(node: ast.expr, text: str, *, whole: bool = False) -> str:
    """Code of a duration as Spark spells it, ``"10 seconds"``, of an expression for seconds.

    Args:
        node: the expression.
        text: its source.
        whole: whether its value is known to be an int.
    """
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float):
        if value == int(value):
            return f'"{int(value)} second{"" if value == 1 else "s"}"'
        return f'"{int(value * 1000)} milliseconds"'
    text = joined(text, node)
    is_int = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int"
    whole = whole or is_int
    if "'" in text and '"' in text:
        return f'"%d seconds" % {text}' if whole else f'"%d milliseconds" % ({text} * 1000)'
    quote = "'" if '"' in text else '"'
    if whole:
        return f"f{quote}{{{text}}} seconds{quote}"
    inner = f"({text})" if isinstance(node, ast.BinOp | ast.IfExp | ast.BoolOp | ast.Compare) else text
    return f"f{quote}{{int({inner} * 1000)}} milliseconds{quote}"


class Style:
    """The habits of one file."""

    def __init__(self, text: Text) -> None:
        self.indent = _indent(text.source)
        longest = max((len(line.rstrip("\r\n")) for line in text.lines), default=0)
        self.width = NARROW if longest <= NARROW else WIDE
        self.single_quotes = _prefers_single(text.source)

    def chain(self, prefix: str, base: str, calls: Sequence[str], depth: int) -> str:
        """``prefix`` and a chain of calls, on one line if it fits, else a call a line inside parentheses.

        Args:
            prefix: what stands before: ``"counts = "``, or nothing.
            base: what the chain starts from.
            calls: method calls and attributes, without dots.
            depth: how many characters the code will be indented by.
        """
        flat = prefix + one_line(base, calls)
        if depth + len(flat) <= self.width:
            return flat
        if not calls:
            return prefix + self._broken(base, depth)
        if len(calls) == 1:
            return prefix + self._broken(base + "." + calls[0], depth)
        rows: list[str] = []
        for position, call in enumerate(calls):
            if position == 0:
                rows.append(f"{base}.{call}")
            elif "(" not in calls[position - 1] and rows:
                rows[-1] += f".{call}"
            else:
                rows.append(f".{call}")
        inner = depth + len(self.indent)
        lines = [self._broken(row, inner).replace("\n", "\n" + self.indent) for row in rows]
        return f"{prefix}(\n" + "".join(f"{self.indent}{line}\n" for line in lines) + ")"

    def _broken(self, call: str, depth: int) -> str:
        """A call whose arguments stand on lines of their own where it is too long."""
        if depth + len(call) <= self.width:
            return call
        head = "x" if call.startswith(".") else ""
        try:
            node = ast.parse(head + call, mode="eval").body
        except SyntaxError:
            return call
        if not isinstance(node, ast.Call) or not (node.args or node.keywords):
            return call
        if any(isinstance(part, ast.GeneratorExp) for part in node.args):
            return call  # its parentheses may be the call's
        source = head + call
        parts = [ast.get_source_segment(source, part) or "" for part in (*node.args,)]
        parts += [ast.get_source_segment(source, keyword) or "" for keyword in node.keywords]
        first = node.args[0] if node.args else node.keywords[0]
        opening = len(source.encode()[: first.col_offset].decode())
        rows = "".join(f"{self.indent}{part},\n" for part in parts)
        return f"{source[len(head) : opening]}\n{rows})"

    def quoted(self, code: str) -> str:
        """New code with the quotes that the file prefers."""
        if not self.single_quotes or '"' not in code:
            return code
        lines = code.splitlines(keepends=True)
        for token in reversed(list(tokenize.generate_tokens(io.StringIO(code).readline))):
            plain = (
                token.type == tokenize.STRING
                and token.string.startswith('"')
                and token.start[0] == token.end[0]
            )
            inner = token.string[1:-1]
            if not plain or token.string.startswith('"""') or "'" in inner or "\\" in inner or '"' in inner:
                continue
            row = token.start[0] - 1
            line = lines[row]
            lines[row] = line[: token.start[1]] + f"'{inner}'" + line[token.end[1] :]
        return "".join(lines)


_COMMON = frozenset({"  ", "    ", "\t"})
_ODD = 2


@lru_cache(maxsize=8)
def _indent(source: str) -> str:
    """The white space of one level: what most blocks of the file add to the line that opens them."""
    ((step, times),) = Counter(indents(source)).most_common(1) or [("    ", 0)]
    # one odd block is no style
    return step if step in _COMMON or times > _ODD else "    "


@lru_cache(maxsize=8)
def _prefers_single(source: str) -> bool:
    single = double = 0
    for piece in pieces(source):
        if piece.is_comment or piece.text.lstrip("rRbBuUfF").startswith(('"""', "'''")):
            continue
        if piece.text.endswith("'"):
            single += 1
        else:
            double += 1
    return single > double
