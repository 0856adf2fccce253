"""Text methods: strip, replace, startswith, find, join, ``len``, ``+``."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import chain, groupby

from migrate.columns import characters, code
from migrate.columns.booleans import either
from migrate.columns.characters import NONE, Characters
from migrate.columns.compiler import Compiler
from migrate.columns.element import Display, Record, Scalar, Value, Written, gone_through
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, function, method
from migrate.columns.shapes import LENGTH_MAX, Bool, Bytes, Int, List, Str
from migrate.columns.tells import telling
from migrate.frozen import replace


def _length(at_least: int = 0) -> Int:
    return Int(at_least, LENGTH_MAX, 32, amount=True)


LENGTH = _length()


def concat(compiler: Compiler, *parts: Scalar) -> Scalar:
    """Return texts one after the other; a concatenation of concatenations is one call."""
    known = code.settled_text(parts, Str(characters_of(*parts)))
    if known is not None:
        return known
    single = tuple(chain.from_iterable(map(_unwrapped, parts)))
    text = f"F.concat({', '.join(map(_as_text, single))})"
    return code.build(text, Str(characters_of(*parts)), *parts, written=Written("F.concat", single))


def _as_text(part: Scalar) -> str:
    """The argument of a function that casts whole numbers to texts itself, as ``str`` writes them."""
    match part.written:
        case Written("cast", (Scalar(shape=Int()) as number,), type="string") if not part.is_constant:
            return code.argument(number)
    return code.argument(part)


def characters_of(*texts: Scalar) -> Characters:
    """Return the characters that some texts may hold."""
    found = NONE
    for text in texts:
        if isinstance(text.constant, str):
            found = found | characters.of(text.constant)
        else:
            found = found | (text.shape.characters if isinstance(text.shape, Str) else characters.ANY)
    return found


def _unwrapped(part: Scalar) -> tuple[Scalar, ...]:
    """The parts of a concatenation, and of anything else that itself."""
    match part.written:
        case Written("F.concat", parts) if not part.is_constant:
            return parts
    return (part,)


def constant_text(node: ast.AST, value: Value, what: str) -> str:
    """Return a constant text.

    Raises:
        Refusal: the value is not a constant text.
    """
    if isinstance(value, Scalar) and isinstance(value.constant, str):
        return value.constant
    raise refusal(node, f"{what} is not a constant text")


def only(node: ast.AST, arguments: Sequence[Value], most: int, least: int | None = None) -> None:
    """Check the number of arguments.

    Raises:
        Refusal: there are more or fewer than are covered.
    """
    if not (most if least is None else least) <= len(arguments) <= most:
        raise refusal(node, f"with {len(arguments)} arguments it has no proven Column form")


def regex_class(chars: str) -> str:
    """Return a Java character class of exactly these characters."""
    return "[" + "".join("\\" + char if char in "\\[]^-&" else char for char in dict.fromkeys(chars)) + "]"


def _stripped(left: bool, right: bool):  # type: ignore[no-untyped-def]
    def rule(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
        only(node, arguments, 1, 0)
        given = arguments and not (isinstance(arguments[0], Scalar) and arguments[0].constant is None)
        chars = constant_text(node, arguments[0], "what is stripped") if given else None
        written = arguments[0].variable if arguments and isinstance(arguments[0], Scalar) else ""
        if chars == "":
            return receiver
        called = ""
        if chars is None:
            name = {(True, True): "strip", (True, False): "lstrip", (False, True): "rstrip"}[left, right]
            called = compiler.helper(name)
            text = f"{called}({code.argument(receiver)})"
        elif left and right:
            text = f"F.btrim({code.argument(receiver)}, F.lit({written or code.quote(chars)}))"
        else:
            regex = code.pattern(rf"\A{regex_class(chars)}+" if left else rf"{regex_class(chars)}+\z")
            text = f'F.regexp_replace({code.argument(receiver)}, {regex}, "")'
        return code.build(text, Str(characters_of(receiver)), receiver, name=receiver.name, calls=called)

    return rule


_SETS = "every text; the characters to strip are a constant"
method(Str, "strip", Production("s.strip()", _SETS, ("lambda s: s.strip()", "lambda s: s.strip(' a.')")))(
    _stripped(True, True)
)
method(Str, "lstrip", Production("s.lstrip()", _SETS, ("lambda s: s.lstrip()", "lambda s: s.lstrip('a-]')")))(
    _stripped(True, False)
)
method(
    Str, "rstrip", Production("s.rstrip()", _SETS, ("lambda s: s.rstrip()", r"lambda s: s.rstrip('\n^')"))
)(_stripped(False, True))


@method(
    Str,
    "replace",
    Production(
        "s.replace(old, new)",
        "every text; both are constants, old is not empty",
        (
            "lambda s: s.replace('a', '')",
            "lambda s: s.replace(',', ' $1 ')",
            r"lambda s: s.replace('\\', 'x')",
        ),
    ),
)
def _replace(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 2)
    old, new = (constant_text(node, argument, "what is replaced, or by what,") for argument in arguments)
    if not old:
        raise refusal(node, "replacing the empty text has no Column form")
    text = f"F.replace({code.argument(receiver)}, F.lit({code.quote(old)}), F.lit({code.quote(new)}))"
    left = characters_of(receiver) - (characters.of(old) if len(old) == 1 else NONE)
    return code.build(text, Str(left | characters.of(new)), receiver, name=receiver.name)


def _affix(name: str):  # type: ignore[no-untyped-def]
    def rule(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
        only(node, arguments, 1)
        options = arguments[0].items if isinstance(arguments[0], Record) else (arguments[0],)
        result = code.FALSE
        for option in options:
            affix = compiler.as_scalar(option, node)
            if not isinstance(affix.shape, Str):
                raise compiler.unlike(node, affix)
            call = f"{code.column(receiver)}.{name}({code.operand(affix)})"
            least = len(affix.constant) if isinstance(affix.constant, str) else 0
            one = telling(code.build(call, Bool(), receiver, affix), receiver, holds=Str(at_least=least))
            result = either(result, one)
        return result

    return rule


method(
    Str,
    "startswith",
    Production(
        "s.startswith(t)",
        "every text",
        ("lambda s: s.startswith('a')", "lambda s, t: s.startswith(t)", "lambda s: s.startswith(('a', ' '))"),
    ),
)(_affix("startswith"))
method(
    Str,
    "endswith",
    Production("s.endswith(t)", "every text", ("lambda s: s.endswith('a')", "lambda s, t: s.endswith(t)")),
)(_affix("endswith"))


@method(
    Str,
    "find",
    Production(
        "s.find(t)",
        "every text; t is a constant, not empty",
        ("lambda s: s.find('a')", "lambda s: s.find('ab')"),
    ),
)
def _find(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    sought = constant_text(node, arguments[0], "what is sought")
    if not sought:
        raise refusal(node, "finding the empty text has no Column form")
    text = f"F.instr({code.argument(receiver)}, {code.quote(sought)}) - 1"
    return code.build(text, Int(-1, LENGTH_MAX, 32), receiver, precedence=code.SUM)


@method(
    Str,
    "count",
    Production(
        "s.count(t)",
        "every text; t is a constant, not empty",
        ("lambda s: s.count('a')", "lambda s: s.count('aa')"),
    ),
)
def _count(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    sought = constant_text(node, arguments[0], "what is counted")
    if not sought:
        raise refusal(node, "counting the empty text has no Column form")
    text = f"F.size({compiler.split(receiver, literal_regex(sought))}) - 1"
    return code.build(text, LENGTH, receiver, precedence=code.SUM)


def literal_regex(text: str) -> str:
    """Return the Java regular expression that matches exactly this text."""
    return re.sub(r"[\\^$.|?*+()\[\]{}]", lambda match: "\\" + match[0], text)


@method(
    Str,
    "join",
    Production(
        "t.join(words)",
        "a list of texts",
        (
            "lambda words: ','.join(words)",
            "lambda s, t: ' '.join([s, t])",
            "lambda s, t: '-'.join((s, 'x', t))",
            "lambda words: ','.join((words[3], words[0], words[1], words[0], words[2]))",
        ),
    ),
)
def _join(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    separator = constant_text(node, receiver, "the separator")
    items = gone_through(arguments[0])
    if isinstance(items, Record) or (isinstance(items, Display) and items.kind is list):
        parts = [compiler.as_scalar(item, node) for item in items.items]
        if not all(isinstance(part.shape, Str) for part in parts) or not parts:
            raise refusal(node, "the items are not all texts")
        text = f"F.concat_ws({code.quote(separator)}, {_arguments(parts)})"
        return code.build(text, Str(characters_of(receiver, *parts)), *parts)
    array = compiler.as_scalar(items, node)
    if not isinstance(array.shape, List) or not isinstance(array.shape.of, Str):
        raise refusal(node, "what is joined is not known to be a list of texts")
    whole = array.shape.of.characters | characters.of(separator)
    return code.build(f"F.concat_ws({code.quote(separator)}, {code.argument(array)})", Str(whole), array)


_FEW = 4
"""How many parts of one array are written out."""


def _arguments(parts: Sequence[Scalar]) -> str:
    """The arguments for columns; many parts of one array are ``*[F.col("row")[i] for i in (0, 2, 3, 5)]``."""
    found: list[str] = []
    for array, group in groupby(parts, _array_of):
        own = list(group)
        if array and len(own) > _FEW:
            places = [part.written.place for part in own if part.written is not None]
            found.append(f"*[{array}[i] for i in {_numbers(places)}]")
        else:
            found += map(code.argument, own)
    return ", ".join(found)


def _array_of(part: Scalar) -> str:
    """``F.col("row")`` of ``F.col("row")[2]``; empty for anything else."""
    match part.written:
        case Written("[]", (Scalar(column=str()) as array,)):
            return array.code
    return ""


def _numbers(places: Sequence[int]) -> str:
    """Some numbers as code: ``range(5)`` where they are these in a row."""
    first, end = places[0], places[0] + len(places)
    if list(places) == list(range(first, end)):
        return f"range({first}, {end})" if first else f"range({end})"
    return f"({', '.join(map(str, places))})"


@function(
    "len",
    Production(
        "len(s)", "texts, in code points, and lists", ("lambda s: len(s)", "lambda words: len(words)")
    ),
)
def _len(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    value = arguments[0]
    if isinstance(value, Record) or (isinstance(value, Display) and value.kind is list):
        return code.known(len(value.items))
    scalar = compiler.present(compiler.as_scalar(value, node))
    match scalar.shape:
        case Str(at_least=least):
            length = code.build(f"F.length({code.argument(scalar)})", _length(least), scalar)
            return replace(length, counted=scalar)
        case Bytes():
            return code.build(f"F.length({code.argument(scalar)})", LENGTH, scalar)
        case List(at_least=least):
            size = code.build(f"F.size({code.argument(scalar)})", _length(least), scalar)
            return replace(size, counted=scalar)
    raise compiler.unlike(node, scalar)
