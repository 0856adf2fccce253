"""Python functions of known types as Spark's typed functions: ``F.udf(parse_line, "string")``.

The code stays as it is, so its results do; only their types must be known. Spark converts a result of another
type without a word, or makes it null, and so it does with an int beyond 64 bits, unless it runs over Arrow.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from migrate.columns import (
    Element,
    Helper,
    Record,
    Refusal,
    Scalar,
    after_select,
    compile_map,
    leaves,
    name_columns,
    singular,
)
from migrate.columns.names import is_telling
from migrate.columns.shapes import Bool, Float, Int, List, Maybe, Shape, Struct, Tuple
from migrate.plan.choices import Choices, RatherError
from migrate.plan.code import Inner
from migrate.plan.column_functions import need_compiled
from migrate.plan.row_functions import of_row
from migrate.plan.stages import Frame, is_flat
from migrate.plan.step import Step
from migrate.plan.tokens import renumbered, tokens_of
from migrate.proofs.rows_as_tuples import gives_row, takes_row
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.typed import Result, result_of_filter, result_of_flat_map, result_of_map

OVER_ARROW = "`useArrow=True` makes Spark raise for what a column cannot hold: the workers need PyArrow"
CHECKED = '''\
def checked(value):
    """The value; raises for what a column cannot hold, which Spark would make null or another text."""
    if isinstance(value, (list, tuple)):
        for item in value:
            checked(item)
    elif isinstance(value, str):
        value.encode()
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise OverflowError("%d does not fit into 64 bits" % value)
    return value'''


def _check(kind: str) -> Helper:
    """A function that raises where a result is not what an annotation says."""
    name, wrong = f"checked_{kind}", f"type(value) is not {kind}"
    after = ""
    if kind == "int":
        wrong += " or not -(2**63) <= value < 2**63"
    if kind == "str":
        after = "    if value is not None:\n        value.encode()  # raises for lone surrogates\n"
    return Helper(
        name,
        f"def {name}(value):\n"
        f'    """The value, which must be {_ARTICLE[kind]} or None: Spark would convert another one."""\n'
        f"    if value is not None and ({wrong}):\n"
        f'        raise TypeError("%r is not {_ARTICLE[kind]} that a column holds" % (value,))\n'
        f"{after}"
        "    return value",
    )


_ARTICLE = {"str": "a str", "int": "an int", "float": "a float", "bool": "a bool"}


def typed_map(step: Step, frame: Frame, function: ast.expr, beside: Element | None = None) -> Frame:
    """The frame after a function of its elements.

    Args:
        step: the operator.
        frame: a frame whose element is its columns.
        function: the function.
        beside: the key that stays, if the function is given the value of a pair.

    Raises:
        Refusal: its result is of no known type.
    """
    frame = replace(frame, late=frame.late or bool(frame.conditions))
    element = frame.element if beside is None else _value(frame)
    parts = _parts(step, function, element) if isinstance(function, ast.Lambda) else None
    python = frame.python | {step.operation.call}
    if parts is not None:
        made: Element = parts if beside is None else Record((beside, parts))
        return replace(frame, element=made, pending=True, python=python)
    found = result_of_map(function, [element], step.scope)
    if isinstance(found.element, Scalar):
        call = _call(step, function, element, type_name(found.element.shape), found)
        column = Scalar(
            call, found.element.shape, _own_name(step, function, element), tokens=tokens_of(element)
        )
        made = column if beside is None else Record((beside, column))
        return replace(frame, element=made, pending=True, python=python)
    named = _named(step, function, found.element, () if beside is None else _names(beside))
    call = _call(step, function, element, type_of(named), found)
    kept = [*frame.kept, *(() if beside is None else _names(beside))]
    made = after_select(named)
    spread = _spread(frame, call, kept, named, "result")
    return replace(
        spread,
        element=made if beside is None else Record((after_select(beside), made)),
        pending=False,
        python=python,
    )


def typed_flat_map(step: Step, frame: Frame, function: ast.expr, beside: Element | None = None) -> Frame:
    """The frame after a function that returns a list of new elements; see `typed_map`."""
    frame = replace(frame, late=frame.late or bool(frame.conditions))
    element = frame.element if beside is None else _value(frame)
    found = result_of_flat_map(function, [element], step.scope)
    kept = [*frame.kept, *(() if beside is None else _names(beside))]
    named = _named(step, function, found.element, tuple(kept))
    item_type = type_name(named.shape) if isinstance(named, Scalar) else type_of(named)
    call = _call(step, function, element, f"array<{item_type}>", found, wrap="list")
    made = after_select(named)
    python = frame.python | {step.operation.call}
    if isinstance(named, Scalar):
        columns = ", ".join([*map(_quoted, kept), f'F.explode({call}).alias("{named.name}")'])
        after = frame.call(f"select({columns})", filtered=True)
    else:
        after = replace(_spread(frame, f"F.explode({call})", kept, named, "item"), filtered=True)
    return replace(
        after,
        element=made if beside is None else Record((after_select(beside), made)),
        pending=False,
        python=python,
    )


def typed_filter(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame after a condition of its elements; see `typed_map`."""
    found = result_of_filter(function, [frame.element], step.scope)
    frame = behind_conditions(step, frame)
    condition = _call(step, function, frame.element, "boolean", found, wrap="bool")
    python = frame.python | {step.operation.call}
    return frame.call(f"where({condition})", filtered=True, python=python, conditions=python)


def behind_conditions(step: Step, frame: Frame) -> Frame:
    """The frame, whose earlier conditions Spark asks before one that may raise.

    It asks two conditions of typed functions together, of all rows, and a condition of columns before them:
    also one that reads what a function made of the rows that are left.

    Raises:
        RatherError: functions of them must not be moved.
    """
    loose = frame.conditions - step.choices.pinned
    if loose:
        raise RatherError(Choices(pinned=loose))
    return frame


# --- calls --------------------------------------------------------------------------------------------------


def _call(
    step: Step, function: ast.expr, element: Element, type_: str, found: Result, wrap: str | None = None
) -> str:
    """The code that applies the function to the columns of an element; the function gets a name."""
    text, arguments = _function(step, function, element, _wraps(step, found, wrap))
    return f"{_declared(step, function, text, type_, found)}({', '.join(arguments)})"


def _wraps(step: Step, found: Result, wrap: str | None = None) -> list[str]:
    """The functions that a result goes through, the last one first, to be what its type says.

    Raises:
        Refusal: the name of one means something else in the module.
    """
    wraps = [] if found.exact or wrap is None else [wrap]
    if set(wraps) & step.facts.shadowed:
        raise Refusal(f"`{wrap}` may be something else in this file", step.operation.call)
    if found.annotated:
        wraps.insert(0, step.helper(_check(found.annotated)))
    if not found.fits and not step.options.spark.checks_over_arrow:
        wraps.insert(0, step.helper(Helper("checked", CHECKED)))
    return wraps


def _wrapped(call: str, wraps: list[str]) -> str:
    for name in reversed(wraps):
        call = f"{name}({call})"
    return call


def _declared(step: Step, function: ast.expr, text: str, type_: str, found: Result) -> str:
    """The name of a typed function, which is declared where the program has the operator."""
    suffix = ""
    if not found.fits and step.options.spark.checks_over_arrow:
        suffix = ", useArrow=True"
        step.note(OVER_ARROW)
    code = f'F.udf({text}, "{type_}"{suffix})'
    if step.operation.call in step.choices.pinned:
        code += ".asNondeterministic()"
    inside = step.line.scope is not step.program.scope
    for row in step.known.first if inside else step.known.early:
        name, _, value = row.partition(" = ")
        if value == code:
            return name
    name = step.fresh(_wanted(step, function), anywhere=True)
    made = (f"{name} = {code}",)
    if inside:
        step.need(first=made)
    else:
        step.need(early=made)
    return name


def _function(step: Step, function: ast.expr, element: Element, wraps: list[str]) -> tuple[str, list[str]]:
    """A function as code, and its arguments: columns by their names, or a struct of them."""
    own = function.args.args if isinstance(function, ast.Lambda) else []
    if isinstance(function, ast.Lambda) and len(own) == 1 and not function.args.defaults:
        if isinstance(element, Scalar):
            if not wraps:
                return quoted(function), _arguments(element)
            return f"lambda {own[0].arg}: {_wrapped(quoted(function.body), wraps)}", _arguments(element)
        read = _read(function, own[0].arg, function.body, element)
        if read is not None:
            nodes, columns = read
            step.need(inner=Inner(tuple(nodes.items())))
            body = _wrapped(quoted(function.body), wraps)
            return f"lambda {', '.join(columns)}: {body}", list(map(_quoted, columns))
    if any(_has_tuple(leaf.shape) for leaf in leaves(element)) or (
        _is_tuple(element) and not is_flat(element)
    ):
        raise Refusal("it is given tuples inside of others, which would be rows of columns", function)
    if _is_tuple(element) and not takes_row(function, step.facts):
        return _of_tuple(step, function, element, wraps)
    if isinstance(function, ast.Name) and function.id in step.scope.functions:
        text = _first_quoted(step, function)
        if not wraps:
            return text, _arguments(element)
    else:
        text = f"({quoted(function)})" if isinstance(function, ast.Lambda) else quoted(function)
        if not wraps and isinstance(function, ast.Lambda):
            return quoted(function), _arguments(element)
    name = leaves(element)[0].name if isinstance(element, Scalar) else "row"
    parameter = name if name is not None and name.isidentifier() else "value"
    return f"lambda {parameter}: {_wrapped(f'{text}({parameter})', wraps)}", _arguments(element)


def _has_tuple(shape: Shape) -> bool:
    """Whether there are tuples in a value, for which a function would be given rows."""
    match shape:
        case Tuple() | Struct():
            return True
        case List(of) | Maybe(of):
            return _has_tuple(of)
        case _:
            return False


def _is_tuple(element: Element) -> bool:
    """Whether an element is a tuple, and no namedtuple, for which a Row may have to stand."""
    return isinstance(element, Record) and not element.fields


def _of_tuple(step: Step, function: ast.expr, element: Element, wraps: list[str]) -> tuple[str, list[str]]:
    """A function that does otherwise with a Row than with a tuple: it is given the tuple."""
    text, inner = of_row(step, function, element)
    step.need(inner=inner)
    if not wraps:
        return text, _arguments(element)
    whole = f"({text})" if isinstance(function, ast.Lambda) else text
    return f"lambda row: {_wrapped(f'{whole}(row)', wraps)}", _arguments(element)


def _first_quoted(step: Step, function: ast.Name) -> str:
    """The name of a function as the program wrote it where it was first quoted, the same for all its uses."""
    first = next((load for load in step.facts.loads.get(function.id, ()) if "quoted" in vars(load)), function)
    return quoted(first)


def _arguments(element: Element) -> list[str]:
    return [_quoted(element.name or "value") if isinstance(element, Scalar) else _struct(element)]


def _struct(element: Element) -> str:
    """A tuple as the struct that a Python function gets as a `Row`, which is one."""
    if isinstance(element, Scalar):
        return _quoted(element.name or "value")
    names = tuple(item.name for item in element.items)
    if element.fields and names != element.fields:
        raise Refusal("the fields of a namedtuple are not its columns", ast.Constant(None))
    return f"F.struct({', '.join(map(_struct, element.items))})"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _read(
    function: ast.Lambda, parameter: str, body: ast.expr, element: Element
) -> tuple[dict[ast.AST, str], list[str]] | None:
    """The places where a lambda reads columns of a tuple, ``pair[0]``, and the columns; None if it does more.

    The columns' names must mean nothing else in it.
    """
    nodes: dict[ast.AST, str] = {}
    inside: set[ast.AST] = set()
    for node in walk(body):
        path = _path(node, parameter)
        if path is None or node in inside:
            continue
        found: Element | None = element
        for index in path:
            known = isinstance(found, Record) and -len(found.items) <= index < len(found.items)
            found = found.items[index] if known and isinstance(found, Record) else None
        if isinstance(found, Scalar) and found.name is not None:
            nodes[node] = found.name
            inside.update(walk(node))
    columns = [name for name in _names(element) if name in nodes.values()]
    others = {n.id for n in walk(function) if isinstance(n, ast.Name) and n not in inside}
    others |= {n.arg for n in walk(function) if isinstance(n, ast.arg)} - {parameter}
    if parameter in others or not columns or not all(name.isidentifier() for name in columns):
        return None
    return None if others & set(columns) else (nodes, columns)


def _path(node: ast.AST, parameter: str) -> list[int] | None:
    """The indexes of ``pair[1][0]``."""
    path: list[int] = []
    while isinstance(node, ast.Subscript):
        if not isinstance(node.slice, ast.Constant) or type(node.slice.value) is not int:
            return None
        path.insert(0, node.slice.value)
        node = node.value
    return path if path and isinstance(node, ast.Name) and node.id == parameter else None


# --- tuples that are written out ----------------------------------------------------------------------------


def _parts(step: Step, function: ast.Lambda, element: Element) -> Record | None:
    """``lambda line: (parse(line), 1)``: each item by itself, as a column where it has such a form."""
    body = function.body
    if not isinstance(body, ast.Tuple) or len(function.args.args) != 1 or function.args.defaults:
        return None
    if not body.elts or any(isinstance(item, ast.Starred) for item in body.elts):
        return None
    return Record(tuple(_part(step, function, item, element) for item in body.elts))


def _part(step: Step, function: ast.Lambda, item: ast.expr, element: Element) -> Element:
    alone = ast.copy_location(ast.Lambda(function.args, item), item)
    try:
        compiled = compile_map(alone, [element], step.scope)
    except Refusal:
        pass
    else:
        need_compiled(step, compiled.demands)
        return renumbered(compiled.element, tokens_of(element))
    if isinstance(item, ast.Tuple):
        return Record(tuple(_part(step, function, inner, element) for inner in item.elts))
    found = result_of_map(alone, [element], step.scope)
    if not isinstance(found.element, Scalar):
        raise Refusal("an item of its tuple is a tuple, which would be a struct", item)
    text, arguments = _item_function(step, function, item, element, _wraps(step, found))
    name = _declared(step, item, text, type_name(found.element.shape), found)
    return Scalar(
        f"{name}({', '.join(arguments)})",
        found.element.shape,
        _own_name(step, alone, element),
        tokens=tokens_of(element),
    )


def _item_function(
    step: Step, function: ast.Lambda, item: ast.expr, element: Element, wraps: list[str]
) -> tuple[str, list[str]]:
    parameter = function.args.args[0].arg
    if isinstance(element, Record):
        read = _read(function, parameter, item, element)
        if read is not None:
            nodes, columns = read
            step.need(inner=Inner(tuple(nodes.items())))
            body = _wrapped(quoted(item), wraps)
            return f"lambda {', '.join(columns)}: {body}", list(map(_quoted, columns))
    reads = [node for node in walk(item) if isinstance(node, ast.Name) and node.id == parameter]
    if _is_tuple(element) and not all(gives_row(read, step.facts) for read in reads):
        raise Refusal("it does more with its tuple than a row of columns can", item)
    direct = not wraps and isinstance(item, ast.Call) and not item.keywords and len(item.args) == 1
    if direct and isinstance(item, ast.Call) and isinstance(item.func, ast.Name):
        given = item.args[0]
        if item.func.id in step.scope.functions and isinstance(given, ast.Name) and given.id == parameter:
            return _first_quoted(step, item.func), _arguments(element)
    return f"lambda {parameter}: {_wrapped(quoted(item), wraps)}", _arguments(element)


# --- names and types ----------------------------------------------------------------------------------------


def _wanted(step: Step, function: ast.expr) -> str:
    """A name for a typed function, after what it calls or what it makes."""
    called = function.func if isinstance(function, ast.Call) else function
    if isinstance(called, ast.Name):
        return f"{called.id}_udf"
    target = step.basis.targets.get(step.operation)
    if target is None:
        return "keep_udf" if step.operation.operator == "filter" else f"{_verb(function)}_udf"
    name = singular(target)
    return f"is_{name}" if step.operation.operator == "filter" else f"{name}_udf"


def _verb(function: ast.expr) -> str:
    """The last method or function that a lambda calls: ``title`` of ``lambda line: line.title()``."""
    body = function.body if isinstance(function, ast.Lambda) else function
    while isinstance(body, ast.Subscript):
        body = body.value
    called = body.func if isinstance(body, ast.Call) else None
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else "convert"


def _own_name(step: Step, function: ast.expr, element: Element) -> str | None:
    """A name for a result: ``word`` for ``lambda word: word.title()``, ``mood`` for ``mood(line)``."""
    body = function.body if isinstance(function, ast.Lambda) else function
    called = body.func if isinstance(body, ast.Call) else body
    if isinstance(called, ast.Name) and called.id in step.scope.functions and is_telling(called.id):
        return _VERB.sub("", called.id) or None
    while isinstance(body, ast.Call) and isinstance(body.func, ast.Attribute):
        body = body.func.value
    if not isinstance(body, ast.Name) or not isinstance(element, Scalar):
        return None
    return body.id if is_telling(body.id) else element.name if element.name != "value" else None


_VERB = re.compile("^(get|extract|compute|calculate|parse|to|make|find)_")
"""What the name of a function has before that of what it returns."""


def _named(step: Step, function: ast.expr, made: Element, taken: tuple[str, ...]) -> Element:
    """The columns of a result under the names that the code uses for them."""
    node = step.scope.functions.get(function.id) if isinstance(function, ast.Name) else function
    names = list(_returned_names(node)) if isinstance(made, Record) and not made.fields and node else []
    if isinstance(made, Record) and len(names) == len(made.items):
        items = zip(made.items, names, strict=True)
        made = replace(made, items=tuple(replace(item, name=name) for item, name in items))
    return name_columns(made, step.hint, taken)


def _returned_names(function: ast.AST) -> Iterator[str | None]:
    """The variables that a function returns as a tuple: ``return ip, size``."""
    returned = [node.value for node in walk(function) if isinstance(node, ast.Return)]
    tuples = [value for value in returned if isinstance(value, ast.Tuple)]
    if not tuples or len(tuples) != len(returned) or len({len(value.elts) for value in tuples}) != 1:
        return
    for items in zip(*(value.elts for value in tuples), strict=True):
        names = {item.id for item in items if isinstance(item, ast.Name) and len(item.id) > 1}
        yield names.pop() if len(names) == 1 else None


def _names(element: Element) -> tuple[str, ...]:
    return tuple(leaf.name or "value" for leaf in leaves(element))


def _value(frame: Frame) -> Element:
    assert isinstance(frame.element, Record)
    return frame.element.items[1]


def _spread(frame: Frame, call: str, kept: list[str], named: Element, wanted: str) -> Frame:
    """Two selects: a struct, and its fields as columns beside those that stay."""
    name = wanted
    while name in (*kept, *_names(named)):
        name += "_"
    before = [*map(_quoted, kept), f'{call}.alias("{name}")']
    after = [*map(_quoted, kept), *_fields(named, name)]
    return frame.call(f"select({', '.join(before)})", f"select({', '.join(after)})")


def _fields(named: Element, path: str) -> list[str]:
    assert isinstance(named, Record)
    if all(isinstance(item, Scalar) for item in named.items):
        return [_quoted(f"{path}.*")]
    found: list[str] = []
    for place, item in enumerate(named.items):
        if isinstance(item, Scalar):
            found.append(_quoted(f"{path}.{item.name}"))
        else:
            found += _fields(item, f"{path}.{_inner_name(place)}")
    return found


def _inner_name(place: int) -> str:
    return f"part{place + 1}"


def type_of(element: Element) -> str:
    """Spark's name of a tuple's type."""
    if isinstance(element, Scalar):
        return type_name(element.shape)
    parts = [
        f"{item.name if isinstance(item, Scalar) else _inner_name(place)} {type_of(item)}"
        for place, item in enumerate(element.items)
    ]
    return f"struct<{', '.join(parts)}>"


def type_name(shape: Shape) -> str:
    """Spark's name of a column's type."""
    match shape:
        case Maybe(of):
            return type_name(of)
        case List(of):
            return f"array<{type_name(of)}>"
        case Int():
            return "bigint"
        case Float():
            return "double"
        case Bool():
            return "boolean"
    return "string"
