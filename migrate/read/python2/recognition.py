"""Whether a file that Python 3 can parse was written for Python 2."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from migrate.model import Module, Remark
from migrate.read.modules import Imports
from migrate.read.python2.bytes_as_texts import bytes_as_texts, texts_of_bytes
from migrate.read.python2.decoded_messages import decoded_messages
from migrate.read.python2.functions import future
from migrate.read.python2.names import METHODS, for_one_version, is_print, names_of_2, suspects
from migrate.read.python2.sending import refused
from migrate.read.python2.unreached import unreached
from migrate.syntax.nodes import of_kinds, position
from migrate.syntax.text import Text

SHOWN = (
    "`{}` is a text with `b'` before it and `'` behind it in Python 3, as it is given bytes; in Python 2 it"
    " was their text: leave `encode` out"
)
Sign = tuple[int, str]
"""A line, and what on it only Python 2 takes."""
_ABOUT_BYTES = re.compile(r"""\.encode|Decoder=|\.decode\(\s*['"](?!(?i:utf|ascii|latin|iso))""")
"""Code without which no bytes are used as a text: a codec of texts alone makes a text of bytes."""
_INTERPRETER_3 = re.compile(r"#![^\n]*\bpython3")
_INTERPRETER = re.compile(r"#![^\n]*\bpython2(?:\.\d+)?\b[^\n]*")


def signs_of_2(text: str, tree: ast.Module, is_own: Callable[[str], bool]) -> list[Sign] | None:
    """What says that a text which Python 3 can parse was written for Python 2: it fails in Python 3.

    A text that also has what only Python 3 has is not: it names some things of both.

    Args:
        text: the text.
        tree: the same, parsed as Python 3.
        is_own: whether a module is one of the program's own.

    Returns:
        The signs that a reader may not see at once; None if it is not Python 2.
    """
    if is_for_3(text, tree):
        return None
    uses = list(_uses(text, tree))
    if _imports_2(tree, is_own) or (not prints_more(tree) and _names_2(text, tree, is_own)):
        return []
    return uses or None


def is_for_3(text: str, tree: ast.Module) -> bool:
    """Whether a text has what only Python 3 has."""
    return _has_syntax_of_3(tree) or _INTERPRETER_3.match(text) is not None


def _imports_2(tree: ast.Module, is_own: Callable[[str], bool]) -> bool:
    """Whether a module imports what only Python 2 has where it begins: in Python 3 it never ran."""
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return bool(suspects(tree)) and any(node in imports for node, _, _ in names_of_2(tree, is_own))


def _names_2(text: str, tree: ast.Module, is_own: Callable[[str], bool]) -> bool:
    """Whether a text has names that only Python 2 has."""
    if not suspects(tree):
        return False
    stars = any(
        alias.name == "*" and not _is_of_spark(node)
        for node in of_kinds(tree, ast.ImportFrom)
        for alias in node.names
    )
    pandas = "pandas" in text
    return any(
        not (isinstance(node, ast.Name) and stars) and not (name in METHODS and pandas)
        for node, name, _ in names_of_2(tree, is_own)
    )


def _is_of_spark(statement: ast.ImportFrom) -> bool:
    """Whether a star import brings none of the names: of PySpark's modules one has a function `reduce`."""
    module = statement.module or ""
    return module.split(".")[0] == "pyspark" and module != "pyspark.sql.functions"


def _uses(text: str, tree: ast.Module) -> Iterator[Sign]:
    """Lines that Python 3 refuses, or that can never be true in it, and a first line that names Python 2."""
    yield from ((node.lineno, why) for node, why in fails_in_3(text, tree))
    interpreter = _INTERPRETER.match(text)
    if interpreter is not None:
        yield 1, f"`{interpreter[0].strip()}`"


def fails_in_3(text: str, tree: ast.Module) -> list[tuple[ast.expr | ast.stmt, str]]:
    """Bytes that are used as a text and texts where bytes are wanted: one was the other in Python 2."""
    found: list[tuple[ast.expr | ast.stmt, str]] = [*_printed(tree)]
    if "kafka" in text or "import socket" in text or "from socket" in text:
        found += refused(tree)
    if _ABOUT_BYTES.search(text):
        found += bytes_as_texts(tree)
    if ".decode" in text:
        found += decoded_messages(tree)
    if not found:
        return []
    guarded = for_one_version(tree)
    return sorted((one for one in found if one[0] not in guarded), key=lambda one: (one[0].lineno, one[1]))


def python2_names(module: Module, imports: Imports[Module]) -> Iterator[Remark]:
    """Remarks on names that Python 3 lacks, with their replacements, and on code that is otherwise there."""
    if module.python == 2:
        return
    found: list[tuple[ast.AST, str, str]] = []
    for node, name, instead in names_of_2(module.tree, lambda name: imports.find(name, module) is not None):
        better = f"; Python 3 has `{instead}`" if instead else ""
        found.append((node, name, f"`{name}` is only in Python 2{better}"))
    for node, why in fails_in_3(module.source, module.tree):
        found.append((node, why.split("`")[1], f"{why}, which only Python 2 takes"))
    if ".encode" in module.source:
        found += [(node, "str", SHOWN.format(ast.unparse(node))) for node in texts_of_bytes(module.tree)]
    if "UnicodeE" in module.source and not is_for_3(module.source, module.tree):
        found += [(node, "str", why) for node, why in unreached(module.tree)]
    text = Text(module.source)
    for node, name, sentence in sorted(found, key=lambda one: position(one[0])):
        line, column = position(node) if hasattr(node, "lineno") else (1, 0)
        place = module.place(line, text.column(line, column))
        yield Remark(place.cell, place.line, place.column, name, sentence)


def _printed(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """``print ("%s" % x).encode("utf-8")``, which encodes None in Python 3."""
    if future(tree, "print_function"):
        return
    for node in of_kinds(tree, ast.Attribute):
        if isinstance(node.value, ast.Call) and is_print(node.value.func):
            yield node, f"`print` gives nothing that has `{node.attr}`"
    for operation in of_kinds(tree, ast.BinOp):
        left, shifts = operation.left, isinstance(operation.op, ast.RShift)
        if isinstance(left, ast.Call) and is_print(left.func) and not shifts:
            yield operation, "`print` gives nothing to go on with"


def _has_syntax_of_3(tree: ast.Module) -> bool:
    """Whether a module has what Python 2 cannot parse."""
    if of_kinds(tree, *_OF_3) or any(node.annotation is not None for node in of_kinds(tree, ast.arg)):
        return True
    functions = of_kinds(tree, ast.FunctionDef)
    if any(node.returns is not None or node.args.kwonlyargs for node in functions):
        return True
    if not future(tree, "print_function"):
        prints = [node for node in of_kinds(tree, ast.Call) if is_print(node.func)]
        if any(call.keywords or any(isinstance(one, ast.Starred) for one in call.args) for call in prints):
            return True
    return any(node.cause is not None for node in of_kinds(tree, ast.Raise))


def prints_more(tree: ast.Module) -> bool:
    """Whether Python 2 would print a tuple, as some took it to be right: doubtful, where more is known."""
    calls = of_kinds(tree, ast.Call)
    return any(is_print(call.func) and len(call.args) > 1 for call in calls) and not future(
        tree, "print_function"
    )


_OF_3: tuple[type[ast.AST], ...] = (
    *(ast.JoinedStr, ast.AnnAssign, ast.AsyncFunctionDef, ast.Await, ast.Nonlocal, ast.YieldFrom),
    *(ast.NamedExpr, ast.MatMult),
)
