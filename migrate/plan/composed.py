"""Functions of elements whose results no column holds, called by the next function that makes columns.

``stream.map(json.loads).flatMap(tags)`` is one typed function of the text: ``tags(json.loads(value))``. Where
a function reads more than once what the one before it made, or a filter stands between two, it has a line for
each.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace

from migrate.columns import Refusal, Scalar
from migrate.plan.code import Inner
from migrate.plan.result_checks import wrapped, wraps_of
from migrate.plan.stages import Frame, Within, check_not_within
from migrate.plan.step import Step
from migrate.plan.typed_calls import (
    declared,
    declared_lines,
    names_of,
    placed,
    quoted_name,
    read_columns,
)
from migrate.plan.typed_functions import behind_conditions, made_of_items, made_once
from migrate.proofs.facts import Facts
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import names_in, quoted
from migrate.typed import (
    Result,
    Type,
    pair_of,
    result_of_filter,
    result_of_flat_map,
    result_of_map,
    result_of_type,
    type_of,
    type_of_items,
    type_of_result,
)
from migrate.typed.types import Items

PART = "it becomes a part of the next typed function"
_APART = (ast.JoinedStr, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Where a part may not be evaluated once, or is in a scope of its own, or between quotes."""

_OF_VALUES = frozenset({"mapValues", "flatMapValues"})
_ONE_EACH = frozenset({"map", "mapValues"})
"""Operators that make one element of each."""
_OURS = frozenset({"list", "bool", "checked", "of_type", "of_learnt_type"})
"""Names that the code around the functions may read."""
_SIMPLE = re.compile(r"(?!user_expression_)\w+(\[1\])?")
"""A variable, or the value of a pair in one."""
_BOUND = re.compile(r"^\s*(?:for )?(\w+) (?:=|in) ")
"""The variable of a line or a loop."""
_SHORT = 60
"""How many characters a result and its condition may have for one line."""


def left_within(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame whose columns stay as they are, with one more function that the next one is to call.

    Raises:
        Refusal: the function is not proven to be pure, or reads the clock.
    """
    if step.line.scope is not step.program.scope:
        raise Refusal("the function that reads it may stand elsewhere", function)
    operator = _method(step)
    made, items = _type(step, frame, function)
    given = made if items is None else items
    if step.callback is None:
        step.need(reasons={step.operation.use: PART})
    part = Within(operator, step.operation.call, function, given)
    return replace(frame, within=(*frame.within, part))


def composed(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The frame after a function of what the functions within it make: of columns, or with one more within.

    Raises:
        Refusal: the function is not proven to be pure, or to return what columns hold.
    """
    operator = _method(step)
    try:
        if operator in _OF_VALUES:
            made, items = _type(step, frame, function)
            found = result_of_type(made if items is None else items, function)
        else:
            result_of = result_of_flat_map if operator == "flatMap" else result_of_map
            found = result_of(function, [_given(frame)], step.scope)
    except Refusal:
        return left_within(step, frame, function)
    body = _Body(step, frame)
    for part in frame.within:
        body.add(part)
    python = frame.python | {step.operation.call, *(part.call for part in frame.within)}
    after = replace(frame, within=(), python=python, late=frame.late or bool(frame.conditions))
    if {operator, *(part.operator for part in frame.within)} <= _ONE_EACH:
        return made_once(step, after, function, found, lambda type_: body.call(function, type_, found))
    if operator in _ONE_EACH and found.checked:
        found = replace(found, checked=f"[{found.checked}]")
    return made_of_items(step, after, function, found, lambda type_: body.call(function, type_, found))


def rows_left(step: Step, frame: Frame) -> Frame:
    """The rows that the filters within leave, of columns as they are; what maps make is not looked at.

    Raises:
        RatherError: there are functions within that make several elements of one, or of values alone.
        Refusal: the function of a filter cannot be moved.
    """
    if not {part.operator for part in frame.within} <= {"map", "filter"}:
        check_not_within(frame)
    places = [place for place, part in enumerate(frame.within) if part.operator == "filter"]
    left = replace(frame, within=())
    if not places:
        return left
    parts = frame.within[: places[-1] + 1]
    frame = behind_conditions(step, replace(frame, within=parts))
    body = _Body(step, frame)
    for part in parts[:-1]:
        body.add(part)
    condition = body.condition(
        parts[-1].function, result_of_filter(parts[-1].function, [parts[-2].given], step.scope)
    )
    python = frame.python | {part.call for part in parts}
    return left.where(condition, filtered=True, python=python, conditions=python)


def loop_of(step: Step, frame: Frame, *, has_lines: bool) -> tuple[str, list[str], str]:
    """The variable of a loop over rows, the lines of its body, and what the functions within make of a row.

    Args:
        step: the output.
        frame: the rows.
        has_lines: whether the loop may have lines, as a comprehension has not.

    Raises:
        Refusal: rows have other columns than the functions read, or there are lines.
    """
    return _Body(step, frame).shown(has_lines=has_lines)


def _type(step: Step, frame: Frame, function: ast.expr) -> tuple[Type, Type | None]:
    """The type of what an operator makes of each element; that of one of several, if it makes several."""
    operator, given = _method(step), _given(frame)
    if operator not in _OF_VALUES:
        made = type_of_result(function, given, step.scope)
        if operator == "flatMap":
            return made, type_of_items(function, made)
        return (given if operator == "filter" else made), None
    key, value = pair_of(given, function)
    made = type_of_result(function, value, step.scope)
    if operator == "mapValues":
        return frozenset({Items((key, made))}), None
    return made, frozenset({Items((key, type_of_items(function, made)))})


def _method(step: Step) -> str:
    """The method that is called: of a stream, or of an RDD in a callback."""
    function = step.operation.call.func
    return function.attr if isinstance(function, ast.Attribute) else step.operation.operator


def _given(frame: Frame) -> Type:
    """The type of the elements that the next function is given."""
    return frame.within[-1].given if frame.within else type_of(frame.element)


@dataclass
class _Body:
    """The body of a function that calls functions one after the other."""

    step: Step
    frame: Frame
    code: str = ""
    """What the next function is given."""
    lines: list[str] = field(default_factory=list)
    depth: int = 0
    """In how many conditions the next line stands."""
    pair: tuple[str, ...] = ()
    """The key and the value, where the code makes a pair of them."""
    loops: list[str] = field(default_factory=list)
    """The clauses of the comprehension that the result is."""
    parameters: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    """Those that it is given."""
    replaced: dict[ast.AST, str] = field(default_factory=dict)

    def add(self, part: Within) -> None:
        """Call one more function.

        Raises:
            Refusal: it is given a tuple of columns, or another number of arguments than one.
        """
        if part is self.frame.within[0]:
            made = self._of_columns(part.function)
            others = [*(one.function for one in self.frame.within[1:]), *self.step.operation.call.args[:1]]
            if {*self.parameters} & _OURS.union(*map(_other_names, others)):
                raise Refusal("its parameter would hide a name that another function reads", part.function)
        else:
            if part.operator == "filter" and not (self._is_held or self.pair):
                self._hold(part.function)
            pair, code = self.pair, self.code
            made = self._made(part.operator, part.function)
            if part.operator == "filter":
                self.pair = pair if self.code == code else ()  # the pair may be held in a variable since
        if part.operator in _ONE_EACH:
            self.code = made
        elif part.operator == "flatMapValues":
            self.code = self._beside()
        elif part.operator == "flatMap":
            self.code = self._loop(_next(self.frame.within, part, self.step), made)
        elif self.loops:
            self.loops.append(f"if {made}")
        else:
            self._line(f"if {made}:")
            self.depth += 1

    def call(self, function: ast.expr, type_: str, found: Result) -> str:
        """The call of the whole function, whose result is that of one more; it gets a name."""
        operator = _method(self.step)
        flat = operator not in _ONE_EACH
        made = self._made(operator, function)
        if operator == "flatMapValues":
            made = self._beside()
        elif flat and self.loops:
            made = self._loop("item", made)
        wraps = wraps_of(self.step, found, "list" if flat and not self.loops else "")
        if self.loops or (self.depth and not flat):
            made = f"[{' '.join([made, *self.loops])}]"
        lines = self._returning(wrapped(made, wraps, *self.parameters))
        return self._named(function, lines, type_, found)

    def condition(self, function: ast.expr, found: Result) -> str:
        """The call of the whole function, whose result is that of a condition; it gets a name."""
        if not self._is_held:
            self._hold(function)
        made = wrapped(self._of_code(function), wraps_of(self.step, found, "bool"), *self.parameters)
        self._line(f"return {made}")
        lines = [*self.lines, "return False"] if self.depth else self.lines
        return self._named(function, lines, "boolean", found, "keep_udf")

    def shown(self, *, has_lines: bool) -> tuple[str, list[str], str]:
        """What a loop has in the place of the function: its variable, its lines, and what it prints.

        Raises:
            Refusal: rows have other columns than the functions read, or there are lines.
        """
        for part in self.frame.within:
            if part.operator == "map":
                self.add(part)
            elif has_lines and not self._is_held:
                self._hold(part.function)
        if self.lines and not has_lines:
            raise Refusal("a comprehension has no lines", self.frame.within[0].call)
        if self.columns != list(names_of(self.frame.element)):
            raise Refusal("rows have more columns than it reads", self.frame.within[0].call)
        self._need()
        row = ", ".join(self.parameters)
        return f"({row},)" if len(self.parameters) == 1 else row, self.lines, self.code

    def _need(self) -> None:
        """Need the changes in the functions, which must be the same wherever else these are called.

        Raises:
            Refusal: they are not.
        """
        known = dict(self.step.known.inner.replaced)
        for node, code in self.replaced.items():
            if known.get(node, code) != code:
                raise Refusal("it is called in two ways", self.step.operation.call)
        self.step.need(inner=Inner(tuple(self.replaced.items())))

    def _named(
        self, function: ast.expr, lines: list[str], type_: str, found: Result, wanted: str = ""
    ) -> str:
        """The call of a function with these lines."""
        self._need()
        signature, arguments = ", ".join(self.parameters), list(map(quoted_name, self.columns))
        if len(lines) == 1:
            text = f"lambda {signature}: {lines[0].removeprefix('return ')}"
            text, arguments = placed(self.step, self.frame, found, text, arguments)
            name = declared(self.step, function, text, type_, found, wanted)
        elif found.learnt:
            raise Refusal("its result is of a type that was learnt", function)
        else:
            name = declared_lines(self.step, function, signature, lines, type_, found, wanted)
        return f"{name}({', '.join(arguments)})"

    def _returning(self, made: str) -> list[str]:
        if self.depth == 1 and self.lines[-1].startswith("if ") and self._is_short:
            condition = self.lines[-1].removeprefix("if ").removesuffix(":")
            return [*self.lines[:-1], f"return {made} if {condition} else []"]
        self._line(f"return {made}")
        return [*self.lines, "return []"] if self.depth else self.lines

    @property
    def _is_short(self) -> bool:
        """Whether the result and its condition fit on a line."""
        condition = next(one.function for one in reversed(self.frame.within) if one.operator == "filter")
        after = self.frame.within[[one.function for one in self.frame.within].index(condition) :]
        functions = [*(one.function for one in after), self.step.operation.call.args[0]]
        return sum(len(ast.unparse(_body_of(one))) for one in functions) <= _SHORT

    # --- one function ---------------------------------------------------------------------------------------

    def _of_columns(self, function: ast.expr) -> str:
        """What the first function returns; the whole one gets the parameters that this one has."""
        element = self.frame.element
        if isinstance(element, Scalar):
            own, name = _parameter(function), element.name or "value"
            self.parameters, self.columns = [own or self._free(name)], [name]
            return f"{quoted(function)}({self.parameters[0]})" if own is None else quoted(_body_of(function))
        own = _parameter(function)
        read = None
        if own is not None and isinstance(function, ast.Lambda):
            read = read_columns(function, own, function.body, element)
        if read is None:
            raise Refusal("it is given a tuple of columns", function)
        self.replaced.update(read[0])
        self.parameters = self.columns = read[1]
        return quoted(_body_of(function))

    def _made(self, operator: str, function: ast.expr) -> str:
        """What an operator makes of the result of the function before it."""
        if operator not in _OF_VALUES:
            return self._of_code(function)
        if not self._is_held and not self.pair:
            self._hold(None)
        key, value = self.pair or (f"{self.code}[0]", f"{self.code}[1]")
        self.code, self.pair = value, ()
        made = self._of_code(function, simple=True)
        self.pair = (key, made)
        return f"({key}, {made})"

    def _beside(self) -> str:
        """A pair with one of the items that were made of its value."""
        key, items = self.pair
        item = self._loop("item", items)
        self.pair = (key, item)
        return f"({key}, {item})"

    def _loop(self, name: str, items: str) -> str:
        """The variable of one more loop of the comprehension, in which each name is one variable."""
        bound = {*self.parameters, *(name for line in self.lines for name in _BOUND.findall(line))}
        bound |= {name for loop in self.loops for name in _BOUND.findall(loop)}
        name = self._free(name, bound)
        self.loops.append(f"for {name} in {items}")
        return name

    def _of_code(self, function: ast.expr, *, simple: bool = False) -> str:
        """What a function returns for the result of the one before it, which may be code to write often."""
        pair, self.pair = self.pair, ()
        own = _parameter(function)
        if own is None or not isinstance(function, ast.Lambda):
            return f"{quoted(function)}({self.code})"
        reads, only = _reads(function, own), only_read(function, self.step.facts)
        parts = [self.step.facts.above[read] for read in reads]
        # a value that is more than a name would be computed for each read, or for none
        if pair and _SIMPLE.fullmatch(pair[1]) and all(map(_place, parts)):
            self.replaced.update((part, pair[int(_place(part))]) for part in parts)
            return quoted(function.body)
        if not (self._is_held or simple or only is not None):
            self._hold(function)
        self.replaced.update((read, self.code) for read in reads)
        return quoted(function.body)

    @property
    def _is_held(self) -> bool:
        return self.code.isidentifier() and not names_in(self.code)

    def _hold(self, function: ast.expr | None) -> None:
        """Keep what the next function is given in a variable, which is called as its parameter."""
        name = (_parameter(function) if function is not None else "pair") or "element"
        if self.loops:
            self.code = self._loop(name, f"[{self.code}]")
        else:
            name = self._free(name)
            self._line(f"{name} = {self.code}")
            self.code = name

    def _line(self, code: str) -> None:
        self.lines.append("    " * self.depth + code)

    def _free(self, name: str, bound: Set[str] = frozenset()) -> str:
        """The name, or a longer one where a function reads or binds it as something else, or it is bound."""
        functions = [part.function for part in self.frame.within]
        functions += self.step.operation.call.args[:1]
        taken = _OURS.union(bound, *map(_other_names, functions))
        while name in taken:
            name += "_"
        return name


def only_read(function: ast.Lambda, facts: Facts) -> ast.Name | None:
    """The only read of a lambda's parameter, if it is evaluated once, whatever its values are.

    Other code can stand there.
    """
    name = function.args.args[0].arg
    reads = [node for node in walk(function.body) if isinstance(node, ast.Name) and node.id == name]
    if len(reads) != 1:
        return None
    inner: ast.AST = reads[0]
    while inner is not function.body:
        whole = facts.above[inner]
        skipped = isinstance(whole, ast.IfExp) and inner is not whole.test
        skipped |= isinstance(whole, ast.BoolOp) and inner is not whole.values[0]
        skipped |= isinstance(whole, ast.Compare) and inner in whole.comparators[1:]
        if skipped or isinstance(whole, _APART) or not isinstance(whole, ast.expr | ast.keyword):
            return None
        inner = whole
    return reads[0]


def _place(part: ast.AST) -> str:
    """``0`` or ``1`` for ``pair[0]`` or ``pair[1]``; empty for anything else."""
    match part:
        case ast.Subscript(slice=ast.Constant(int(place)), ctx=ast.Load()) if place in (0, 1):
            return str(int(place))
    return ""


def _body_of(function: ast.expr) -> ast.expr:
    return function.body if isinstance(function, ast.Lambda) else function


def _parameter(function: ast.expr) -> str | None:
    """The parameter of a lambda.

    Raises:
        Refusal: it has more, or another kind of them.
    """
    if not isinstance(function, ast.Lambda):
        return None
    given = function.args
    if len(given.args) != 1 or given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg:
        raise Refusal("it takes another number of arguments than one", function)
    return given.args[0].arg


def _reads(function: ast.Lambda, parameter: str) -> list[ast.Name]:
    """Where a lambda reads its parameter.

    Raises:
        Refusal: something in it binds the name, too.
    """
    names = [node for node in walk(function.body) if isinstance(node, ast.Name) and node.id == parameter]
    inner = [node.arg for node in walk(function.body) if isinstance(node, ast.arg)]
    if parameter in inner or any(not isinstance(name.ctx, ast.Load) for name in names):
        raise Refusal(f"`{parameter}` is two variables of it", function)
    return names


def _other_names(function: ast.expr) -> set[str]:
    """The names that a function reads or binds beside its parameter."""
    found = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    if not isinstance(function, ast.Lambda):
        return found
    inner = {node.arg for node in walk(function.body) if isinstance(node, ast.arg)}
    return (found - {argument.arg for argument in function.args.args}) | inner


def _next(parts: Sequence[Within], part: Within, step: Step) -> str:
    """The parameter of the function after one of them."""
    after = parts[parts.index(part) + 1 :]
    function = after[0].function if after else step.operation.call.args[0]
    return _parameter(function) or "item"
