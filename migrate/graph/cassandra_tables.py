"""Tables of Cassandra that a program reads by a library, and that its connector reads as DataFrames."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from migrate.syntax.nodes import of_kinds, parents_of

READ = "cassandraTable"
"""The method that the library adds to contexts."""
_ARGUMENTS = ("keyspace", "table")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_TEST = re.compile(r"\s*(\w+)\s*(=|<|>|<=|>=)\s*\?\s*")

Test = tuple[str, str, ast.expr]
"""A column, an operator of CQL, and the value that this compares it with."""


@dataclass(frozen=True)
class TableRead:
    """``context.cassandraTable("shop", "prices").select("price").where("ticker=?", name).toDF()``."""

    call: ast.Call
    calls: tuple[ast.Call, ...]
    """The calls that follow, and that DataFrames have, too: of ``select`` and ``where``."""
    to_frame: ast.Call | None
    """The call of ``toDF`` behind them; None where the RDD is used."""

    @property
    def member(self) -> ast.Attribute:
        """The method of the context."""
        assert isinstance(self.call.func, ast.Attribute)
        return self.call.func


def table_reads(tree: ast.Module) -> Iterator[TableRead]:
    """The tables that a module reads, with what follows as far as DataFrames have it."""
    above = parents_of(tree)
    for call in of_kinds(tree, ast.Call):
        match call:
            case ast.Call(ast.Attribute(attr=name), arguments, keywords) if name == READ:
                names = [*_ARGUMENTS[: len(arguments)], *(keyword.arg for keyword in keywords)]
                is_plain = not any(isinstance(one, ast.Starred) for one in arguments)
                if is_plain and len(names) == len(_ARGUMENTS) and {*names} == {*_ARGUMENTS}:
                    yield _followed(call, above)


def _followed(call: ast.Call, above: Mapping[ast.AST, ast.AST]) -> TableRead:
    calls: list[ast.Call] = []
    last = call
    while True:
        method = above[last]
        following = above.get(method)
        match following:
            case ast.Call(ast.Attribute(attr="toDF"), [], []) if following.func is method:
                return TableRead(call, tuple(calls), following)
            case ast.Call(ast.Attribute(attr="select"), [_, *_], []) if following.func is method:
                known = all(isinstance(one, ast.Constant) for one in following.args)
            case ast.Call(ast.Attribute(attr="where"), [_, *_], []) if following.func is method:
                known = bool(tests_of(following))
            case _:
                known = False
        if not known or not isinstance(following, ast.Call):
            return TableRead(call, tuple(calls), None)
        calls.append(following)
        last = following


def tests_of(call: ast.Call) -> list[Test]:
    """The tests of ``where("user = ? AND day > ?", user, day)``; none where it has others."""
    condition, *values = call.args
    if not (isinstance(condition, ast.Constant) and isinstance(condition.value, str)):
        return []
    found = [test for part in _AND.split(condition.value) if (test := _TEST.fullmatch(part))]
    if len(_AND.split(condition.value)) != len(found) or len(found) != len(values):
        return []
    if any(isinstance(one, ast.Starred) for one in values):
        return []
    return [(test[1], test[2], value) for test, value in zip(found, values, strict=True)]
