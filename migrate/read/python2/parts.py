"""The parts of tuples and dicts that a function of elements is given: expressions of the function before it.

rdd.map(lambda x: (x.symbol, (float(x.price), 1))) \\
    .reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])) \\
    .map(lambda kv: (kv[0], kv[1][0] / kv[1][1]))

Here ``kv[1][0]`` is a sum of what ``float(x.price)`` gives.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeGuard

from migrate.knowledge.methods import CHANGES
from migrate.read.python2.of_spark import callbacks
from migrate.syntax.nodes import code_of, of_kinds, position, walk

Variable = tuple[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None, str]
"""A name, and the function that it is a local variable of; None for one of the module."""
_TEXT = ast.Constant("")
_UNKNOWN = ast.Constant(None)
"""What is of no known kind."""
_PAIR = ast.Tuple([_TEXT, _TEXT], ast.Load())
"""What Kafka's messages are like: a key and a value."""
_OF_TEXTS = frozenset({"socketTextStream", "textFile", "textFileStream"})
_DECODED = {"createDirectStream": 4, "createStream": 6}
"""Functions that give Kafka's messages as texts, and how many arguments come before those that decode."""
_DECODING = frozenset({"keyDecoder", "messageHandler", "valueDecoder"})
_KEEPING = frozenset({"cache", "filter", "persist", "repartition", "sortBy", "sortByKey", "window"})
_COLLECTING = frozenset({"collect", "take", "takeOrdered", "toLocalIterator", "top"})
_BOUND_AGAIN = (ast.Lambda, ast.comprehension)
"""What may give a parameter's name to something else."""


def parts_of_elements(
    tree: ast.Module,
    values: Mapping[Variable, Sequence[ast.expr | None]],
    variable: Callable[[ast.Name], Variable],
) -> dict[ast.expr, ast.expr]:
    """Parts that lambdas read of their elements, each with an expression of the same kind.

    Args:
        tree: the module.
        values: the values that each variable is bound to; None for one that is not written out.
        variable: the variable that a name is.
    """
    return dict(_Parts(tree, values, variable).found())


class _Parts:
    def __init__(
        self,
        tree: ast.Module,
        values: Mapping[Variable, Sequence[ast.expr | None]],
        variable: Callable[[ast.Name], Variable],
    ) -> None:
        self._tree = tree
        self._values = values
        self._variable = variable
        self._open: set[ast.expr] = set()
        """The values of variables that are about to be looked at."""
        self._straight = dict(_straight(tree))
        self._functions: dict[str, list[ast.FunctionDef]] = {}
        for node in of_kinds(tree, ast.FunctionDef):
            self._functions.setdefault(node.name, []).append(node)

    def found(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        for call in of_kinds(self._tree, ast.Call):
            match call:
                case ast.Call(
                    ast.Attribute(owner, "map" | "mapValues" as method), [ast.Lambda() as function]
                ):
                    element = self._element(owner)
                    if method == "mapValues":
                        element = _item(element, 1)
                    if element is not None and len(function.args.args) == 1:
                        yield from _read(function, element)
        given = [*callbacks(self._tree)]
        for call, callback in given:
            alone = [one for _, one in given].count(callback) == 1
            element = self._element(call.func.value) if isinstance(call.func, ast.Attribute) else None
            if alone and element is not None and isinstance(callback, ast.FunctionDef):
                yield from _looped(callback, element)

    def _element(self, stream: ast.expr) -> ast.expr | None:
        """An expression of the kind of a stream's elements; None where it is not known."""
        match stream:
            case ast.Call(ast.Attribute(_, method)) if method in _OF_TEXTS:
                return _TEXT
            case ast.Call(ast.Attribute(ast.Name("KafkaUtils"), method), given, keywords):
                decoded = len(given) > _DECODED.get(method, -1) or any(k.arg in _DECODING for k in keywords)
                return None if decoded else _PAIR
            case ast.Call(ast.Attribute(_, "map"), [function], []):
                return self._result(function)
            case ast.Call(
                ast.Attribute(_, "flatMap"), [ast.Lambda(_, ast.Call(ast.Attribute(_, "split")))], []
            ):
                return _TEXT
            case ast.Call(ast.Attribute(_, "flatMap"), [ast.Name(name)], []):
                return self._yielded(name)
            case ast.Call(ast.Attribute(owner, "reduceByKey"), [function, *_]):
                return self._reduced(owner, function)
            case ast.Call(ast.Attribute(owner, "reduceByKeyAndWindow"), [function, *others]):
                plain = _adds(function) and all(map(self._is_constant, others))
                return self._element(owner) if plain else None
            case ast.Call(ast.Attribute(owner, "join"), [other, *_]):
                return self._joined(owner, other)
            case ast.Call(ast.Attribute(owner, method), given) if method in _KEEPING:
                element = self._element(owner)
                may_change = any(not isinstance(one, ast.Lambda) for one in given) and method == "filter"
                return None if may_change and isinstance(element, ast.Dict) else element
            case ast.Name():
                return self._element_of(stream)
        return None

    def _yielded(self, name: str) -> ast.expr | None:
        """What a generator of the module gives, by all its ``yield``."""
        found = self._functions.get(name, [])
        nodes = walk(found[0]) if len(found) == 1 else []
        given = [node.value for node in nodes if isinstance(node, ast.Yield)]
        known = [value for value in given if value is not None]
        is_one = not any(isinstance(node, ast.FunctionDef) for node in nodes if node is not found[0])
        return _one_of(known) if known and len(known) == len(given) and is_one else None

    def _reduced(self, owner: ast.expr, function: ast.expr) -> ast.expr | None:
        """A pair of a key and what a function makes of its values, or the only value."""
        pair = self._element(owner)
        if pair is None or _adds(function):
            return pair
        key, value = _item(pair, 0), _item(pair, 1)
        if key is None or value is None or not isinstance(function, ast.Lambda):
            return None
        made = _one_of([value, function.body])
        return ast.Tuple([key, made]) if made is not None else None

    def _is_constant(self, given: ast.expr) -> bool:
        """Whether an argument is a constant, or a name for one, and so no function."""
        held = self._values.get(self._variable(given), ()) if isinstance(given, ast.Name) else [given]
        return bool(held) and all(isinstance(value, ast.Constant) for value in held)

    def _joined(self, owner: ast.expr, other: ast.expr) -> ast.expr | None:
        """A pair of a key and the pair of two values."""
        left, right = self._element(owner), self._element(other)
        key, one, two = _item(left, 0), _item(left, 1), _item(right, 1)
        if key is None or one is None or two is None:
            return None
        return ast.Tuple([key, ast.Tuple([one, two])])

    def _element_of(self, name: ast.Name) -> ast.expr | None:
        """The same of a name; None for one that is made of itself, by a cell or a module that is not read."""
        values = self._values.get(self._variable(name), ())
        value = values[0] if len(values) == 1 else self._bound_before(name, len(values))
        if value is None or isinstance(value, ast.Name) or value in self._open:
            return None
        self._open.add(value)
        element = self._element(value)
        self._open.discard(value)
        return element

    def _bound_before(self, name: ast.Name, number: int) -> ast.expr | None:
        """The value of a variable that statements of one block alone bind: ``lines = lines.map(f)``."""
        statements = self._straight.get(self._variable(name), [])
        if len(statements) != number:
            return None
        above = [
            one for one in statements if (one.end_lineno or 0, one.end_col_offset or 0) <= position(name)
        ]
        return above[-1].value if above else None

    def _result(self, function: ast.expr) -> ast.expr | None:
        if isinstance(function, ast.Lambda):
            return function.body
        found = self._functions.get(function.id, []) if isinstance(function, ast.Name) else []
        if len(found) != 1:
            return None
        returns = [node for node in walk(found[0]) if isinstance(node, ast.Return)]
        return returns[0].value if len(returns) == 1 else None


def is_sum(function: ast.expr) -> bool:
    """Whether a function is ``lambda a, b: a + b``."""
    match function:
        case ast.Lambda(
            ast.arguments(args=[ast.arg(one), ast.arg(other)]),
            ast.BinOp(ast.Name(left), ast.Add(), ast.Name(right)),
        ):
            return {one, other} == {left, right}
    return False


def _adds(function: ast.expr) -> bool:
    """Whether a function adds two values, or two tuples item by item."""
    match function:
        case ast.Lambda(ast.arguments(args=[ast.arg(one), ast.arg(other)]), ast.Tuple([_, *_] as items)):
            return all(_is_sum_of(node, {one, other}, place) for place, node in enumerate(items))
    return is_sum(function)


def _is_sum_of(node: ast.expr, names: set[str], place: int) -> bool:
    """Whether an expression is ``a[place] + b[place]``."""
    match node:
        case ast.BinOp(
            ast.Subscript(ast.Name(left), ast.Constant(one)),
            ast.Add(),
            ast.Subscript(ast.Name(right), ast.Constant(other)),
        ):
            return {left, right} == names and one == other == place
    return False


def _straight(tree: ast.Module) -> Iterator[tuple[Variable, list[ast.Assign]]]:
    """The variables that are bound in the body of a module or function, with its statements that do."""
    holders: list[ast.Module | ast.FunctionDef] = [tree, *of_kinds(tree, ast.FunctionDef)]
    for holder in holders:
        found: dict[str, list[ast.Assign]] = {}
        for statement in holder.body:
            match statement:
                case ast.Assign([ast.Name(name)]):
                    found.setdefault(name, []).append(statement)
        function = None if isinstance(holder, ast.Module) else holder
        yield from (((function, name), statements) for name, statements in found.items())


def _read(function: ast.Lambda, element: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The parts of its parameter that a lambda reads, or the whole."""
    name = function.args.args[0].arg
    if any(isinstance(node, _BOUND_AGAIN) for node in walk(function.body)):
        return
    for node in walk(function.body):
        if isinstance(node, ast.Name | ast.Subscript) and (part := _part(node, name, element)) is not None:
            yield node, part


def _looped(callback: ast.FunctionDef, element: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The parts that loops of a callback read of what it collects: ``for word, n in rdd.collect():``."""
    nodes = [*walk(callback)]
    bound = Counter(node.id for node in nodes if isinstance(node, ast.Name) and _stores(node))
    bound += Counter(node.arg for node in nodes if isinstance(node, ast.arg))
    rdd = callback.args.args[-1].arg if callback.args.args else ""
    changed = {code_of(node.value) for node in nodes if _may_change(node)}
    lists: set[str] = set()
    for node in nodes if bound[rdd] == 1 else ():
        match node:
            case ast.Assign([ast.Name(name)], value) if bound[name] == 1 and _collects(value, rdd):
                lists |= {name} - changed
    found: dict[str, list[ast.expr]] = {}
    for node in nodes if bound[rdd] == 1 else ():
        if isinstance(node, ast.For) and (_collects(node.iter, rdd) or ast.unparse(node.iter) in lists):
            for variable, part in _taken_apart(node.target, element):
                found.setdefault(variable, []).append(part)
    for name, parts in found.items():
        if bound[name] != len(parts) or len({*parts}) > 1:
            continue
        if isinstance(parts[0], ast.Dict) and not _only_items(name, nodes):
            continue
        for node in nodes:
            if isinstance(node, ast.Name | ast.Subscript) and not _stores(node):
                read = _part(node, name, parts[0])
                if read is not None:
                    yield node, read


def _only_items(name: str, nodes: Sequence[ast.AST]) -> bool:
    """Whether items of a variable are read, and nothing else is done with it: a dict could be changed."""
    reads = [node for node in nodes if isinstance(node, ast.Name) and node.id == name and not _stores(node)]
    items = [node.value for node in nodes if isinstance(node, ast.Subscript) and not _stores(node)]
    return set(reads) <= set(items)


def _may_change(node: ast.AST) -> TypeGuard[ast.Attribute | ast.Subscript]:
    """Whether an expression may put something else in a list: ``top.append``, ``top[0] = pair``."""
    match node:
        case ast.Attribute(_, attr):
            return attr in CHANGES and attr not in ("sort", "reverse")
        case ast.Subscript(ctx=ctx):
            return not isinstance(ctx, ast.Load)
    return False


def _collects(node: ast.expr, rdd: str) -> bool:
    """``rdd.take(10)``."""
    match node:
        case ast.Call(ast.Attribute(ast.Name(name), method)):
            return name == rdd and method in _COLLECTING
    return False


def _stores(node: ast.Name | ast.Subscript) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _taken_apart(target: ast.expr, element: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The variables of a loop, each with what it holds of an element."""
    if isinstance(target, ast.Name):
        yield target.id, element
    for place, one in enumerate(target.elts if isinstance(target, ast.Tuple) else ()):
        part = _item(element, place)
        if isinstance(one, ast.Name) and part is not None:
            yield one.id, part


def _part(node: ast.expr, name: str, element: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.Name):
        return element if node.id == name else None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return _item(_part(node.value, name, element), node.slice.value)
    return None


def _one_of(several: Sequence[ast.expr]) -> ast.expr | None:
    """An expression of the kind of one of several; of tuples, item by item."""
    tuples = [one for one in several if isinstance(one, ast.Tuple)]
    if len({len(one.elts) for one in tuples}) > 1 or len(tuples) not in (0, len(several)):
        return None
    if tuples:
        return ast.Tuple(
            [_one_of(one) or _UNKNOWN for one in zip(*(one.elts for one in tuples), strict=True)]
        )
    whole = several[0]
    for one in several[1:]:
        whole = ast.IfExp(_TEXT, whole, one)
    return whole


def _item(whole: ast.expr | None, place: object) -> ast.expr | None:
    match whole:
        case ast.Call(ast.Attribute(_, "split")):
            return ast.Subscript(whole, ast.Constant(place))  # type: ignore[arg-type]
        case ast.Dict(keys, values):
            found = [value for key, value in zip(keys, values, strict=True) if _is_key(key, place)]
            known = all(isinstance(key, ast.Constant) for key in keys)
            return found[-1] if known and found else None
    if isinstance(whole, ast.Tuple) and isinstance(place, int) and 0 <= place < len(whole.elts):
        return whole.elts[place]
    return None


def _is_key(key: ast.expr | None, place: object) -> bool:
    return isinstance(key, ast.Constant) and key.value == place
