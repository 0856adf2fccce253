"""JSON objects whose schema the user gives: a struct column, and its fields by their keys."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Scalar, Value
from migrate.columns.json_values import parsed
from migrate.columns.messages import UNTYPED, refusal
from migrate.columns.registry import function, method
from migrate.columns.shapes import Maybe, Shape, Str, Struct
from migrate.columns.texts import constant_text, only
from migrate.frozen import replace
from migrate.knowledge.libraries import JSON_READERS

NOTE = (
    "a JSON object has the fields and types of --json-schema: what leaves them, `from_json` turns without"
    " an error into null (a missing key), a text (any value of a STRING) or a double (an int of a DOUBLE); it"
    " ignores text behind the object. Where a key under NOT NULL is read, and is null or missing, it fails"
)
_NULL = "null in JSON under NOT NULL of --json-schema"


def _loads(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    if compiler.scope.json is None and not compiler.scope.has_variant:
        raise refusal(node, UNTYPED)
    only(node, arguments, 1)
    text = compiler.present(compiler.as_scalar(arguments[0], node))
    if not isinstance(text.shape, Str):
        raise compiler.unlike(node, text)
    if compiler.scope.json is None:
        return parsed(compiler, node, text)
    ddl, shape = compiler.scope.json
    call = f'F.from_json({code.argument(text)}, {code.quote(ddl)}, {{"mode": "FAILFAST"}})'
    compiler.notes[NOTE] = None
    return compiler.raising(code.build(call, shape, text))


for _reader in JSON_READERS:
    function(_reader)(_loads)


def item_of(compiler: Compiler, node: ast.AST, whole: Scalar, key: object) -> Scalar:
    """Return ``whole[key]``.

    `from_json` puts null under ``NOT NULL`` as well, where no check for None is compiled: so the query fails
    for it. For an object, what is read of it does.
    """
    item = _field(node, whole, key)
    if isinstance(item.shape, Maybe | Struct):
        return item
    return compiler.required(item, f"{key} is null", _NULL)


def _field(node: ast.AST, whole: Scalar, key: object) -> Scalar:
    assert isinstance(whole.shape, Struct)
    fields = dict(whole.shape.fields)
    if not isinstance(key, str) or key not in fields:
        raise refusal(node, f"the key {key!r} is not in --json-schema")
    if whole.column is None:
        return code.build(f"{code.column(whole)}[{code.quote(key)}]", fields[key], whole, name=key)
    path = f"{whole.column}.{key}"
    return replace(code.build(f'F.col("{path}")', fields[key], whole, name=key), column=path)


@method(Struct, "get")
def _get(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    found = _field(node, receiver, constant_text(node, arguments[0], "the key"))
    shape: Shape = found.shape if isinstance(found.shape, Maybe) else Maybe(found.shape)
    return replace(found, shape=shape)
