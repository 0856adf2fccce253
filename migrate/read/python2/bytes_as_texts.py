"""Uses of bytes as of a text, which were one in Python 2: ``x.encode("ascii", "ignore").split(" ")``.

A light look at programs that Python 3 can parse: what ``encode`` gives is followed through variables, tuples,
functions of the program, and the steps of streams and RDDs; so are Kafka's messages behind a decoder that
returns its argument. Only what Python 3 refuses for certain, or what can never be true in it, counts. Bytes
that are shown (``print(x.encode("utf-8"))``) are no sign: many a program in Python 3 does that.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from migrate.read.python2.collections import (
    copied,
    grown,
    merged,
    method_of_dict,
    method_of_file,
    opened,
    stored,
)
from migrate.read.python2.steady import addition, steady
from migrate.read.python2.text_uses import (
    BYTES,
    FILE,
    OF_ENCODE,
    TEXT,
    Form,
    Used,
    Value,
    all_of,
    comparison,
    item,
    library_call,
    method_of_bytes,
    method_of_text,
    operation,
    subscript,
)
from migrate.read.python2.texts import codec_of
from migrate.syntax.identity import returns_its_argument
from migrate.syntax.nodes import of_kinds, once, walk

Names = dict[str, Value]
_SAME = frozenset(
    {
        *("cache", "coalesce", "distinct", "filter", "persist", "repartition", "sample", "sortBy"),
        *("sortByKey", "window"),
    }
)
_BY_KEY = frozenset({"reduceByKey", "reduceByKeyAndWindow", "groupByKey", "updateStateByKey", "foldByKey"})
_PER_ELEMENT = frozenset({"filter", "flatMap", "foreach", "map", "sortBy"})
_LISTS = frozenset({"collect", "take", "takeOrdered", "top"})
_HANDLED = frozenset({"TypeError", "AttributeError"})
_NOT_IN_3 = frozenset(
    {"hex", "hex_codec", "base64", "bz2", "rot13", "rot_13", "string_escape", "string-escape", "zip", "zlib"}
)
"""Codecs with which Python 3 neither encodes a text nor decodes bytes by their methods."""


def bytes_as_texts(tree: ast.Module) -> list[tuple[ast.expr | ast.stmt, str]]:
    """The places of a module that use bytes as a text, and how."""
    reader = once(tree, _read)
    if not reader.raw:
        return list(reader.found.items())
    return [(node, why.replace(OF_ENCODE, "bytes")) for node, why in reader.found.items()]


def texts_of_bytes(tree: ast.Module) -> list[ast.Call]:
    """The calls of ``str`` that make the text ``b'...'`` of bytes in Python 3."""
    return [*once(tree, _read).shown]


def _read(tree: ast.Module) -> _Reader:
    reader = _Reader(tree)
    reader.read()
    return reader


class _Reader:
    """Reads a module from its first statement to its last, and each function also where it is used."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.found: dict[ast.expr | ast.stmt, str] = {}
        names = of_kinds(tree, ast.Name)
        stores = Counter(node.id for node in names if not isinstance(node.ctx, ast.Load))
        loads = Counter(node.id for node in names if isinstance(node.ctx, ast.Load))
        self.once = {name for name, number in stores.items() if number == 1}
        self.steady = steady(tree) | {name for name, number in loads.items() if number == 1}
        """Variables that nothing can change unseen, if they hold a list or a dict."""
        defined = of_kinds(tree, ast.FunctionDef)
        number = Counter(node.name for node in defined)
        self.functions = {
            node.name: node for node in defined if number[node.name] == 1 and not stores[node.name]
        }
        self.skipped = set(_handled(tree))
        self.results: dict[tuple[str, tuple[Value, ...]], Value] = {}
        """What functions give, by their arguments."""
        self.inside: set[str] = set()
        """The functions that are looked into; of one that calls itself nothing is known."""
        self.returned: list[Value] = []
        self.shown: dict[ast.Call, None] = {}
        """Calls of ``str`` that are given bytes alone."""
        self.raw = False
        """Whether a source of streams leaves bytes as they come."""

    def read(self) -> None:
        """Find all."""
        whole: Names = {}
        self.block(self.tree.body, whole)
        known = {name: value for name, value in whole.items() if name in self.once}
        for function in of_kinds(self.tree, ast.FunctionDef):
            self.block(function.body, {**known, **dict.fromkeys(_parameters(function))})

    # --- statements ---------------------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt], names: Names) -> None:
        for statement in statements:
            self.statement(statement, names)

    def statement(self, node: ast.stmt, names: Names) -> None:
        if added := addition(node):
            names[added[0]] = grown(names.get(added[0]), self.of(added[1], names))
        match node:
            case ast.Assign(targets, value):
                given = self.of(value, names)
                for target in targets:
                    self.bind(target, given, names)
            case ast.AugAssign(ast.Name(name), operator, value):
                used = operation(operator, names.get(name), self.of(value, names))
                names[name] = self.seen(node, used)
            case ast.For(target, source, body, rest):
                items = self.of(source, names)
                self.forget(node, names)
                self.bind(target, item(items), names)
                self.block([*body, *rest], names)
                self.forget(node, names)
            case ast.If(test, body, rest):
                self.of(test, names)
                self.branches(body, rest, names)
            case ast.With(items, body):
                for context in items:
                    given = self.of(context.context_expr, names)
                    if context.optional_vars is not None:
                        self.bind(context.optional_vars, given, names)
                self.block(body, names)
            case ast.Return(ast.expr() as value):
                self.returned.append(self.of(value, names))
            case ast.ClassDef(body=body):
                self.block(body, dict(names))
            case ast.FunctionDef(name=name):
                names.pop(name, None)
            case _:
                self.others(node, names)

    def branches(self, body: list[ast.stmt], rest: list[ast.stmt], names: Names) -> None:
        branches = [dict(names), dict(names)]
        self.block(body, branches[0])
        self.block(rest, branches[1])
        for name in {*branches[0], *branches[1]}:
            values = [branch[name] for branch in branches if name in branch]
            sure = len(values) == 2 or name in self.once
            names[name] = merged(values[0], values[-1]) if sure else None

    def others(self, node: ast.stmt, names: Names) -> None:
        """``while``, ``try`` and plain statements: what they bind is not followed beyond them."""
        inner = list(ast.iter_child_nodes(node))
        blocks = [child for child in inner if isinstance(child, ast.stmt)]
        if blocks:
            self.forget(node, names)
        for child in inner:
            if isinstance(child, ast.expr):
                self.of(child, names)
            elif isinstance(child, ast.ExceptHandler):
                self.block(child.body, dict(names))
        self.block(blocks, names)
        if blocks:
            self.forget(node, names)

    def forget(self, node: ast.stmt, names: Names) -> None:
        """Forget what is bound in a statement that may run more than once, or not to its end."""
        for name in walk(node):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store) and name.id not in self.once:
                names[name.id] = None

    def bind(self, target: ast.expr, value: Value, names: Names) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            name = target.value.id
            names[name] = stored(names.get(name), self.of(target.slice, names), value)
        elif isinstance(target, ast.Tuple | ast.List):
            items = value.items if value is not None and value.kind == "tuple" else ()
            for number, part in enumerate(target.elts):
                self.bind(part, items[number] if len(items) == len(target.elts) else None, names)

    # --- expressions --------------------------------------------------------------------------------------

    def of(self, node: ast.expr, names: Mapping[str, Value]) -> Value:
        """What is known of an expression."""
        match node:
            case ast.Constant(str()):
                return TEXT
            case ast.Name(name):
                value = names.get(name)
                may_change = value is not None and value.kind in ("dict", "list")
                return None if may_change and name not in self.steady else value
            case ast.Tuple(items) | ast.List(items) | ast.Set(items):
                values = tuple(self.of(one, names) for one in items)
                return Form("tuple", values) if isinstance(node, ast.Tuple) else all_of(values)
            case ast.IfExp(test, one, other):
                self.of(test, names)
                values = (self.of(one, names), self.of(other, names))
                return values[0] if values[0] == values[1] else None
            case ast.BinOp(left, operator, right):
                return self.seen(node, operation(operator, self.of(left, names), self.of(right, names)))
            case ast.Compare(left, comparisons, others):
                operands = [self.of(one, names) for one in (left, *others)]
                for before, sign, after in zip(operands, comparisons, operands[1:], strict=False):
                    self.seen(node, (None, comparison(before, sign, after)))
            case ast.Subscript(whole, index):
                return subscript(self.of(whole, names), index)
            case (
                ast.ListComp(element, loops) | ast.GeneratorExp(element, loops) | ast.SetComp(element, loops)
            ):
                return Form("list", (self.of(element, self.looped(loops, names)),))
            case ast.DictComp(key, value, loops):
                own = self.looped(loops, names)
                return Form("dict", (self.of(key, own), self.of(value, own)))
            case ast.Dict(keys, parts):
                inner = [self.of(one, names) for one in (*keys, *parts) if one is not None]
                return Form("dict", tuple(inner)) if None not in keys else None
            case ast.Lambda(_, body):
                self.of(body, {**names, **dict.fromkeys(_parameters(node))})
            case ast.Call():
                return self.call(node, names)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.of(child, names)
        return None

    def looped(self, loops: list[ast.comprehension], names: Mapping[str, Value]) -> Names:
        own = dict(names)
        for loop in loops:
            self.bind(loop.target, item(self.of(loop.iter, own)), own)
            for condition in loop.ifs:
                self.of(condition, own)
        return own

    def seen(self, node: ast.expr | ast.stmt, used: Used) -> Value:
        """What an operation gives; why only Python 2 takes it is kept."""
        value, why = used
        if why is not None and node not in self.skipped:
            self.found.setdefault(node, why)
        return value

    # --- calls --------------------------------------------------------------------------------------------

    def call(self, node: ast.Call, names: Mapping[str, Value]) -> Value:
        function = node.func
        for keyword in node.keywords:
            self.of(keyword.value, names)
        if isinstance(function, ast.Attribute):
            return self.method(node, function, names)
        arguments = [self.of(value, names) for value in node.args]
        if isinstance(function, ast.Name) and function.id == "str" and "str" not in self.functions:
            if arguments == [BYTES] and not node.keywords:
                self.shown[node] = None
            return TEXT
        if isinstance(function, ast.Name) and function.id not in self.functions:
            return opened(node, self.tree) or copied(function.id, arguments)
        return self.applied(function, arguments, names)

    def method(self, node: ast.Call, function: ast.Attribute, names: Mapping[str, Value]) -> Value:
        name, receiver = function.attr, self.of(function.value, names)
        arguments = [self.of(value, names) for value in node.args if self.function(value) is None]
        if name in ("encode", "decode") and arguments and _codec(node) in _NOT_IN_3:
            return self.seen(node, (None, f"`{name}` is told {_codec(node)!r}"))
        if name == "encode" and receiver != BYTES and codec_of(node) is not None:
            return BYTES if arguments or receiver == TEXT else None
        if receiver == BYTES:
            return self.seen(node, method_of_bytes(name, arguments))
        if receiver == FILE:
            return self.seen(node, method_of_file(name, arguments))
        if receiver is not None and receiver.kind == "dict":
            return self.seen(node, method_of_dict(name, receiver, arguments))
        if receiver == TEXT:
            return self.seen(node, method_of_text(name, arguments))
        if isinstance(function.value, ast.Name) and function.value.id == "KafkaUtils":
            return self.messages(node)
        used = library_call(ast.unparse(function), arguments, {keyword.arg for keyword in node.keywords})
        return self.seen(node, used) if used is not None else self.step(node, name, receiver, names)

    def messages(self, node: ast.Call) -> Value:
        """What a source of Kafka's messages gives: bytes where a decoder returns what it gets."""
        given = {keyword.arg: self.function(keyword.value) for keyword in node.keywords}
        parts = tuple(
            BYTES if returns_its_argument(given.get(name)) else None
            for name in ("keyDecoder", "valueDecoder")
        )
        self.raw |= BYTES in parts
        return Form("stream", (Form("tuple", parts),))

    def step(self, node: ast.Call, name: str, receiver: Value, names: Mapping[str, Value]) -> Value:
        """What a method of a stream, of an RDD, or of what else has elements, gives."""
        if name == "union":
            return self.united(node, receiver, names)
        function = node.args[0] if node.args and self.function(node.args[0]) is not None else None
        element = receiver.items[0] if receiver is not None and receiver.kind == "stream" else None
        pair = element.items if element is not None and element.kind == "tuple" else ()
        key, value = pair if len(pair) == 2 else (None, None)
        if name in _LISTS or name == "first":
            return Form("list", (element,)) if name in _LISTS else element
        result: Value = None
        if function is not None:
            many = len(_parameters(self.function(function)))
            given: list[Value] = [None] * many
            if name in ("transform", "foreachRDD"):
                given = [None, receiver][-many:]
            elif name in _PER_ELEMENT:
                given = [element]
            elif name in ("mapValues", "flatMapValues"):
                given = [value]
            result = self.applied(function, given, names)
        if name.startswith("flatMap"):
            result = item(result)
        if name in _SAME or name == "transform":
            return receiver if name in _SAME else result
        if name in ("map", "flatMap"):
            return Form("stream", (result,))
        if name in ("mapValues", "flatMapValues") or name in _BY_KEY:
            return Form("stream", (Form("tuple", (key, None if name in _BY_KEY else result)),))
        return Form("stream", (Form("tuple", (element, None)),)) if name == "countByValue" else None

    def united(self, node: ast.Call, receiver: Value, names: Mapping[str, Value]) -> Value:
        """What ``ssc.union(*streams)``, or ``a.union(b)``, gives if all streams have the same elements."""
        streams = [
            item(self.of(one.value, names)) if isinstance(one, ast.Starred) else self.of(one, names)
            for one in node.args
        ]
        streams += [] if receiver is None else [receiver]
        return streams[0] if streams and all(one == streams[0] for one in streams) else None

    def function(self, node: ast.expr) -> ast.Lambda | ast.FunctionDef | None:
        if isinstance(node, ast.Name):
            return self.functions.get(node.id)
        return node if isinstance(node, ast.Lambda) else None

    def applied(self, node: ast.expr, arguments: list[Value], names: Mapping[str, Value]) -> Value:
        """What a function of the program gives for values."""
        function = self.function(node)
        parameters = _parameters(function)
        given: Names = dict.fromkeys(parameters) | dict(zip(parameters, arguments, strict=False))
        if isinstance(function, ast.Lambda):
            return self.of(function.body, {**names, **given})
        if function is None or function.name in self.inside:
            return None
        call = (function.name, tuple(given.values()))
        if call not in self.results:
            before, self.returned = self.returned, []
            self.inside.add(function.name)
            self.block(function.body, {name: names[name] for name in names if name in self.once} | given)
            self.inside.remove(function.name)
            found, self.returned = self.returned, before
            alike = bool(found) and all(value == found[0] for value in found)
            self.results[call] = found[0] if alike else None
        return self.results[call]


def _codec(call: ast.Call) -> str:
    """The codec that a call names, in lower case."""
    first = call.args[0]
    return str(first.value).lower() if isinstance(first, ast.Constant) else ""


def _parameters(function: ast.Lambda | ast.FunctionDef | None) -> list[str]:
    if function is None:
        return []
    every = function.args
    others = (*every.kwonlyargs, *filter(None, (every.vararg, every.kwarg)))
    return [parameter.arg for parameter in (*every.posonlyargs, *every.args, *others)]


def _handled(tree: ast.Module) -> Iterator[ast.AST]:
    """What stands where a handler is there for values of another type."""
    for node in of_kinds(tree, ast.Try):
        types = [part for handler in node.handlers if handler.type is not None for part in walk(handler.type)]
        if any(isinstance(part, ast.Name) and part.id in _HANDLED for part in types):
            yield from (inner for statement in node.body for inner in walk(statement))
