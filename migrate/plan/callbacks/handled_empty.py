"""What a callback's handler does for an RDD without elements, for which ``createDataFrame`` failed."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.columns.code import literal
from migrate.plan.elements.caught_errors import only_prints, tells_class_only
from migrate.plan.elements.printed_errors import printed_text
from migrate.plan.new_code.code import Written
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.tree import tries_around

MESSAGE = "RDD is empty"
"""The message of the error."""
UNPRINTED = (
    "a batch without rows ends before its DataFrame is made: `createDataFrame` failed for it, and the error "
    "that a handler printed or logged then is gone (--strict keeps that)"
)
LEFT = Written("return")
"""All that is left of a handler that printed or logged the error."""
_OF_ERROR = "# createDataFrame's error"
_PASSED_OVER = "# createDataFrame failed, and `except` passed over it"


def handled(
    function: ast.FunctionDef,
    statement: ast.stmt,
    parents: Mapping[ast.AST, ast.AST],
    facts: Facts,
    *,
    prints_error: bool = True,
) -> tuple[Written, ...] | None:
    """The statements by which a callback ends where it catches the error, if it only prints or logs.

    ``print("no data")`` and ``return``, for ``try: ... except ValueError: print("no data")`` as its last
    statement. None where the error does something else.

    Args:
        function: the callback.
        statement: the statement that makes a DataFrame.
        parents: the parent of each node.
        facts: the names of its module.
        prints_error: whether what a handler prints of the error is printed; else ``return`` is left.
    """
    above = parents.get(statement)
    if not isinstance(above, ast.Try) or statement not in above.body:
        return None
    if above is not function.body[-1] or above.finalbody:
        return None
    for handler in above.handlers:
        if _catches(handler):
            return _printed(handler, facts, prints_error=prints_error)
        if not isinstance(handler.type, ast.Name | ast.Attribute):
            return None
    return None


def shows_message(statement: ast.stmt, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether the text of an exception may be seen: not where handlers print its class alone."""
    above = next(tries_around(statement, parents), None)
    if above is None:
        return True
    caught = any(map(_catches, above.handlers))
    return not caught or not all(tells_class_only(handler) for handler in above.handlers)


def _printed(handler: ast.ExceptHandler, facts: Facts, *, prints_error: bool) -> tuple[Written, ...] | None:
    """The prints of a handler, with the error's text written out, and a ``return``."""
    calls = only_prints(handler, facts.of(handler))
    if calls is None:
        return None
    plain = [_is_plain(call) for call in calls]
    if not (prints_error or all(plain)):
        return (LEFT,)
    texts = [printed_text(call, handler, ValueError(MESSAGE)) for call in calls]
    if any(text is None and not known for text, known in zip(texts, plain, strict=True)):
        return None
    found: list[Written] = []
    for call, text, is_plain in zip(calls, texts, plain, strict=True):
        shown = ast.unparse(call) if is_plain else f"print({literal(text)})"
        is_said = is_plain or any(one.comment for one in found)
        found.append(Written(shown, comment="" if is_said else _OF_ERROR))
    return (*found, Written("return", comment="" if found else _PASSED_OVER))


def _is_plain(call: ast.Call) -> bool:
    """Whether a handler prints or logs the same text of any error, and no traceback."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    literal_texts = bool(call.args) and all(isinstance(one, ast.Constant) for one in call.args)
    tells = method in ("exception", "print_exc") or bool(call.keywords)
    return not tells and (literal_texts or ast.unparse(call) == "print()")


def _catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler of exceptions catches a ``ValueError``."""
    kinds = ("Exception", "BaseException", "ValueError")
    return handler.type is None or ast.unparse(handler.type) in kinds
