"""Rows that are read by their position in a list: ``counts.append(rdd.collect())``, later ``counts[0][1]``.

A list is followed through variables, attributes, parameters and results of functions, lists that it is put
into, and loops through these. Its positions also have a meaning beside those of another list,
``zip(["neg", "pos"], rows)``, as arguments, ``"{}, {}".format(*rows)``, and in a text that has the values of
all keys and no key: ``",".join(str(row[1]) for row in rows)``. A loop reads the last row or the first ones by
position, where these alone decide what comes of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.elements.ends_of_loops import first_rows_left, last_row_read
from migrate.syntax.nodes import of_kinds, position, walk
from migrate.syntax.tree import parameter_names

_ORDERS = frozenset({"max", "min", "set", "frozenset", "sorted", "dict", "sum", "len", "Counter"})
"""Functions whose result does not tell the order of the list that they are given."""
_COLLECTING = frozenset({"collect", "take", "toLocalIterator"})
_COPIES = frozenset({"list", "tuple", "reversed"})
_INTO = frozenset({"append", "add", "put", "insert"})
_NUMBERS = frozenset({"range", "count"})
"""Functions that number rows, beside which a position stands for nothing."""
_SHOWN = frozenset({"print", "str", "repr", "format"})
"""Functions that show a number."""
_DEEP = 3
"""Lists in each other, up to which rows are followed: one that is put into itself has no end."""


def read_by_position(rows: ast.expr, facts: Facts) -> list[ast.AST]:
    """The places where rows are read by their position in a list, the first of any left out.

    ``rows[0]`` alone is whichever comes first; beside ``rows[1]`` each position stands for a certain row.
    Behind a loop a name has a value of the last row; ``break`` and ``return`` end one after the first rows.

    Args:
        rows: the expression that gives the list.
        facts: the names of its module.
    """
    found = _Positions(facts)
    found.follow(rows, 0)
    read: list[ast.AST] = [*found.read]
    for loop in found.loops:
        own = facts.of(loop)
        read += first_rows_left(loop, own) or last_row_read(loop, own)
    told = [node for node in read if not (isinstance(node, ast.Subscript) and _place(node) == 0)]
    return sorted(read, key=position) if told else []


def all_by_position(rows: ast.expr, facts: Facts) -> list[ast.expr]:
    """All places where rows are read by their position in a list, whichever row that is; see above."""
    found = _Positions(facts)
    found.follow(rows, 0)
    return sorted(found.read, key=position)


def _place(node: ast.Subscript) -> int | None:
    """The constant in ``rows[1]`` or ``rows[-1]``."""
    match node.slice:
        case ast.Constant(value=int(place)):
            return place
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(place))):
            return -place
    return None


def _is_for_each(made: ast.AST) -> TypeGuard[ast.ListComp | ast.GeneratorExp]:
    """Whether a list has an item for each of one other list, in its order."""
    if not isinstance(made, ast.ListComp | ast.GeneratorExp):
        return False
    return len(made.generators) == 1 and not made.generators[0].ifs


def _numbers(node: ast.expr) -> bool:
    """Whether an expression is the numbers that a loop counts: ``range(3)``, ``itertools.count()``."""
    match node:
        case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name)):
            return name in _NUMBERS
    return False


def _goes_through_numbers(node: ast.AST) -> bool:
    """Whether a node is a loop over numbers."""
    return isinstance(node, ast.For | ast.comprehension) and _numbers(node.iter)


def _reads_no_key(target: ast.expr, made: ast.expr) -> bool:
    """Whether what is made of a row reads items of it, and not the first one."""
    names = [node for node in walk(made) if isinstance(node, ast.Name)]
    match target:
        case ast.Tuple([ast.Name(key), *values]):
            read = {node.id for node in names}
            return key not in read and any(isinstance(one, ast.Name) and one.id in read for one in values)
        case ast.Name(row):
            items = [node for node in walk(made) if isinstance(node, ast.Subscript)]
            later = {node.value for node in items if _place(node)}
            reads = [node for node in names if node.id == row]
            return bool(reads) and later.issuperset(reads)
    return False


class _Positions:
    """The expressions that hold a list of rows, and where these are read by position.

    Attributes:
        read: subscripts, calls, and assignments to several targets at once, by their targets.
        loops: those that go through the rows one by one.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._seen: set[tuple[ast.AST, int]] = set()
        self._given: dict[ast.AST, list[ast.Call]] = {}
        """By functions of the program: the calls that give them a list that is followed."""
        self.read: list[ast.expr] = []
        self.loops: list[ast.For] = []

    def follow(self, node: ast.expr, depth: int) -> None:
        """Follow an expression.

        Args:
            node: the expression.
            depth: in how many lists the rows are that it holds: 0 for the rows themselves.
        """
        if (node, depth) in self._seen or depth > _DEEP:
            return
        self._seen.add((node, depth))
        facts = self._facts.of(node)
        above = facts.above.get(node)
        match above:
            case ast.Subscript(value=value) if value is node and isinstance(above.ctx, ast.Load):
                self._item(above, depth)
            case ast.Assign(targets=targets, value=value) if value is node:
                for target in targets:
                    self._into(target, depth)
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.NamedExpr(target=target):
                self._into(target, depth)
            case ast.For(target=target, iter=iterated) | ast.comprehension(target=target, iter=iterated):
                made = facts.above[above]
                if iterated is node and depth:
                    self._into(target, depth - 1)
                elif iterated is node and isinstance(above, ast.For):
                    if self._is_any_read(target):  # else it only asks whether there are rows
                        self.loops.append(above)
                elif iterated is node and _is_for_each(made):
                    if self._joins_values(node, target, made):
                        self.read.append(made)
                    self.follow(made, 0)
            case ast.IfExp(test=test) if test is not node:
                self.follow(above, depth)
            case ast.BoolOp(op=ast.Or()):
                self.follow(above, depth)
            case ast.List() | ast.Tuple() if isinstance(above.ctx, ast.Load):
                self.follow(above, depth + 1)
            case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element) if element is node:
                self.follow(above, depth + 1)
            case ast.Return():
                self._results(above, depth)
            case ast.Starred() if not depth and isinstance(call := facts.above[above], ast.Call):
                if not (isinstance(call.func, ast.Name) and call.func.id in {"print", "zip"}):
                    self.read.append(call)
            case ast.Starred() if depth == 1 and isinstance(call := facts.above[above], ast.Call):
                if isinstance(call.func, ast.Name) and call.func.id == "zip":
                    self.read.append(call)  # the first rows of all lists, then the second ones
            case ast.BinOp(op=ast.Mod(), right=right) if right is node and not depth:
                if isinstance(node, ast.Call):  # `"%s, %s" % tuple(rows)`
                    self.read.append(above)
            case ast.Call():
                self._argument(node, above, depth)

    def _is_any_read(self, target: ast.expr) -> bool:
        """Whether a variable of a loop is read, in it or behind it."""
        facts = self._facts.of(target)
        names = [node for node in walk(target) if isinstance(node, ast.Name)]
        return any(
            facts.home(load) is facts.home(name) for name in names for load in facts.loads.get(name.id, ())
        )

    def _joins_values(self, rows: ast.expr, target: ast.expr, made: ast.ListComp | ast.GeneratorExp) -> bool:
        """Whether a text is made of the values of rows, and nothing else in the function reads their keys."""
        match self._facts.of(made).above[made]:
            case ast.Call(ast.Attribute(attr="join")) if _reads_no_key(target, made.elt):
                return isinstance(rows, ast.Call) and self._times_collected(rows) == 1
        return False

    def _times_collected(self, node: ast.AST) -> int:
        """How often the function that a node is in collects rows."""
        facts = self._facts.of(node)
        while not isinstance(node, ast.FunctionDef | ast.Lambda | ast.Module):
            node = facts.above[node]
        return sum(isinstance(one, ast.Attribute) and one.attr in _COLLECTING for one in walk(node))

    def _item(self, node: ast.Subscript, depth: int) -> None:
        """What is read of a list: an item, or some of them."""
        if isinstance(node.slice, ast.Slice):
            self.follow(node, depth)
        elif depth:
            self.follow(node, depth - 1)
        elif _place(node) is not None or not self._is_of_a_loop(node):
            self.read.append(node)

    def _is_of_a_loop(self, node: ast.Subscript) -> bool:
        """Whether the position is that of a loop through all of the list, and reads nothing else."""
        facts, number = self._facts.of(node), node.slice
        if not isinstance(number, ast.Name):
            return False
        home = facts.home(number)
        bound = [one for one in facts.bindings.get(number.id, ()) if isinstance(one, ast.Name)]
        loops = [facts.above[one] for one in bound if facts.home(one) is home]
        if not loops or not all(map(_goes_through_numbers, loops)):
            return False
        loads = [load for load in facts.loads.get(number.id, ()) if facts.home(load) is home]
        return all(self._only_counts(load, node) for load in loads)

    def _only_counts(self, number: ast.Name, read: ast.Subscript) -> bool:
        """Whether a number is only the position in the same list, or shown."""
        facts = self._facts.of(number)
        match facts.above[number]:
            case ast.Subscript(value=value, slice=place) if place is number:
                return ast.unparse(value) == ast.unparse(read.value)
            case ast.Call(func=ast.Name(name)):
                return name in _SHOWN
            case ast.FormattedValue():
                return True
        return False

    def _into(self, target: ast.expr, depth: int) -> None:
        """Follow all reads of what an assignment or a loop binds."""
        facts = self._facts.of(target)
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if not depth and len(parts) > 1:
                self.read.append(target)
            case ast.Name(name):
                home = facts.home(target)
                loads = [load for load in facts.loads.get(name, ()) if facts.home(load) is home]
                for load in loads if not any(map(self._is_sorted, loads)) else ():
                    self.follow(load, depth)
            case ast.Attribute(attr=name):
                for read in of_kinds(facts.tree, ast.Attribute):
                    if read.attr == name and isinstance(read.ctx, ast.Load):
                        self.follow(read, depth)
            case ast.Subscript(value=holder):
                self._into(holder, depth + 1)

    def _is_sorted(self, read: ast.Name) -> bool:
        """Whether a list is put in order: ``rows.sort()``."""
        above = self._facts.of(read).above.get(read)
        return isinstance(above, ast.Attribute) and above.attr == "sort"

    def _argument(self, node: ast.expr, call: ast.Call, depth: int) -> None:
        """Follow what a call does with a list that it is given."""
        facts = self._facts.of(call)
        match call.func:
            case ast.Name(name) if name in _COPIES and name not in facts.shadowed:
                self.follow(call, depth)
            case ast.Name(name) if name in _ORDERS and name not in facts.shadowed:
                return
            case ast.Name("filter") if depth and node in call.args[1:] and "filter" not in facts.shadowed:
                self.follow(call, depth)
            case ast.Name("enumerate" | "zip" as name) if depth and name not in facts.shadowed:
                self._in_step(call, call.args.index(node) + (name == "enumerate"), depth)
            case ast.Name("enumerate") if "enumerate" not in facts.shadowed:
                if self._numbers_others(call):
                    self.read.append(call)
                if isinstance(loop := facts.above[call], ast.For) and loop.iter is call:
                    self.loops.append(loop)
            case ast.Name("zip") if not depth and "zip" not in facts.shadowed:
                if not all(one is node or _numbers(one) for one in call.args):
                    self.read.append(call)
            case ast.Name("map") if not depth and node in call.args[1:] and "map" not in facts.shadowed:
                if len(call.args) > 2:
                    self.read.append(call)
                self.follow(call, 0)
            case ast.Attribute(value=holder, attr=method) if method in _INTO and node in call.args:
                self._into(holder, depth + 1)
            case ast.Attribute(value=holder, attr="extend") if node in call.args:
                self._into(holder, depth)
            case _:
                self._parameter(node, call, facts, depth)

    def _in_step(self, call: ast.Call, place: int, depth: int) -> None:
        """Follow the items of a list that a loop goes through beside another one, or beside their numbers."""
        match self._facts.of(call).above[call]:
            case ast.For(target=ast.Tuple(parts)) | ast.comprehension(target=ast.Tuple(parts)):
                if place < len(parts):
                    self._into(parts[place], depth - 1)

    def _numbers_others(self, call: ast.Call) -> bool:
        """Whether the number of a row says which item of something else belongs to it."""
        facts = self._facts.of(call)
        match facts.above[call]:
            case (
                ast.For(target=ast.Tuple([ast.Name() as number, *_]))
                | ast.comprehension(target=ast.Tuple([ast.Name() as number, *_]))
            ):
                loads = [
                    load for load in facts.loads.get(number.id, ()) if facts.home(load) is facts.home(number)
                ]
                above = [(load, facts.above[load]) for load in loads]
                return any(isinstance(one, ast.Subscript) and one.slice is load for load, one in above)
        return False

    def _parameter(self, node: ast.expr, call: ast.Call, facts: Facts, depth: int) -> None:
        """Follow a list into the function of the program that it is given to."""
        called = called_function(call.func, facts)
        if called is None or node not in call.args:
            return
        names = parameter_names(called.node)[called.bound :]
        place = call.args.index(node)
        self._given.setdefault(called.node, []).append(call)
        inner = self._facts.of(called.node)
        for load in inner.loads.get(names[place], ()) if place < len(names) else ():
            if inner.home(load) is called.node:
                self.follow(load, depth)

    def _results(self, node: ast.Return, depth: int) -> None:
        """Follow what the calls of a function give that returns a list."""
        for call in self._calls(node):
            self.follow(call, depth)

    def _calls(self, node: ast.Return) -> Iterator[ast.Call]:
        """The calls of the function that a statement is in, in its module or with a list that is followed."""
        facts = self._facts.of(node)
        function: ast.AST = node
        while not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            if (above := facts.above.get(function)) is None:
                return
            function = above
        named = ((load, facts.above.get(load)) for load in facts.loads.get(function.name, ()))
        calls = [call for load, call in named if isinstance(call, ast.Call) and call.func is load]
        yield from dict.fromkeys((*calls, *self._given.get(function, ())))
