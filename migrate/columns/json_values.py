"""JSON objects as columns: what is read of them by its path, of the type that was learnt.

`variant_get` converts "1" and 1.5 to 1, and gives null for a missing key. So each value is read by a helper
that asks for its type first, and fails where it is another one. `from_json` reads several times as fast where
only some keys are wanted, and converts as well: what it may have converted is asked for once more.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.compiler import MISSING, Compiler
from migrate.columns.element import Display, Element, Parse, Record, Scalar, Value, Within, leaves
from migrate.columns.floats import EXACT
from migrate.columns.helpers import spelled
from migrate.columns.messages import refusal
from migrate.columns.registry import method
from migrate.columns.shapes import Bool, Float, Int, Json, List, Maybe, Shape, Str
from migrate.columns.shapes import join as join_shapes
from migrate.columns.texts import constant_text, only
from migrate.facts.learnt import Learnt
from migrate.frozen import replace

LEARNT = (
    "values of JSON have the types of dstream-migrate.facts.toml: where a record has another one, or lacks a"
    " key that all had, the query fails and names both. Then `learn` of such records, `rewrite`, and start it"
    " again: with a checkpoint it goes on where it failed. The sign of -0.0 is lost"
)
BARE = (
    "JSON is read by `parse_json`: a key that is missing gives NULL, text behind the object is read over, and"
    " the sign of -0.0 is lost"
)
_TEXT = "JSON with a key twice, NaN, Infinity or lone surrogates"
_NO_TEXT = "JSON that is no text where one is read"
_NO_NUMBER = "JSON that is no number where one is compared"
_UNKNOWN = "`dstream-migrate learn` has not found one type of this JSON value"
_PLAIN: dict[str, Shape] = {
    "str": Str(),
    "bool": Bool(),
    "int53": Int(),
    "int64": Int(),
    "float": Float(finite=True),
}
_TYPES: dict[type[Shape], str] = {Str: "STRING", Bool: "BOOLEAN", Int: "BIGINT", Float: "DOUBLE"}
_ITEMS = [frozenset({kind}) for kind in _PLAIN if kind != "float"]
_PARSERS = {False: "json_variant", True: "json_record"}
"""The helpers that parse JSON: all of it, and into columns of a schema, which explodes it."""
MANY = 30
"""Parts of an object that nothing reads, from which on `from_json` takes less time than `parse_json`."""
_CORRUPT = "_corrupt_record"
_BARE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_QUOTED = re.compile(r"[^'\\\]\[]+")


def parsed(compiler: Compiler, called: ast.AST, text: Scalar) -> Scalar:
    """Return ``json.loads(text)``, called at this place."""
    if compiler.scope.bare_variants:
        return _bare(compiler, text)
    learnt = compiler.scope.learnt_calls.get(called) if isinstance(called, ast.expr) else None
    return compiler.raising(_record(compiler, text, learnt), _TEXT)


def _bare(compiler: Compiler, text: Scalar) -> Scalar:
    """The JSON of a text, of which nothing was learnt."""
    parse = Parse(f"F.parse_json({code.argument(text)})", explodes=False, bare=True)
    compiler.parses[parse.code] = parse, text
    column = compiler.scope.parsed.get(parse.code)
    made = (
        code.build(parse.code, Json(bare=True), text)
        if column is None
        else code.column_named(column, Json(bare=True))
    )
    return compiler.raising(made, _TEXT)


def _record(compiler: Compiler, text: Scalar, learnt: Learnt | None, *, whole: bool = True) -> Scalar:
    """The record of a text: columns of a schema where that can be and is wanted, else all of its JSON."""
    schema = schema_of(learnt, compiler.scope.texts) if learnt is not None and whole else None
    ddl = "" if schema is None else f", {code.quote(schema[1])}"
    named = learnt or compiler.scope.learnt
    fact = code.quote(named.fact if named is not None else "")
    name = spelled(_PARSERS[schema is not None], compiler.scope.reserved)
    parse = Parse(f"{name}({code.column(text)}{ddl}, {fact})", explodes=schema is not None)
    compiler.parses[parse.code] = parse, text
    column = compiler.scope.parsed.get(parse.code)
    shape = Json(learnt, typed=None if schema is None else schema[0])
    if column is None:
        return replace(code.build(parse.code, shape, text, calls=name), parse=parse)
    _need_parser(compiler, parse)
    read = code.build(f'F.col("{column}")', shape, text)
    return replace(read, columns=frozenset({column}), column=column, skips=False, names=frozenset())


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
    compiler.notes[LEARNT] = None
    name = compiler.helper("json_has")
    text = f"{name}({_exact(compiler, part)}, {code.quote(_place(part)[1])})"
    return compiler.raising(code.build(text, Bool(), whole, calls=name, reads=_exact_reads(compiler, part)))


def dict_keys(element: Scalar) -> tuple[str, ...]:
    """The keys of JSON that was learnt to be dicts with the same ones, of one plain type each; or none."""
    learnt = element.shape.learnt if isinstance(element.shape, Json) and element.within is None else None
    if learnt is None or learnt.kinds != {"dict"}:
        return ()
    below = {path for path in learnt.type if path.startswith(learnt.path)} - {learnt.path}
    parts = [learnt.type[learnt.key(key).path] for key in learnt.keys]
    plain = all(len(part.kinds) == 1 and part.kinds <= _PLAIN.keys() and not part.optional for part in parts)
    return learnt.keys if plain and len(below) == len(parts) else ()


def only_keys(compiler: Compiler, part: Scalar, keys: Sequence[str]) -> Scalar:
    """Return True; the query fails where the object that a value is read of has other keys."""
    name = compiler.helper("json_only")
    given = ", ".join(map(code.quote, keys))
    text = f"{name}({_exact(compiler, part)}, {given})"
    return compiler.raising(code.build(text, Bool(), part, calls=name, reads=_exact_reads(compiler, part)))


@method(Json, "get")
def _get(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 2, 1)
    part = _part(node, receiver, constant_text(node, arguments[0], "the key"))
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
    return code.build(text, shape, found, default, name=part.name, skips=True)


def as_learnt(compiler: Compiler, element: Element, learnt: Learnt | None, *, whole: bool = True) -> Element:
    """Return what a function gives, with JSON values in it as what the result was learnt to be.

    Args:
        compiler: the compiler.
        element: the result.
        learnt: what was learnt of it.
        whole: whether it is all of the result, or all of it but a key.
    """
    if isinstance(element, Record):
        places = [None if learnt is None else learnt.place(at) for at in range(len(element.items))]
        pairs = zip(element.items, places, strict=True)
        alone = whole and sum(leaf.code in compiler.parses for leaf in leaves(element)) < 2
        return replace(element, items=tuple(as_learnt(compiler, *pair, whole=alone) for pair in pairs))
    if isinstance(element.shape, Json) and element.shape.bare:
        return _as_record(compiler, element)
    if element.code in compiler.parses and element.within is None:
        parse, text = compiler.parses[element.code]
        own = element.shape.learnt if isinstance(element.shape, Json) else None
        if not whole or (own is None and learnt is not None):
            again = _record(compiler, text, own or learnt, whole=whole)
            element = replace(
                element, code=again.code, shape=again.shape, parse=again.parse, column=again.column
            )
            parse, _ = compiler.parses[element.code]
        _need_parser(compiler, parse)
        return _known(compiler, element) or element
    match element.shape:
        case Json(None) if learnt is not None:
            part = replace(element, shape=Json(learnt))
            return _known(compiler, part) or _as_record(compiler, part)
        case Json():
            return _as_record(compiler, element)
        case List(Json(None)) if learnt is not None:
            return replace(element, shape=List(Json(learnt.items)))
    return element


def _as_record(compiler: Compiler, part: Scalar) -> Scalar:
    """A part of JSON that leaves its function as JSON: its key must not be missing, where Python raises."""
    if part.within is None:
        return part
    if isinstance(part.shape, Json) and part.shape.bare:
        return part.with_code(_bare_read(compiler, ast.Constant(None), part, "variant"))
    required = "" if part.within.required else ', "missing"'
    text = f"{_exact(compiler, part)}, {code.quote(part.within.path)}{required}"
    name = compiler.helper("json_at")
    return part.with_code(f"{name}({text})", skips=True, calls=name)


def _part(node: ast.AST, whole: Scalar, key: object) -> Scalar:
    """The value of a key, as VARIANT: null if it is missing."""
    assert isinstance(whole.shape, Json)
    is_item = whole.shape.bare and type(key) is int and key >= 0
    if not (isinstance(key, str) or is_item):
        raise refusal(node, "it is not known whether this JSON value is a dict or a list")
    if not isinstance(key, str):
        end = f"[{key}]"
    elif _BARE.fullmatch(key):
        end = f".{key}"
    elif _QUOTED.fullmatch(key):
        end = f"['{key}']"
    else:
        raise refusal(node, f"no path names the key {key!r}")
    root, path = _place(whole)
    typed = whole.within.typed if whole.within is not None else whole.shape.typed
    learnt = whole.shape.learnt
    known = learnt.key(key) if learnt is not None and isinstance(key, str) else None
    shape = Json(known, whole.shape.empty, bare=whole.shape.bare, is_item=is_item)
    # its code is written where it is read, or leaves its function
    within = Within(root, path + end, typed=typed)
    return replace(code.build(root, shape, whole, name=None if is_item else str(key)), within=within)


def _place(part: Scalar) -> tuple[str, str]:
    """The column that a JSON value is a part of, as an argument, and its path there."""
    return (part.within.root, part.within.path) if part.within is not None else (code.argument(part), "$")


def _exact(compiler: Compiler, part: Scalar) -> str:
    """The record that a JSON value is a part of, with all of its JSON, as an argument."""
    root, _ = _place(part)
    _note_parse(compiler, root)
    typed = part.within.typed if part.within is not None else None
    return root if typed is None else f"{compiler.helper('json_exact')}({root})"


def _exact_reads(compiler: Compiler, part: Scalar) -> tuple[str, ...]:
    """The function of ours that is called there, if one is."""
    typed = part.within.typed if part.within is not None else None
    return () if typed is None else (compiler.helper("json_exact"),)


def _note_parse(compiler: Compiler, root: str) -> None:
    """Note that a text is parsed to read a value of it."""
    if root in compiler.parses:
        parse, _ = compiler.parses[root]
        _need_parser(compiler, parse)
        compiler.parsed.append(parse)


def _need_parser(compiler: Compiler, parse: Parse) -> None:
    if not parse.bare:
        compiler.helper(_PARSERS[parse.explodes])


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
    if isinstance(part.shape, Json) and part.shape.bare:
        return bare_value(compiler, ast.Constant(None), part, shape)
    root, path = _place(part)
    typed = part.within.typed if part.within is not None else None
    if isinstance(shape, List):
        call = [compiler.helper("json_list"), _exact(compiler, part), code.quote(path)]
        if not isinstance(shape.of, Json):
            call.append(code.quote(_TYPES[type(shape.of)]))
        elif others:
            call.append("None")
    elif typed is not None and path in typed:
        _note_parse(compiler, root)
        name = compiler.helper("json_field")
        call = [name, root, code.quote(path.removeprefix("$.")), code.quote(_TYPES[type(shape)])]
    else:
        name = compiler.helper("json_value")
        call = [name, _exact(compiler, part), code.quote(path), code.quote(_TYPES[type(shape)])]
    made = code.build(
        f"{call[0]}({', '.join([*call[1:], *map(code.quote, others)])})",
        Maybe(shape) if others else shape,
        part,
        name=part.name,
        calls=call[0],
    )
    return compiler.raising(replace(made, within=Within(root, path, typed=typed)))


def bare_value(
    compiler: Compiler, node: ast.AST, part: Scalar, shape: Shape, *, null: bool = False
) -> Scalar:
    """Return a value of JSON of which nothing was learnt, whose use says its type: ``float(event["price"])``.

    Args:
        compiler: the compiler.
        node: the code that uses it.
        part: the value.
        shape: the type.
        null: whether it may be None, and Python takes values of other types, for which a text fails.

    Raises:
        Refusal: it may be a character of a text.
    """
    if null and isinstance(shape, Str):
        name = compiler.helper("json_text")
        return _bare_made(compiler, part, f"{name}({_bare_place(compiler, node, part)})", Maybe(shape), name)
    code_of = _bare_read(compiler, node, part, _TYPES[type(shape)].lower())
    compiler.gives_instead(MISSING, *([_NO_TEXT] if isinstance(shape, Str) else []))
    return _bare_made(compiler, part, code_of, Maybe(shape) if null else shape)


def compared_text(compiler: Compiler, node: ast.AST, part: Scalar, text: Scalar) -> Scalar | None:
    """Return a value of bare JSON as it is compared with a text; None for a text that other JSON has, too.

    As a text a number is its digits, and a list its JSON: never one that is no JSON.
    """
    if not (isinstance(part.shape, Json) and part.shape.bare and isinstance(text.constant, str)):
        return None
    try:
        json.loads(text.constant)
    except ValueError:
        return bare_or_none(compiler, node, part)
    return None


def compared_number(compiler: Compiler, node: ast.AST, part: Scalar, number: Scalar) -> Scalar:
    """Return a value of bare JSON as it is compared with a number, which is above or below numbers alone.

    A double tells whole numbers beyond 2**53 no longer apart: none of them is compared with such.
    """
    constant = number.constant
    is_number = isinstance(constant, int | float) and type(constant) is not bool and abs(constant) < EXACT
    if not (isinstance(part.shape, Json) and part.shape.bare and is_number):
        return part
    compiler.gives_instead(_NO_NUMBER)
    return bare_value(compiler, node, part, Float(finite=True))  # only a text would be NaN


def bare_or_none(compiler: Compiler, node: ast.AST, part: Scalar) -> Scalar:
    """Return a value of bare JSON as it is asked whether it is None."""
    return _bare_made(compiler, part, _bare_read(compiler, node, part, "string"), Maybe(Str()))


def bare_list(compiler: Compiler, node: ast.AST, part: Scalar) -> Scalar:
    """Return the items of a list in bare JSON; the query fails for a text or a dict, which has some, too."""
    compiler.gives_instead(MISSING)
    return _bare_made(
        compiler, part, _bare_read(compiler, node, part, "array<variant>"), List(Json(bare=True))
    )


def _bare_read(compiler: Compiler, node: ast.AST, part: Scalar, type_: str) -> str:
    """The call that reads a value of bare JSON.

    Raises:
        Refusal: it may be a character of a text.
    """
    return f"F.variant_get({_bare_place(compiler, node, part)}, {code.quote(type_)})"


def _bare_place(compiler: Compiler, node: ast.AST, part: Scalar) -> str:
    """The arguments of such a call that say which value: the whole of JSON, and the path in it.

    Raises:
        Refusal: it may be a character of a text.
    """
    assert isinstance(part.shape, Json)
    if part.shape.is_item:
        raise refusal(node, "it is not known whether this JSON value is an item of a list or of a text")
    root, path = _place(part)
    _note_parse(compiler, root)
    compiler.notes[BARE] = None
    return f"{root}, {code.quote(path)}"


def _bare_made(compiler: Compiler, part: Scalar, read: str, shape: Shape, *reads: str) -> Scalar:
    """The column that such a call makes, which reads some names."""
    made = code.build(read, shape, part, name=part.name, reads=reads)
    return compiler.raising(replace(made, within=None))


def present(compiler: Compiler, part: Scalar) -> Scalar:
    """Return a value that may be None, read so that None fails."""
    assert isinstance(part.shape, Maybe)
    return _read(compiler, part, part.shape.of)


def as_text(compiler: Compiler, part: Scalar) -> Scalar:
    """A JSON value that must be a text, as anything else raises in Python, too."""
    return _read(compiler, part, Str())


def schema_of(learnt: Learnt, texts: frozenset[str]) -> tuple[frozenset[str], str] | None:
    """The schema of the keys that a program may read: their paths, and the DDL.

    Args:
        learnt: what was learnt of an object.
        texts: the texts that the program has as literals.

    Returns:
        None where one of them is no text, whole number, float or bool, or hardly more is known than they are,
        so that a VARIANT with all of it is read faster.
    """
    found: dict[str, str] = {}
    ddl = _fields(learnt, "$", texts, found, " ")
    others = sum(path.startswith(learnt.path) for path in learnt.type) - len(found)
    return (frozenset(found), ddl) if ddl is not None and others >= MANY else None


def _fields(
    learnt: Learnt, path: str, texts: frozenset[str], found: dict[str, str], between: str
) -> str | None:
    """The fields of a dict as DDL; None where a key that the program may read has no plain type."""
    keys = [key for key in learnt.keys if key in texts]
    odd = (
        learnt.kind != "dict"
        or {key.lower() for key in keys} & {_CORRUPT}
        or len(keys) != len({key.lower() for key in keys})
    )
    if odd or any(not _BARE.fullmatch(key) for key in keys):
        return None
    fields = []
    for key in keys:
        value, place = learnt.key(key), f"{path}.{key}"
        shape = _PLAIN.get(value.kind or "")
        type_ = _TYPES[type(shape)] if shape is not None else None
        if type_ is None:
            inner = _fields(value, place, texts, found, ": ")
            type_ = f"STRUCT<{inner}>" if inner is not None else None
        else:
            found[place] = type_
        if type_ is None:
            return None
        fields.append(f"{key}{between}{type_}")
    return ", ".join(fields) or None
