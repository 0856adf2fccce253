"""Texts of streams that a program decodes, though its source has decoded them: a text of Python 3 cannot be.

KafkaUtils.createDirectStream(ssc, ["clicks"], {...}).map(lambda m: json.loads(m[1].decode("utf-8")))
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum

from migrate.knowledge.streaming import OF_ELEMENTS
from migrate.syntax.nodes import of_kinds, walk

_BEFORE_DECODERS = {"createDirectStream": 4, "createStream": 6}
"""The functions of `KafkaUtils`, and the number of their parameters before those that decode."""
_OF_LINES = frozenset({"socketTextStream", "textFileStream"})
_KEEPING = frozenset({"repartition", "cache", "persist", "filter", "window"})
_HANDING = frozenset({"foreachRDD", "transform"})
"""Methods of streams whose function gets the RDD of a batch, as its last argument."""


class _Elements(Enum):
    """What the elements of a stream are, and what is said of decoding one."""

    MESSAGES = "`decode` of a message of Kafka, which is a text"
    TEXTS = "`decode` of an element of a stream, which is a text"


Streams = Mapping[str, _Elements]


def decoded_messages(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """The calls of ``decode`` on a message's key or value, or on a text, each with a sentence."""
    functions = {node.name: node for node in of_kinds(tree, ast.FunctionDef)}
    streams = _streams(tree)
    for call in of_kinds(tree, ast.Call):
        match call:
            case ast.Call(ast.Attribute(owner, method), [given], []) if method in OF_ELEMENTS:
                elements = _elements(owner, streams)
                function = functions.get(given.id) if isinstance(given, ast.Name) else given
                if elements is not None:
                    yield from ((decoded, elements.value) for decoded in _decoded(function, elements))


def _streams(tree: ast.Module) -> Streams:
    """The variables, attributes and parameters that hold such a stream and nothing else, as code."""
    bound: dict[str, list[ast.expr]] = {}
    for node in of_kinds(tree, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name | ast.Attribute):
                bound.setdefault(ast.unparse(target), []).append(node.value)
    for name, value in _given(tree):
        bound.setdefault(name, []).append(value)
    found: dict[str, _Elements] = {}
    while True:
        more = {}
        for name, values in bound.items():
            elements = {_elements(value, found) for value in values}
            if len(elements) == 1 and (only := elements.pop()) is not None:
                more[name] = only
        if more == found:
            return found
        found = more


def _given(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The parameters of functions, each with what a call gives it, or with the stream whose RDDs it gets.

    Those of a function that something else may call come with None.
    """
    defined = of_kinds(tree, ast.FunctionDef)
    number = Counter(node.name for node in defined)
    functions = {node.name: node for node in defined if number[node.name] == 1}
    reads = Counter(node.id for node in of_kinds(tree, ast.Name) if isinstance(node.ctx, ast.Load))
    known: Counter[ast.AST] = Counter()
    for call in of_kinds(tree, ast.Call):
        match call:
            case ast.Call(ast.Attribute(stream, method), [given], []) if method in _HANDING:
                callback = functions.get(given.id) if isinstance(given, ast.Name) else given
                if isinstance(callback, ast.FunctionDef | ast.Lambda) and _is_plain(callback.args):
                    known[callback] += 1
                    yield callback.args.args[-1].arg, stream
        if isinstance(call.func, ast.Name) and call.func.id in functions:
            function = functions[call.func.id]
            known[function] += 1
            yield from ((one.arg, value) for one, value in zip(function.args.args, call.args, strict=False))
            yield from ((word.arg, word.value) for word in call.keywords if word.arg is not None)
    every: list[ast.FunctionDef | ast.Lambda] = [*defined, *of_kinds(tree, ast.Lambda)]
    for node in every:
        uses = reads[node.name] if isinstance(node, ast.FunctionDef) else 1
        if not known[node] or known[node] != uses:
            yield from ((one.arg, ast.Constant(None)) for one in node.args.args)


def _is_plain(arguments: ast.arguments) -> bool:
    """Whether a batch's RDD is the last argument, and no other one has a default."""
    return bool(arguments.args) and not arguments.defaults


def _elements(node: ast.expr, streams: Streams) -> _Elements | None:
    """The elements of a stream whose source has made them texts; None of any other expression."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("KafkaUtils"), method), arguments, keywords):
            given = {keyword.arg for keyword in keywords}
            plain = len(arguments) <= _BEFORE_DECODERS.get(method, -1)
            decoded = plain and not given & {"keyDecoder", "valueDecoder", "messageHandler", None}
            return _Elements.MESSAGES if decoded else None
        case ast.Call(ast.Attribute(_, method)) if method in _OF_LINES:
            return _Elements.TEXTS
        case ast.Call(ast.Attribute(owner, method)) if method in _KEEPING:
            return _elements(owner, streams)
        case ast.Call(ast.Attribute(owner, "map"), [ast.Lambda() as function]) if _is_of_message(function):
            of_messages = _elements(owner, streams) is _Elements.MESSAGES
            return _Elements.TEXTS if of_messages else None
        case ast.Name() | ast.Attribute():
            return streams.get(ast.unparse(node))
    return None


def _is_of_message(function: ast.Lambda) -> bool:
    """Whether a function gives the key or value of a message: ``lambda m: m[1]``."""
    match function:
        case ast.Lambda(ast.arguments(args=[one]), ast.Subscript(ast.Name(name), ast.Constant(0 | 1))):
            return one.arg == name
    return False


def _decoded(function: ast.AST | None, elements: _Elements) -> Iterator[ast.Call]:
    """The ``message[1].decode("utf-8")`` of a function of messages, the ``text.decode()`` of one of texts."""
    if not isinstance(function, ast.FunctionDef | ast.Lambda) or len(function.args.args) != 1:
        return
    parameter = function.args.args[0].arg
    if any(_may_differ(node, parameter) for node in walk(function)):
        return
    for node in walk(function):
        match node:
            case ast.Call(ast.Attribute(ast.Subscript(ast.Name(name), ast.Constant(0 | 1)), "decode")):
                wanted = _Elements.MESSAGES
            case ast.Call(ast.Attribute(ast.Name(name), "decode")):
                wanted = _Elements.TEXTS
            case _:
                continue
        if name == parameter and elements is wanted:
            yield node


def _may_differ(node: ast.AST, parameter: str) -> bool:
    """Whether code may make something else of a parameter, ask what it is, or handle what fails."""
    match node:
        case ast.Name(name, ast.Store()):
            return name == parameter
        case ast.Call(ast.Name("isinstance" | "hasattr" | "type")) | ast.Try():
            return True
    return False
