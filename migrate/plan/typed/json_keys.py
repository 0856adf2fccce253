"""Keys that are parts of JSON, of types that nobody knows: columns hold their JSON, which groups rows.

    counts = tweets.map(lambda tweet: (tweet["user"]["name"], 1)).reduceByKey(add)

    counts = batch.select(name_udf("value").alias("name")).groupBy("name").count()
    for name, count in counts.take(10):
        print((json.loads(name), count))

Texts, whole numbers, None and tuples of these are equal if their JSON is. Other keys make the query fail: 1,
1.0 and True are equal, NaN is not equal to itself, and lists and dicts failed before.

A field whose name says that it is a text, ``screen_name``, is a column of texts, and the query fails for
another one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.columns import Helper, Record, Refusal, Scalar
from migrate.columns.code import constant
from migrate.columns.shapes import Str
from migrate.frozen import replace
from migrate.knowledge.fields import is_text_field
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame, Within, is_part
from migrate.plan.frames.json_parts import is_json, is_tuple
from migrate.plan.frames.row_elements import is_flat
from migrate.plan.frames.stages import check_not_within
from migrate.plan.typed.composed import left_within, rows_left
from migrate.plan.typed.composed_body import ONE_EACH, Body
from migrate.plan.typed.json_items import has_module
from migrate.plan.typed.typed_calls import TypedCall
from migrate.plan.typed.typed_functions import made_of_items, made_once
from migrate.plan.typed.typed_names import own_name
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.elements.tuple_reads import AllRead, reads_of
from migrate.syntax.nodes import walk
from migrate.typed import Type, pair_of, result_of_type, type_of
from migrate.typed.types import JSON, NOTHING, TEXT, Items

NOTE = (
    "keys that are parts of JSON are grouped by their JSON: the query fails for one that is a float or a bool"
)
TEXTS = (
    "keys that are fields of JSON are texts by their names: the query fails for another one, unless "
    "--json-schema, which `learn` finds, names its type"
)
ONLY_TEXT = '''\
def only_text(value):
    """The value, a text or None; raises for any other, of which a column would hold the text."""
    if value is not None:
        str.encode(value)  # raises for other types, and for what is no Unicode
    return value'''
JSON_KEY = '''\
def json_key(key):
    """The JSON of a key; raises for a float or a bool, of which others are equal but have another JSON."""
    if type(key) not in (str, int, type(None)):
        raise TypeError(f"expected a text, a whole number or None as a key, found {key!r:.200}")
    return json.dumps(key)'''
JSON_TUPLE = '''\
def json_tuple_key(key):
    """The JSON of a key; raises for floats and bools in it: equal ones may have another JSON."""
    for part in key:
        if type(part) not in (str, int, type(None)):
            raise TypeError(f"expected texts, whole numbers or None in a key, found {key!r:.200}")
    return json.dumps(key)'''
_HELPERS = {False: Helper("json_key", JSON_KEY), True: Helper("json_tuple_key", JSON_TUPLE)}
"""What makes the JSON of a key, and of one that is a tuple."""


def of_json_keys(step: Step, frame: Frame, grouped: Callable[[Frame], Frame], *, is_pair: bool) -> Frame:
    """The frame after an operator that groups elements that no columns hold, but for their JSON.

    Args:
        step: the operator.
        frame: the frame, with functions within that make its elements.
        grouped: makes the frame after the operator of one of keys, or of pairs.
        is_pair: whether elements are pairs of a key and what it groups, and not keys.

    Raises:
        RatherError: they are something else, so that RDD code had better make them.
    """
    try:
        keyed, key = _keyed(step, frame, is_pair=is_pair)
    except Refusal:
        check_not_within(frame)
        raise
    made = grouped(keyed)
    if key <= TEXT | NOTHING:
        step.note(TEXTS)
        return made
    assert isinstance(made.element, Record)
    last = frame.within[-1]
    given = frozenset({Items((key, type_of(made.element.items[1])))})
    step.note(NOTE)
    return replace(made, within=(Within("map", last.call, last.function, given, decodes=True),))


def pairs_left(step: Step, frame: Frame, function: ast.expr, filtered: Callable[[Frame], Frame]) -> Frame:
    """The pairs with JSON as keys for which a condition holds.

    Args:
        step: the operator.
        frame: the pairs.
        function: the condition.
        filtered: makes the frame for a condition that reads no key.

    Raises:
        Refusal: the function cannot be moved.
    """
    try:
        return beside_keys(step, frame, function, filtered)
    except Refusal:
        return replace(rows_left(step, left_within(step, frame, function)), within=frame.within)


def beside_keys(step: Step, frame: Frame, function: ast.expr, made: Callable[[Frame], Frame]) -> Frame:
    """What an operator makes of pairs with JSON as keys, whose function reads no key.

    Args:
        step: the operator.
        frame: the pairs.
        function: the function.
        made: makes the frame after the operator of one of columns.

    Raises:
        Refusal: it may read keys.
    """
    if is_part(frame) or not isinstance(frame.element, Record) or reads_keys(function, step.facts):
        raise Refusal("it reads keys of which columns hold the JSON", function)
    return replace(made(replace(frame, within=())), within=frame.within)


def with_values(step: Step, frame: Frame, mapped: Callable[[Frame], Frame]) -> Frame:
    """The pairs with JSON as keys, of other values.

    Args:
        step: the operator.
        frame: the pairs.
        mapped: makes the frame with these of one of columns.

    Raises:
        Refusal: the values have no form on columns.
    """
    made, last = mapped(replace(frame, within=())).materialised(), frame.within[-1]
    if made.within or not isinstance(made.element, Record):
        raise Refusal("the values have no form on columns", step.operation.call)
    key, _ = pair_of(last.given, last.function)
    given = frozenset({Items((key, type_of(made.element.items[1])))})
    return replace(made, within=(replace(last, given=given),))


def keeps_key(function: ast.expr, facts: Facts) -> bool:
    """Whether a function of a pair gives its key back, and reads it for nothing else: ``(p[0], p[1][1])``."""
    match function:
        case ast.Lambda(body=ast.Tuple(elts=[ast.Subscript(ast.Name(), ast.Constant(0)) as key, _])):
            try:
                return [node for node, place in reads_of(function, facts) if place == 0] == [key]
            except AllRead:
                return False
    return False


def reads_keys(function: ast.expr, facts: Facts) -> bool:
    """Whether a function of pairs may read their keys."""
    try:
        return 0 in {place for _, place in reads_of(function, facts)}
    except AllRead:
        return True


def _keyed(step: Step, frame: Frame, *, is_pair: bool) -> tuple[Frame, Type]:
    """The frame with columns for the keys, or for pairs, and the type of the keys.

    Raises:
        Refusal: they are no parts of JSON, or beside what no column holds.
    """
    *before, last = frame.within
    function = last.function
    if is_pair and not is_part(frame):
        return replace(frame, within=()), pair_of(last.given, function)[0]
    if last.operator not in ("map", "flatMap") or last.decodes or not has_module(step.facts):
        raise Refusal("its keys have no form on columns", function)
    key, value = pair_of(last.given, function) if is_pair else (last.given, None)
    if not is_json(key) and ("tuple" in step.facts.shadowed or not is_tuple(key)):
        raise Refusal("its keys are no parts of JSON", function)
    number = _number(last) if is_pair else None
    is_column = value is None or number is not None
    is_text = (
        key <= JSON | TEXT | NOTHING and _is_text(function, step.facts) and "str" not in step.facts.shadowed
    )
    held = TEXT | NOTHING if is_text else TEXT
    columns = held if is_column or value is None else frozenset({Items((held, value))})
    found = result_of_type(columns, function)
    python = frame.python | {part.call for part in frame.within}
    after = replace(frame, within=(), python=python, late=frame.late or bool(frame.conditions))
    inner = step.inner(last.call)
    body = Body(inner, replace(frame, within=tuple(before)))
    for part in before:
        body.add(part)
    if is_text:
        of_key, key = step.helper(Helper("only_text", ONLY_TEXT)), held
    else:
        step.imports("json")
        of_key = step.helper(_HELPERS[is_tuple(key)])
    maker = _of_key(function) if number is not None else function
    flat = isinstance(found.element, Record) and is_flat(found.element.items[1])

    def call(type_: str) -> TypedCall:
        return body.keyed(maker, of_key, type_, found, is_pair=not is_column, is_spread=flat)

    make = made_once if {part.operator for part in frame.within} <= ONE_EACH else made_of_items
    made = make(inner, after, maker, found, call, flat=flat)
    if isinstance(made.element, Scalar) and made.element.name is None:
        name = own_name(inner, maker, Scalar("F.lit(None)", Str()))
        made = replace(made, element=replace(made.element, name=name))
    if number is None:
        return made, key
    return made.holding(Record((made.element, number))), key


def _of_key(function: ast.expr) -> ast.Lambda:
    """The lambda of a key, of one of pairs."""
    assert isinstance(function, ast.Lambda) and isinstance(function.body, ast.Tuple)
    key = function.body.elts[0]
    return ast.copy_location(ast.Lambda(function.args, key), key)


def _is_text(function: ast.expr, facts: Facts) -> bool:
    """Whether the keys that a function makes, alone or beside what they group, are texts by their names."""
    called = None if isinstance(function, ast.Lambda) else called_function(function, facts)
    if isinstance(function, ast.Lambda):
        made: list[ast.expr | None] = [function.body]
    elif called is not None and isinstance(called.node, ast.FunctionDef):
        made = [node.value for node in walk(called.node) if isinstance(node, ast.Return)]
    else:
        made = []
    return bool(made) and all(_takes_text(one, called.node if called is not None else None) for one in made)


def _takes_text(made: ast.AST | None, within: ast.AST | None) -> bool:
    """Whether a key takes a field that is a text by its name; a variable of its function may hold that."""
    if isinstance(made, ast.ListComp | ast.GeneratorExp):
        made = made.elt
    if isinstance(made, ast.Tuple):
        made = made.elts[0]
    match made:
        case ast.Subscript(_, ast.Constant(str() as name)):
            return is_text_field(name)
        case ast.Call(ast.Attribute(_, "get"), [ast.Constant(str() as name)], []):
            return is_text_field(name)
        case ast.Name(name) if within is not None:
            names = [node for node in walk(within) if isinstance(node, ast.Name) and node.id == name]
            stores = [node for node in names if not isinstance(node.ctx, ast.Load)]
            values = [
                one.value for one in walk(within) if isinstance(one, ast.Assign) and one.targets == stores
            ]
            return len(values) == 1 and not isinstance(values[0], ast.Name) and _takes_text(values[0], None)
    return False


def _number(part: Within) -> Scalar | None:
    """The number that a lambda puts beside each key: ``lambda tweet: (tweet["lang"], 1)``."""
    match part.function:
        case ast.Lambda(body=ast.Tuple(elts=[_, ast.Constant(int() as number)])) if part.operator == "map":
            return constant(number)
    return None
