"""Typed functions and their calls: ``parse_udf = F.udf(parse, "string")`` and ``parse_udf("value")``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import Element, Record, Refusal, Scalar, has_unread, leaves
from migrate.columns.shapes import Json, List, Maybe, Shape, Struct, Tuple
from migrate.frozen import dataclass, replace
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.needs import Place
from migrate.plan.draft.step import Step
from migrate.plan.elements.places import place_of
from migrate.plan.elements.row_functions import NewLambda, code_of, row_function
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.row_elements import is_flat
from migrate.plan.new_code.code import NAME, Call, Chain, Code, Function, Origin, with_name
from migrate.plan.new_code.inner import Inner
from migrate.plan.typed.above_callbacks import callback_below, is_in_reach, put_above, type_above
from migrate.plan.typed.in_functions import function_around, put_in
from migrate.plan.typed.long_lambdas import long_lambda
from migrate.plan.typed.result_checks import PLACE, Wrap, returned, wrapped, wraps_of
from migrate.plan.typed.same_functions import named_before
from migrate.plan.typed.typed_names import function_name
from migrate.proofs.callbacks.roles import is_used_only_by
from migrate.proofs.elements.looked_at import is_looked_at
from migrate.proofs.elements.rows_as_tuples import gives_row, takes_row
from migrate.syntax.bindings import BINDING, bound_by
from migrate.syntax.code_names import names_in_code
from migrate.syntax.nodes import position, walk
from migrate.syntax.quoting import quoted
from migrate.typed import Result
from migrate.typed.signatures import RANDOM

UNMOVED = "# Spark must not move or repeat its calls"
CHANGING = "# a second call may give something else"

OVER_ARROW = (
    "install PyArrow on the driver and the workers: "
    "`useArrow=True`, which makes Spark raise for what a column cannot hold, needs it"
)


PRINTS = "functions of elements that print do so on executors, as often as Spark calls them"


@dataclass(frozen=True)
class TypedCall:
    """The call of a typed function on columns."""

    name: str
    arguments: tuple[str, ...]

    @property
    def code(self) -> str:
        """It as a column."""
        return f"{self.name}({', '.join(self.arguments)})"


def call_of(
    step: Step, function: ast.expr, frame: Frame, element: Element, type_: str, found: Result, wrap: str = ""
) -> TypedCall:
    """The call that applies the function to the columns of an element; the function gets a name."""
    made = _function(step, function, element, wraps_of(step, found, wrap))
    checked, arguments = placed(step, frame, found, *made)
    return TypedCall(declared(step, function, checked, type_, found), tuple(arguments))


def placed(
    step: Step, frame: Frame, found: Result, made: str | NewLambda, arguments: list[str]
) -> tuple[str | NewLambda, list[str]]:
    """A function and its arguments, with the place of the record where its result is checked.

    Raises:
        RatherError: Kafka's source does not give it yet.
    """
    place = place_of(step, frame) if found.learnt else ""
    if isinstance(made, str):
        return made.replace(PLACE, ""), arguments
    plain = replace(made, body=made.body.replace(PLACE, ""))
    if not place:
        return plain, arguments
    step.need(places=True)
    name = "place"
    while name in names_in_code(plain.code).all:
        name += "_"
    body = made.body.replace(PLACE, f", {name}")
    return NewLambda((*made.parameters, name), body), [*arguments, place]


def declared(
    step: Step,
    function: ast.expr,
    made: str | NewLambda,
    type_: str,
    found: Result,
    wanted: str = "",
    *,
    moves: bool = False,
) -> str:
    """The name of a typed function, which is declared where the program has the operator.

    Args:
        step: the operator.
        function: the last function that it calls.
        made: it as new code has it.
        type_: the type of its result.
        found: what is known of that.
        wanted: the name, if it is not to be made of the function's.
        moves: whether Spark may move its calls in any case.
    """
    if found.prints:
        step.note(PRINTS)
    callback = callback_below(step)
    lines = long_lambda(made, step.facts) if step.callback is None else None
    if lines is not None and not _is_unmoved(step, found):
        signature, body = lines
        return declared_lines(step, function, signature, [f"return {body}"], type_, found, wanted)
    above = type_above(step, callback, type_) if callback is not None else None
    if callback is not None and above is None and not is_in_reach(step):
        raise Refusal("there is no session yet above the callback, which reads a type's text", function)
    written = found.schema or above or f'"{type_}"'
    udf = Chain(f"F.udf({code_of(made)}, {written}{_over_arrow(step, found)})", target=NAME)
    if found.reads_clock or found.stays or (step.operation.call in step.choices.pinned and not moves):
        why = CHANGING if found.reads_clock else UNMOVED
        udf = replace(udf, calls=(Call("asNondeterministic", ""),), comment=why)
        step.need(changing=frozenset({udf}))
    if found.reads_clock and isinstance(made, NewLambda) and not made.parameters:
        wanted = wanted or _name_of_reading(function)
    wanted = wanted or _name_of(step, function, found)
    if callback is not None and above is not None:
        return put_above(step, callback, wanted, udf)
    return _named(step, wanted, udf)


def declared_lines(
    step: Step,
    function: ast.expr,
    signature: str,
    lines: Sequence[str],
    type_: str,
    found: Result,
    wanted: str = "",
    origins: tuple[Origin, ...] = (),
) -> str:
    """The name of a typed function of several lines; see `declared`.

    Args:
        step: the operator.
        function: the last function that it calls.
        signature: its parameters.
        lines: the lines of its body.
        type_: the type of its result.
        found: what is known of that.
        wanted: the name, if it is not to be made of the function's.
        origins: what each line comes from, if there are several.

    Raises:
        Refusal: Spark must not move its calls, which a decorator does not say.
    """
    if _is_unmoved(step, found):
        raise Refusal("Spark must not move it", function)
    if step.callback is not None and not is_in_reach(step):
        raise Refusal("the callback does not see what stands beside the batch function", function)
    body = "\n".join(f"    {line}" for line in lines)
    written = found.schema or f'"{type_}"'
    decorator = f"@F.udf({written}{_over_arrow(step, found)})"
    made = Function(f"{decorator}\ndef {NAME}({signature}):\n{body}", origins)
    return _named(step, wanted or _name_of(step, function, found), made)


def _is_unmoved(step: Step, found: Result) -> bool:
    """Whether Spark must not move the calls of a function, which a decorator does not say."""
    return found.reads_clock or found.stays or step.operation.call in step.choices.pinned


def _name_of_reading(function: ast.expr) -> str:
    """The name of a function that reads no element: ``uuid_udf`` for ``str(uuid4())``."""
    members = {node.attr for node in walk(function) if isinstance(node, ast.Attribute)}
    read = members | {node.id for node in walk(function) if isinstance(node, ast.Name)}
    if read.isdisjoint(("uuid1", "uuid4")):
        return "now_udf" if read.isdisjoint(RANDOM) else "random_udf"
    return "uuid_udf"


def _name_of(step: Step, function: ast.expr, found: Result) -> str:
    """The name of a typed function; a lambda that makes what a schema says is named after the rows."""
    if found.schema and isinstance(function, ast.Lambda):
        return "rows_udf" if found.several else "row_udf"
    return function_name(step, function)


def _over_arrow(step: Step, found: Result) -> str:
    """The argument that makes Spark raise for what a column cannot hold, where that may come.

    The other way round where it is to convert as `createDataFrame` does.
    """
    if found.schema:
        return ", useArrow=False"
    if found.fits or not step.options.spark.checks_over_arrow:
        return ""
    step.must_change(OVER_ARROW)
    return ", useArrow=True"


def _named(step: Step, wanted: str, made: Code) -> str:
    """The name that a statement gives to a typed function, where `NAME` stands; the same for the same."""
    function = function_around(step)
    if function is not None:
        return put_in(step, function, wanted, made)
    # code of another module moves into the batch function alone
    inside = step.program.module_of(step.operation.call) is not step.program.module_of(step.program.scope)
    place: Place = "batch function" if inside else "line"
    known = named_before(step, place, made)
    if known is not None:
        return known
    name = step.fresh(wanted, anywhere=True)
    step.need(**{"first" if inside else "early": (with_name(made, name),)}, named={(place, made): name})
    return name


def _function(
    step: Step, function: ast.expr, element: Element, wraps: list[Wrap]
) -> tuple[str | NewLambda, list[str]]:
    """A function as code, and its arguments: columns by their names, or a struct of them."""
    of_column = of_one_column(step, function, element)
    if of_column is not None:
        return _function(step, *of_column, wraps)
    own = function.args.args if isinstance(function, ast.Lambda) else []
    if isinstance(function, ast.Lambda) and not wraps and not _reads(function.body, function):
        return NewLambda((), quoted(function.body)), []
    if isinstance(function, ast.Lambda) and len(own) == 1 and not function.args.defaults:
        if isinstance(element, Scalar):
            if not wraps:
                called = _called_with(step, function.body, own[0].arg)
                return called or quoted(function), _arguments(element)
            body = returned(function.body, wraps, own[0].arg)
            return NewLambda((own[0].arg,), body), _arguments(element)
        read = read_columns(own[0].arg, function.body, element)
        if read is not None:
            nodes, columns = read
            called = None if wraps else _called_with(step, function.body, next(iter(nodes)))
            if called is not None and len(nodes) == 1:
                return called, list(map(quoted_name, columns))
            step.need(inner=Inner(tuple(nodes.items())))
            body = returned(function.body, wraps, *columns)
            return NewLambda(tuple(columns), body), list(map(quoted_name, columns))
    check_read(element)
    if any(_has_tuple(leaf.shape) for leaf in leaves(element)) or (
        _is_tuple(element) and not is_flat(element)
    ):
        raise Refusal("it is given tuples inside of others, which would be rows of columns", function)
    if _is_tuple(element) and not takes_row(function, step.facts):
        return _of_tuple(step, function, element, wraps)
    scope = step.scope
    if isinstance(function, ast.Name) and (function.id in scope.functions or scope.defined(function)):
        text = _first_quoted(step, function)
        if not wraps:
            return text, _arguments(element)
    else:
        text = f"({quoted(function)})" if isinstance(function, ast.Lambda) else quoted(function)
        if not wraps and isinstance(function, ast.Lambda):
            called = _called_with(step, function.body, own[0].arg) if len(own) == 1 else None
            return called or quoted(function), _arguments(element)
        if not wraps and _is_static(step, function):
            return quoted(function), _arguments(element)
    name = leaves(element)[0].name if isinstance(element, Scalar) else "row"
    parameter = name if name is not None and name.isidentifier() else "value"
    body = wrapped(f"{text}({parameter})", wraps, parameter)
    return NewLambda((parameter,), body), _arguments(element)


def of_one_column(step: Step, function: ast.expr, element: Element) -> tuple[ast.Name, Scalar] | None:
    """A function of the program that reads one column of a tuple, ``record[1]``, to be given that alone.

    Nothing else names it, so that its parameter can be called as the column.
    """
    name: ast.expr = function
    if (
        isinstance(function, ast.Lambda)
        and isinstance(function.body, ast.Call)
        and not function.body.keywords
    ):
        passed = [one.id if isinstance(one, ast.Name) else "" for one in function.body.args]
        name = function.body.func if passed == [one.arg for one in function.args.args] else function
    node = step.facts.only_binding(name.id) if isinstance(name, ast.Name) else None
    if not isinstance(name, ast.Name) or not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return None
    given = [one for one in walk(node.args) if isinstance(one, ast.arg)]
    if len(given) != 1 or node.args.args[:1] + node.args.posonlyargs != given or node.args.defaults:
        return None
    (own,) = given
    if not isinstance(element, Record) or own.annotation is not None:
        return None
    read = read_columns(own.arg, ast.Module(node.body, []), element)
    if read is None or len(read[1]) != 1 or not is_used_only_by([name], node, step.facts):
        return None
    nodes, (column,) = read
    bound = {bound_by(one) for one in walk(node) if isinstance(one, BINDING)}
    if column in bound or not all(isinstance(getattr(one, "ctx", None), ast.Load) for one in nodes):
        return None
    step.need(inner=Inner(tuple(nodes.items()), renamed=((own, column),)))
    return name, next(leaf for leaf in leaves(element) if leaf.name == column)


def _is_static(step: Step, function: ast.expr) -> bool:
    """Whether an expression is a static method, ``self.parse``: a lambda would send its object to workers."""
    own = step.scope.defined(function) if isinstance(function, ast.Attribute) else None
    return own is not None and not own.bound


def _reads(node: ast.expr, function: ast.Lambda) -> bool:
    """Whether a part of a lambda's body reads what that is given."""
    parameters = {one.arg for one in function.args.args}
    return any(isinstance(inner, ast.Name) and inner.id in parameters for inner in walk(node))


def _any_column(element: Element) -> list[str]:
    """The argument of a function that does not read it."""
    return _arguments(next((leaf for leaf in leaves(element) if not leaf.unread), element))


def check_read(element: Element) -> None:
    """Ask for all places of a tuple that a function is given.

    Raises:
        RatherError: some are not read from the source.
    """
    if has_unread(element):
        raise RatherError(Choices(all_places=True))


def _called_with(step: Step, body: ast.expr, given: ast.AST | str) -> str | None:
    """``clean``, in ``lambda pair: clean(pair[1])``: the function, if it is there before the lambda.

    Args:
        step: the operator.
        body: what the lambda returns.
        given: what the function may be given and nothing else: the lambda's parameter, or a part of it.
    """
    if not isinstance(body, ast.Call) or not isinstance(body.func, ast.Name) or body.keywords:
        return None
    own = [one.id if isinstance(one, ast.Name) and isinstance(given, str) else one for one in body.args]
    binding = step.facts.only_binding(body.func.id)
    is_known = body.func.id in step.scope.functions and isinstance(binding, ast.FunctionDef)
    if own != [given] or not is_known or binding is None:
        return None
    is_there = binding in step.facts.tree.body and position(binding) < position(body)
    return _first_quoted(step, body.func) if is_there else None


def _has_tuple(shape: Shape) -> bool:
    """Whether there are tuples in a value, for which a function would be given rows."""
    match shape:
        case Tuple() | Struct() | Json():
            return True
        case List(of) | Maybe(of):
            return _has_tuple(of)
        case _:
            return False


def _is_tuple(element: Element) -> bool:
    """Whether an element is a tuple, and no namedtuple, for which a Row may have to stand."""
    return isinstance(element, Record) and not element.fields


def _of_tuple(
    step: Step, function: ast.expr, element: Element, wraps: list[Wrap]
) -> tuple[str | NewLambda, list[str]]:
    """A function that does otherwise with a Row than with a tuple: it is given the tuple."""
    made, inner = row_function(step, function, element)
    step.need(inner=inner)
    if not wraps:
        return made, _arguments(element)
    if isinstance(made, NewLambda):
        return replace(made, body=wrapped(made.body, wraps, *made.parameters)), _arguments(element)
    whole = f"({made})" if isinstance(function, ast.Lambda) else made
    return NewLambda(("row",), wrapped(f"{whole}(row)", wraps, "row")), _arguments(element)


def _first_quoted(step: Step, function: ast.Name) -> str:
    """The name of a function as the program wrote it where it was first quoted, the same for all its uses."""
    first = next((load for load in step.facts.loads.get(function.id, ()) if "quoted" in vars(load)), function)
    return quoted(first)


def _arguments(element: Element) -> list[str]:
    return [quoted_name(element.name or "value") if isinstance(element, Scalar) else _struct(element)]


def _struct(element: Element) -> str:
    """A tuple as the struct that a Python function gets as a `Row`, which is one."""
    if isinstance(element, Scalar):
        return quoted_name(element.name or "value")
    names = tuple(item.name for item in element.items)
    if element.fields and names != element.fields:
        raise Refusal("the fields of a namedtuple are not its columns", ast.Constant(None))
    return f"F.struct({', '.join(map(_struct, element.items))})"


def quoted_name(name: str) -> str:
    """A column's name as code."""
    return f'"{name}"'


def read_columns(
    parameter: str, body: ast.expr | ast.Module, element: Element
) -> tuple[dict[ast.AST, str], list[str]] | None:
    """The places where a function reads columns, ``pair[0]``, and these; None if it reads more of a tuple.

    The columns' names must mean nothing else in it.
    """
    nodes: dict[ast.AST, str] = {}
    inside: set[ast.AST] = set()
    for node in walk(body):
        path = _path(node, parameter, element.fields if isinstance(element, Record) else ())
        if path is None or node in inside:
            continue
        found: Element | None = element
        for index in path:
            known = isinstance(found, Record) and -len(found.items) <= index < len(found.items)
            found = found.items[index] if known and isinstance(found, Record) else None
        if isinstance(found, Scalar) and found.name is not None:
            nodes[node] = found.name
            inside.update(walk(node))
    columns = [name for name in names_of(element) if name in nodes.values()]
    others = {n.id for n in walk(body) if isinstance(n, ast.Name) and n not in inside}
    others |= {n.arg for n in walk(body) if isinstance(n, ast.arg)}
    if parameter in others or not columns or not all(name.isidentifier() for name in columns):
        return None
    return None if others & set(columns) else (nodes, columns)


def _path(node: ast.AST, parameter: str, fields: Sequence[str]) -> list[int] | None:
    """The indexes of ``pair[1][0]``; that of the field in ``flight.origin``."""
    match node:
        case ast.Attribute(ast.Name(name), field) if name == parameter and field in fields:
            return [fields.index(field)]
    path: list[int] = []
    while isinstance(node, ast.Subscript):
        if not isinstance(node.slice, ast.Constant) or type(node.slice.value) is not int:
            return None
        path.insert(0, node.slice.value)
        node = node.value
    return path if path and isinstance(node, ast.Name) and node.id == parameter else None


def item_function(
    step: Step, function: ast.Lambda, item: ast.expr, element: Element, wraps: list[Wrap]
) -> tuple[str | NewLambda, list[str]]:
    """One item of the tuple that a lambda returns as a function, and its arguments; see `call_of`.

    Raises:
        Refusal: it is given a tuple, and does more with it than a row can.
    """
    parameter = function.args.args[0].arg
    if isinstance(element, Record):
        read = read_columns(parameter, item, element)
        if read is not None:
            nodes, columns = read
            step.need(inner=Inner(tuple(nodes.items())))
            body = wrapped(quoted(item), wraps, *columns)
            return NewLambda(tuple(columns), body), list(map(quoted_name, columns))
    if not _reads(item, function):
        own = (parameter,) if wraps else ()
        body = wrapped(quoted(item), wraps, parameter)
        return NewLambda(own, body), _any_column(element) if wraps else []
    check_read(element)
    reads = [node for node in walk(item) if isinstance(node, ast.Name) and node.id == parameter]
    if _is_tuple(element) and not all(gives_row(read, step.facts) for read in reads):
        raise Refusal("it does more with its tuple than a row of columns can", item)
    direct = not wraps and isinstance(item, ast.Call) and not item.keywords and len(item.args) == 1
    if direct and isinstance(item, ast.Call) and isinstance(item.func, ast.Name):
        given = item.args[0]
        if item.func.id in step.scope.functions and isinstance(given, ast.Name) and given.id == parameter:
            return _first_quoted(step, item.func), _arguments(element)
    return NewLambda((parameter,), wrapped(quoted(item), wraps, parameter)), _arguments(element)


def names_of(element: Element) -> tuple[str, ...]:
    """The names of an element's columns."""
    return tuple(leaf.name or "value" for leaf in leaves(element))


def may_print(step: Step) -> bool:
    """Whether a function is called for all elements, as something reads what it makes of them."""
    operation = step.operation
    return step.callback is None and operation.operator == "map" and is_looked_at(operation, step.facts)
