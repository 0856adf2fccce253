"""The order in which a callback gets elements: of a shuffle, by Spark's hash of a key; of files, by size."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Mapping

from migrate.graph.operations import Operation, upstream
from migrate.knowledge import rdd, sessions, streaming
from migrate.plan.callbacks.rows_by_position import told_reads
from migrate.plan.draft.step import Step
from migrate.proofs.analysis.call_graph import Reached, given_code
from migrate.proofs.analysis.summary import Summary
from migrate.proofs.callbacks.roles import Callback
from migrate.syntax.nodes import code_of, walk

ORDER = (
    "`{}` gives what a shuffle made in another order: a DataFrame places keys by Spark's hash, an RDD by"
    " Python's"
)
OF_RDD = (
    "`{}` gives what a shuffle made in another order: its RDD has as many partitions as the one before it,"
    " and DStream's had the default parallelism"
)
OF_FILES = (
    "of several files in one interval the largest is read first, so that `{}` may give other rows, or in"
    " another order; DStream takes them as their directory lists them"
)
TIES = (
    "`{}` gives the first rows of a sort, and those that it leaves equal come from a shuffle in another"
    " order: others of them may be the first"
)
_FIRST = frozenset({"first", "head", "limit", "show", "take", "zipWithIndex"})
_TAKEN = frozenset({"takeOrdered", "top"})
"""Methods that sort, and take the first."""
_SORTED = re.compile(r"\border\s+by\b", re.IGNORECASE)
_LIMITED = re.compile(r"\border\s+by\b.*\blimit\b", re.IGNORECASE | re.DOTALL)
_GIVES = frozenset(
    {"collect", "collectAsMap", "first", "head", "limit", "show", "take"}
    | {"toLocalIterator", "toPandas", "zipWithIndex"}
)
"""Methods of RDDs and DataFrames whose result tells the order of the rows."""
_ORDERS = rdd.SHUFFLED | {"agg", "dropDuplicates", "groupBy", "groupby", "orderBy", "sort"}
"""Those after which rows are not in the order of their files."""
_UNORDERED = frozenset({"dict", "len", "max", "min", "set", "sorted", "sum"})
"""Functions that do not show in which order they get what they are given."""


def tell_order(step: Step, callback: Callback, note: str = ORDER) -> None:
    """Note where ``rdd.collect()`` or ``rdd.take(n)`` gives elements in another order, if one may see it.

    What goes through all of them, one by one, is taken not to care. `rows_by_position` tells of the rest.

    Args:
        step: the output.
        callback: its function.
        note: says why the order is another one.
    """
    if not any(one.operator in streaming.SHUFFLING for one in upstream(step.operation)):
        return
    if _sorting_before(step) is not None:  # `tell_ties` says what that leaves open
        return
    parents = callback.parents
    for read in callback.reads(callback.rdd):
        method = parents.get(read)
        if not isinstance(method, ast.Attribute):
            continue
        call = parents.get(method)
        if not isinstance(call, ast.Call) or call.func is not method:
            continue
        if _shows(method.attr, call, parents) and not told_reads(call, step):
            step.note(note.format(code_of(call)))


def is_cut_as_before(step: Step) -> bool:
    """Whether RDD code cuts elements as DStream did: behind a state that the batch function keeps."""
    (operation,) = step.operation.parents
    while operation.operator not in streaming.SHUFFLING and len(operation.parents) == 1:
        (operation,) = operation.parents
    return operation in step.basis.kept


def comes_of_files(operation: Operation) -> bool:
    """Whether elements come to an output in the order in which files are read."""
    operators = {one.operator for one in upstream(operation)}
    return streaming.TEXT_FILES in operators and operators.isdisjoint(
        streaming.SHUFFLING | {"transform", "transformWith"}
    )


def tell_files(step: Step, callback: Callback) -> None:
    """Note where a callback, or a function that it calls, may see in which order files are read.

    Args:
        step: the output.
        callback: its function.
    """
    if not comes_of_files(step.operation):
        return
    for call, summary in Reached([callback.node], step.facts, handed=False).of(ast.Call):
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _GIVES:
            continue
        above = summary.facts.above.get(call)
        called = above.func.id if isinstance(above, ast.Call) and isinstance(above.func, ast.Name) else ""
        if called not in _UNORDERED and _is_unordered(call.func.value, summary):
            step.note(OF_FILES.format(code_of(call)))
            return


def tell_ties(step: Step, callback: Callback, *, of_frame: bool) -> None:
    """Note where a callback, or a function that it calls, shows the first rows of a sort, or of a shuffle.

    Args:
        step: the output.
        callback: its function.
        of_frame: whether a DataFrame's shuffle made the rows.
    """
    if not any(one.operator in streaming.SHUFFLES_SEVERAL for one in upstream(step.operation)):
        return
    sorted_before = _is_sorted_with_ties(step)
    for call, summary in Reached([callback.node], step.facts, handed=False).of(ast.Call):
        if not isinstance(call.func, ast.Attribute):
            continue
        made, method = call.func.value, call.func.attr
        is_limited = method == "sql" and _LIMITED.search(_text(call)) is not None
        by_key = method in _TAKEN and (len(call.args) > 1 or any(one.arg == "key" for one in call.keywords))
        if is_limited or by_key or (method in _FIRST and any(map(_may_tie, _made_by(made, summary)))):
            step.note(TIES.format(code_of(call)))
            return
        if method in _FIRST and sorted_before and _is_unordered(made, summary):
            step.note(TIES.format(code_of(call)))
            return
        if method == "show" and of_frame and _is_unordered(made, summary):
            step.note(ORDER.format(code_of(call)))
            return


def tell_inside(step: Step, callback: Callback, replaced: Container[ast.AST]) -> None:
    """Note where a callback sees the order of what it shuffles itself: ``rdd.reduceByKey(add).take(3)``.

    Args:
        step: the output.
        callback: its function.
        replaced: the calls of RDDs that become those of DataFrames.
    """
    for call, summary in Reached([callback.node], step.facts, handed=False).of(ast.Call):
        if not isinstance(call.func, ast.Attribute) or call not in replaced or told_reads(call, step):
            continue
        links, method = [*_made_by(call.func.value, summary)], call.func.attr
        called = {
            one.func.attr
            for one in links
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)
        }
        if called.isdisjoint(rdd.SHUFFLES_ONCE):
            continue
        if called.isdisjoint(rdd.SORTS):
            if _shows(method, call, summary.facts.above):
                step.note(ORDER.format(code_of(call)))
        elif method in _FIRST and any(map(_may_tie, links)):
            step.note(TIES.format(code_of(call)))


def sorts(operation: Operation, step: Step) -> bool:
    """Whether an operator is a ``transform`` whose function sorts."""
    return _calls_within(operation, step, rdd.SORTS)


def shuffles(operation: Operation, step: Step) -> bool:
    """Whether an operator is a ``transform`` whose function joins or groups, and does not sort."""
    return not sorts(operation, step) and _calls_within(operation, step, rdd.SHUFFLED)


def _calls_within(operation: Operation, step: Step, methods: Container[str]) -> bool:
    """Whether an operator is a ``transform`` whose function calls one of some methods."""
    if operation.operator != "transform":
        return False
    calls = given_code(operation.call, step.facts.of(operation.call)).of(ast.Call)
    functions = (call.func for call, _ in calls)
    return any(isinstance(one, ast.Attribute) and one.attr in methods for one in functions)


def _sorting_before(step: Step) -> Operation | None:
    """The ``transform`` that sorts what an output gets, if nothing after it changes the order."""
    (operation,) = step.operation.parents
    while operation.operator in streaming.ROWWISE | streaming.ITSELF:
        (operation,) = operation.parents
    return operation if sorts(operation, step) else None


def _is_sorted_with_ties(step: Step) -> bool:
    """Whether a ``transform`` sorts what an output gets, by what is not the key of a shuffle."""
    operation = _sorting_before(step)
    if operation is None:
        return False
    calls = given_code(operation.call, step.facts.of(operation.call)).of(ast.Call)
    by_key = not any(_may_tie(call) for call, _ in calls)
    return not (by_key and operation.parents[0].operator in streaming.SHUFFLES_SEVERAL)


def _may_tie(node: ast.AST) -> bool:
    """Whether an expression sorts, by what is not the key of pairs."""
    match node:
        case ast.Call(func=ast.Attribute(attr="sql")):
            return _SORTED.search(_text(node)) is not None
        case ast.Call(func=ast.Attribute(attr="sortBy"), args=[ast.Lambda(body=ast.Subscript() as key), *_]):
            return not (isinstance(key.slice, ast.Constant) and key.slice.value == 0)
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in ("orderBy", "sort", "sortBy")
    return False


def _text(call: ast.Call) -> str:
    """The text that a call is given, as far as it is written out."""
    texts = (node.value for given in call.args[:1] for node in walk(given) if isinstance(node, ast.Constant))
    return " ".join(text for text in texts if isinstance(text, str))


def _is_unordered(made: ast.AST, summary: Summary) -> bool:
    """Whether rows are made of a parameter of a function, by nothing that gives them another order."""
    parameters = {node.arg for node in summary.of(ast.arg)}
    links = [*_made_by(made, summary)]
    called = (link.func for link in links if isinstance(link, ast.Call))
    methods = {function.attr for function in called if isinstance(function, ast.Attribute)}
    names = {link.id for link in links if isinstance(link, ast.Name)}
    return methods.isdisjoint(_ORDERS) and not names.isdisjoint(parameters)


def _made_by(made: ast.AST, summary: Summary) -> Iterator[ast.AST]:
    """The calls and names that rows are made of, also by way of variables of their function."""
    assigned: dict[str, list[ast.expr]] = {}
    for statement in summary.of(ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name):
                assigned.setdefault(target.id, []).append(statement.value)
    pending, seen = [made], set[str]()
    while pending:
        node = pending.pop()
        yield node
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=method), args=given):
                pending += [*given[:1]] if method in sessions.TAKES_RDDS else [value]
            case ast.Attribute(value=value):
                pending.append(value)
            case ast.Name(name) if name not in seen:
                seen.add(name)
                pending += assigned.get(name, ())


def _shows(method: str, call: ast.expr, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether the order of what a method of an RDD gives may be seen."""
    above = parents.get(call)
    called = above.func.id if isinstance(above, ast.Call) and isinstance(above.func, ast.Name) else ""
    if method not in ("collect", "collectAsMap"):
        return method in ("first", "take") and called != "len"
    if isinstance(above, ast.comprehension) and above.iter is call:
        made = parents.get(above)  # a list of what is made of each, in the same order
        return isinstance(made, ast.ListComp | ast.GeneratorExp) and _shows(method, made, parents)
    if isinstance(above, ast.For):
        return above.iter is not call
    return called not in _UNORDERED
