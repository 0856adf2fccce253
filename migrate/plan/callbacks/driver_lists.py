"""RDDs that a callback brings to the driver, whole, as lists that are made there.

    pairs = rdd.flatMap(lambda line: json.loads(line).items())
    sizes = pairs.map(lambda pair: (pair[0], len(pair[1]))).collect()

    pairs = [item for line in batch.collect() for item in json.loads(line["value"]).items()]
    sizes = [(pair[0], len(pair[1])) for pair in pairs]

All rows come to the driver as all results did. A filter would leave rows out before: it stays RDD code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from migrate.columns import Element, Refusal
from migrate.plan.callbacks.collected_once import value_list
from migrate.plan.draft.step import Step
from migrate.plan.elements.row_functions import NewLambda, row_function
from migrate.plan.names.function_names import is_free
from migrate.plan.names.variable_names import OF_RDD
from migrate.plan.new_code.inner import Inner
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.callbacks.takes_elements import telling_handler
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names
from migrate.typed import Type, type_of, type_of_items, type_of_result
from migrate.typed.types import Text, Whole

ON_DRIVER = "functions of elements whose results are all collected run on the driver, on the collected rows"
_MAKING = frozenset({"map", "flatMap"})
_CLOSED = (ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.List, ast.ListComp, ast.Tuple)
"""Expressions that can stand behind ``in`` without parentheses."""


@dataclass(frozen=True)
class _Chain:
    """The methods of an RDD, from a variable on: ``rdd.map(f).flatMap(g)``."""

    root: ast.Name
    calls: tuple[ast.Call, ...]


@dataclass(frozen=True)
class _Made:
    """A list: its code, and the type of its items; `element` is what stands in a row of it, if they are."""

    code: str
    type: Type
    element: Element | None = None


class DriverLists(NamedTuple):
    """What becomes of a callback."""

    changes: Inner
    saved: int = 0
    """How often it does not bring the rows to the driver again, as it has them in a list."""


def driver_lists(step: Step, callback: Callback, element: Element, parameter: str) -> DriverLists:
    """The changes in a callback that let it make lists of the rows of its DataFrame.

    Args:
        step: the operator.
        callback: the function.
        element: the element that each row stands for.
        parameter: the new name of its parameter.
    """
    rows = _Made(f"{parameter}.collect()", type_of(element), element)
    found, saved = step.either(
        lambda tried: _of_one(tried, callback, element, parameter),
        lambda tried: DriverLists(_all_changes(tried, callback, rows)),
    )
    if found != Inner():
        step.note(ON_DRIVER)
    return DriverLists(found, saved)


def _of_one(step: Step, callback: Callback, element: Element, parameter: str) -> DriverLists:
    """The changes by which all that is collected is made of one list of the batch's values.

    Raises:
        Refusal: the rows are not collected twice, or are read otherwise, too.
    """
    values = value_list(step, callback, element, parameter)
    found = values.changes | _all_changes(step, callback, _Made(values.name, type_of(element)))
    reads = list(callback.reads(callback.rdd))
    replaced = {part for node, _ in found.replaced for part in walk(node)}
    if not replaced.issuperset(reads):
        raise Refusal("the RDD is read by more than what is collected", callback.node)
    return DriverLists(found, len(reads) - 1)


def _all_changes(step: Step, callback: Callback, rows: _Made) -> Inner:
    """The changes for all calls that bring something to the driver."""
    found = Inner()
    for ending in _endings(callback):
        found |= _changes(step, callback, rows, ending)
    return found


def _changes(step: Step, callback: Callback, rows: _Made, ending: _Ending) -> Inner:
    """The changes for one call; none where it has no such form."""
    return step.either(lambda tried: _Lists(tried, callback, rows).of(*ending), lambda _: Inner())


_Ending = tuple[ast.Call, ast.expr, ast.expr | None]
"""A call that brings something to the driver, its RDD, and the function that reduces that."""


def _endings(callback: Callback) -> Iterator[_Ending]:
    for node in callback.walk():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
            if node.func.attr == "collect" and not node.args:
                yield node, node.func.value, None
            elif node.func.attr == "reduce" and len(node.args) == 1:
                yield node, node.func.value, node.args[0]


class _Lists:
    """The lists that one call brings to the driver."""

    def __init__(self, step: Step, callback: Callback, rows: _Made) -> None:
        self._step = step
        self._callback = callback
        self._known: dict[str, _Made] = {callback.rdd: rows}
        self._changes = Inner()

    def of(self, call: ast.Call, receiver: ast.expr, function: ast.expr | None) -> Inner:
        """The changes for a call.

        Raises:
            Refusal: it has no such form.
        """
        last = _chain(receiver)
        self._check_caught(call)
        for statement in self._above(call, last.root):
            (target,) = statement.targets
            assert isinstance(target, ast.Name)
            made, name = self._list(_chain(statement.value)), self._name(target.id)
            self._changes |= Inner(((statement.value, made.code),), renamed=((target, name),))
            self._known[target.id] = _Made(name, made.type)
        if last.root.id == self._callback.rdd and not last.calls:
            raise Refusal("the rows themselves are collected", call)
        made = self._list(last) if last.calls else self._known[last.root.id]
        code = made.code if function is None else self._reduced(made, function)
        return self._changes | Inner(((call, code),))

    def _above(self, call: ast.Call, root: ast.Name) -> list[ast.Assign]:
        """The statements right above a call's that make the RDD in a variable, in their order.

        Raises:
            Refusal: others stand between them, or read the variables.
        """
        if root.id == self._callback.rdd:
            return []
        block, statement = self._block_of(call)
        found: list[ast.Assign] = []
        for before in reversed(block[: block.index(statement)]):
            match before:
                case ast.Assign([ast.Name()], value) if _root(value) is not None:
                    found.insert(0, before)
                case _:
                    break
            if _chain(value).root.id == self._callback.rdd:
                break
        targets = {target.id for one in found for target in one.targets if isinstance(target, ast.Name)}
        roots = {_chain(one.value).root for one in found} | {root}
        names = [node for node in self._callback.walk() if isinstance(node, ast.Name) and node.id in targets]
        stored = {target for one in found for target in one.targets}
        declared = any(isinstance(node, ast.Global | ast.Nonlocal) for node in self._callback.walk())
        if declared and not targets.isdisjoint(self._declared()):
            raise Refusal("a variable is read outside", call)
        if root.id not in targets or self._callback.rdd in targets or not {*names} <= roots | stored:
            raise Refusal("the RDD is read by more than what is collected", call)
        return found

    def _name(self, variable: str) -> str:
        """The name of a list: that of an RDD's variable, which says so no longer."""
        name = OF_RDD.sub("rows", variable)
        names = {node.id for node in self._callback.walk() if isinstance(node, ast.Name)}
        return name if name not in names and is_free(name, self._step.facts) else variable

    def _declared(self) -> set[str]:
        nodes = (node for node in self._callback.walk() if isinstance(node, ast.Global | ast.Nonlocal))
        return {name for node in nodes for name in node.names}

    def _block_of(self, node: ast.AST) -> tuple[list[ast.stmt], ast.stmt]:
        """The block that holds the statement that a node is in, and that."""
        parents, statement = self._callback.parents, node
        while not isinstance(statement, ast.stmt):
            if statement not in parents or isinstance(statement, ast.Lambda):
                raise Refusal("it is no statement of the callback's own", node)
            statement = parents[statement]
        above = parents.get(statement, self._callback.node)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and statement in block:
                return block, statement
        raise Refusal("it is no statement of the callback's own", node)

    def _check_caught(self, call: ast.Call) -> None:
        """Check that nobody sees that an error is the function's own, and no longer Spark's.

        Raises:
            Refusal: a handler may.
        """
        handler = telling_handler(call, self._callback.parents)
        if handler is not None:
            raise Refusal("a handler tells errors apart", handler)

    # --- code -----------------------------------------------------------------------------------------------

    def _list(self, chain: _Chain) -> _Made:
        """The list that a chain of methods makes.

        Raises:
            Refusal: a function is not proven to do the same on the driver.
        """
        source = self._known.get(chain.root.id)
        if source is None:
            raise Refusal("it is not known what this RDD is made of", chain.root)
        clauses: list[str] = []
        variables: set[str] = set()
        made, type_, rows = "", source.type, source.element
        for number, call in enumerate(chain.calls):
            (function,) = call.args
            step = self._step.inner(call)
            result = type_of_result(function, type_, step.scope)
            if isinstance(function, ast.Name) and function.id in variables | {"row"}:
                raise Refusal("a variable would hide it", function)
            if isinstance(function, ast.Lambda) or not made:
                variable, body = self._body(step, function, rows)
                if (
                    made == variable and variable
                ):  # the items of a flatMap, by the name that this has for them
                    if _free(function) & variables - {variable}:
                        raise Refusal("a variable would hide another one", function)
                else:
                    over = f"({made} {' '.join(clauses)})" if made else source.code
                    clauses, variables = [f"for {variable} in {over}"], {variable}
            else:
                body = f"{quoted(function)}({made})"
            rows, type_ = None, result
            made = body
            if isinstance(call.func, ast.Attribute) and call.func.attr == "flatMap":
                type_ = type_of_items(function, result)
                item = self._item(chain.calls[number + 1 :], variables | _free(function))
                closed = not isinstance(function, ast.Lambda) or isinstance(function.body, _CLOSED)
                clauses.append(f"for {item} in {body if closed else f'({body})'}")
                variables.add(item)
                made = item
        return _Made(f"[{made} {' '.join(clauses)}]", type_)

    def _body(self, step: Step, function: ast.expr, rows: Element | None) -> tuple[str, str]:
        """A variable, and what a function makes of it."""
        if isinstance(function, ast.Lambda):
            names = parameter_names(function)
            stored = any(isinstance(node, ast.NamedExpr | ast.Yield | ast.Await) for node in walk(function))
            arguments = function.args
            others = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.defaults)
            if len(names) != 1 or any(others) or stored:
                raise Refusal("the lambda has no body that can stand in a comprehension", function)
        elif not isinstance(function, ast.Name):
            raise Refusal("it is not known which function this is", function)
        made, inner = row_function(step, function, rows) if rows is not None else (quoted(function), Inner())
        self._changes |= inner
        if isinstance(made, NewLambda):
            (variable,) = made.parameters
            return variable, made.body
        if isinstance(function, ast.Lambda):
            return parameter_names(function)[0], quoted(function.body)
        return "row", f"{made}(row)"

    def _item(self, following: Sequence[ast.Call], taken: set[str]) -> str:
        """The name of an item of what a flatMap gives: that of the next lambda's parameter."""
        function = following[0].args[0] if following else None
        if isinstance(function, ast.Lambda) and (names := parameter_names(function))[0] not in taken:
            return names[0]
        return self._step.fresh("item", anywhere=True)

    def _reduced(self, made: _Made, function: ast.expr) -> str:
        """The sum of a list's texts or whole numbers, which is the same however they are grouped.

        Raises:
            Refusal: another function reduces them.
        """
        adds = self._step.facts.qualified(function) == "operator.add"
        match function:
            case ast.Lambda(body=ast.BinOp(ast.Name(left), ast.Add(), ast.Name(right))):
                adds = [left, right] == parameter_names(function)
        if not adds or len({type(kind) for kind in made.type}) != 1:
            raise Refusal("it may be another result in other groups", function)
        if not all(isinstance(kind, Text | Whole) for kind in made.type):
            raise Refusal("it may be another result in other groups", function)
        self._step.imports("reduce")
        return f"reduce({quoted(function)}, {made.code})"


def _free(function: ast.expr) -> set[str]:
    """The names that a function's code reads."""
    return {node.id for node in walk(function) if isinstance(node, ast.Name)}


def _root(node: ast.expr) -> ast.Name | None:
    """The variable that a chain of `_MAKING` begins with."""
    return next((call for call in _down(node) if isinstance(call, ast.Name)), None)


def _down(node: ast.expr) -> Iterator[ast.expr]:
    """The calls of a chain, the last one first, and the variable that it begins with."""
    while True:
        match node:
            case ast.Call(ast.Attribute(value, method), [_], []) if method in _MAKING:
                yield node
                node = value
            case ast.Name():
                yield node
                return
            case _:
                return


def _chain(node: ast.expr) -> _Chain:
    """The chain that an expression is.

    Raises:
        Refusal: it is none.
    """
    found = list(_down(node))
    root = found.pop() if found else None
    if not isinstance(root, ast.Name):
        raise Refusal("it is no chain of `map` and `flatMap`", node)
    return _Chain(root, tuple(call for call in reversed(found) if isinstance(call, ast.Call)))
