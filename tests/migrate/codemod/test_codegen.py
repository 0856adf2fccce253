"""The code of LibCST's nodes."""

from __future__ import annotations

import libcst as cst
import pytest

from migrate.codemod.codegen import code_of

SOURCES = [
    pytest.param("a = 1\nb = 2\nc = 3\n", id="lines"),
    pytest.param("# head\n\n# of a\na = 1\n\n\n# of b\nb = 2  # beside\n# end\n\n", id="comments"),
    pytest.param("a = 1; b = 2\nc = 3; d = 4;\ne = 5\n", id="several on a line"),
    pytest.param("@one\n# between\n@two\ndef f(x):\n    return x\n\n\nclass A: ...\n", id="definitions"),
    pytest.param("if a:\n    b\n    # of the block\nelse:\n    c\n# outside\nd\n", id="blocks"),
    pytest.param("a = (\r\n  1,\r\n)\r\nb = \\\r\n    2", id="broken lines"),
]


@pytest.mark.parametrize("source", SOURCES)
def test_it_is_the_code_that_libcst_gives(source: str) -> None:
    module = cst.parse_module(source)
    assert code_of(module, module) == source
    for statement in module.body:
        assert code_of(statement, module) == module.code_for_node(statement)
