"""Texts that a program encodes for somebody who wants bytes, in Python 2 as in Python 3."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from migrate.knowledge.producers import CLIENTS
from migrate.read.python2.handlers import caught_methods
from migrate.read.python2.sending import Messages
from migrate.read.python2.written import written
from migrate.syntax.nodes import of_kinds

IN_BYTES = "python2_bytes"
"""The function of this step that encodes a message if it is a text."""
SENDING = frozenset({"recv", "send", "sendall", "sendto"})
"""Methods of sockets."""
_PRODUCING = frozenset({"send", "produce", "send_messages"})
"""Methods of producers, in the clients of Kafka."""
_SERIALIZERS = frozenset({"key_serializer", "value_serializer"})
_TAKING = frozenset(
    {"json.loads", *(f"hashlib.{name}" for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"))}
)
"""Functions that take bytes in both and give the same for them."""
GIVING_BYTES = frozenset(
    {
        *("SerializeToString", "b64decode", "b64encode", "compress", "decompress", "digest", "packb"),
        *("standard_b64decode", "tobytes", "tostring", "urandom", "urlsafe_b64decode", "urlsafe_b64encode"),
    }
)
"""Functions and methods that give bytes in Python 3, whatever they get."""
_UTF_8 = frozenset({"utf-8", "utf8"})
_ASCII = frozenset({"ascii", "us-ascii"})
_LOSSY = frozenset({"ignore", "replace", "strict"})


class Encoding:
    """The calls of ``encode`` and ``send`` of a module that are the same in Python 2 and 3.

    In Python 2 a text beyond ASCII that was encoded already raises, in Python 3 it is one like others.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.imported = set(_imported(tree))
        self.sockets = "socket" in self.imported
        self._clients = bool(CLIENTS & self.imported)
        self._bound = set(_bound(tree))
        self.messages = Messages(tree)
        self.same: set[ast.Attribute] = set()
        """``x.encode`` and ``connection.send``."""
        self.types: set[ast.Name] = set()
        """The `str` of ``value_serializer=str.encode``."""
        self.caught = caught_methods(tree)
        self._objects = set(_objects(tree))
        for call in of_kinds(tree, ast.Call):
            self._read(call)
        self.files: list[ast.Constant] = []
        """The modes of files that only bytes are written to."""
        for mode, values in written(tree):
            methods = [method for value in values for method in _encodes(value)]
            if len(methods) == len(values) and not self.caught.intersection(methods):
                self.files.append(mode)
                self.same.update(methods)
        texts = {message.method for message in self.messages.found if not is_bytes(message.value)}
        self.same |= self.messages.sends - texts

    def _read(self, call: ast.Call) -> None:
        match call.func:
            case ast.Attribute(ast.Name(owner), "encode" | "decode") if owner in self._objects:
                self.same.add(call.func)
            case ast.Attribute(ast.Call(ast.Name(name) | ast.Attribute(_, name)), "decode"):
                if name in GIVING_BYTES and call.args and name not in self._bound:
                    self.same.add(call.func)
        self.same.update(set(_encoded_and_decoded(call)) - self.caught)
        for keyword in call.keywords:
            function = keyword.value
            if keyword.arg in _SERIALIZERS and isinstance(function, ast.Lambda):
                self.same.update(_encodes(function.body))
            elif keyword.arg in _SERIALIZERS:
                self._read_type(function)
        sends = isinstance(call.func, ast.Attribute) and self._sends(call.func.attr)
        if sends or self._takes(call.func):
            for value in (*call.args, *(keyword.value for keyword in call.keywords)):
                self.same.update(_encodes(value))
        if isinstance(call.func, ast.Attribute) and sends and self.same.intersection(_encodes_first(call)):
            self.same.add(call.func)

    def _read_type(self, serializer: ast.expr) -> None:
        """Read ``str.encode``."""
        match serializer:
            case ast.Attribute(value=ast.Name("str") as name, attr="encode") if "str" not in self._bound:
                self.same.add(serializer)
                self.types.add(name)

    def _sends(self, name: str) -> bool:
        return (self.sockets and name in SENDING) or (self._clients and name in _PRODUCING)

    def _takes(self, function: ast.expr) -> bool:
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return False
        module = function.value.id
        known = module in self.imported and module not in self._bound
        return known and f"{module}.{function.attr}" in _TAKING


def _encodes(node: ast.expr) -> Iterator[ast.Attribute]:
    """The ``x.encode`` of ``x.encode("utf-8")``; without a codec Python 2 fails beyond ASCII."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return
    given = [str(value.value) for value in node.args if isinstance(value, ast.Constant)]
    written = len(given) == len(node.args) and not node.keywords
    if node.func.attr != "encode" or not written or len(given) > 2:
        return
    codec, errors = [*(given or ["ascii"]), "strict"][:2]
    if (codec.lower() in _UTF_8 and len(given) == 1) or (codec.lower() in _ASCII and errors in _LOSSY):
        yield node.func


def is_bytes(node: ast.expr) -> bool:
    """Whether a message is bytes in Python 3, too, or there is none."""
    match node:
        case ast.Call(ast.Name(name)) if name.rstrip("_") == IN_BYTES:
            return True
        case ast.Constant(None):
            return True
    return any(True for _ in _encodes(node))


def _encoded_and_decoded(call: ast.Call) -> Iterator[ast.Attribute]:
    """Both methods of ``x.encode("ascii", "ignore").decode("ascii")``, which is a text in both."""
    match call:
        case ast.Call(
            ast.Attribute(ast.Call(ast.Attribute(attr="encode") as encode) as encoded, "decode") as decode,
            [ast.Constant(str(codec))],
            [],
        ):
            codecs = _UTF_8 if codec.lower() in _UTF_8 else {codec.lower()}
            first = encoded.args[0] if encoded.args else None
            if isinstance(first, ast.Constant) and str(first.value).lower() in codecs & (_UTF_8 | _ASCII):
                yield from (encode, decode)


def _encodes_first(call: ast.Call) -> Iterator[ast.Attribute]:
    """The ``x.encode`` of ``connection.send(x.encode("utf-8"))``."""
    for value in call.args[:1]:
        yield from _encodes(value)


def _imported(tree: ast.Module) -> Iterator[str]:
    """Modules that are imported under their own name, and packages of which anything is."""
    for node in of_kinds(tree, ast.Import):
        yield from (alias.name for alias in node.names if alias.asname is None)
    for other in of_kinds(tree, ast.ImportFrom):
        if other.module:
            yield from CLIENTS & {other.module.partition(".")[0]}


def _objects(tree: ast.Module) -> Iterator[str]:
    """The variables that hold an object of a class, whose ``encode`` is its own: ``coder = Coder()``."""
    classes = {node.name for node in of_kinds(tree, ast.ClassDef)}
    for node in of_kinds(tree, ast.ImportFrom):
        classes.update(alias.name for alias in node.names if alias.asname is None)
    classes = {name for name in classes if name[:1].isupper() and not name.isupper()}
    bound, made = Counter(_bound(tree)), Counter[str]()
    for statement in of_kinds(tree, ast.Assign):
        match statement:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name(called))) if called in classes:
                made[name] += 1
    yield from (name for name, number in made.items() if bound[name] == number)


def _bound(tree: ast.Module) -> Iterator[str]:
    """Names that something else than an import binds."""
    yield from (node.id for node in of_kinds(tree, ast.Name) if not isinstance(node.ctx, ast.Load))
    yield from (node.arg for node in of_kinds(tree, ast.arg))
    yield from (node.name for node in of_kinds(tree, ast.FunctionDef))
    yield from (node.name for node in of_kinds(tree, ast.ClassDef))
