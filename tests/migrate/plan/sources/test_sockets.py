"""Ports of sockets: a text is none, so that the old program ended where its stream was made."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run, socket_program


@pytest.mark.parametrize(
    ("port", "is_told"),
    [
        ("os.environ['PORT']", True),
        ("os.getenv('PORT', '9999')", True),
        ("sys.argv[2]", True),
        ("port", True),
        ("'9999'", True),
        ("int(sys.argv[2])", False),
        ("int(port)", False),
        ("9999", False),
        ("sys.argv", False),
        ("given", False),
    ],
)
def test_a_port_that_is_a_text_is_told_of(port: str, is_told: bool) -> None:
    head = "import os\nimport sys\nfrom settings import given\nhost, port = sys.argv[1], sys.argv[2]\n"
    source = head + socket_program("lines.pprint()").replace('"localhost", 9999', f"host, {port}")
    (graph,) = run(source).graphs
    told = [note for note in graph.notes if "takes none for its port" in note]
    assert [note.startswith(f"`{port}` is a text") for note in told] == [True] * is_told
