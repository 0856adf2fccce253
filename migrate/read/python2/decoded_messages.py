"""Messages of Kafka that a program decodes, though its stream has decoded them: a text of Python 3 cannot be.

KafkaUtils.createDirectStream(ssc, ["clicks"], {...}).map(lambda m: json.loads(m[1].decode("utf-8")))
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.syntax.nodes import of_kinds, walk

_BEFORE_DECODERS = {"createDirectStream": 4, "createStream": 6}
"""The functions of `KafkaUtils`, and the number of their parameters before those that decode."""
_KEEPING = frozenset({"repartition", "cache", "persist"})
_CALLING = frozenset({"map", "flatMap", "filter"})
WHY = "`decode` of a message of Kafka, which is a text"


def decoded_messages(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """The calls of ``decode`` on a message's key or value, each with a sentence."""
    functions = {node.name: node for node in of_kinds(tree, ast.FunctionDef)}
    streams = _streams(tree)
    for call in of_kinds(tree, ast.Call):
        match call:
            case ast.Call(ast.Attribute(owner, method), [given], []) if method in _CALLING:
                if _is_stream(owner, streams):
                    function = functions.get(given.id) if isinstance(given, ast.Name) else given
                    yield from ((decoded, WHY) for decoded in _decoded(function))


def _streams(tree: ast.Module) -> set[str]:
    """The variables and attributes that hold such a stream and nothing else, as code."""
    assigned: dict[str, list[ast.expr]] = {}
    for node in of_kinds(tree, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name | ast.Attribute):
                assigned.setdefault(ast.unparse(target), []).append(node.value)
    found: set[str] = set()
    while True:
        more = {
            name for name, values in assigned.items() if all(_is_stream(value, found) for value in values)
        }
        if more == found:
            return found
        found = more


def _is_stream(node: ast.expr, streams: set[str]) -> bool:
    """Whether an expression is a stream of Kafka's messages, which its decoders have made texts."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("KafkaUtils"), method), arguments, keywords):
            given = {keyword.arg for keyword in keywords}
            plain = len(arguments) <= _BEFORE_DECODERS.get(method, -1)
            return plain and not given & {"keyDecoder", "valueDecoder", "messageHandler", None}
        case ast.Call(ast.Attribute(owner, method)) if method in _KEEPING:
            return _is_stream(owner, streams)
        case ast.Name() | ast.Attribute():
            return ast.unparse(node) in streams
    return False


def _decoded(function: ast.AST | None) -> Iterator[ast.Call]:
    """The ``message[1].decode("utf-8")`` of a function of a message."""
    if not isinstance(function, ast.FunctionDef | ast.Lambda) or len(function.args.args) != 1:
        return
    message = function.args.args[0].arg
    for node in walk(function):
        match node:
            case ast.Call(ast.Attribute(ast.Subscript(ast.Name(name), ast.Constant(0 | 1)), "decode")) if (
                name == message
            ):
                yield node
