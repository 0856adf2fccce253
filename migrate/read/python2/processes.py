"""What other processes write: texts in Python 2, and bytes in Python 3 where nothing asks for texts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.read.python2.encoding import GIVING_BYTES
from migrate.syntax.nodes import of_kinds
from migrate.syntax.text import Edit, Text

AS_TEXT = "text=True"
_READING = frozenset({"Popen", "check_output"})
_MODES = frozenset({"encoding", "errors", "text", "universal_newlines"})
_OF_BYTES = GIVING_BYTES | {
    "BytesIO",
    "decode",
    "frombuffer",
    "imdecode",
    "md5",
    "pickle",
    "sha1",
    "sha256",
    "unpack",
}
"""Names of what takes bytes, or gives them."""
_PIPES = frozenset({"stderr", "stdin", "stdout"})


def processes(tree: ast.Module, text: Text) -> Iterator[Edit]:
    """``check_output(command, text=True)``, in a module that does nothing with bytes by itself."""
    used = {node.attr for node in of_kinds(tree, ast.Attribute)}
    if not _OF_BYTES.isdisjoint(used | {node.id for node in of_kinds(tree, ast.Name)}):
        return
    for call in pipes(tree):
        names = {keyword.arg for keyword in call.keywords}
        if None in names or names & _MODES or any(isinstance(one, ast.Starred) for one in call.args):
            continue
        last = max(text.end(one) for one in (*call.args, *(keyword.value for keyword in call.keywords)))
        yield Edit(last, last, f", {AS_TEXT}")


def pipes(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls of `subprocess` whose process is read or written to here."""
    imported = {
        alias.asname or alias.name: alias.name
        for node in of_kinds(tree, ast.ImportFrom)
        if node.module == "subprocess"
        for alias in node.names
    }
    used = [node for node in of_kinds(tree, ast.Attribute) if node.attr in _PIPES | {"communicate"}]
    uses = any(ast.unparse(node.value) != "sys" for node in used)
    for call in of_kinds(tree, ast.Call):
        match call.func:
            case ast.Attribute(ast.Name("subprocess"), attr):
                name = attr
            case ast.Name(local):
                name = imported.get(local, "")
            case _:
                continue
        piped = uses and any(keyword.arg in _PIPES and _is_pipe(keyword.value) for keyword in call.keywords)
        if name in _READING and (piped or name != "Popen") and (call.args or call.keywords):
            yield call


def _is_pipe(node: ast.expr) -> bool:
    return ast.unparse(node) in ("PIPE", "subprocess.PIPE")
