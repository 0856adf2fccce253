"""Callbacks that catch exceptions, behind columns that raise where Python does not.

``int(x)`` has a Column form for 18 digits, and ``x.lower()`` one without a few letters: beyond that the query
fails, and the user sees it. A callback that catches exceptions would hide it, and lose the batch. Where its
handlers only print, and what fails hardly ever comes, a note is enough: the handler takes what fails anyway.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable

from migrate.graph.outliving import outlives_query
from migrate.graph.program import Operation, upstream
from migrate.knowledge.streaming import CALLBACKS, SHUFFLING
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.step import Step
from migrate.proofs.analysis.call_graph import Reached
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import is_call_of
from migrate.proofs.callbacks.caught_work import catches_work
from migrate.proofs.callbacks.roles import Callback, NotTheSame
from migrate.proofs.callbacks.takes_elements import tells_errors
from migrate.syntax.nodes import walk

WHY = "its Column form raises for some values that Python takes, and a callback catches exceptions"
BEFORE = (
    "an error of what comes before a running state ends the query: the state is computed before the callback "
    "is called, which catches exceptions; DStream's callback caught it, in each interval from then on"
)

TOLD = (
    "a handler of the program takes the errors of new columns, too: the batch ends there, and the query goes "
    "on; a column that nothing reads gives none (--strict keeps code that fails where Python does)"
)
PRINTED = (
    "a handler of the program prints errors of the functions that make the elements: Spark has another text "
    "for these where a typed function calls them"
)


def check_caught(step: Step, callback: Callback) -> None:
    """Refuse columns that raise where Python does not, if the callback that reads them catches exceptions.

    A state that the batch function keeps is computed before the callback is called, and fails outside of it.

    Raises:
        RatherError: there are some; they become functions of Python, or the batch function keeps the state.
    """
    if not catches(callback, step.facts):
        return
    basis, narrower = step.basis, step.known.narrower
    looser = step.known.looser & upstream(step.operation)
    is_told = _only_tells(step, callback)
    guarded = looser & step.known.often if is_told else looser
    if not basis.choices.strict and not all(_ends_the_program(step, one) for one in guarded):
        raise RatherError(Choices(strict=True))
    pending: list[Operation] = [*step.operation.parents]
    calls: set[ast.Call] = set()
    while pending:
        operation = pending.pop()
        if operation in basis.kept:
            step.note(BEFORE)
            continue
        if operation is basis.state and any(
            _may_fail(one, step.facts) for one in upstream(operation) - {operation}
        ):
            step.note(BEFORE)
        pending += operation.parents
        of_state = basis.state is not None and operation in upstream(basis.state)
        is_enough = is_told and not of_state and operation not in step.known.often
        if is_enough and operation in looser | narrower:
            _tell(step)
        elif operation in narrower and not basis.choices.as_rdd.get(operation.call):
            if of_state and not basis.event_time:
                raise RatherError(Choices(keeps_states=True))
            calls.add(operation.call)
    if calls - basis.choices.as_python and _reads_all(callback, step.facts):
        raise RatherError(Choices(as_python=frozenset(calls)))
    if calls:
        raise RatherError(Choices(dict.fromkeys(calls, WHY)))


_IN_PART = frozenset(
    {"createDataFrame", "first", "foreach", "foreachPartition", "head", "isEmpty", "limit", "show", "take"}
    | {"toDF", "toLocalIterator"}
)
"""Methods that read some elements, or one by one; Spark calls typed functions for a hundred at once."""
_LIMITED = re.compile(r"\blimit\b", re.IGNORECASE)


def _reads_all(callback: Callback, facts: Facts) -> bool:
    """Whether a callback reads all elements at once, so that it sees no difference in which one fails."""
    reached = Reached([callback.node], facts, handed=False)
    texts = (node.value for node, _ in reached.of(ast.Constant) if isinstance(node.value, str))
    in_part = any(node.attr in _IN_PART for node, _ in reached.of(ast.Attribute))
    return not in_part and not any(map(_LIMITED.search, texts))


def may_raise_here(step: Step, callback: Callback) -> bool:
    """Whether typed functions may call those that make elements, though handlers see their errors.

    These may print them, if all elements are read at once.
    """
    if not tells_errors(callback):
        return True
    if not _only_tells(step, callback) or not _reads_all(callback, step.facts):
        return False
    step.note(PRINTED)
    return True


def _may_fail(operation: Operation, facts: Facts) -> bool:
    """Whether an operator calls a function that the program defines, which may fail for any reason."""
    names = (node for node in walk(operation.call) if isinstance(node, ast.Name))
    return any(isinstance(facts.only_binding(name.id), ast.FunctionDef) for name in names)


def _ends_the_program(step: Step, failing: Operation) -> bool:
    """Whether the old program ends where an operator fails, by another output that nobody catches errors of.

    Printing computes all partitions only behind a shuffle.
    """
    program = step.program
    if outlives_query(program) or any(line.all_when for line in program.lines):
        return False
    for output in program.outputs:
        above = [one for one in upstream(output) if failing in upstream(one)]
        shuffles = any(one.operator in SHUFFLING for one in above)
        computes_all = output.operator == "saveAsTextFiles" or (output.operator == "pprint" and shuffles)
        if above and computes_all and not any(one.operator in CALLBACKS for one in above):
            return True
    return False


def check_conversion(step: Step, callback: Callback) -> None:
    """Refuse the columns of a callback that catches exceptions, if one may raise where Python does not.

    Raises:
        NotTheSame: one may.
        RatherError: columns must fail where Python does.
    """

    def is_own(operations: Iterable[Operation]) -> bool:
        return any(operation.use is step.operation.use for operation in operations)

    known = step.known
    if not (is_own(known.narrower) or is_own(known.looser)) or not catches(callback, step.facts):
        return
    if _only_tells(step, callback) and not is_own(known.often):
        _tell(step)
        return
    if not step.choices.strict:
        raise RatherError(Choices(strict=True))
    if is_own(known.narrower):
        raise NotTheSame(WHY)


def catches(callback: Callback, facts: Facts) -> bool:
    """Whether a callback, or a function that it calls, catches errors of what it computes, and goes on."""
    return catches_work(callback, facts)


def _only_tells(step: Step, callback: Callback) -> bool:
    """Whether handlers of a callback, and of what it calls, take all and only print: a note is enough."""
    if step.options.strict:
        return False
    for summary in Reached([callback.node], step.facts, handed=False).code:
        handlers = (handler for node in summary.of(ast.Try) for handler in node.handlers)
        blocks = (item for block in summary.of(ast.With) for item in block.items)
        if not all(takes_all(one) and only_prints(one, summary.facts) is not None for one in handlers):
            return False
        if not all(is_call_of(item.context_expr, "open") for item in blocks):
            return False
    return True


def _tell(step: Step) -> None:
    """Note that a handler takes the errors of columns, which raise where Python does if ANSI mode is on."""
    step.note(TOLD)
    step.need(ansi=bool(step.known.gives_without_ansi))


def is_caught(step: Step, callback: Callback) -> bool:
    """Whether somebody catches an error of what a callback computes."""
    return step.basis.guards.fail_as_python_does or catches(callback, step.facts)


def takes_all(handler: ast.ExceptHandler) -> bool:
    """Whether a handler takes exceptions of any class."""
    return handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException")


def tells_class_only(handler: ast.ExceptHandler) -> bool:
    """Whether a handler of exceptions prints no more of one than its class, ``sys.exc_info()[0]``."""
    inside = [node for statement in handler.body for node in walk(statement)]
    calls = [node for node in inside if isinstance(node, ast.Call)]
    classes = {node.value for node in inside if isinstance(node, ast.Subscript) and _is_first(node)}
    plain = all(
        ast.unparse(call.func) in _PRINTS or (call in classes and ast.unparse(call.func) in _EXC_INFO)
        for call in calls
    )
    attributes = {node for node in inside if isinstance(node, ast.Attribute)} - {call.func for call in calls}
    raised = any(isinstance(node, ast.Raise) for node in inside)
    return handler.name is None and plain and not attributes and not raised


def only_prints(handler: ast.ExceptHandler, facts: Facts) -> list[ast.Call] | None:
    """The calls by which a handler of exceptions prints or logs; None where it does more than that."""
    printed: list[ast.Call] = []
    variables = {handler.name} if handler.name is not None else set()
    for statement in handler.body:
        match statement:
            case ast.Pass() | ast.Return(value=None | ast.Constant()):
                continue
            case ast.Assign(targets=[ast.Name() as name], value=made) if facts.home(name) is not None:
                if not _tells_error(made, variables, facts):
                    return None
                variables.add(name.id)
            case ast.Expr(value=ast.Call(func=function, args=given, keywords=words) as call):
                known = ast.unparse(function) in _PRINTING and "print" not in facts.shadowed
                prints = known and all(_is_shown(word) for word in words)
                if not (prints or _logs(call, facts)) or not all(
                    _is_exc_info(one) or _tells_error(one, variables, facts) for one in given
                ):
                    return None
                printed.append(call)
            case _:
                return None
    return printed


def _is_shown(word: ast.keyword) -> bool:
    """``file=sys.stdout``: what is printed goes to where prints go."""
    return word.arg == "file" and ast.unparse(word.value) in _SHOWN


def _logs(call: ast.Call, facts: Facts) -> bool:
    """Whether a call logs a text: ``logging.error(e)``, ``logger.exception("failed", exc_info=True)``."""
    match call.func:
        case ast.Attribute(ast.Name() as logger, attr=level) if level in _LEVELS:
            value = facts.value_of(facts.only_binding(logger.id))
            made = facts.qualified(value.func) if isinstance(value, ast.Call) else None
            words = all(
                word.arg == "exc_info" and isinstance(word.value, ast.Constant) for word in call.keywords
            )
            return words and (facts.qualified(logger) == "logging" or made == "logging.getLogger")
    return False


def _tells_error(node: ast.expr, variables: Container[str | None], facts: Facts) -> bool:
    """Whether an expression is made of texts and an error alone, by what never fails."""

    def is_text(part: ast.expr) -> bool:
        match part:
            case ast.Constant(value=str()) | ast.JoinedStr() | ast.BinOp() | ast.Call():
                return not _is_call(part, "type", facts) and _tells_error(part, variables, facts)
        return False

    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in variables
        case ast.JoinedStr(values=parts):
            return all(_tells_error(part, variables, facts) for part in parts)
        case ast.FormattedValue(value=value, format_spec=None):
            return _tells_error(value, variables, facts)
        case ast.Subscript(value=value, slice=ast.Constant(value=0 | 1)):
            return _is_exc_info(value)
        case ast.Attribute(value=value, attr="__class__"):
            return _tells_error(value, variables, facts)
        case ast.Attribute(value=value, attr="__name__"):
            of_class = _is_call(value, "type", facts) or ast.unparse(value).endswith(".__class__")
            return of_class and _tells_error(value, variables, facts)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"), args=given):
            fits = not node.keywords and _fits(lambda: text.format(*("" for _ in given)))
            return fits and all(_tells_error(one, variables, facts) for one in given)
        case ast.Call(func=function, args=[], keywords=[]):
            return ast.unparse(function) in ("traceback.format_exc", "format_exc")
        case ast.Call(args=[one], keywords=[]):
            is_known = any(_is_call(node, name, facts) for name in ("str", "repr", "type"))
            return is_known and _tells_error(one, variables, facts)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=values):
            given = values.elts if isinstance(values, ast.Tuple) else [values]
            fits = _fits(lambda: text % tuple("" for _ in given))
            return fits and all(_tells_error(one, variables, facts) for one in given)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return is_text(left) and is_text(right)
    return False


def _is_call(node: ast.expr, name: str, facts: Facts) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    return called and name not in facts.shadowed


def _is_exc_info(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in _EXC_INFO and not node.args


def _fits(formatted: Callable[[], str]) -> bool:
    """Whether a text has a place for each of the values that it is given."""
    try:
        formatted()
    except (IndexError, KeyError, TypeError, ValueError):
        return False
    return True


_PRINTING = frozenset({"print", "traceback.print_exc", "print_exc"})
_LEVELS = frozenset({"critical", "debug", "error", "exception", "info", "warn", "warning"})
_SHOWN = frozenset({"sys.stdout", "sys.stderr"})
_PRINTS = frozenset({"print", "str"})
_EXC_INFO = frozenset({"sys.exc_info", "exc_info"})


def _is_first(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Constant) and node.slice.value == 0
