"""``x.encode("hex")`` and ``x.decode("hex")``, which Python 3 has as functions of bytes alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.read.python2.encoding import Encoding
from migrate.read.python2.texts import ends, is_a_text_there
from migrate.read.python2.white_space import tells_separators
from migrate.syntax.nodes import of_kinds, parents_of
from migrate.syntax.text import Edit, Text

_FUNCTIONS = {"encode": "python2_hex", "decode": "python2_unhex"}
_CODECS = frozenset({"hex", "hex_codec"})
SOURCES = {
    "python2_hex": '''\
def python2_hex(text):
    """text.encode("hex") as in Python 2, of bytes or a text in ASCII."""
    data = text.encode("ascii") if isinstance(text, str) else text
    return data.hex()
''',
    "python2_unhex": '''\
def python2_unhex(digits):
    """digits.decode("hex") as in Python 2, where it is a text; fails if that is not plain ASCII."""
    from binascii import unhexlify

    return unhexlify(digits).decode("ascii")
''',
}


def hex_digits(tree: ast.Module, text: Text, encoding: Encoding) -> Iterator[tuple[str, Edit]]:
    """Such calls as calls of functions whose result is a text as in Python 2; the names of these.

    What goes to a call that may want bytes stays, and so does what a handler may take the failures of, or
    what may hold characters that Python 3 alone takes for white space.
    """
    calls = [call for call in of_kinds(tree, ast.Call) if _is_hex(call)]
    parents = parents_of(tree) if calls else {}
    for call in calls:
        method = call.func
        assert isinstance(method, ast.Attribute)
        may_be_told = method.attr == "decode" and tells_separators(tree)
        if method in encoding.caught or may_be_told or not is_a_text_there(call, parents):
            continue
        name, start = _FUNCTIONS[method.attr], text.start(call)
        dot, _ = ends(method, text)
        yield name, Edit(start, start, f"{name}(")
        yield "", Edit(dot, text.end(call) - 1, "")


def _is_hex(call: ast.Call) -> bool:
    match call:
        case ast.Call(ast.Attribute(attr="encode" | "decode"), [ast.Constant(str(codec))], []):
            return codec.lower() in _CODECS
    return False
