"""Functions that do in Python 3 what an operator or a builtin did in Python 2.

They are written into a module where Python 3 would give another value without an error. Where no function can
help, as with bytes that may be a text, `migrate.read.python2.limits` says so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from migrate.read.python2 import messages, texts
from migrate.read.python2.ascii_patterns import ascii_patterns
from migrate.read.python2.encoding import IN_BYTES, Encoding, is_bytes
from migrate.read.python2.filtered import SOURCES as FILTERED
from migrate.read.python2.filtered import filtered
from migrate.read.python2.floors import floors
from migrate.read.python2.hex_digits import SOURCES as HEX
from migrate.read.python2.hex_digits import hex_digits
from migrate.read.python2.json_encodings import json_encodings
from migrate.read.python2.kinds import Kind, Kinds, kinds_of
from migrate.read.python2.memory_files import memory_files
from migrate.read.python2.processes import processes
from migrate.read.python2.sending import encoded_messages, in_bytes, is_text
from migrate.read.python2.texts import is_a_text_there
from migrate.read.python2.universal_newlines import universal_newlines
from migrate.read.python2.views import views
from migrate.read.python2.written import of_bytes
from migrate.syntax.nodes import of_kinds, parents_of, parsed, walk
from migrate.syntax.text import Edit, Text, apply_edits

_SOURCES = {
    **messages.SOURCES,
    **texts.SOURCES,
    **HEX,
    **FILTERED,
    "python2_divide": '''\
def python2_divide(left, right):
    """left / right as in Python 2: whole numbers give a whole number, rounded down."""
    from numbers import Integral, Number

    if not (isinstance(left, Number) and isinstance(right, Number)):
        raise TypeError("not known how Python 2 divides %r by %r" % (left, right))
    return left // right if isinstance(left, Integral) and isinstance(right, Integral) else left / right
''',
    "python2_round": '''\
def python2_round(number, digits=0):
    """round(number, digits) as in Python 2: a float, and halves go away from zero."""
    from decimal import ROUND_HALF_UP, Context, Decimal

    number = float(number)
    if number - number != 0 or digits > 323:  # infinite, no number, or exact anyway
        return number
    return float(Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, Context(prec=999)))
''',
    "python2_hash": '''\
def python2_hash(value):
    """hash(value) as in Python 2 of 64 bits, of a text in ASCII or a whole number."""
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return -2 if value == -1 else int(value)
    if not isinstance(value, str) or not value.isascii():
        raise TypeError("not known what Python 2 gives for the hash of %r" % (value,))
    number = ord(value[0]) << 7 if value else 0
    for character in value:
        number = (1000003 * number) % 2**64 ^ ord(character)
    number ^= len(value)
    number -= 2**64 if number >= 2**63 else 0
    return -2 if number == -1 else number
''',
    IN_BYTES: '''\
def python2_bytes(message):
    """A message as a client takes it, which is bytes: texts of Python 2 were."""
    return message.encode("utf-8") if isinstance(message, str) else message
''',
    "python2_str": '''\
def python2_str(value=""):
    """str(value) as in Python 2, which shows 12 digits of a float."""
    if isinstance(value, (bytearray, bytes, complex, type)):
        raise TypeError("not known what Python 2 writes for %r" % (value,))
    if not isinstance(value, float):
        return str(value)
    text = "%.12g" % value
    return text if set(text) & set(".en") else text + ".0"
''',
}
_WITH_ARRAYS = {
    "python2_divide": '''\
def python2_divide(left, right):
    """left / right as in Python 2: whole numbers, and arrays of them, are rounded down."""
    from numbers import Number

    from numpy import asarray, ndarray

    known = isinstance(left, (Number, ndarray)) and isinstance(right, (Number, ndarray))
    kinds = {asarray(one).dtype.kind for one in (left, right)}
    if not (known and kinds <= set("bcfi")):
        raise TypeError("not known how Python 2 divides %r by %r" % (left, right))
    return left / right if kinds & set("cf") else left // right
''',
}
"""The same in a module that imports numpy."""
_DIVIDE = "python2_divide"
_BUILTINS = {"hash": "python2_hash", "round": "python2_round", "str": "python2_str"}

_TO_SLASH = re.compile(r"(?:\#[^\n]*|[^/#])*/")
_OPEN = (ast.GeneratorExp, ast.Lambda, ast.NamedExpr, ast.Yield)
"""Expressions that keep their parentheses as an argument of a call."""


@dataclass(frozen=True)
class Faithful:
    """A module with such functions."""

    calls: str
    """Its code before they were added to it."""
    code: str
    row: int = 0
    """The number of lines before the functions."""
    added: int = 0
    """The number of lines of the functions."""

    def spread(self, lines: tuple[int, ...]) -> tuple[int, ...]:
        """The entries of `lines`, one for each line of the module, shifted to the lines of this code."""
        near = lines[max(0, self.row - 1)]
        return (*lines[: self.row], *(near for _ in range(self.added)), *lines[self.row :])


def with_functions(code: str, old: str) -> Faithful:
    """`code`, in Python 3, with `//` or calls of functions where operators or methods are not the same.

    Args:
        code: the text in Python 3.
        old: the text in Python 2.
    """
    tree, text = parsed(code), Text(code)
    encoding = Encoding(tree)
    openings, closings, doubtful = encoded_messages(encoding.messages, is_bytes, tree, text)
    wanted = [
        *(("", edit) for edit in openings),
        *((IN_BYTES, Edit(text.start(one), text.start(one), f"{IN_BYTES}(")) for one in doubtful),
        *_divisions(tree, text),
        *_builtins(tree, text),
        *_bytes(tree, text, {message.value for message in encoding.messages.found}),
        *texts.encodings(tree, text, encoding),
        *hex_digits(tree, text, encoding),
        *messages.messages(tree, text),
        *(("", edit) for edit in universal_newlines(tree, text)),
        *(("", edit) for edit in of_bytes(encoding.files, text)),
        *(("", edit) for edit in ascii_patterns(tree, text)),
        *(("", edit) for edit in json_encodings(tree, text)),
        *(("", edit) for edit in memory_files(tree, text, old)),
        *(("", edit) for edit in floors(tree, text, true_division=true_division(tree))),
        *(("", edit) for edit in processes(tree, text)),
        *(("", edit) for edit in views(tree, text, old)),
        *filtered(tree, text, true_division=true_division(tree)),
        *(("", edit) for edit in closings),
        *(("", Edit(text.end(one), text.end(one), ")")) for one in doubtful),
    ]
    taken = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    names = {name: _free(name, taken) for name in sorted({name for name, _ in wanted if name})}
    edits = [
        Edit(edit.start, edit.end, edit.text.replace(name, names[name]) if name else edit.text)
        for name, edit in wanted
    ]
    calls = apply_edits(code, edits)
    if not names:
        return Faithful(calls, calls)
    row, text = _leading(tree), Text(calls)
    known = _SOURCES | (_WITH_ARRAYS if _imports(tree, "numpy") else {})
    sources = "\n\n".join(known[name].replace(name, names[name]) for name in names)
    blank = sum(1 for line in text.lines[row : row + 2] if not line.strip())
    before = "\n\n" if row and text.lines[row - 1].strip() else ""
    functions = before + sources + "\n" * (2 - blank)
    place = text.line_start(row + 1)
    return Faithful(calls, apply_edits(calls, [Edit(place, place, functions)]), row, functions.count("\n"))


def _imports(tree: ast.Module, library: str) -> bool:
    """Whether a module imports a library, or something of it."""
    imported = [alias.name for node in of_kinds(tree, ast.Import) for alias in node.names]
    imported += [node.module or "" for node in of_kinds(tree, ast.ImportFrom) if not node.level]
    return any(name.split(".")[0] == library for name in imported)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _leading(tree: ast.Module) -> int:
    """The number of lines at the top that hold comments, the docstring and imports only."""
    row = 0
    for statement in tree.body:
        decorators = getattr(statement, "decorator_list", [])
        first = min(node.lineno for node in (statement, *decorators))
        # an expression that is only there is documentation, or stands for a notebook's magic
        idle = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant | ast.Name)
        if not (idle or isinstance(statement, ast.Import | ast.ImportFrom)):
            return row if row < first and row else first - 1
        row = statement.end_lineno or first
    return row


# --- divisions ----------------------------------------------------------------------------------------------


def _divisions(tree: ast.Module, text: Text) -> Iterator[tuple[str, Edit]]:
    """Divisions of what is not known to be a fraction."""
    if true_division(tree):
        return
    kinds = kinds_of(tree, true_division=False)
    for node in walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            left, right = node.left, node.right
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and _is_plain(node.target):
            left, right = node.target, node.value
        else:
            continue
        known = {kinds.of(left), kinds.of(right)}
        if known == {Kind.INT}:
            slash = _slash(text, left)
            yield "", Edit(slash, slash + 1, "//")
        elif not (kinds.is_no_int(left) or kinds.is_no_int(right)):
            yield from ((_DIVIDE, edit) for edit in _call(node, left, right, text))


def _is_plain(target: ast.expr) -> bool:
    """Whether a target can be written, and so evaluated, twice."""
    return isinstance(target, ast.Name) or (isinstance(target, ast.Attribute) and _is_plain(target.value))


def _call(node: ast.BinOp | ast.AugAssign, left: ast.expr, right: ast.expr, text: Text) -> Iterator[Edit]:
    """``(a + b) / c`` as ``python2_divide(a + b, c)``: parentheses of operands become those of the call."""
    start, end = text.start(node), text.end(node)
    left_end, right_start = text.end(left), text.start(right)
    slash = _slash(text, left)
    wrapped = text.source[start : text.start(left)] == "(" and text.source[left_end:slash].strip(" ") == ")"
    if isinstance(node, ast.AugAssign):
        yield Edit(left_end, slash + 2, f" = {_DIVIDE}({text.of(left)},")
    else:
        keeps = not wrapped or isinstance(left, _OPEN)
        yield Edit(start, start, f"{_DIVIDE}(" if keeps else _DIVIDE)
        yield Edit(*_trimmed(text.source, slash if keeps else left_end, slash + 1), ",")
    after = slash + len("/=") if isinstance(node, ast.AugAssign) else slash + 1
    opening, closing = text.source[after:right_start], text.source[text.end(right) : end]
    if opening.strip() == "(" and closing == ")" and not isinstance(right, _OPEN):
        place = right_start - len(opening) + opening.index("(")
        yield Edit(place, place + 1, "")
    else:
        yield Edit(end, end, ")")


def _slash(text: Text, left: ast.expr) -> int:
    """Where the operator after an operand stands."""
    match = _TO_SLASH.match(text.source, text.end(left))
    assert match is not None
    return match.end() - 1


def _trimmed(source: str, start: int, end: int) -> tuple[int, int]:
    """A part of the text, with the spaces before it."""
    while source[start - 1] == " ":
        start -= 1
    return start, end


# --- builtins -----------------------------------------------------------------------------------------------


def _builtins(tree: ast.Module, text: Text) -> Iterator[tuple[str, Edit]]:
    """`hash`, `round`, and `str` of one value, where they are called or handed to a function."""
    kinds, parents = kinds_of(tree, true_division=true_division(tree)), parents_of(tree)
    hidden = hidden_hashes(tree)
    for call in walk(tree):
        if not isinstance(call, ast.Call):
            continue
        for node in (call.func, *call.args):
            if not isinstance(node, ast.Name) or node.id not in _BUILTINS or node.id in kinds.bound:
                continue
            if node.id == "hash":
                differs = call not in hidden
            elif node.id == "round":
                differs = not _rounds_a_clock(call, parents.get(call), kinds)
            else:
                differs = _gives_text(call, node, kinds)
            if differs:
                yield _BUILTINS[node.id], Edit(text.start(node), text.end(node), _BUILTINS[node.id])


def hidden_hashes(tree: ast.Module) -> set[ast.AST]:
    """What stands in methods that tell sets and dicts the hash of an object, which nobody sees."""
    methods = (node for node in of_kinds(tree, ast.FunctionDef) if node.name == "__hash__")
    return {part for method in methods for part in walk(method)}


def _rounds_a_clock(call: ast.Call, above: ast.AST | None, kinds: Kinds) -> bool:
    """Whether a time that a clock shows is rounded to an int, where no half needs care.

    ``int(round(time.time() * 1000))``.
    """
    match above, call:
        case ast.Call(ast.Name("int"), [inner], []), ast.Call(ast.Name("round"), [number], []):
            return inner is call and "int" not in kinds.bound and kinds.is_of_clock(number)
    return False


def _bytes(tree: ast.Module, text: Text, messages: Collection[ast.expr]) -> Iterator[tuple[str, Edit]]:
    """``bytes(x)``, which is ``str(x)`` in Python 2: what a client sends is encoded behind it."""
    kinds, parents = kinds_of(tree, true_division=true_division(tree)), parents_of(tree)
    for call in of_kinds(tree, ast.Call):
        if not in_bytes(call, kinds):
            continue
        value = call.args[0]
        if call in messages and is_text(value, kinds):
            continue
        if call in messages or is_a_text_there(call, parents):
            told = kinds.has_no_digits(call)
            name = "str" if told else "python2_str"
            yield "" if told else name, Edit(text.start(call.func), text.end(call.func), name)


def _gives_text(call: ast.Call, node: ast.Name, kinds: Kinds) -> bool:
    """Whether `str` is a function here, and not a type, and its value may be a float whose digits count."""
    if node is not call.func:
        if node in kinds.mapping:
            return False
        return not (isinstance(call.func, ast.Name) and call.func.id in ("isinstance", "issubclass"))
    alone = len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
    return alone and not kinds.has_no_digits(call)


def true_division(tree: ast.Module) -> bool:
    """Whether a module has Python 3's division already."""
    return future(tree, "division")


def future(tree: ast.Module, name: str) -> bool:
    """Whether a module imports a feature from the future."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == name for alias in node.names)
        for node in tree.body
    )
