"""Run a state function on symbols: the expressions and statements that running sums are written with."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.columns.compiler import INLINE_DEPTH, Compiler
from migrate.columns.functions import FunctionNode
from migrate.columns.linear import (
    ZERO,
    Derived,
    Items,
    Linear,
    Numbers,
    State,
    Tuples,
    Unsolved,
    numbers_of,
    symbols,
    truth,
)
from migrate.columns.state_arithmetic import Arithmetic, unknown
from migrate.columns.state_loops import bound, mapped, one_of, summed
from migrate.syntax.nodes import walk

States = Mapping[str, State]


def run_state_function(
    compiler: Compiler, function: FunctionNode, *arguments: State, arithmetic: Arithmetic | None = None
) -> State:
    """Return the result of a state function for symbols.

    Args:
        compiler: knows the names that the function may read.
        function: the function.
        arguments: the symbols.
        arithmetic: what adding them gives; they stand for whole numbers without it.

    Raises:
        Fails: the function raises an error for them.
        Unsolved: it holds what the algebra does not know.
    """
    return _Run(compiler, arithmetic or Arithmetic((), several=True)).call(function, arguments)


class _Run:
    def __init__(self, compiler: Compiler, arithmetic: Arithmetic) -> None:
        self.compiler = compiler
        self.arithmetic = arithmetic
        self.depth = 0
        self.in_loop = False

    def call(self, function: FunctionNode, arguments: Sequence[State]) -> State:
        if isinstance(function, ast.Name) and function.id in self.compiler.scope.functions:
            function = self.compiler.scope.functions[function.id]
        if not isinstance(function, ast.Lambda | ast.FunctionDef):
            return self.arithmetic.library(function, self.compiler.qualified(function, {}), arguments)
        signature = function.args
        parameters = [parameter.arg for parameter in (*signature.posonlyargs, *signature.args)]
        if len(parameters) != len(arguments) or signature.vararg or signature.kwonlyargs or signature.kwarg:
            raise Unsolved("it does not take the new values and the state as its only parameters")
        self.depth += 1
        if self.depth > INLINE_DEPTH:
            raise Unsolved("functions call each other without end")
        names = dict(zip(parameters, arguments, strict=True))
        result = (
            self.value(function.body, names)
            if isinstance(function, ast.Lambda)
            else self._body(function, names)
        )
        self.depth -= 1
        return result

    def _body(self, function: ast.FunctionDef, names: States) -> State:
        if function.decorator_list:
            raise Unsolved(f"`{function.name}` is decorated")
        return self._run(function.body, names)

    def _run(self, body: Sequence[ast.stmt], names: States) -> State:
        for position, statement in enumerate(body):
            match statement:
                case ast.Return(value):
                    return None if value is None else self.value(value, names)
                case ast.If(test, then, orelse):
                    branch = then if self._holds(test, names) else orelse
                    return self._run([*branch, *body[position + 1 :]], names)
                case ast.For():
                    names = {**names, **self._loop(statement, names)}
                case ast.Pass() | ast.Expr(ast.Constant(str())):
                    continue
                case _:
                    names = {**names, **self._assign(statement, names)}
        return None

    def _assign(self, statement: ast.stmt, names: States) -> dict[str, State]:
        match statement:
            case ast.Assign(targets=[target], value=value):
                return bound(target, self.value(value, names))
            case ast.AnnAssign(target=ast.Name(id), value=ast.expr() as value):
                return {id: self.value(value, names)}
            case ast.AugAssign(target=ast.Name(id), op=operator, value=value) if _is_number(names.get(id)):
                return {id: self.arithmetic.operate(statement, operator, names[id], self.value(value, names))}
        raise unknown(statement)

    def _loop(self, loop: ast.For, names: States) -> dict[str, State]:
        """Run a loop's body once on symbols: its sum over all values follows from that of one."""
        values = self.value(loop.iter, names)
        if not isinstance(values, Numbers | Tuples) or loop.orelse or self.in_loop:
            raise unknown(loop)
        targets = bound(loop.target, one_of(values))
        assigned = {
            node.id
            for node in ast.walk(loop)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        changed = sorted(assigned - targets.keys())
        if any(not isinstance(names.get(name), Linear) for name in changed):
            raise Unsolved("a loop changes a name that is no number before it")
        inner: dict[str, State] = {**names, **{name: Linear.symbol("before", name) for name in changed}}
        inner.update(targets)
        self.in_loop = True
        for statement in loop.body:
            inner.update(self._assign(statement, inner))
        self.in_loop = False
        return {name: self._added(loop, name, names[name], inner[name], values) for name in changed}

    def _added(
        self, loop: ast.For, name: str, before: State, after: State, values: Numbers | Tuples
    ) -> State:
        assert isinstance(before, Linear)
        if not isinstance(after, Linear):
            raise Unsolved("a loop makes no number of a number")
        added = after.plus(Linear.symbol("before", name), -1)
        return self.arithmetic.onto(loop, before, summed(added.factors, values))

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, names: States) -> State:
        match node.generators:
            case [ast.comprehension(target, iterated, [], 0)] if not self.in_loop:
                values = self.value(iterated, names)
                if isinstance(values, Numbers | Tuples):
                    self.in_loop = True
                    element = self.value(node.elt, {**names, **bound(target, one_of(values))})
                    self.in_loop = False
                    return mapped(element, values)
        raise unknown(node)

    def value(self, node: ast.expr, names: States) -> State:
        match node:
            case ast.Constant(None | bool() as constant):
                return constant
            case ast.Constant(int(number)):
                return Linear.number(number)
            case ast.Constant(float(number)) if number == 0 and self.arithmetic.floats:
                return Linear({ZERO: 1})
            case ast.Name(id) if id in names:
                return names[id]
            case ast.Name(id) if type(self.compiler.scope.constants.get(id)) is int:
                return Linear.number(int(str(self.compiler.scope.constants[id])))
            case ast.List(items):
                return self._list(node, items, names)
            case ast.Tuple(items):
                return Items(tuple(self.value(item, names) for item in items))
            case ast.ListComp():
                return self._comprehension(node, names)
            case ast.Subscript(of, ast.Constant(int(place))):
                return self.arithmetic.item(node, self.value(of, names), place)
            case ast.BinOp(op=ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Mult()):
                return self._derived(node, names)
            case ast.Call(ast.Name("float" | "round")):
                return self._derived(node, names)
            case ast.BinOp(left, operator, right):
                return self.arithmetic.operate(
                    node, operator, self.value(left, names), self.value(right, names)
                )
            case ast.IfExp(test, body, orelse):
                return self.value(body if self._holds(test, names) else orelse, names)
            case ast.BoolOp(operator, operands):
                return self._bool_op(operator, operands, names)
            case ast.UnaryOp(ast.Not(), operand):
                return not self._holds(operand, names)
            case ast.Compare(left, [operator], [right]):
                if self.in_loop:
                    raise Unsolved("a condition inside a loop")
                return self.arithmetic.compare(
                    node, self.value(left, names), operator, self.value(right, names)
                )
            case ast.Call(function, arguments, []):
                return self._call(node, function, arguments, names)
        raise unknown(node)

    def _derived(self, node: ast.expr, names: States) -> Derived:
        """What an expression makes of variables that are numbers, which it is compiled for as columns."""
        if self.in_loop:
            raise unknown(node)
        read = {one.id: names[one.id] for one in walk(node) if isinstance(one, ast.Name) and one.id in names}
        numbers = tuple((name, value) for name, value in sorted(read.items()) if isinstance(value, Linear))
        if not numbers or len(numbers) < len(read):
            raise unknown(node)
        return Derived(ast.dump(node), numbers, node)

    def _holds(self, test: ast.expr, names: States) -> bool:
        if self.in_loop:
            raise Unsolved("a condition inside a loop")
        return truth(self.value(test, names))

    def _list(self, node: ast.expr, items: Sequence[ast.expr], names: States) -> State:
        total = Linear.number(0)
        for item in items:
            value = self.value(item, names)
            if not isinstance(value, Linear):
                raise unknown(node)
            total = self.arithmetic.plus(node, total, value)
        return Numbers(total, Linear.number(len(items)))

    def _bool_op(self, operator: ast.boolop, operands: Sequence[ast.expr], names: States) -> State:
        if self.in_loop:
            raise Unsolved("a condition inside a loop")
        value: State = None
        for operand in operands:
            value = self.value(operand, names)
            if truth(value) is isinstance(operator, ast.Or):
                return value
        return value

    def _call(
        self, node: ast.Call, function: ast.expr, arguments: Sequence[ast.expr], names: States
    ) -> State:
        if any(isinstance(argument, ast.Starred) for argument in arguments):
            raise unknown(node)
        called = function.id if isinstance(function, ast.Name) else None
        if called in names:
            raise unknown(node)
        name = self.compiler.qualified(function, {})
        if name in ("functools.reduce", "reduce") and len(arguments) in (2, 3):
            return self._reduce(
                node, [self.value(argument, names) for argument in arguments[1:]], arguments[0]
            )
        if name in ("sum", "list") and isinstance(arguments[0] if arguments else None, ast.GeneratorExp):
            # only these read it at once, and no more than once
            made, *arguments = arguments
            assert isinstance(made, ast.GeneratorExp)
            first = [self._comprehension(made, names)]
        else:
            first = []
        return self.call(function, [*first, *(self.value(argument, names) for argument in arguments)])

    def _reduce(self, node: ast.Call, arguments: Sequence[State], function: ast.expr) -> State:
        match list(arguments):
            case [Tuples(totals), Items() as start]:
                left, right = (symbols(side, len(totals)) for side in ("left", "right"))
                both = tuple(map(Linear.plus, numbers_of(left), numbers_of(right)))
                if self.call(function, [left, right]) == Items(both):
                    return self.arithmetic.pairwise(node, start, totals)
            case [Numbers() as numbers, *start]:
                first, second = Linear.symbol("left"), Linear.symbol("right")
                if self.call(function, [first, second]) != first.plus(second):
                    raise unknown(node)
                if start and isinstance(start[0], Linear):
                    return self.arithmetic.onto(node, start[0], numbers.total)
                if not start and numbers.length.truth() and not self.arithmetic.floats:
                    return numbers.total
        raise unknown(node)


def _is_number(state: State) -> bool:
    """Whether a value cannot be changed in place, which its other names would show."""
    return isinstance(state, Linear)
