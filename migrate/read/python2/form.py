"""A text in Python 2 to the same in Python 3, with the way back to its lines."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from fissix.fixes import fix_imports, fix_imports2
from fissix.pgen2.parse import ParseError
from fissix.pytree import Base
from fissix.refactor import RefactoringTool

from migrate.form import Form, Place
from migrate.read.marks import MARK
from migrate.read.python2.default_encoding import without_default_encoding
from migrate.read.python2.functions import with_functions
from migrate.read.python2.leaked import with_loops
from migrate.read.python2.limits import Limits
from migrate.read.python2.signs import has_signs, indentations
from migrate.syntax.nodes import parsed, parses
from migrate.syntax.text import Edit, Text, apply_edits

FIXERS = (
    *("apply", "basestring", "except", "exec", "execfile", "exitfunc", "funcattrs", "getcwdu"),
    *("has_key", "input", "intern", "itertools", "itertools_imports", "map"),
    *("metaclass", "methodattrs", "ne", "next", "nonzero", "numliterals", "operator", "paren"),
    *("raise", "raw_input", "reduce", "reload", "renames", "repr", "standarderror", "sys_exc", "throw"),
    *("urllib", "xreadlines", "zip"),
)
"""All fixers but those for which Python 3 has no one answer (types, buffer), or that look at other files."""
OWN = (
    "dict",
    "digits",
    "filter",
    "isinstance",
    "long",
    "print",
    "string",
    "tuple_params",
    "unicode",
    "xrange",
)
"""The fixers that this package has changed."""
_MOVED = re.compile(rf"\b(?:{'|'.join(map(re.escape, (*fix_imports.MAPPING, *fix_imports2.MAPPING)))})\b")


_INTERPRETER = re.compile(r"\A(#![^\n]*\b)python2(?:\.\d+)?\b")


class NotPython2Error(Exception):
    """The text is no Python 2 either."""


@dataclass(frozen=True)
class Modernised(Form):
    """The form of a file whose code is in Python 3 and whose text is not."""

    old: str
    """The text as it is; in a notebook, that of all cells."""
    code: str
    lines: tuple[int, ...]
    """The line of `old` that each line of `code` comes from."""
    limits: tuple[str, ...] = ()
    """The code that is not proven to be the same in Python 3, with its place in the file."""
    outer: Form = field(default=Form())

    @property
    def has_cells(self) -> bool:
        """Whether the code stands in cells, in Python 2 as well."""
        return self.outer.has_cells

    @property
    def has_outputs(self) -> bool:
        """Whether cells show what they put out."""
        return self.outer.has_outputs

    @property
    def kernel_of_2(self) -> str:
        """The name of a notebook's kernel, if that is of Python 2."""
        return self.outer.kernel_of_2

    @property
    def prose(self) -> tuple[str, ...]:
        """The lines of a notebook's cells of text."""
        return self.outer.prose

    def outputs_left_out(self, code: str) -> int:
        """How many of them do not in Python 3."""
        return self.outer.outputs_left_out(code)

    def original_of(self, name: str) -> str:
        """The line of a notebook that a name stands for."""
        return self.outer.original_of(name)

    def foreign_lines(self) -> Iterator[tuple[Place, str]]:
        """The lines of a notebook that are no Python, of any version."""
        return self.outer.foreign_lines()

    def restore(self, code: str, *, adopted: bool) -> str:
        """The file in Python 3 if it is migrated; else as it was, with the comments that `code` has more."""
        if not adopted:
            return self.outer.restore(self._marked(code), adopted=False)
        return self.outer.on_python_3(self.outer.restore(code, adopted=True))

    def _marked(self, code: str) -> str:
        """The old text with the comments for its owner that stand in `code`."""
        if code == self.code:
            return self.old
        before, old = Text(self.code), Text(self.old)
        rows: list[str] = []
        edits: list[Edit] = []
        for row in Text(code).lines:
            place = len(rows)
            if place < len(before.lines) and row == before.lines[place]:
                rows.append(row)
                continue
            line = self.lines[min(place, len(self.lines) - 1)]
            replaced = place < len(before.lines) and before.lines[place].lstrip().startswith(MARK)
            start = old.line_start(line)
            edits.append(Edit(start, start + len(old.lines[line - 1]) if replaced else start, row))
            if replaced:
                rows.append(before.lines[place])
        return apply_edits(self.old, edits)

    def place(self, line: int, column: int) -> Place:
        """The place in the old text: the line, and in it the same occurrence of the same word."""
        new, old = Text(self.code).lines[line - 1], self.lines[line - 1]
        word = re.match(r"\w*", new[column - 1 :])
        assert word is not None
        pattern = re.compile(rf"\b{word[0]}\b")
        number = len(pattern.findall(new[: column - 1]))
        found = [match.start() for match in pattern.finditer(Text(self.old).lines[old - 1])]
        return self.outer.place(old, found[min(number, len(found) - 1)] + 1 if found else column)


def modernise(text: str, outer: Form, *, is_parsed: bool = False) -> Modernised:
    """`text`, which is written for Python 2, in Python 3.

    Args:
        text: the text.
        outer: the form of its file.
        is_parsed: whether Python 3 can parse it, and it is Python 2 for what it names.

    Raises:
        NotPython2Error: it is no Python 2, or has no counterpart that can be parsed.
    """
    if not is_parsed and not has_signs(text):
        raise NotPython2Error
    newline = "\r\n" if "\r\n" in text else "\n"
    plain = text.replace("\r\n", "\n")
    try:
        code, lines = _refactored(plain)
        forms = indentations(plain)
        while not parses(code) and (form := next(forms, None)) is not None:
            code, lines = _refactored(form)
        code, lines = without_default_encoding(code, lines, plain)
        code, lines = with_loops(code, lines)
        code = _INTERPRETER.sub(r"\1python3", code)
        faithful = with_functions(code, plain)
        limits = Limits(parsed(faithful.calls), plain)
        code = faithful.code
        parsed(code)
    except Exception as error:  # whatever it is: the text is nothing that can be worked on
        raise NotPython2Error(str(error)) from None
    found = [*((lines[line - 1], why) for line, why in limits.found()), *limits.literals(lines)]
    sentences = tuple(f"{outer.place(line, 1)}: {why}" for line, why in sorted(dict.fromkeys(found)))
    return Modernised(text, code.replace("\n", newline), faithful.spread(lines), sentences, outer)


@cache
def _tool(*, moved: bool, print_function: bool) -> RefactoringTool:
    logging.getLogger("RefactoringTool").setLevel(logging.ERROR)
    names = [f"fissix.fixes.fix_{name}" for name in FIXERS]
    own = [f"migrate.read.python2.fix_{name}" for name in OWN]
    modules = ["migrate.read.python2.fix_imports", "fissix.fixes.fix_imports2"]  # they look at every node
    return RefactoringTool([*names, *own, *(modules if moved else ())], {"print_function": print_function})


def _refactored(text: str, *, print_function: bool = False) -> tuple[str, tuple[int, ...]]:
    """The text in Python 3, and the old line of each of its lines.

    Args:
        text: the text.
        print_function: whether its ``print(x)`` is a call already.
    """
    whole = text if text.endswith("\n") else text + "\n"
    moved = _MOVED.search(text) is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = _tool(moved=moved, print_function=print_function).refactor_string(whole, "-")
        except ParseError:  # ``print(x, file=f)`` as from the future, which some old editions took
            tree = _tool(moved=moved, print_function=True).refactor_string(whole, "-")
    code, lines = _code(tree)
    return code if whole is text else code.removesuffix("\n"), lines


def _code(tree: Base) -> tuple[str, tuple[int, ...]]:
    """The text of a tree, and the old line of each of its lines."""
    parts: list[str] = []
    lines: dict[int, int] = {}
    line = 1
    for leaf in tree.leaves():
        line += leaf.prefix.count("\n")
        if leaf.lineno and leaf.value:
            lines.setdefault(line, leaf.lineno)
        line += leaf.value.count("\n")
        parts += [leaf.prefix, leaf.value]
    code = "".join(parts)
    return code, _filled(lines, len(Text(code).lines) + 1)


def _filled(known: dict[int, int], count: int) -> tuple[int, ...]:
    """Lines that no token of the old text stands on are near the next one that is known."""
    lines: list[int] = []
    after = sorted(known)
    last = 1
    for line in range(1, count + 1):
        while after and after[0] < line:
            last = max(last, known[after.pop(0)])
        near = known[after[0]] - (after[0] - line) if after else last
        lines.append(max(last, near, 1))
    return tuple(lines)
