"""RDDs of the program's own that a batch is joined with, as DataFrames: ``spark.read.text("names.txt")``.

Each is bound once, where the session is made, and read by joins of batches alone.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from migrate.columns import Element, Record, Refusal, Scalar, after_select, column_named, leaves, name_columns
from migrate.columns.characters import LINE
from migrate.columns.constants import constant_value
from migrate.columns.names import renamed as with_names
from migrate.columns.shapes import Bool, Float, Int, Maybe, Nothing, Shape, Str, join
from migrate.frozen import replace
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.needs import Static
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.new_code.code import Call
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.constants import constant
from migrate.syntax.copies import changed
from migrate.syntax.quoting import quoted
from migrate.trace.values import Made

_SAME = frozenset({"cache", "persist", "unpersist", "count"})
"""Methods that a DataFrame has as well, and that do the same there."""
_OF_THE_SHELL = "sc"
"""The SparkContext's name in PySpark's shell and in notebooks."""
_CONTEXTS = frozenset({"pyspark.SparkContext", "pyspark.SparkContext.getOrCreate"})


def is_static(node: ast.expr, step: Step) -> bool:
    """Whether an expression is an RDD that the program's own context makes, or a name that holds one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in ("textFile", "parallelize"):
            return _is_context(node.func.value, step)
        return is_static(node.func.value, step)
    statement = _statement(node, step) if isinstance(node, ast.Name) else None
    return statement is not None and is_static(statement.value, step)


def static_name(node: ast.Name, step: Step, frame: Frame) -> Frame:
    """The DataFrame that a name holds, of which `frame` is the value.

    Raises:
        Refusal: it is not bound once, where the session is there.
    """
    statement = _statement(node, step)
    if statement is None or not step.basis.has_session(statement):
        raise Refusal(f"`{node.id}` is not made once, beside the session", node)
    if step.choices.static_rdds:
        raise Refusal(f"`{node.id}` is read by other RDD code as well", node)
    known = step.known.statics.get(statement)
    if known is None:
        value, frame = frame, frame.materialised(node.id)
        known = Static(node.id, frame.chain, frame.named(node.id), value)
        step.need(statics={statement: known})
    step.need(static_reads=frozenset({node}))
    made = known.frame
    assert isinstance(made, Frame)
    return made


def value_of(node: ast.Name, step: Step) -> ast.expr:
    """The expression that a name of a static RDD is bound to."""
    statement = _statement(node, step)
    assert statement is not None
    return statement.value


def static_source(node: ast.Call, step: Step) -> Frame:
    """The DataFrame of a text file, or of a list that is written out.

    Raises:
        Refusal: its elements are not known.
    """
    assert isinstance(node.func, ast.Attribute)
    numbers = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    if not node.args or not all(
        isinstance(one, ast.Constant) and isinstance(one.value, int) for one in numbers
    ):
        raise Refusal("its arguments are not those of a file or a list alone", node)
    if node.func.attr == "textFile":
        _check_path(node.args[0])
        calls = (Call("read"), Call("text", quoted(node.args[0]), origin=(node,)))
        element: Element = column_named("value", Str(LINE))
        return Frame(step.names.session, calls, element, sure=True)
    named = name_columns(list_element(values_of(node.args[0], step), node.args[0]))
    return Frame(step.names.session, (_listed(node, named),), after_select(named), sure=True)


def renamed(step: Step, frame: Frame, names: Sequence[str]) -> bool:
    """Give the columns of a static DataFrame other names where it is made, if nothing but this reads it."""
    known = step.known.statics
    statement = next((one for one, static in known.items() if static.name == frame.base), None)
    if statement is None or frame.calls or len(step.facts.loads.get(frame.base, ())) != 1:
        return False
    value = _with_names(known[statement].made, names, step)
    if value is None:
        return False
    step.need(statics={statement: replace(known[statement], value=value.chain)})
    return True


def _with_names(made: Frame, names: Sequence[str], step: Step) -> Frame | None:
    """A static DataFrame with other names for its columns; None if it is cached, or all of a file."""
    if made.pending:
        return changed(made, element=with_names(made.element, names), hint=None).materialised()
    node = next(iter(made.calls[-1].origin), None)
    if node is None or not (isinstance(node.func, ast.Attribute) and node.func.attr == "parallelize"):
        return None
    element = list_element(values_of(node.args[0], step), node.args[0])
    return changed(made, calls=(_listed(node, with_names(element, names)),))


def check_statics(statics: Mapping[ast.stmt, Static], reads: frozenset[ast.Name], facts: Facts) -> None:
    """Check that nothing else reads an RDD that becomes a DataFrame.

    Raises:
        RatherError: something does.
    """
    for statement, static in statics.items():
        for load in facts.of(statement).loads.get(static.name, ()):
            if load not in reads and not _is_same(load, facts.of(statement)):
                raise RatherError(Choices(static_rdds=True))


def _is_same(load: ast.Name, facts: Facts) -> bool:
    """Whether a read of the variable is a call of a method that does the same on a DataFrame."""
    member = facts.above[load]
    if not (isinstance(member, ast.Attribute) and member.attr in _SAME):
        return False
    call = facts.above[member]
    alone = isinstance(call, ast.Call) and isinstance(facts.above[call], ast.Expr)
    return isinstance(call, ast.Call) and call.func is member and (alone or member.attr == "count")


def _statement(node: ast.Name, step: Step) -> ast.Assign | None:
    """The only assignment of a variable, if it runs once, where the batch function can see it."""
    facts = step.facts
    binding = facts.only_binding(node.id)
    if binding is None or not isinstance(binding, ast.Name) or not facts.visible(binding):
        return None
    statement = facts.statement_of(binding)
    if not isinstance(statement, ast.Assign) or [*statement.targets] != [binding]:
        return None
    above = facts.above.get(statement)
    while isinstance(above, ast.If):
        above = facts.above.get(above)
    scope = step.program.tree.scope_of(statement)
    own = above is scope and scope in (step.program.scope, facts.tree)
    return statement if own and step.program.carriers is None else None


def _is_context(node: ast.expr, step: Step) -> bool:
    """Whether an expression is the program's SparkContext."""
    if isinstance(node, ast.Attribute) and node.attr in ("sparkContext", "_sc"):
        return True
    if isinstance(node, ast.Name) and node.id == _OF_THE_SHELL and step.facts.is_unbound(node.id):
        return True
    values = step.trace.kinds.get(node, frozenset())
    return bool(values) and all(isinstance(one, Made) and one.name in _CONTEXTS for one in values)


def _check_path(node: ast.expr) -> None:
    """Refuse a path that stands for several: a comma means nothing to `spark.read.text`."""
    texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    if any(isinstance(text, str) and "," in text for text in texts):
        raise Refusal("the path has a comma, by which RDDs read several files", node)


def _listed(node: ast.Call, named: Element) -> Call:
    """The call that makes a DataFrame of the list that a call makes an RDD of."""
    return Call("createDataFrame", f"{quoted(node.args[0])}, {schema_of_list(named)}", origin=(node,))


def values_of(node: ast.expr, step: Step) -> list[Any]:
    """The items of a list that is written out.

    Raises:
        Refusal: they are not known.
    """
    values: Any = None
    try:
        if isinstance(node, ast.Name):
            _, values = constant(node.id, node.lineno, step.facts)
        else:
            values = ast.literal_eval(node)
    except (ValueError, SyntaxError):
        pass
    if not isinstance(values, list) or not values:
        raise Refusal("the RDD is not made of a list that is written out", node)
    return values


def list_element(values: Sequence[Any], node: ast.AST) -> Element:
    """An element of a list of texts, numbers, or tuples of such.

    Raises:
        Refusal: they are not of one type.
    """
    if values and all(isinstance(one, tuple) and len(one) == len(values[0]) > 1 for one in values):
        return Record(tuple(_column(list(column), node) for column in zip(*values, strict=True)))
    return _column(list(values), node)


def schema_of_list(named: Element) -> str:
    """Code of the schema of the DataFrame that a list becomes."""
    if isinstance(named, Record):
        names = ", ".join(f'"{leaf.name}"' for leaf in leaves(named))
        return f"[{names}]"
    shape = named.shape.of if isinstance(named.shape, Maybe) else named.shape
    return f'"{_SQL[type(shape)]}"'


_SQL: Mapping[type[Shape], str] = {Str: "string", Int: "bigint", Float: "double", Bool: "boolean"}


def _column(values: list[Any], node: ast.AST) -> Scalar:
    """A column of constants of one type."""
    found = [constant_value(value, node) for value in values]
    shapes = [value.shape for value in found if isinstance(value, Scalar)]
    if not values or len(shapes) != len(values):
        raise Refusal("the list holds more than texts, numbers and tuples of them", node)
    whole: Shape | None = shapes[0]
    for shape in shapes[1:]:
        whole = join(whole, shape) if whole is not None else None
    plain = whole.of if isinstance(whole, Maybe) else whole
    if whole is None or isinstance(plain, Nothing) or type(plain) not in _SQL:
        raise Refusal("the items of the list are not of one type", node)
    if isinstance(plain, Int):
        plain = Int(plain.low, plain.high)
        whole = Maybe(plain) if isinstance(whole, Maybe) else plain
    return Scalar("F.lit(None)", whole)
