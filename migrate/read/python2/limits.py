"""Places where Python 3 may give another value than Python 2 without an error."""

from __future__ import annotations

import ast
import io
import re
import string
import types
from collections.abc import Iterator, Sequence

from fissix.pgen2 import token, tokenize

from migrate.read.python2.encoding import SENDING, Encoding
from migrate.read.python2.executed import unset_by_exec
from migrate.read.python2.functions import future, hidden_hashes, true_division
from migrate.read.python2.kinds import Kind, kinds_of
from migrate.read.python2.leaked import leaks
from migrate.read.python2.memory_files import MemoryFiles
from migrate.read.python2.names import MEMBERS
from migrate.read.python2.shown import only_shown
from migrate.syntax.nodes import of_kinds, parents_of, position, walk

SPECIAL = frozenset({"__cmp__", "__getslice__", "__setslice__", "__coerce__", "__div__", "__unicode__"})

DIVISION = "`/=` rounds whole numbers down in Python 2, and it is not proven what is divided here"
ORDER = "`{}` takes no function of two values in Python 3"
BYTES = "`{}` is about bytes in Python 2 and about text in Python 3"
HANDLED = f"{BYTES}, and a handler may take what fails in one of them alone: move it out of the `try`"
SENT = f"{BYTES}: encode what it gets, if that is a text"
CONTENT = "`{}` is bytes in Python 3: decode it, or read `text`"
LITERAL = "a literal with characters beyond ASCII is bytes in Python 2 and text in Python 3"
TEXT = "`{}` shows texts and numbers differently in Python 2 and 3"
HASH = "`hash` differs between Python 2 and 3, and from run to run"
GONE = "`{}` is not in Python 3, where values of unlike types have no order"
GONE_MEMBER = "`{}` is not in Python 3"
LEAKED = "`{}` is read after a list was made with it, which leaves it alone in Python 3"
NO_FUNCTION = "`map` takes no None in Python 3: write `list(itertools.zip_longest(...))`"
METHOD = "`{}` is not called by Python 3"


_STARTS = (token.NEWLINE, token.INDENT, token.DEDENT)
"""Tokens before a statement."""
_UTF_8 = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*utf-?8", re.IGNORECASE)
_TAKING_BYTES = frozenset({"BeautifulSoup", "BytesIO", "fromstring", "loads", "python2_decode", "write"})
_OF_TEXTS = frozenset(
    {"capitalize", "count", "endswith", "find", "join", "lower", "lstrip", "replace", "rstrip", "split"}
    | {"startswith", "strip", "title", "upper"}
)
"""Methods that Python 2's texts have as well, and that take and give no bytes."""
_TEXTS = re.compile(r"\b(?:str|unicode)\b")
_TEXTS_OF = frozenset({"__repr__", "__str__"})
_ISINSTANCE = re.compile(r"\bisinstance\s*\(")


class Limits:
    """The places of a module in Python 3 that are not proven to be the same as in Python 2."""

    def __init__(self, tree: ast.Module, old: str) -> None:
        self.tree = tree
        self.old = old
        self.true_division = true_division(tree)
        self.kinds = kinds_of(tree, true_division=self.true_division)
        self.encoding = Encoding(tree)
        self.caught = {node.name for node in walk(tree) if isinstance(node, ast.ExceptHandler)}
        self.functions = {node.name for node in walk(tree) if isinstance(node, ast.FunctionDef)}
        self.hidden_hashes = hidden_hashes(tree)
        self.of_errors = set(_of_errors(tree))
        self.all_texts = set() if _asks_for_one_text(old) else set(_checked_types(tree))
        """Where ``isinstance(x, str)`` was ``isinstance(x, basestring)``, which has no other meaning now."""
        self.contents = set(_contents(tree)) if "requests" in self.encoding.imported else set()
        """The bytes of responses where they may have been a text."""
        self.converters = set(_converters(tree))
        """Where ``type=str`` leaves the text of a command line as it is, in both."""
        self.owners = set(_owners(tree))
        """Where ``str.lower`` is called later, as ``text.lower()`` is."""

    def found(self) -> Iterator[tuple[int, str]]:
        """Lines and reasons."""
        yield from ((node.lineno, why) for node, why in MemoryFiles(self.tree, self.old).limits())
        yield from unset_by_exec(self.tree)
        for inner in walk(self.tree):
            for reason in self._reasons(inner):
                yield getattr(inner, "lineno", 1), reason
            if isinstance(inner, ast.Module | ast.FunctionDef):
                reads = sorted((read for read, _ in leaks(inner)), key=position, reverse=True)
                first = {read.id: read.lineno for read in reads}
                yield from ((line, LEAKED.format(name)) for name, line in sorted(first.items()))

    def _reasons(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Call):
            yield from self._call(node)
        elif isinstance(node, ast.Name) and not (
            node in self.kinds.called
            or node in self.all_texts
            or node in self.kinds.mapping
            or node in self.converters
            or node in self.owners
            or node in self.encoding.types
        ):
            yield from self._name(node.id)
        elif isinstance(node, ast.Attribute) and self._is_gone(node):
            yield GONE_MEMBER.format(ast.unparse(node))
        elif isinstance(node, ast.Attribute):
            about_bytes = node.attr in ("encode", "decode")
            about_bytes |= self.encoding.sockets and node.attr in SENDING
            about_bytes |= node in self.encoding.messages.sends
            if about_bytes and node not in self.encoding.same:
                sent = node.attr not in ("encode", "decode", "recv")
                why = HANDLED if node in self.encoding.caught else SENT if sent else BYTES
                yield why.format(node.attr)
            elif node.attr == "content" and node in self.contents:
                yield CONTENT.format(ast.unparse(node))
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and not self.true_division:
            if Kind.FLOAT not in (self.kinds.of(node.target), self.kinds.of(node.value)):
                yield DIVISION
        elif isinstance(node, ast.Constant) and isinstance(node.value, bytes):
            yield BYTES.format("b''")
        elif isinstance(node, ast.FunctionDef) and node.name in SPECIAL:
            yield METHOD.format(node.name)

    def _is_gone(self, node: ast.Attribute) -> bool:
        """Whether a member of an imported module, or of a caught exception, is not there in Python 3."""
        if not isinstance(node.value, ast.Name):
            return False
        name = node.value.id
        gone = node.attr in MEMBERS.get(name, ()) or (name == "types" and not hasattr(types, node.attr))
        is_only = name == "string" and len(self.kinds.bound.get(name, ())) == 1
        gone |= is_only and not hasattr(string, node.attr)
        return (gone and name in self.encoding.imported) or (node.attr == "message" and name in self.caught)

    def _call(self, node: ast.Call) -> Iterator[str]:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in ("sort", "sorted"):
            first = node.args[1:] if name == "sorted" else [a for a in node.args if self._is_function(a)]
            if first or any(keyword.arg == "cmp" for keyword in node.keywords):
                yield ORDER.format(name)
        match node:
            case ast.Call(ast.Name("map"), [ast.Constant(None), *_]):
                yield NO_FUNCTION
        told = (name == "hash" and node in self.hidden_hashes) or (name == "repr" and node in self.of_errors)
        if isinstance(node.func, ast.Name) and not told:
            known = name in ("str", "repr") and len(node.args) == 1 and not node.keywords
            is_int = known and self.kinds.of(node.args[0]) is Kind.INT
            is_told = known and name == "str" and self.kinds.has_no_digits(node)
            if not (is_int or is_told):
                yield from self._name(name)

    def _is_function(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and node.id in self.functions)

    def _name(self, name: str) -> Iterator[str]:
        if name in self.kinds.bound:
            return
        if name in ("str", "bytes", "bytearray"):
            yield BYTES.format(name)
        elif name == "repr":
            yield TEXT.format(name)
        elif name == "hash":
            yield HASH
        elif name == "cmp":
            yield GONE.format(name)

    def literals(self, lines: Sequence[int]) -> Iterator[tuple[int, str]]:
        """Literals that were bytes, by the old text: the new one does not tell them from the others.

        Args:
            lines: the old line of each line of the module in Python 3.
        """
        if self.old.isascii() or future(self.tree, "unicode_literals"):
            return
        found = tokenize.generate_tokens(io.StringIO(self.old).readline)
        tokens = [item for item in found if item[0] not in (tokenize.COMMENT, tokenize.NL)]
        before = [token.NEWLINE, *(item[0] for item in tokens)]
        after = [*(item[0] for item in tokens[1:]), token.ENDMARKER]
        in_utf_8 = any(_UTF_8.match(row) for row in self.old.split("\n")[:2])
        shown = only_shown(self.tree, lines) if in_utf_8 else set()
        for last, (kind, value, (line, _), _, _), following in zip(before, tokens, after, strict=False):
            idle = last in _STARTS and following == token.NEWLINE  # documentation, no more than a comment
            same = idle or line in shown or value.isascii() or "u" in value[:2].lower()
            if kind == token.STRING and not same:
                yield line, LITERAL


def _asks_for_one_text(old: str) -> bool:
    """Whether ``isinstance(x, str)`` stands in the old text, or `unicode` in the place of `str`.

    Both together are all texts, as `basestring` is.
    """
    for found in _ISINSTANCE.finditer(old):
        end, depth = found.end(), 1
        while depth and end < len(old):
            depth += {"(": 1, ")": -1}.get(old[end], 0)
            end += 1
        if len({*_TEXTS.findall(old, found.end(), end)}) == 1:
            return True
    return False


def _of_errors(tree: ast.Module) -> Iterator[ast.AST]:
    """What stands in the methods that write the text of the program's own errors."""
    for own in of_kinds(tree, ast.ClassDef):
        if any(ast.unparse(base).endswith(("Error", "Exception")) for base in own.bases):
            methods = (one for one in own.body if isinstance(one, ast.FunctionDef) and one.name in _TEXTS_OF)
            yield from (part for method in methods for part in walk(method))


def _checked_types(tree: ast.Module) -> Iterator[ast.AST]:
    """The types that `isinstance` is asked about."""
    for node in walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            yield from (part for argument in node.args[1:] for part in walk(argument))


def _converters(tree: ast.Module) -> Iterator[ast.AST]:
    """The values of ``type=`` in ``parser.add_argument("--topic", type=str)``."""
    for node in walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
            yield from (keyword.value for keyword in node.keywords if keyword.arg == "type")


def _owners(tree: ast.Module) -> Iterator[ast.AST]:
    """The ``str`` of ``map(str.lower, names)``, by whose methods texts are other texts or parts of them."""
    for node in of_kinds(tree, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == "str" and node.attr in _OF_TEXTS:
            yield node.value


def _contents(tree: ast.Module) -> Iterator[ast.AST]:
    """``response.content``, but where it is decoded, written or read as JSON, which takes bytes as well."""
    parents = parents_of(tree)
    for node in of_kinds(tree, ast.Attribute):
        above = parents.get(node)
        decoded = isinstance(above, ast.Attribute) and above.attr == "decode"
        function = above.func if isinstance(above, ast.Call) else None
        taken = getattr(function, "attr", getattr(function, "id", "")) in _TAKING_BYTES
        if node.attr == "content" and not (decoded or taken):
            yield node
