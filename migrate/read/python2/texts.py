"""``encode`` and ``decode`` of a program's own texts, which are functions in its form in Python 3.

A text of Python 2 that was encoded is a text in Python 3, where all others are: it can be added to them, is
equal to them, and is a key where they are. Its value beyond ASCII is not known. Where it may go to a call
that wants bytes, it stays, and `migrate.read.python2.limits` names it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.read.python2.encoding import Encoding
from migrate.read.python2.through_ascii import through_ascii
from migrate.read.python2.white_space import tells_separators
from migrate.syntax.nodes import parents_of, walk
from migrate.syntax.text import Edit, Text

SOURCES = {
    "python2_decode": '''\
def python2_decode(text, encoding="ascii", errors="strict"):
    """text.decode(encoding, errors) as in Python 2, where a text of ASCII is decoded to itself."""
    data = text.encode("ascii") if isinstance(text, str) else text
    return data.decode(encoding, errors)
''',
    "python2_encode": '''\
def python2_encode(text, encoding="ascii", errors="strict"):
    """text.encode(encoding, errors) as in Python 2, where it is a text; fails if that is not plain ASCII."""
    data = text.encode(encoding, errors)
    plain = all(code < 128 and code not in b"\\v\\f\\x1c\\x1d\\x1e\\x1f" for code in data)
    if not plain or any("\\ud800" <= character < "\\ue000" for character in text):
        raise TypeError("not known what Python 2 does with the bytes %r" % (data,))
    return data.decode("ascii")
''',
    "python2_shown": '''\
def python2_shown(text):
    """text.encode("utf-8") as Python 2 prints it, which is the text; fails on what is none."""
    text.encode("utf-8")
    return text
''',
}
_CODECS = frozenset(
    {"utf-8", "utf8", "utf_8", "ascii", "us-ascii", "latin-1", "latin1", "iso-8859-1", "cp1252"}
)
_SHOWN = frozenset({"utf-8", "utf8", "utf_8"})
_PLAIN = frozenset({"strict", "ignore", "replace"})
"""What an encoding to ASCII does with other characters so that each leaves ASCII, or fails as in Python 2."""
_ERRORS = frozenset({"strict", "ignore", "replace", "xmlcharrefreplace", "backslashreplace"})
_TEXTUAL = frozenset(
    {
        *("print", "str", "int", "float", "len", "strptime", "append", "extend", "add", "format", "join"),
        *("split", "strip", "startswith", "endswith", "replace", "get", "lower", "upper", "dumps", "Row"),
        *("debug", "info", "warning", "warn", "error", "critical", "python2_str"),
    }
)
"""Functions and methods that take a text in both."""


def encodings(tree: ast.Module, text: Text, encoding: Encoding) -> Iterator[tuple[str, Edit]]:
    """Calls of ``encode`` and ``decode`` as calls of functions; the names of these.

    What is plain ASCII is only decoded again.
    """
    left, parents = encoding.same | encoding.caught, parents_of(tree)
    alike = not tells_separators(tree)
    ascii_ = through_ascii(tree)
    for call in walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        method = call.func
        codec = codec_of(call)
        if method.attr not in ("encode", "decode") or method in left or codec is None:
            continue
        parent = parents.get(call)
        if method.attr == "encode" and call not in ascii_ and not is_a_text_there(call, parents):
            continue
        if method.attr == "encode" and codec == "ascii" and call.args and alike and _errors(call) in _PLAIN:
            end = text.end(call)
            yield "", Edit(end, end, f".decode({text.of(call.args[0])})")
            continue
        dot, opening = ends(method, text)
        if codec in _SHOWN and len(call.args) == 1 and (is_json(parent, call) or _is_time(parent, call)):
            yield "", Edit(dot, text.end(call), "")
            continue
        if call in ascii_ and codec in _SHOWN and len(call.args) == 1:
            quote = text.of(call.args[0])[-1]
            codec_, ignore = f"{quote}ascii{quote}", f"{quote}ignore{quote}"
            only = f".encode({codec_}, {ignore}).decode({codec_})" if ascii_[call] else ""
            yield "", Edit(dot, text.end(call), only)
            continue
        if method.attr == "encode" and _is_printed(call, parent) and codec in _SHOWN and len(call.args) == 1:
            name, rest = "python2_shown", Edit(dot, text.end(call) - 1, "")
        else:
            name, rest = f"python2_{method.attr}", Edit(dot, opening, ", " if call.args else "")
        start = text.start(call)
        yield name, Edit(start, start, f"{name}(")
        yield "", rest


def is_json(call: ast.AST | None, given: ast.AST) -> bool:
    """Whether `given` is what ``json.loads`` is to read, which takes texts and bytes in UTF-8.

    Only texts beyond ASCII were not decoded in Python 2, and failed.
    """
    match call:
        case ast.Call(ast.Attribute(ast.Name("json"), "loads") | ast.Name("loads"), [only], []):
            return only is given
    return False


def _is_time(call: ast.AST | None, given: ast.AST) -> bool:
    """Whether `given` is what ``strptime`` is to read: text that is not plain ASCII it refuses in both."""
    match call:
        case ast.Call(ast.Attribute(attr="strptime"), [first, _]):
            return first is given
    return False


def codec_of(call: ast.Call) -> str | None:
    """The codec that a call names, if all is written out."""
    values = [node.value for node in call.args if isinstance(node, ast.Constant)]
    if call.keywords or len(values) != len(call.args) or len(values) > 2:
        return None
    codec, errors = [*map(str, values), "ascii", "strict"][:2] if values else ("ascii", "strict")
    if len(values) == 1:
        errors = "strict"
    return codec.lower() if codec.lower() in _CODECS and errors in _ERRORS else None


def _errors(call: ast.Call) -> str:
    errors = call.args[1] if len(call.args) > 1 else None
    return str(errors.value) if isinstance(errors, ast.Constant) else "strict"


def is_a_text_there(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether the result goes to no call that may want bytes."""
    parent = parents.get(call)
    if isinstance(parent, ast.keyword | ast.Starred):
        parent = parents.get(parent)
    if not isinstance(parent, ast.Call) or parent.func is call:
        return True
    function = parent.func
    return (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")) in _TEXTUAL


def _is_printed(call: ast.Call, parent: ast.AST | None) -> bool:
    """Whether a text is only printed, by itself: its bytes in UTF-8 are what Python 3 prints, too."""
    if not isinstance(parent, ast.Call) or parent.keywords or call not in parent.args:
        return False
    return isinstance(parent.func, ast.Name) and parent.func.id == "print"


def ends(method: ast.Attribute, text: Text) -> tuple[int, int]:
    """Where the dot of a method stands, with the spaces before it, and where its arguments begin."""
    end = text.end(method)
    dot = text.source.rindex(".", 0, end)
    return len(text.source[:dot].rstrip(" ")), text.source.index("(", end) + 1
