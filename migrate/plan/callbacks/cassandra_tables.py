"""Tables of Cassandra that a program reads by a library, as DataFrames of the connector."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from migrate.columns.element import Helper
from migrate.graph.cassandra import is_imported
from migrate.graph.cassandra_tables import READ, TableRead, Test, table_reads, tests_of
from migrate.knowledge.cassandra import FORMAT, LIBRARY
from migrate.plan.callbacks.cassandra import tell_connector
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.inner import Inner
from migrate.syntax.nodes import parents_of
from migrate.syntax.quoting import quoted

TYPES = (
    f"`{READ}` becomes a read by Cassandra's connector: columns have the types of the table, where `toDF` "
    "took those of the first row, and failed without rows"
)
SOURCE = f'''\
def cassandra_table(keyspace, table):
    """A table of Cassandra."""
    cassandra = SparkSession.builder.getOrCreate().read.format("{FORMAT}")
    return cassandra.options(keyspace=keyspace, table=table).load()'''
_SHORT = (ast.Attribute, ast.Call, ast.Constant, ast.Name, ast.Subscript)


def read_tables(draft: Draft) -> None:
    """Let the connector read the tables that the library read."""
    modules = [module for module in draft.basis.program.modules if is_imported(module.tree)]
    trees = [module.tree for module in modules]
    reads = [(read, parents_of(tree)) for tree in trees for read in table_reads(tree)]
    if not reads:
        return
    attempt = draft.attempt()
    attempt.need(imports=frozenset({"SparkSession"}))
    name = attempt.helper(Helper("cassandra_table", SOURCE))
    draft.accept(attempt)
    replaced = tuple(part for read, above in reads for part in _replaced(read, name, above))
    draft.need(inner=Inner(replaced), libraries=frozenset({LIBRARY}))
    draft.note(TYPES)
    tell_connector(draft)


def _replaced(read: TableRead, name: str, above: Mapping[ast.AST, ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """The parts of a chain that are others now: it is a DataFrame, or the RDD of its rows."""
    last = None if read.to_frame is not None else [read.call, *read.calls][-1]
    end = ".rdd" if last is not None else ""
    keeps_lines = isinstance(above[read.to_frame or last or read.call], ast.stmt)
    yield read.member, name
    if last is read.call:
        yield read.call, f"{name}({_arguments(read.call)}){end}"
    for call in read.calls:
        ends = end if call is last else ""
        tests = tests_of(call)
        if tests:
            method = quoted(call.func) if keeps_lines else f"{quoted(_receiver(call))}.where"
            yield call, f"{method}({_condition(tests)}){ends}"
        elif ends:
            yield call, f"{quoted(call.func)}({_arguments(call)}){ends}"
    if read.to_frame is not None:
        yield read.to_frame, quoted(_receiver(read.to_frame))


def _receiver(call: ast.Call) -> ast.expr:
    """What a method is called on."""
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def _arguments(call: ast.Call) -> str:
    named = (f"{keyword.arg}={quoted(keyword.value)}" for keyword in call.keywords)
    return ", ".join([*map(quoted, call.args), *named])


def _condition(tests: list[Test]) -> str:
    """The condition on columns: ``(F.col("user") == user) & (F.col("day") > day)``."""
    found = []
    for column, operator, value in tests:
        compared = quoted(value) if isinstance(value, _SHORT) else f"({quoted(value)})"
        found.append(f'F.col("{column}") {"==" if operator == "=" else operator} {compared}')
    return found[0] if len(found) == 1 else " & ".join(f"({one})" for one in found)
