"""Reads what was written: which code a comment belongs to, what a function holds."""

from __future__ import annotations

import ast
import io
import textwrap
import tokenize

from migrate.model import Options, Outcome, Result
from tests.migrate.programs import run, socket_program

QUERY = """\
query = {rows}.writeStream.trigger(processingTime="1 second").foreachBatch(process_batch).start()
"""
"""How the codemod writes the start of a query."""
SOCKET = """\
{rows} = (
    spark.readStream.format("socket")
    .options(host="localhost", port=9999, numPartitions=1)  # one partition keeps the lines in order
    .load()
)
"""
"""How it writes a socket source whose rows stay in order."""


def native(source: str, options: Options | None = None) -> str:
    """The new text of a program, which must become native."""
    return new_text(native_result(source, options))


def native_result(source: str, options: Options | None = None) -> Result:
    """The migration of a program, which must become native."""
    result = run(source, options)
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE], result.graphs[0].reasons
    return result


def native_socket(body: str) -> str:
    """The new text of a socket's program with `body`, which must become native."""
    return native(socket_program(body))


def new_text(result: Result) -> str:
    """The only file's new text."""
    (file,) = result.files
    return file.new


def function(text: str, name: str) -> str:
    """A function as `ast` writes it, wherever it stands."""
    (found,) = [
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    return ast.unparse(found)


def plain(code: str) -> str:
    """Code as `ast` writes it: without comments, in its quotes and lines."""
    return ast.unparse(ast.parse(textwrap.dedent(code)))


def strings(text: str) -> set[str]:
    """The values of all strings."""
    nodes = ast.walk(ast.parse(text))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def comments(text: str) -> list[tokenize.TokenInfo]:
    """The comments of a text, in order."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token for token in tokens if token.type == tokenize.COMMENT]


def beside(text: str, comment: str) -> str:
    """The line of code that a comment stands behind; else the next line of code below it, in its block.

    A comment that stands in a block of its own, or at the end, belongs to no code: the answer is empty.
    """
    found = comments(text)
    places = [token.start for token in found if token.string == comment]
    assert places, f"{comment} is gone:\n{text}"
    assert len(places) == 1, f"{comment} stands there twice:\n{text}"
    ((row, column),) = places
    code = text.splitlines()
    for token in found:
        line, end = token.start
        code[line - 1] = code[line - 1][:end].rstrip()
    if code[row - 1]:
        return code[row - 1].strip()
    below = next((line for line in code[row:] if line), "")
    return below.strip() if len(below) - len(below.lstrip()) == column else ""


def is_kept_or_noted(result: Result, comment: str) -> bool:
    """Whether a comment is in the new text, or a note of the graph names it as left out."""
    in_text = any(token.string == comment for token in comments(new_text(result)))
    words = comment.lstrip("# ")
    return in_text or any(words in note for graph in result.graphs for note in graph.notes)
