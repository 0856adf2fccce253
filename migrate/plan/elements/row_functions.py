"""Functions of the elements of a stream, as functions of the rows of its DataFrame.

A function that does the same with a Row as with a tuple stays as it is; any other is given the tuple, or the
value of the only column.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from keyword import iskeyword

from migrate.columns import UNREAD, Element, Record, Refusal, Scalar, has_unread, leaves
from migrate.frozen import dataclass
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.step import Step
from migrate.plan.frames.held_columns import element_code
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.row_elements import is_flat, tuple_of
from migrate.plan.new_code.code import Call
from migrate.plan.new_code.inner import Inner
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, is_used_only_by
from migrate.proofs.elements.callback_places import collected_places
from migrate.proofs.elements.rows_as_tuples import gives_row, takes_iterator, takes_row
from migrate.proofs.elements.tuple_reads import AllRead, place_of, reads_of
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names

_FEW = 3
"""How often a lambda may read its parameter for each read to name the column."""

_PAIR = 2


@dataclass(frozen=True)
class NewLambda:
    """``lambda row: parse(tuple(row))``."""

    parameters: tuple[str, ...]
    body: str

    @property
    def code(self) -> str:
        """The lambda as an expression."""
        return f"{' '.join(filter(None, ('lambda', self.signature)))}: {self.body}"

    @property
    def signature(self) -> str:
        """Its parameters as code."""
        return ", ".join(self.parameters)


def code_of(function: str | NewLambda) -> str:
    """A function as an expression."""
    return function if isinstance(function, str) else function.code


def of_row(step: Step, function: ast.expr, element: Element, code: str = "") -> tuple[str, Inner]:
    """Code of a function of a row that does as a function of the element does, and changes inside it.

    The arguments are those of `row_function`.
    """
    parameter = _only_parameter(function)
    is_column = parameter is not None and isinstance(element, Scalar) and parameter[0] == element.name
    # `row["word"]`, and not `word["word"]`
    variable = _row(function, parameter)[0] if is_column else ""
    made, inner = row_function(step, function, element, code, variable)
    return code_of(made), inner


def row_function(
    step: Step, function: ast.expr, element: Element, code: str = "", variable: str = ""
) -> tuple[str | NewLambda, Inner]:
    """A function of a row that does as a function of the element does, and changes inside it.

    Args:
        step: the operator.
        function: the function of an element.
        element: the element, over the columns of the rows.
        code: what stands for the function in new code, if that is not the function itself.
        variable: a name for a lambda's parameter that reads columns alone, if it is not to have its own.
    """
    parameter = _only_parameter(function) if code in ("", quoted(function)) else None
    if has_unread(element):
        row, renamed = _row(function, parameter)
        parts = tuple(_named_parts(step, function, element, parameter, row))
        return quoted(function), Inner(parts, renamed=renamed)
    if is_flat(element) and takes_row(function, step.facts):
        return code or quoted(function), Inner()
    if parameter is not None:
        name, reads = parameter
        others = [read for read in reads if not (is_flat(element) and gives_row(read, step.facts))]
        called: tuple[tuple[ast.AST, str], ...] = ()
        if variable and len(others) == len(reads) and isinstance(function, ast.Lambda):
            (own,) = [*function.args.posonlyargs, *function.args.args]
            name, called = variable, ((own, variable),)
        parts = tuple(_read(element, name, read, step) for read in others)
        return quoted(function), Inner(parts, renamed=called)
    row = _free("row", function, step)
    return NewLambda((row,), f"{code or _called(function)}({_element(element, row)})"), Inner()


def on_elements(step: Step, rdd: Rdd, function: ast.expr) -> tuple[Rdd, str]:
    """An RDD and the code of a function for a method of it that gives the function's results alone."""
    code = step.argument(function)
    if rdd.rows is None:
        return rdd, code
    parameter = _only_parameter(function)
    if isinstance(rdd.rows, Scalar) and parameter is not None and len(parameter[1]) > _FEW:
        return rdd.call(Call("map", f"lambda row: {_element(rdd.rows, 'row')}")), code
    text, inner = of_row(step, function, rdd.rows, code)
    step.need(inner=inner)
    return rdd, text


def keeps_rows(step: Step, rdd: Rdd, function: ast.expr) -> bool:
    """Whether rows may go on as rows behind a condition, for a function that reads them next."""
    if rdd.rows is None or not is_flat(rdd.rows) or has_unread(rdd.rows):
        return False
    readers = [reader.operator for reader in step.operation.consumers]
    return readers in (["map"], ["flatMap"], ["filter"]) and takes_row(function, step.facts)


def of_rows(step: Step, function: ast.expr, element: Element) -> tuple[str, Inner]:
    """The same of a function of an iterator of elements."""
    if is_flat(element) and takes_iterator(function, step.facts):
        return quoted(function), Inner()
    named = _named_in(function, element, step)
    if named:
        return quoted(function), Inner(tuple(named.items()))
    parameter = _only_parameter(function)
    if parameter is not None and len(parameter[1]) == 1:
        name, (read,) = parameter
        call = step.facts.above[read]
        if isinstance(call, ast.Call) and call.args == [read] and not call.keywords:
            return quoted(function), Inner(((call, f"{_called(call.func)}({_elements(element, name)})"),))
        return quoted(function), Inner(((read, f"({_elements(element, name)})"),))
    rows = _free("rows", function, step)
    return f"lambda {rows}: {_called(function)}({_elements(element, rows)})", Inner()


def _named_parts(
    step: Step, function: ast.expr, element: Element, parameter: _Parameter | None, row: str
) -> Iterator[tuple[ast.AST, str]]:
    """The parts that a function reads of an element by their places, with code that reads them by name.

    Raises:
        RatherError: it reads more, or something else calls it, too; or nothing was to be read of what is one
            column alone, as no output reads the stream.
    """
    if not isinstance(element, Record):
        raise RatherError(Choices(all_places=True))
    try:
        parts = _own_parts(function, parameter, step.facts)
    except AllRead:
        raise RatherError(Choices(all_places=True)) from None
    for part, place in parts:
        name = row if parameter is not None else quoted(part.value)
        yield part, f"{name}[{_column_at(element, place, part, step)}]"


def _column_at(element: Record, place: int, part: ast.Subscript, step: Step) -> str:
    """The column at a place of a tuple, for a part that is read of it; see `_column`.

    Raises:
        RatherError: it is no column yet.
    """
    item = element.items[place] if place < len(element.items) else UNREAD
    if not isinstance(item, Scalar) or item.unread:
        raise RatherError(Choices(all_places=True))
    return _column(item, leaves(element).index(item), part, step.facts)


def _own_parts(
    function: ast.expr, parameter: _Parameter | None, facts: Facts
) -> list[tuple[ast.Subscript, int]]:
    """The parts that a lambda, or a function that nothing else calls, reads of its only argument itself.

    Raises:
        AllRead: it reads more, gives the argument to another function, or something else calls it, too.
    """
    found = list(reads_of(function, facts))
    parts = [(part, place) for part, place in found if isinstance(part, ast.Subscript)]
    if parameter is not None:
        own = {part for part, _ in parts} == {facts.above[read] for read in parameter[1]}
    else:
        called = called_function(function, facts)
        here = called is not None and called.node in facts.above
        node = (
            called.node
            if called is not None and here and is_used_only_by([function], called.node, facts)
            else None
        )
        reads = [part.value for part, _ in parts if isinstance(part.value, ast.Name)]
        own = node is not None and all(facts.home(read) is node for read in reads)
    if not own or len(parts) < len(found):
        raise AllRead
    return parts


def named_places(rows: ast.expr, element: Element, step: Step) -> Iterator[tuple[ast.AST, str]]:
    """The reads of parts of the tuples of a list by their places, with code that reads them of rows by name.

    Raises:
        RatherError: more is read of them.
    """
    assert isinstance(element, Record)
    try:
        parts = list(collected_places(rows, step.facts))
    except AllRead:
        raise RatherError(Choices(all_places=True)) from None
    for part, place in parts:
        yield part, f"{quoted(part.value)}[{_column_at(element, place, part, step)}]"


def _named_in(function: ast.expr, element: Element, step: Step) -> dict[ast.AST, str]:
    """The same in a function of an iterator that nothing else calls, of tuples of tuples; none for others."""
    called = called_function(function, step.facts)
    if called is None or called.node not in step.facts.above or is_flat(element):
        return {}
    names = parameter_names(called.node)[called.bound :]
    if len(names) != 1 or not is_used_only_by([function], called.node, step.facts):
        return {}
    reads = list(Callback(called.node, names[0], None).reads(names[0]))
    return _named_items(reads[0], element, step) if len(reads) == 1 else {}


def _named_items(rows: ast.expr, element: Element, step: Step) -> dict[ast.AST, str]:
    """The values that a loop reads of tuples of tuples, with code that reads them of rows by name.

    There are none where it reads more: ``row["user"]`` stands for ``pair[0][1]``, nothing for ``pair[0]``.
    """
    columns = leaves(element)
    if len({column.name for column in columns}) < len(columns):
        return {}
    found: dict[ast.AST, str] = {}
    try:
        for first, _ in collected_places(rows, step.facts):
            part, item = _item_at(element, first), first
            while isinstance(part, Record):
                above = step.facts.above[item]
                if not isinstance(above, ast.Subscript) or above.value is not item:
                    return {}
                part, item = _item_at(part, above), above
            column = _column(part, columns.index(part), item, step.facts)
            found[item] = f"{quoted(first.value)}[{column}]"
    except AllRead:
        return {}
    return found


def _item_at(element: Element, read: ast.Subscript) -> Element:
    """The item of an element that is read by its place.

    Raises:
        AllRead: there is none.
    """
    place = place_of(read)
    if not isinstance(element, Record) or place >= len(element.items):
        raise AllRead
    return element.items[place]


def listed(step: Step, rows: str, element: Scalar, read: ast.expr) -> tuple[ast.expr, str]:
    """The list of the values of the only column, in the place of a list of elements.

    Args:
        step: the output.
        rows: the code of the list of rows.
        element: what the elements are.
        read: the list of elements.

    Returns:
        the expression that goes, and what stands in its place: ``rows[0]["line"]`` where one is taken, and
        the rows themselves where nothing reads the list.
    """
    taken = step.facts.above.get(read)
    if isinstance(taken, ast.Expr):
        return read, rows
    if isinstance(taken, ast.Subscript) and taken.value is read and not isinstance(taken.slice, ast.Slice):
        return taken, field_of(f"{rows}[{quoted(taken.slice)}]", element, taken, step)
    return read, f"[{_element(element, 'row', read, step)} for row in {rows}]"


def made_of_rows(element: Element, rows: str) -> str:
    """The elements and the loop of a comprehension: ``((user, tag), count) for user, tag, count in rows``."""
    names = [leaf.name or "" for leaf in leaves(element)]
    if len({*names}) < len(names) or not all(name.isidentifier() and not iskeyword(name) for name in names):
        return f"{tuple_of(element, itertools.count())} for row in {rows}"
    return f"{element_code(element, iter(names))} for {', '.join(names)} in {rows}"


def dict_of_rows(element: Element, rows: str, read: ast.AST) -> str:
    """The dict of pairs: ``dict(rows)``, or ``dict(((user, tag), count) for user, tag, count in rows)``.

    Raises:
        Refusal: they are no pairs.
    """
    if not isinstance(element, Record) or len(element.items) != _PAIR or has_unread(element):
        raise Refusal("its elements are not known to be pairs", read)
    return f"dict({rows if is_flat(element) else made_of_rows(element, rows)})"


def tuples_of_rows(
    step: Step, read: ast.expr, above: ast.AST | None, element: Element, rows: str
) -> tuple[dict[ast.AST, str], str]:
    """What a loop reads of tuples of tuples, as it reads it of rows, and rows; or nothing, and their list.

    Those are its variables, if it takes the tuples apart, or the values that it reads of them.
    """
    if isinstance(above, ast.For | ast.comprehension) and above.iter is read:
        names = _variables(above.target, element)
        if names:
            return {above.target: ", ".join(names)}, rows
    named = _named_items(read, element, step)
    if named:
        return named, rows
    return {}, f"[{made_of_rows(element, rows)}]"


def _variables(target: ast.expr, element: Element) -> list[str]:
    """The variables that a loop's target has for the columns of an element; none if it has other ones."""
    match target, element:
        case ast.Name(name), Scalar():
            return [name]
        case ast.Tuple(parts), Record(items) if len(parts) == len(items):
            found = [_variables(part, item) for part, item in zip(parts, items, strict=True)]
            return [name for names in found for name in names] if all(found) else []
    return []


def field_of(row: str, element: Scalar, read: ast.expr, step: Step) -> str:
    """The value of the only column of a row, in the place of a read of the element."""
    return _element(element, row, read, step)


def _read(element: Element, row: str, read: ast.expr, step: Step) -> tuple[ast.expr, str]:
    """A part of an element that is read by its places, or all of it, with its code.

    An item of a tuple in a tuple is that item, ``x[2]`` for ``x[1][1]``: no tuple is made to take it from.
    """
    part, columns, above = element, itertools.count(), step.facts.above.get(read)
    while isinstance(part, Record) and isinstance(above, ast.Subscript) and above.value is read:
        try:
            place = place_of(above)
            item = part.items[place]
        except (AllRead, IndexError):
            break
        before = sum(len(leaves(other)) for other in part.items[:place])
        part, columns = item, itertools.count(next(columns) + before)
        read, above = above, step.facts.above.get(above)
    return read, _element(element, row, read, step) if part is element else tuple_of(part, columns, row)


def _element(element: Element, row: str, read: ast.AST | None = None, step: Step | None = None) -> str:
    """The code of an element, from a variable that holds a row, in the place of a read of the element."""
    if isinstance(element, Scalar):
        return f"{row}[{_column(element, 0, read, None if step is None else step.facts)}]"
    return f"tuple({row})" if is_flat(element) else tuple_of(element, itertools.count(), row)


def _elements(element: Element, rows: str) -> str:
    """The code of an iterator of elements, as the only argument of a call, from one of rows."""
    return f"map(tuple, {rows})" if is_flat(element) else f"{_element(element, 'row')} for row in {rows}"


def _column(column: Scalar, place: int, read: ast.AST | None, facts: Facts | None) -> str:
    """The name of a column, quoted; its place inside a text whose quotes would end there."""
    while facts is not None and read is not None and not isinstance(read, ast.stmt):
        if isinstance(read, ast.JoinedStr):
            return str(place)
        read = facts.above.get(read)
    return f'"{column.name}"'


_Parameter = tuple[str, list[ast.Name]]
"""A parameter, and its reads."""


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _only_parameter(function: ast.expr) -> _Parameter | None:
    """The parameter of a lambda that has no others, and that no loop in it gives another value."""
    if not isinstance(function, ast.Lambda):
        return None
    arguments, names = function.args, parameter_names(function)
    others = (*arguments.kwonlyargs, *arguments.defaults, *filter(None, (arguments.vararg, arguments.kwarg)))
    stored = (node.id for node in walk(function) if isinstance(node, ast.Name) and _is_stored(node))
    if len(names) != 1 or others or names[0] in stored:
        return None
    return names[0], list(Callback(function, names[0], None).reads(names[0]))


def _row(function: ast.expr, parameter: _Parameter | None) -> tuple[str, tuple[tuple[ast.AST, str], ...]]:
    """A name for a lambda's parameter that was a pair of which a part is left, and what is renamed so."""
    if parameter is None or not isinstance(function, ast.Lambda):
        return "row", ()
    taken = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    taken |= {node.arg for node in walk(function) if isinstance(node, ast.arg)}
    if "row" in taken:
        return parameter[0], ()
    (own,) = [*function.args.posonlyargs, *function.args.args]
    return "row", tuple((node, "row") for node in (own, *parameter[1]))


def _called(function: ast.expr) -> str:
    """The code of a function that is called."""
    text = quoted(function)
    return f"({text})" if isinstance(function, ast.Lambda) else text


def _free(wanted: str, function: ast.expr, step: Step) -> str:
    """A name for a parameter that a function does not read."""
    names = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    return step.fresh(wanted) if wanted in names else wanted
