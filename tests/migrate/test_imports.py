"""The imports of a rewritten module: what goes, what comes, and helper functions after them."""

from __future__ import annotations

from tests.migrate.programs import file, socket_program


def test_a_helper_stands_behind_an_import_that_goes() -> None:
    source = socket_program("lines.map(lambda t: t.upper()).pprint()").replace(
        "\nsc = ", "\nimport re\n\ndef unused(t):\n    return re.sub('a', 'b', t)\n\nsc = "
    )
    source = source.replace("lines.map", "dead = lines.map(unused)\nlines.map")
    new = file(source).new
    assert "import re\n" not in new
    assert new.index("def upper(text):") < new.index("spark = ")
