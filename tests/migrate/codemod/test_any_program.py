"""Generated programs: without streams they stay, and beside a stream they stay byte for byte."""

from __future__ import annotations

import ast

import hypothesmith
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from migrate.migration import migrate
from migrate.model import Options, Status
from tests.migrate.programs import SOCKET, compiled, module

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
AT_LEISURE = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
STREAMS = {
    "native": "lines.map(lambda x: (x, 1)).pprint()",
    "helper": "lines.map(lambda x: int(x)).pprint()",
    "RDD code": "lines.foreachRDD(lambda rdd: rdd.foreach(print))",
    "compat": "lines.glom().pprint()",
}


@given(hypothesmith.from_node(auto_target=False))
@AT_LEISURE
def test_a_program_without_streams_comes_back_unchanged(code: str) -> None:
    _parsed(code)
    (file,) = migrate([module(code)], Options()).files
    assert (file.status, file.new) == (Status.UNTOUCHED, code)


@given(hypothesmith.from_node(auto_target=False), st.sampled_from(sorted(STREAMS)))
@AT_LEISURE
def test_a_program_around_a_stream_stays_byte_for_byte(code: str, kind: str) -> None:
    """Between the imports and the graph, and below it, with statements on both sides."""
    imports, _, graph = SOCKET.format(body=STREAMS[kind]).partition("\n\n")
    part = f"before = None\n{code}\nafter = None\n"
    for source in (f"{imports}\n{part}\n{graph}", f"{imports}\n\n{graph}\n{part}"):
        _parsed(source)
        (file,) = migrate([module(source)], Options()).files
        assert file.new != source
        _compiles(file.new, source)
        assert part in file.new
        (again,) = migrate([module(file.new)], Options()).files
        assert again.new == file.new


def _parsed(source: str) -> None:
    """Leave out what cannot be parsed where it is put, as `from __future__` below other code.

    So is what raises: no stream is made below it.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        assume(False)
    else:
        assume(not any(isinstance(node, ast.Raise) for node in ast.walk(tree)))


def _compiles(new: str, source: str) -> None:
    """The new text compiles if the old one did: a `return` may stand anywhere in what is generated."""
    try:
        compiled(source)
    except (SyntaxError, ValueError):
        ast.parse(new)
    else:
        compiled(new)
