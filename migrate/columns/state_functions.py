"""Run a state function on symbols: the expressions and statements that running sums are written with."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.columns.compiler import INLINE_DEPTH, Compiler
from migrate.columns.functions import FunctionNode
from migrate.columns.linear import Linear, Numbers, State, Unsolved, truth
from migrate.columns.messages import shown

States = Mapping[str, State]
_OPERATORS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def run_state_function(compiler: Compiler, function: FunctionNode, *arguments: State) -> State:
    """Return the result of a state function for symbols.

    Raises:
        Unsolved: it holds what the algebra does not know.
    """
    return _Run(compiler).call(function, arguments)


class _Run:
    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self.depth = 0
        self.in_loop = False

    def call(self, function: FunctionNode, arguments: Sequence[State]) -> State:
        if isinstance(function, ast.Name) and function.id in self.compiler.scope.functions:
            function = self.compiler.scope.functions[function.id]
        if not isinstance(function, ast.Lambda | ast.FunctionDef):
            return self._library(function, self.compiler.qualified(function, {}), arguments)
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
            case ast.Assign(targets=[ast.Name(id)], value=value):
                return {id: self.value(value, names)}
            case ast.AnnAssign(target=ast.Name(id), value=ast.expr() as value):
                return {id: self.value(value, names)}
            case ast.AugAssign(target=ast.Name(id), op=operator, value=value) if id in names:
                return {id: self._operate(statement, operator, names[id], self.value(value, names))}
        raise _unknown(statement)

    def _loop(self, loop: ast.For, names: States) -> dict[str, State]:
        """Run a loop's body once on symbols: its sum over all values follows from that of one."""
        values = self.value(loop.iter, names)
        if (
            not isinstance(values, Numbers)
            or not isinstance(loop.target, ast.Name)
            or loop.orelse
            or self.in_loop
        ):
            raise _unknown(loop)
        assigned = {
            node.id
            for node in ast.walk(loop)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        changed = sorted(assigned - {loop.target.id})
        if any(not isinstance(names.get(name), Linear) for name in changed):
            raise Unsolved("a loop changes a name that is no number before it")
        item = Linear.symbol("item")
        inner: dict[str, State] = {**names, **{name: Linear.symbol(f"before {name}") for name in changed}}
        inner[loop.target.id] = item
        self.in_loop = True
        for statement in loop.body:
            inner.update(self._assign(statement, inner))
        self.in_loop = False
        return {name: self._added(name, names[name], inner[name], values) for name in changed}

    def _added(self, name: str, before: State, after: State, values: Numbers) -> State:
        assert isinstance(before, Linear)
        if not isinstance(after, Linear):
            raise Unsolved("a loop makes no number of a number")
        added = dict(after.plus(Linear.symbol(f"before {name}"), -1).factors)
        times, each = added.pop("item", 0), added.pop("", 0)
        if added:
            raise Unsolved("a loop does more than add up")
        return before.plus(values.total, times).plus(values.length, each)

    def value(self, node: ast.expr, names: States) -> State:
        match node:
            case ast.Constant(None | bool() as constant):
                return constant
            case ast.Constant(int(number)):
                return Linear.number(number)
            case ast.Name(id) if id in names:
                return names[id]
            case ast.Name(id) if type(self.compiler.scope.constants.get(id)) is int:
                return Linear.number(int(str(self.compiler.scope.constants[id])))
            case ast.List(items) | ast.Tuple(items):
                return self._list(node, items, names)
            case ast.BinOp(left, operator, right):
                return self._operate(node, operator, self.value(left, names), self.value(right, names))
            case ast.IfExp(test, body, orelse):
                return self.value(body if self._holds(test, names) else orelse, names)
            case ast.BoolOp(operator, operands):
                return self._bool_op(operator, operands, names)
            case ast.UnaryOp(ast.Not(), operand):
                return not self._holds(operand, names)
            case ast.Compare(left, [operator], [right]):
                return self._compare(node, self.value(left, names), operator, self.value(right, names))
            case ast.Call(function, arguments, []):
                return self._call(node, function, arguments, names)
        raise _unknown(node)

    def _holds(self, test: ast.expr, names: States) -> bool:
        if self.in_loop:
            raise Unsolved("a condition inside a loop")
        return truth(self.value(test, names))

    def _list(self, node: ast.expr, items: Sequence[ast.expr], names: States) -> State:
        total = Linear.number(0)
        for item in items:
            value = self.value(item, names)
            if not isinstance(value, Linear):
                raise _unknown(node)
            total = total.plus(value)
        return Numbers(total, Linear.number(len(items)))

    def _operate(self, node: ast.AST, operator: ast.operator, left: State, right: State) -> State:
        match operator, left, right:
            case ast.Add(), Linear(), Linear():
                return left.plus(right)
            case ast.Sub(), Linear(), Linear():
                return left.plus(right, -1)
            case ast.Add(), Numbers(), Numbers():
                return left.plus(right)
        raise _unknown(node)

    def _bool_op(self, operator: ast.boolop, operands: Sequence[ast.expr], names: States) -> State:
        if self.in_loop:
            raise Unsolved("a condition inside a loop")
        value: State = None
        for operand in operands:
            value = self.value(operand, names)
            if truth(value) is isinstance(operator, ast.Or):
                return value
        return value

    def _compare(self, node: ast.AST, left: State, operator: ast.cmpop, right: State) -> State:
        if self.in_loop:
            raise Unsolved("a condition inside a loop")
        if isinstance(operator, ast.Is | ast.IsNot) and right is None:
            return (left is None) is isinstance(operator, ast.Is)
        sign = _OPERATORS.get(type(operator))
        if sign in ("==", "!=") and (left is None or right is None):
            return (left is right) is (sign == "==")
        if sign is not None and isinstance(left, Linear) and isinstance(right, Linear):
            if left.known() is not None:
                left, sign, right = right, _MIRRORED[sign], left
            return left.compare(sign, right)
        lists = isinstance(left, Numbers) and isinstance(right, Numbers) and right.length.known() == 0
        if isinstance(left, Numbers) and lists and sign in ("==", "!="):  # new == []
            return left.length.truth() is (sign == "!=")
        raise _unknown(node)

    def _call(
        self, node: ast.Call, function: ast.expr, arguments: Sequence[ast.expr], names: States
    ) -> State:
        if any(isinstance(argument, ast.Starred) for argument in arguments):
            raise _unknown(node)
        called = function.id if isinstance(function, ast.Name) else None
        if called in names:
            raise _unknown(node)
        name = self.compiler.qualified(function, {})
        if name in ("functools.reduce", "reduce") and len(arguments) in (2, 3):
            return self._reduce(
                node, [self.value(argument, names) for argument in arguments[1:]], arguments[0]
            )
        return self.call(function, [self.value(argument, names) for argument in arguments])

    def _library(self, node: ast.expr, name: str | None, arguments: Sequence[State]) -> State:
        match name, list(arguments):
            case "sum", [Numbers() as numbers]:
                return numbers.total
            case "sum", [Numbers() as numbers, Linear() as start]:
                return numbers.total.plus(start)
            case "len", [Numbers() as numbers]:
                return numbers.length
            case "int", [Linear() as number]:
                return number
            case "operator.add", [Linear() as left, Linear() as right]:
                return left.plus(right)
            case "list", [Numbers() as numbers]:
                return numbers
        raise _unknown(node)

    def _reduce(self, node: ast.Call, arguments: Sequence[State], function: ast.expr) -> State:
        first, second = Linear.symbol("left"), Linear.symbol("right")
        if self.call(function, [first, second]) != first.plus(second):
            raise _unknown(node)
        match list(arguments):
            case [Numbers() as numbers, Linear() as start]:
                return numbers.total.plus(start)
            case [Numbers() as numbers] if numbers.length.truth():
                return numbers.total
        raise _unknown(node)


def _unknown(node: ast.AST) -> Unsolved:
    return Unsolved(f"{shown(node)} is not covered")
