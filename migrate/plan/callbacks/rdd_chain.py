"""Chains of RDD methods in a callback, ``rdd.map(f).sortBy(g)``, as operations on the batch's DataFrame."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from contextlib import suppress

from migrate.columns import UNREAD, Element, Record, Refusal, Scalar, leaves
from migrate.columns.shapes import Bool, Date, Float, Int, Maybe, Shape, Str, Timestamp
from migrate.frozen import replace
from migrate.knowledge.cassandra import SAVE
from migrate.knowledge.rdd import RDDS, REDUCING
from migrate.knowledge.streaming import ROWWISE
from migrate.plan.callbacks.uncached import computed_once
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import map_columns, mapped
from migrate.plan.elements.joins import JOINS, joined
from migrate.plan.elements.pairs import check_keys, pair
from migrate.plan.elements.places import check_place
from migrate.plan.elements.static_frames import is_static, static_name, static_source, value_of
from migrate.plan.frames.frame import COMPOSED, OF_JSON, Frame
from migrate.plan.frames.row_elements import has_json
from migrate.plan.frames.tokens import check_kept, tokens_of
from migrate.plan.new_code.code import Call
from migrate.plan.rows.named_rows import check_unnamed, named_row, with_names
from migrate.plan.typed.above_callbacks import callback_below, is_in_reach
from migrate.plan.typed.json_keys import beside_keys
from migrate.proofs.elements.places_read import places_read
from migrate.proofs.elements.tuple_reads import AllRead, reads_of
from migrate.syntax.nodes import code_of, walk
from migrate.syntax.quoting import quoted

NO_COLUMNS = "its result is of no type that a column holds"
NAN = "columns sort NaN as the largest number; Python finds no order where there is one"
NONES = "None among the keys of an order"
EQUAL = "of the elements that the sort leaves equal, `{}` may take other ones"
_ORDERED = Str | Int | Bool | Float | Date | Timestamp
_SAME = ROWWISE | (RDDS & REDUCING)
"""Methods of an RDD that do what the DStream's method of that name does to each batch."""


def frame_of(
    step: Step,
    node: ast.expr,
    frames: Mapping[str, Frame],
    *,
    pairs: bool = False,
    composes: bool = False,
    within: bool = False,
) -> Frame:
    """The DataFrame that an expression of RDDs stands for; `frames` are those of the names in it.

    Args:
        step: the operator.
        node: the expression.
        frames: the DataFrames of the names in it.
        pairs: whether nothing of an element is read but its first two items.
        composes: whether functions whose results no columns hold may be called by the next one.
        within: whether the last may be such a one.

    Raises:
        Refusal: one of its methods has no proven form on a DataFrame.
    """
    frame = _frame_of(step, node, frames, pairs=pairs, composes=composes)
    if frame.within and not within:
        raise Refusal(NO_COLUMNS, frame.within[-1].call)
    return frame


def _frame_of(
    step: Step, node: ast.expr, frames: Mapping[str, Frame], *, pairs: bool, composes: bool
) -> Frame:
    """The same, whose elements the next method's function may have to be given by those before it."""
    if isinstance(node, ast.Name) and node.id in frames:
        return frames[node.id]
    if isinstance(node, ast.Name) and is_static(node, step):
        return static_name(node, step, frame_of(step, value_of(node, step), {}, pairs=pairs))
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        raise Refusal("this RDD is not made of the batch's in a way that is followed", node)
    method = node.func.attr
    if (first := _first_rows(step, node, frames, composes=composes)) is not None:
        return first
    if method in ("textFile", "parallelize") and is_static(node, step):
        return static_source(node, step)
    is_kept = method in ("cache", "persist")
    of_pairs = method in JOINS or (is_kept and pairs)
    frame = _frame_of(step, node.func.value, frames, pairs=of_pairs, composes=composes).after(node)
    inner = step.inner(node)
    if frame.within:
        return _composed(inner, frame, method)
    if method in JOINS:
        return _joined(inner, frame, frames)
    if is_kept and not frames and not node.args and not node.keywords:
        return frame.materialised().call(Call(method, ""))
    if is_kept and frames:
        return computed_once(inner, frame, node)
    if method not in ("repartition", "coalesce") and not _is_read_by_names(frame):
        check_unnamed(frame, node)
    if method not in OF_JSON and has_json(frame.element):
        raise Refusal("its elements are JSON, which has no form on columns here", node)
    if method in _SAME:
        made = _each(step, inner, node, frame, pairs=pairs, in_batch=bool(frames), composes=composes)
        return _placed(inner, frame, made)
    return _of_all(inner, frame, node)


def _is_read_by_names(frame: Frame) -> bool:
    """Whether nothing is done with the elements but to read their attributes, as `names_read` found."""
    return isinstance(frame.element, Record) and frame.element.only_read


def _first_rows(step: Step, node: ast.Call, frames: Mapping[str, Frame], *, composes: bool) -> Frame | None:
    """The first rows of a sorted RDD, by ``sc.parallelize(rdd.take(10))`` or by their numbers.

    Returns:
        None for other calls.
    """
    is_made = isinstance(node.func, ast.Attribute) and node.func.attr == "parallelize"
    if is_made and is_static(node, step) and (taken := _taken(node)) is not None:
        rows, number = taken
        first = _frame_of(step, rows, frames, pairs=False, composes=composes)
        return _limited(step, first.after(node), quoted(number), node.args[0])
    if (numbered := _numbered(node)) is None:
        return None
    rows, last = numbered
    first = _frame_of(step, rows, frames, pairs=False, composes=composes).after(node)
    if step.choices.all_places or not _reads_no_index(node, step):
        raise Refusal("the index of an element has no form on a DataFrame", node)
    made = _limited(step, first, str(last + 1), node)
    return replace(made, element=Record((first.element, UNREAD)))


def _each(
    step: Step, inner: Step, node: ast.Call, frame: Frame, *, pairs: bool, in_batch: bool, composes: bool
) -> Frame:
    """What a method makes of each element, or of those of a key.

    Args:
        step: the operator whose callback it is in.
        inner: the method.
        node: its call.
        frame: what it is a method of.
        pairs: whether nothing of an element is read but its first two items.
        in_batch: whether it stands in the batch function.
        composes: whether functions whose results no columns hold may be called by the next one.
    """
    assert isinstance(node.func, ast.Attribute)
    method = node.func.attr
    if method == "map" and node.args:
        saved = _is_saved(node, step)
        if (row := named_row(node.args[0], step, saved=saved)) is not None:
            return inner.either(
                lambda tried: with_names(tried, frame, row, has_bytes=not saved),
                lambda tried: _on_columns(tried, frame, method, in_batch=in_batch, composes=composes),
            )
    if method == "map" and pairs and (function := _as_pair(node.args, step)) is not None:
        frame, element = mapped(inner, frame.in_any_order(), function)
        return frame.holding(element)
    return _on_columns(inner, frame, method, in_batch=in_batch, composes=composes)


def _of_all(step: Step, frame: Frame, node: ast.Call) -> Frame:
    """What a method that streams do not have makes of all elements.

    Raises:
        Refusal: it has no proven form.
    """
    assert isinstance(node.func, ast.Attribute)
    method = node.func.attr
    if method == "sortBy":
        found = step.arguments("keyfunc", "ascending", "numPartitions")
        return _sorted(step, frame, found.get("keyfunc"), found.get("ascending"))
    if method == "sortByKey":
        return _sorted_by_key(step, frame, step.arguments("ascending", "numPartitions", "keyfunc"))
    if method in ("keys", "values"):
        key, value = pair(frame.element, step)
        taken = key if method == "keys" else value
        check_kept(tokens_of(frame.element), tokens_of(taken), node, f"`{method}`")
        return replace(frame, element=taken, pending=True)
    if method == "distinct" and not node.args:
        frame = frame.materialised()
        check_keys(step, frame.element)
        return frame.call(Call("distinct", ""), shuffles=True)
    if method in ("repartition", "coalesce") and len(node.args) == 1 and not node.keywords:
        return frame.materialised().call(Call(method, quoted(node.args[0])))
    raise Refusal(f"`{method}` of an RDD has no proven form on a DataFrame", node)


def _on_columns(step: Step, frame: Frame, method: str, *, in_batch: bool, composes: bool) -> Frame:
    """What a method of RDDs does, which is one of streams, on columns; or else by a typed function.

    Such a function is made beside the batch function, of one that can be read there.
    """
    form, call = step.columns(method), step.operation.call
    assert form is not None

    def typed(tried: Step) -> Frame:
        if call in step.choices.as_rdd or frame.kept or not in_batch or not _is_seen(step):
            raise Refusal("it is no typed function here", call)
        made = form.python(tried, frame)
        # a loop, or the next one, would have to call it
        if made.shown is not None or (made.within and not composes):
            raise Refusal(NO_COLUMNS, call)
        return made

    return step.either(lambda tried: form.column(tried, frame), typed)


def _limited(step: Step, first: Frame, number: str, node: ast.expr) -> Frame:
    """The first rows of a sorted DataFrame.

    Raises:
        Refusal: it is not sorted.
    """
    if not first.is_sorted_last:
        if not first.order or first.pending:
            raise Refusal("it is not known which elements come first", node)
        first = first.ordered_by(*first.order)
    step.note(EQUAL.format(code_of(node)))
    return first.call(Call("limit", number))


def _numbered(node: ast.Call) -> tuple[ast.expr, int] | None:
    """An RDD and the last index that is kept of it: ``rdd.zipWithIndex().filter(lambda x: x[1] < 5)``."""
    match node:
        case ast.Call(
            ast.Attribute(ast.Call(ast.Attribute(rows, "zipWithIndex"), [], []), "filter"),
            [ast.Lambda(ast.arguments(args=[ast.arg(pair)]), ast.Compare(left, [operator], [right]))],
            [],
        ):
            match left, operator, right:
                case ast.Subscript(ast.Name(name), ast.Constant(1)), _, ast.Constant(int() as number):
                    ends = {ast.Lt: number - 1, ast.LtE: number, ast.Eq: number}
                case ast.Constant(int() as number), _, ast.Subscript(ast.Name(name), ast.Constant(1)):
                    ends = {ast.Gt: number - 1, ast.GtE: number, ast.Eq: number}
                case _:
                    return None
            last = ends.get(type(operator), -1)
            alone = not isinstance(operator, ast.Eq) or last == 0
            return (rows, last) if name == pair and last >= 0 and alone else None
    return None


def _reads_no_index(node: ast.Call, step: Step) -> bool:
    """Whether what follows reads the first item alone of the pairs that a filter of indices gives."""
    above = step.facts.above[node]
    match above, step.facts.above[above]:
        case ast.Attribute(attr="map"), ast.Call(_, [function], []):
            with suppress(AllRead):
                return {place for _, place in reads_of(function, step.facts)} == {0}
        case ast.Lambda() | ast.Return(), _ if step.operation.operator == "transform":
            read = places_read(step.operation, step.facts)
            return read is not None and read <= {0}
    return False


def _taken(node: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """The RDD and the number of its first elements that another one is made of: ``rdd.take(5)``."""
    match node.args, node.keywords:
        case [ast.Call(ast.Attribute(rows, "take"), [ast.Constant(int() as number) as given], [])], []:
            return (rows, given) if number > 0 else None
    return None


def _composed(step: Step, frame: Frame, method: str) -> Frame:
    """The frame after a method whose function calls the functions before it, whose results no column holds.

    Raises:
        Refusal: it is given none, or one of them reads what the others do not see.
    """
    form, call = step.columns(method), step.operation.call
    if method == "sortBy":
        found = step.arguments("keyfunc", "ascending", "numPartitions")
        by, ascending = found.get("keyfunc"), found.get("ascending")
        return beside_keys(step, frame, by or call, lambda pairs: _sorted(step, pairs, by, ascending))
    # the callback reads the JSON of keys by the name of its module
    follows = method in COMPOSED or (method == "reduceByKey" and "json" in step.facts.bindings)
    if form is None or not follows or call in step.choices.as_rdd or frame.kept:
        raise Refusal(NO_COLUMNS, frame.within[-1].call)
    given = [(step.inner(part.call), part.function) for part in frame.within]
    above = [callback_below(step), *(callback_below(one, function) for one, function in given)]
    is_seen = _is_seen(step) and all(_is_seen(one, function) for one, function in given)
    if any(above) != all(above) or not is_seen:
        raise Refusal("its functions are not defined in one place", call)
    return _placed(step, frame, (form.python if method in COMPOSED else form.column)(step, frame))


def _is_seen(step: Step, function: ast.expr | None = None) -> bool:
    """Whether a callback sees a typed function that stands above it, or beside the batch function."""
    return callback_below(step, function) is not None or is_in_reach(step, function)


def _is_saved(node: ast.Call, step: Step) -> bool:
    """Whether an RDD is only saved to Cassandra: ``rdd.map(f).saveToCassandra("k", "t")``."""
    above = step.facts.above.get(node)
    return isinstance(above, ast.Attribute) and above.attr == SAVE


def _as_pair(arguments: Sequence[ast.expr], step: Step) -> ast.Lambda | None:
    """The pairs that are read of what a function makes, if these are lists: ``tuple(line.split(","))``."""
    match arguments:
        case [ast.Lambda(body=ast.Call(func=ast.Name("tuple"), args=[items], keywords=[])) as function]:
            if "tuple" in step.facts.shadowed or isinstance(items, ast.Starred):
                return None
            parts: list[ast.expr] = [
                ast.Subscript(items, ast.Constant(place), ast.Load()) for place in (0, 1)
            ]
            pair_of = ast.Lambda(function.args, ast.Tuple(parts, ast.Load()))
            return ast.fix_missing_locations(ast.copy_location(pair_of, function))
    return None


def _placed(step: Step, before: Frame, made: Frame) -> Frame:
    """What an operator makes, which may name the records of the frame in errors."""
    check_place(step, before)
    return made


_ALL_ROWS: Mapping[str, tuple[int, ...]] = {
    "join": (),
    "leftOuterJoin": (0,),
    "rightOuterJoin": (1,),
    "fullOuterJoin": (0, 1),
    "subtractByKey": (0,),
}
"""Which sides of a join, its RDD or the other one, show rows that the other side has no key for."""


def _reads(node: ast.expr, frames: Mapping[str, Frame]) -> bool:
    """Whether an RDD is made of a batch's, and has no rows where that has none."""
    return any(isinstance(part, ast.Name) and part.id in frames for part in walk(node))


def _joined(step: Step, frame: Frame, frames: Mapping[str, Frame]) -> Frame:
    call = step.operation.call
    assert isinstance(call.func, ast.Attribute)
    found = step.arguments("other", "numPartitions")
    if "other" not in found:
        raise Refusal("what it joins with is missing", call)
    check_unnamed(frame, call)
    if has_json(frame.element):
        raise Refusal("its elements are JSON, which has no form on columns here", call)
    sides = (call.func.value, found["other"])
    if any(side in _ALL_ROWS[call.func.attr] and not _reads(sides[side], frames) for side in (0, 1)):
        raise Refusal("it has rows in an interval without input, too, for which no batch may come", call)
    return joined(step, frame, frame_of(step, found["other"], frames, pairs=True), call.func.attr)


def _sorted(step: Step, frame: Frame, function: ast.expr | None, ascending: ast.expr | None) -> Frame:
    if function is None:
        raise Refusal("`sortBy` without a function", step.operation.call)
    frame = frame.in_any_order()
    # the sort reads some columns only; the others are still evaluated where they are read
    key = map_columns(step, function, _without_tokens(frame.element))
    return _ordered(step, frame, key, ascending)


def sorted_by(step: Step, frame: Frame, function: ast.expr, *, down: bool) -> Frame:
    """A DataFrame in the order of what a function gives for each element.

    Raises:
        Refusal: the elements are no columns, or that has no order in both Python and Spark.
    """
    check_unnamed(frame, step.operation.call)
    if has_json(frame.element):
        raise Refusal("its elements are JSON, which has no form on columns here", step.operation.call)
    return _sorted(step, frame, function, ast.Constant(not down))


def _sorted_by_key(step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
    if "keyfunc" in found:
        raise Refusal("`sortByKey` with a function", step.operation.call)
    frame = frame.in_any_order()
    key, _ = pair(frame.element, step)
    return _ordered(step, frame, key, found.get("ascending"))


def sorted_by_key(step: Step, frame: Frame, *, down: bool) -> Frame:
    """A DataFrame of pairs in the order of their keys.

    Raises:
        Refusal: the elements are no pairs, or their keys have no order in both Python and Spark.
    """
    key, _ = pair(frame.element, step)
    return _ordered(step, frame, key, ast.Constant(not down))


def _ordered(step: Step, frame: Frame, key: Element, ascending: ast.expr | None) -> Frame:
    if ascending is not None and not (
        isinstance(ascending, ast.Constant) and isinstance(ascending.value, bool | int)
    ):
        raise Refusal("whether it sorts up or down is not written out", step.operation.call)
    down = isinstance(ascending, ast.Constant) and not ascending.value
    columns = leaves(key)
    shapes = [leaf.shape.of if isinstance(leaf.shape, Maybe) else leaf.shape for leaf in columns]
    if not columns or any(not isinstance(shape, _ORDERED) for shape in shapes):
        raise Refusal(
            "the keys of the order are not known to be texts, numbers or dates", step.operation.call
        )
    if any(isinstance(leaf.shape, Maybe) for leaf in columns):
        if step.basis.guards.fail_as_python_does:
            raise Refusal("a key of the order may be None", step.operation.call)
        own = frozenset({step.operation})
        step.need(gives=(NONES,), looser=own, often=own)
    if not all(map(_has_order, shapes)):
        step.note(NAN)
    step.need(shuffles=True)
    return frame.ordered_by(*(_by(leaf, down=down) for leaf in columns))


def _by(leaf: Scalar, *, down: bool) -> str:
    """The code for the order by a column: the opposite one of whole numbers is that of the negative ones."""
    negated = leaf.negated if isinstance(leaf.shape, Int) else None
    opposite = negated.column if negated is not None else None
    if opposite is not None:
        return f'"{opposite}"' if down else f'F.desc("{opposite}")'
    name = leaf.column
    if down:
        code = leaf.code if leaf.precedence == 100 else f"({leaf.code})"
        return f'F.desc("{name}")' if name is not None else f"{code}.desc()"
    return f'"{name}"' if name is not None else leaf.code


def _has_order(shape: Shape) -> bool:
    return not isinstance(shape, Float) or shape.finite


def _without_tokens(element: Element) -> Element:
    if isinstance(element, Scalar):
        return replace(element, tokens=frozenset())
    return replace(element, items=tuple(_without_tokens(item) for item in element.items))
