"""JSON objects as VARIANT columns: what is read of them by its path, of the type that was learnt.

`variant_get` converts "1" and 1.5 to 1, and gives null for a missing key. So each value is read by a helper
that asks for its type first, and fails where it is another one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Display, Element, Record, Scalar, Value, Within
from migrate.columns.messages import refusal
from migrate.columns.registry import method
from migrate.columns.shapes import Bool, Float, Int, Json, List, Maybe, Shape, Str
from migrate.columns.shapes import join as join_shapes
from migrate.columns.texts import constant_text, only
from migrate.facts.learnt import Learnt

LEARNT = (
    "values of JSON have the types of dstream-migrate.facts.toml: where a record has another one, or lacks a"
    " key that all had, the query fails and names both. Then `learn` of such records, `rewrite`, and start it"
    " again: with a checkpoint it goes on where it failed. The sign of -0.0 is lost"
)
_TEXT = "JSON with a key twice, NaN, Infinity or lone surrogates"
_UNKNOWN = "`dstream-migrate learn` has not found one type of this JSON value"
_PLAIN: dict[str, Shape] = {
    "str": Str(),
    "bool": Bool(),
    "int53": Int(),
    "int64": Int(),
    "float": Float(finite=True),
}
_TYPES: dict[type[Shape], str] = {Str: "STRING", Bool: "BOOLEAN", Int: "BIGINT"}
_ITEMS = [frozenset({kind}) for kind, shape in _PLAIN.items() if type(shape) in _TYPES]
_BARE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_QUOTED = re.compile(r"[^'\\\]\[]+")


def parsed(compiler: Compiler, called: ast.AST, text: Scalar) -> Scalar:
    """Return ``json.loads(text)``, called at this place."""
    learnt = compiler.scope.learnt_calls.get(called) if isinstance(called, ast.expr) else None
    parse = "F.parse_json" if compiler.scope.parse_json_fails else compiler.helper("parsed_json")
    call = f"{parse}({code.argument(text)})"
    compiler.calls_of_parse.add(call)
    column = compiler.scope.parsed.get(call)
    value = code.build(call if column is None else f'F.col("{column}")', Json(learnt), text)
    if column is not None:
        value = replace(value, columns=frozenset({column}))
    return compiler.raising(value, _TEXT)


def item_of(compiler: Compiler, node: ast.AST, whole: Scalar, key: object) -> Scalar:
    """Return ``whole[key]``.

    Raises:
        Refusal: the key is no constant text.
    """
    part = _part(node, whole, key)
    known = _known(compiler, part)
    if known is not None:
        return known
    assert part.within is not None
    return compiler.raising(replace(part, within=replace(part.within, required=True)))


def has_key(compiler: Compiler, node: ast.AST, key: Value, whole: Scalar) -> Scalar:
    """Return ``key in whole``.

    Raises:
        Refusal: it is not learnt that it is a dict, or the key is no constant text.
    """
    assert isinstance(whole.shape, Json)
    if whole.shape.learnt is None or whole.shape.learnt.kinds != {"dict"}:
        raise refusal(node, _UNKNOWN)
    part = _part(node, whole, constant_text(node, key, "the key"))
    _check_end(node, part)
    root, path = _place(part)
    compiler.notes[LEARNT] = None
    text = f"{compiler.helper('json_has')}({root}, {code.quote(path)})"
    return compiler.raising(code.build(text, Bool(), whole))


@method(Json, "get")
def _get(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 2, 1)
    part = _part(node, receiver, constant_text(node, arguments[0], "the key"))
    _check_end(node, part)
    instead = arguments[1] if len(arguments) > 1 else code.known(None)
    if isinstance(instead, Display) and instead.kind is dict and not instead.items:
        assert isinstance(part.shape, Json)
        return replace(part, shape=replace(part.shape, empty=True))
    default = compiler.as_scalar(instead, node)
    if default.constant is None:
        return _known(compiler, part, null=True, missing=True) or part
    found = _known(compiler, part, missing=True)
    if found is None or not isinstance(found.shape, Maybe):
        raise refusal(node, _UNKNOWN)
    shape = join_shapes(found.shape.of, default.shape)
    if shape is None or _may_be_none(part):
        raise refusal(node, "its value may be None, or of another type than what stands for it")
    text = f"F.coalesce({found.code}, {code.column(default)})"
    return code.build(text, shape, found, default, name=part.name)


def as_learnt(compiler: Compiler, element: Element, learnt: Learnt | None) -> Element:
    """Return what a function gives, with JSON values in it as what the result was learnt to be."""
    if isinstance(element, Record):
        places = [None if learnt is None else learnt.place(at) for at in range(len(element.items))]
        pairs = zip(element.items, places, strict=True)
        return replace(element, items=tuple(as_learnt(compiler, *pair) for pair in pairs))
    match element.shape:
        case Json(None) if learnt is not None:
            part = replace(element, shape=Json(learnt))
            return _known(compiler, part) or _required(compiler, part)
        case Json():
            return _required(compiler, element)
        case List(Json(None)) if learnt is not None:
            return replace(element, shape=List(Json(learnt.items)))
    return element


def _required(compiler: Compiler, part: Scalar) -> Scalar:
    """A part of JSON that leaves its function as JSON: its key must not be missing, where Python raises."""
    if part.within is None or not part.within.required:
        return part
    message = code.quote(f"JSON has no {part.within.path}")
    return replace(part, code=f"{compiler.helper('required')}({part.code}, {message})")


def _part(node: ast.AST, whole: Scalar, key: object) -> Scalar:
    """The value of a key, as VARIANT: null if it is missing."""
    assert isinstance(whole.shape, Json)
    if not isinstance(key, str):
        raise refusal(node, "it is not known whether this JSON value is a dict or a list")
    if _BARE.fullmatch(key):
        end = f".{key}"
    elif _QUOTED.fullmatch(key):
        end = f"['{key}']"
    else:
        raise refusal(node, f"no path names the key {key!r}")
    root, path = _place(whole)
    path += end
    learnt = whole.shape.learnt
    text = f'F.variant_get({root}, {code.quote(path)}, "variant")'
    shape = Json(learnt.key(key) if learnt is not None else None, whole.shape.empty)
    return replace(code.build(text, shape, whole, name=key), within=Within(root, path))


def _check_end(node: ast.AST, part: Scalar) -> None:
    """Check that the path of the object around a value can be told from its own."""
    if _place(part)[1].endswith("]"):
        raise refusal(node, "its key may be missing, and is no identifier")


def _place(part: Scalar) -> tuple[str, str]:
    """The column that a JSON value is a part of, as an argument, and its path there."""
    return (part.within.root, part.within.path) if part.within is not None else (code.argument(part), "$")


def _may_be_none(part: Scalar) -> bool:
    return isinstance(part.shape, Json) and part.shape.learnt is not None and part.shape.learnt.may_be_none


def _known(compiler: Compiler, part: Scalar, *, null: bool = False, missing: bool = False) -> Scalar | None:
    """The value as a column of the type that it was learnt to have; None if that has none.

    Args:
        compiler: the compiler.
        part: the value as VARIANT.
        null: whether it may be null, whatever was learnt.
        missing: whether its key may be missing.
    """
    assert isinstance(part.shape, Json)
    learnt = part.shape.learnt
    if learnt is None:
        return None
    null = null or learnt.may_be_none
    others = [other for other, holds in (("null", null), ("missing", missing)) if holds]
    if missing and part.shape.empty:
        others[-1] = "absent"
    shape: Shape | None = _PLAIN.get(learnt.kind or "")
    if learnt.kind == "list":
        items = learnt.items
        plain = items.kinds in _ITEMS
        shape = List(_PLAIN[items.kind] if items.kind and plain else Json(items))
    if shape is None:
        return None
    compiler.notes[LEARNT] = None
    return _read(compiler, part, shape, others)


def _read(compiler: Compiler, part: Scalar, shape: Shape, others: Sequence[str] = ()) -> Scalar:
    """The call of the helper that reads a value of one type."""
    root, path = _place(part)
    if root in compiler.calls_of_parse:
        compiler.parsed.append(root)
    arguments = [root, code.quote(path)]
    match shape:
        case List(of):
            name = compiler.helper("json_list")
            if not isinstance(of, Json):
                arguments.append(code.quote(_TYPES[type(of)]))
        case Float():
            name = compiler.helper("json_float")
        case _:
            name = compiler.helper("json_value")
            arguments.append(code.quote(_TYPES[type(shape)]))
    if others and isinstance(shape, List) and isinstance(shape.of, Json):
        arguments.append("None")
    made = code.build(
        f"{name}({', '.join([*arguments, *map(code.quote, others)])})",
        Maybe(shape) if others else shape,
        part,
        name=part.name,
    )
    return compiler.raising(replace(made, within=Within(root, path)))


def present(compiler: Compiler, part: Scalar) -> Scalar:
    """Return a value that may be None, read so that None fails."""
    assert isinstance(part.shape, Maybe)
    return _read(compiler, part, part.shape.of)


def as_text(compiler: Compiler, part: Scalar) -> Scalar:
    """A JSON value that must be a text, as anything else raises in Python, too."""
    return _read(compiler, part, Str())
