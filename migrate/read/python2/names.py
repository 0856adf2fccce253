"""Names that only Python 2 has, in a file that Python 3 can parse, where it fails when it gets to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from migrate.syntax.nodes import of_kinds, once, walk

BUILTINS = {
    "apply": "f(*arguments)",
    "basestring": "str",
    "buffer": "memoryview",
    "cmp": None,
    "coerce": None,
    "execfile": None,
    "file": "open",
    "intern": "sys.intern",
    "long": "int",
    "raw_input": "input",
    "reduce": "functools.reduce",
    "reload": "importlib.reload",
    "unichr": "chr",
    "unicode": "str",
    "xrange": "range",
}
METHODS = {
    **{f"iter{what}": what for what in ("items", "keys", "values")},
    **{f"view{what}": what for what in ("items", "keys", "values")},
    "has_key": "in",
}
MODULES = {
    "BaseHTTPServer": "http.server",
    "ConfigParser": "configparser",
    "Cookie": "http.cookies",
    "HTMLParser": "html.parser",
    "Queue": "queue",
    "SimpleHTTPServer": "http.server",
    "SocketServer": "socketserver",
    "StringIO": "io",
    "Tkinter": "tkinter",
    "__builtin__": "builtins",
    "cPickle": "pickle",
    "cStringIO": "io",
    "commands": "subprocess",
    "cookielib": "http.cookiejar",
    "copy_reg": "copyreg",
    "httplib": "http.client",
    "md5": "hashlib",
    "robotparser": "urllib.robotparser",
    "sets": "set",
    "sha": "hashlib",
    "thread": "_thread",
    "urllib2": "urllib.request",
    "urlparse": "urllib.parse",
    "xmlrpclib": "xmlrpc.client",
}
MEMBERS: dict[str, dict[str, str | None]] = {
    "urllib": {
        **dict.fromkeys(("quote", "quote_plus", "unquote", "unquote_plus", "urlencode"), "urllib.parse"),
        **dict.fromkeys(
            ("urlopen", "urlretrieve", "urlcleanup", "URLopener", "FancyURLopener"), "urllib.request"
        ),
    },
    "itertools": {"izip": "zip", "imap": "map", "ifilter": "filter", "izip_longest": "zip_longest"},
    "string": dict.fromkeys(("letters", "lowercase", "uppercase", "maketrans", "atoi", "atof"), "str"),
    "sys": {"maxint": "sys.maxsize", "setdefaultencoding": None, "exc_clear": None},
    "os": {"getcwdu": "os.getcwd", "errno": "errno"},
}


def names_of_2(tree: ast.Module, is_own: Callable[[str], bool]) -> Iterator[tuple[ast.AST, str, str | None]]:
    """The nodes that name what Python 3 lacks, the name, and what there is instead."""
    found = suspects(tree)
    if found:  # most files have none
        names = _Names(tree, is_own)
        yield from ((node, *why) for node in found for why in names.of(node))


_VERSION = re.compile(r"\bversion|\bPY[23]\b|\bPYTHON[23]?\b", re.IGNORECASE)
_MISSING = frozenset({"ImportError", "ModuleNotFoundError", "NameError", "AttributeError"})


_ALL_MEMBERS = frozenset({*METHODS, *(name for names in MEMBERS.values() for name in names)})
"""Methods and members that an attribute may be."""


def suspects(tree: ast.Module) -> list[ast.AST]:
    """The nodes that have one of the names, whatever it is the name of; found once for each tree."""
    kept = vars(tree)
    if "suspects" not in kept:
        kept["suspects"] = list(_suspects(tree))
    found: list[ast.AST] = kept["suspects"]
    return found


def _suspects(tree: ast.Module) -> Iterator[ast.AST]:
    yield from (node for node in of_kinds(tree, ast.Name) if node.id in BUILTINS)
    yield from (node for node in of_kinds(tree, ast.BinOp) if isinstance(node.op, ast.RShift))
    yield from (node for node in of_kinds(tree, ast.Attribute) if node.attr in _ALL_MEMBERS)
    for node in of_kinds(tree, ast.Import):
        if any(alias.name in MODULES for alias in node.names):
            yield node
    yield from (
        node for node in of_kinds(tree, ast.ImportFrom) if node.module in MODULES or node.module in MEMBERS
    )


def for_one_version(tree: ast.Module) -> set[ast.AST]:
    """What stands below a test of the version, or where a handler is there for names that one lacks."""
    parts: list[ast.stmt] = [one for one in of_kinds(tree, ast.If) if _VERSION.search(ast.unparse(one.test))]
    for one in of_kinds(tree, ast.Try):
        if any(map(_catches_missing, one.handlers)):
            parts += (*one.body, *(statement for handler in one.handlers for statement in handler.body))
    return {node for part in parts for node in walk(part)}


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a module binds."""
    yield from (node.id for node in of_kinds(tree, ast.Name) if isinstance(node.ctx, ast.Store))
    yield from (node.arg for node in of_kinds(tree, ast.arg))
    yield from ((node.asname or node.name).split(".")[0] for node in of_kinds(tree, ast.alias))
    yield from (node.name for node in of_kinds(tree, ast.FunctionDef))
    yield from (node.name for node in of_kinds(tree, ast.AsyncFunctionDef))
    yield from (node.name for node in of_kinds(tree, ast.ClassDef))


class _Names:
    def __init__(self, tree: ast.Module, is_own: Callable[[str], bool]) -> None:
        self.is_own = is_own
        self.bound = set(_bound(tree))
        self.modules = {
            alias.asname or alias.name: alias.name
            for node in of_kinds(tree, ast.Import)
            for alias in node.names
        }
        """The module that a name stands for."""
        self.guarded = once(tree, for_one_version)

    def of(self, node: ast.AST) -> Iterator[tuple[str, str | None]]:
        if node in self.guarded:
            return
        if isinstance(node, ast.Name) and node.id in BUILTINS and node.id not in self.bound:
            yield node.id, BUILTINS[node.id]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift) and is_print(node.left):
            yield "print >>", "print(..., file=...)"
        elif isinstance(node, ast.Attribute):
            yield from self._attribute(node)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from self._import(alias.name)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from self._import(node.module or "")
            members = MEMBERS.get(node.module or "", {})
            yield from ((f"{node.module}.{a.name}", members[a.name]) for a in node.names if a.name in members)

    def _attribute(self, node: ast.Attribute) -> Iterator[tuple[str, str | None]]:
        if node.attr in METHODS:
            yield node.attr, METHODS[node.attr]
        elif isinstance(node.value, ast.Name):
            members = MEMBERS.get(self.modules.get(node.value.id, ""), {})
            if node.attr in members:
                yield f"{node.value.id}.{node.attr}", members[node.attr]

    def _import(self, name: str) -> Iterator[tuple[str, str | None]]:
        if name in MODULES and not self.is_own(name):
            yield name, MODULES[name]


def is_print(node: ast.expr) -> bool:
    """Whether an expression is the name `print`."""
    return isinstance(node, ast.Name) and node.id == "print"


def _catches_missing(handler: ast.ExceptHandler) -> bool:
    """Whether a handler is there for names that another version lacks."""
    if handler.type is None:
        return True
    return any(isinstance(node, ast.Name) and node.id in _MISSING for node in walk(handler.type))
