"""Code that does the same with a Row as with the tuple of its values.

A Row is a tuple: ``row[0]``, ``word, n = row`` and ``len(row)`` are the same. It is printed as ``Row(n=1)``,
and ``1 in row`` asks for a column of that name. What becomes of a row is followed through variables, loops
and functions that were read; where it goes anywhere else, nothing is proven.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum, auto

from migrate.knowledge import builtins, functions
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.tree import parameter_names


class Holds(Enum):
    """The values that are or hold rows."""

    ROW = auto()
    """A row, whose own items are no rows."""
    ROWS = auto()
    """A list or an iterator of rows."""
    ITERATOR = auto()
    """An iterator of rows, which is printed as any other one."""
    NUMBERED = auto()
    """``enumerate(rows)``: pairs of a number and a row."""


def takes_row(function: ast.expr, facts: Facts, position: int = 0) -> bool:
    """Whether a function does the same with a row as an argument as with a tuple, and returns neither."""
    return _Uses(facts).parameter(function, Holds.ROW, position)


def takes_rows(function: ast.expr, facts: Facts) -> bool:
    """Whether a function does the same with a list or an iterator of rows as with one of tuples."""
    return _Uses(facts).parameter(function, Holds.ROWS)


def takes_iterator(function: ast.expr, facts: Facts) -> bool:
    """The same of a function that is given no list of them, as that of ``foreachPartition``."""
    return _Uses(facts).parameter(function, Holds.ITERATOR)


def gives_rows(node: ast.expr, facts: Facts) -> bool:
    """Whether code does the same where an expression gives a list of rows instead of one of tuples."""
    return _Uses(facts).use(node, Holds.ROWS)


def gives_row(node: ast.expr, facts: Facts) -> bool:
    """Whether code does the same where an expression gives a row instead of a tuple."""
    return _Uses(facts).use(node, Holds.ROW)


class _Uses:
    """Follows rows from their uses in one module to others."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._seen: set[tuple[ast.AST, str, Holds]] = set()
        """The variables that are followed already."""

    # --- variables ------------------------------------------------------------------------------------------

    def parameter(self, function: ast.expr, holds: Holds, position: int = 0, keyword: str = "") -> bool:
        """Whether a parameter of a function may be given rows."""
        if isinstance(function, ast.Lambda):
            node: ast.Lambda | ast.FunctionDef = function
            names = parameter_names(node)
        else:
            called = called_function(function, self._facts)
            if called is None:
                return False
            node, names = called.node, parameter_names(called.node)[called.bound :]
        name = keyword or (names[position] if position < len(names) else "")
        return name in names and self._in(node)._variable(node, name, holds)

    def _in(self, node: ast.AST) -> _Uses:
        """The same in the module that a function is in."""
        facts = self._facts.of(node)
        if facts is self._facts:
            return self
        other = _Uses(facts)
        other._seen = self._seen
        return other

    def _variable(self, home: ast.AST | None, name: str, holds: Holds) -> bool:
        """Whether all reads of a variable of a function are the same if it holds rows."""
        if not isinstance(home, ast.FunctionDef | ast.Lambda | _COMPREHENSIONS):
            return False
        if (home, name, holds) in self._seen:
            return True
        self._seen.add((home, name, holds))
        facts = self._facts
        reads = (load for load in facts.loads.get(name, ()) if facts.home(load) is home)
        return all(self.use(read, holds) for read in reads)

    def _target(self, target: ast.expr, holds: Holds) -> bool:
        """Whether a value may be assigned to a target."""
        if isinstance(target, ast.Name):
            return self._variable(self._facts.home(target), target.id, holds)
        if not isinstance(target, ast.Tuple | ast.List):
            return False
        if holds is Holds.ROW:
            return True
        return holds is Holds.ROWS and all(self._target(part, Holds.ROW) for part in target.elts)

    def _item(self, target: ast.expr, holds: Holds) -> bool:
        """Whether the items of a value may be assigned to a target, as a loop does."""
        if holds is Holds.ROW:
            return True
        if holds is Holds.ROWS:
            return self._target(target, Holds.ROW)
        pair = isinstance(target, ast.Tuple) and len(target.elts) == 2
        return pair and self._target(target.elts[1], Holds.ROW)  # type: ignore[attr-defined]

    # --- uses -----------------------------------------------------------------------------------------------

    def use(self, node: ast.expr, holds: Holds) -> bool:
        """Whether what stands around an expression does the same if its value holds rows."""
        parent = self._facts.above[node]
        if holds is Holds.ITERATOR:
            shown = isinstance(parent, ast.Call) and self._builtin(parent.func) == "print"
            return shown or self.use(node, Holds.ROWS)
        match parent:
            case ast.Expr() | ast.Delete():
                return True
            case ast.Assign(targets=targets):
                return all(self._target(target, holds) for target in targets)
            case ast.AnnAssign(target=target):
                return self._target(target, holds)
            case ast.NamedExpr(target=target):
                return self._target(target, holds) and self.use(parent, holds)
            case ast.For(target=target, iter=iterated) if iterated is node:
                return self._item(target, holds)
            case ast.comprehension(target=target, iter=iterated) if iterated is node:
                return self._item(target, holds)
            case ast.ListComp(elt=item) | ast.SetComp(elt=item) | ast.GeneratorExp(elt=item) if item is node:
                return holds is Holds.ROW and self.use(parent, Holds.ROWS)
            case ast.If() | ast.While() | ast.Assert() | ast.UnaryOp(op=ast.Not()):
                return True
            case ast.IfExp(test=test) if test is node:
                return True
            case ast.BoolOp(op=ast.And(), values=[*others, _]) if node in others:
                return True  # it is the result only if it is empty
            case ast.IfExp() | ast.BoolOp():
                return self.use(parent, holds)
            case ast.Starred():
                return holds is Holds.ROW
            case ast.Subscript(value=value, slice=place) if value is node:
                return self._part(parent, place, holds)
            case ast.Compare():
                return _compares(parent, node, holds)
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
                return holds is Holds.ROW  # the texts of its items
            case ast.Attribute():
                return self._method(parent, holds)
            case ast.Call(func=function) if function is not node:
                return self._argument(parent, node, holds)
            case ast.keyword(arg=str(name)):
                call = self._facts.above[parent]
                return isinstance(call, ast.Call) and self.parameter(call.func, holds, keyword=name)
        return False

    def _part(self, node: ast.Subscript, place: ast.expr, holds: Holds) -> bool:
        """Whether ``row[0]``, ``rows[0]`` or ``rows[:3]`` is the same."""
        match holds, place:
            case Holds.ROW, (ast.Slice() | ast.Constant(value=int())):
                return True
            case Holds.ROW, ast.UnaryOp(operand=ast.Constant(value=int())):
                return True
            case Holds.ROWS, ast.Slice():
                return self.use(node, holds)
            case Holds.ROWS, _:
                return isinstance(node.ctx, ast.Load) and self.use(node, Holds.ROW)
        return False

    def _method(self, node: ast.Attribute, holds: Holds) -> bool:
        """Whether a method of a list of rows is called that does the same."""
        call = self._facts.above[node]
        if holds is not Holds.ROWS or not (isinstance(call, ast.Call) and call.func is node):
            return False
        if node.attr == "sort":
            return self._keys(call)
        if node.attr == "pop":
            return self.use(call, Holds.ROW)
        return node.attr in ("reverse", "clear") and not call.args

    def _argument(self, call: ast.Call, node: ast.expr, holds: Holds) -> bool:
        """Whether a call does the same with rows as an argument."""
        name = self._builtin(call.func)
        if name is not None:
            return self._given_to(name, call, node, holds)
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr == "join":
            return isinstance(function.value, ast.Constant) and holds is Holds.ROW
        if self._facts.qualified(function) in functions.TUPLES:
            return {keyword.arg for keyword in call.keywords} <= _LAYOUT
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return False
        return self.parameter(function, holds, call.args.index(node))

    def _builtin(self, function: ast.expr) -> str | None:
        """The name of a builtin that a call calls."""
        if not isinstance(function, ast.Name) or function.id in self._facts.shadowed:
            return None
        return function.id if function.id in builtins.BUILTINS else None

    def _given_to(self, name: str, call: ast.Call, node: ast.expr, holds: Holds) -> bool:
        """Whether a builtin does the same with rows."""
        first = call.args[0] is node
        if name in ("len", "bool"):
            return first
        if holds is Holds.NUMBERED:
            return name == "list" and self.use(call, holds)
        if name in ("map", "filter") and not first:
            whole = holds is Holds.ROW or self.parameter(call.args[0], Holds.ROW, call.args.index(node) - 1)
            return whole and (name == "map" or holds is Holds.ROW or self.use(call, holds))
        if holds is Holds.ROW:
            alone = len(call.args) == 1 or name == "zip"
            return alone and name in builtins.COLLECTS | _OF_ITEMS
        if name in builtins.COLLECTS or name == "iter":
            return self._keys(call) and self.use(call, holds)
        if name in ("min", "max"):
            return len(call.args) == 1 and self._keys(call) and self.use(call, Holds.ROW)
        if name == "enumerate":
            return self.use(call, Holds.NUMBERED)
        if name == "next":
            return len(call.args) == 1 and self.use(call, Holds.ROW)
        return name == "dict"

    def _keys(self, call: ast.Call) -> bool:
        """Whether the ``key`` of a sort takes rows."""
        keys = (keyword.value for keyword in call.keywords if keyword.arg == "key")
        return all(self._takes_a_part(key) or self.parameter(key, Holds.ROW) for key in keys)

    def _takes_a_part(self, function: ast.expr) -> bool:
        """``operator.itemgetter(1)``."""
        if (
            not isinstance(function, ast.Call)
            or self._facts.qualified(function.func) != "operator.itemgetter"
        ):
            return False
        places = (place.value if isinstance(place, ast.Constant) else None for place in function.args)
        return all(isinstance(place, int) for place in places)


_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_OF_ITEMS = frozenset({"frozenset", "sum", "min", "max", "any", "all", "iter", "enumerate", "zip", "dict"})
"""Builtins, beside those that make collections, that read the items of what they are given."""
_LAYOUT = frozenset({"indent", "separators", "sort_keys", "ensure_ascii"})
"""Parameters of `json.dumps` that change the text alone."""


def _compares(node: ast.Compare, part: ast.expr, holds: Holds) -> bool:
    """Whether a comparison is the same: not ``1 in row``, which asks for a column, nor ``row is other``."""
    return all(_is_same(*compared, part, holds) for compared in _compared(node))


def _compared(node: ast.Compare) -> Iterator[tuple[ast.expr, ast.cmpop, ast.expr]]:
    sides = [node.left, *node.comparators]
    return zip(sides, node.ops, sides[1:], strict=False)


def _is_same(left: ast.expr, how: ast.cmpop, right: ast.expr, part: ast.expr, holds: Holds) -> bool:
    if part is not left and part is not right:
        return True
    if isinstance(how, ast.Is | ast.IsNot):
        other = right if part is left else left
        return isinstance(other, ast.Constant) and other.value is None
    if isinstance(how, ast.In | ast.NotIn) and part is right:
        return holds is not Holds.ROW
    return True
