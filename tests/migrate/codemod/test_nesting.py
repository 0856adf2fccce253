"""Code that is nested deeply: a file is rewritten as any other, or left with a reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.migrate.conftest import STREAM, Cli, Done

WORDS = STREAM.replace("lines.glom().pprint()", "lines.map(lambda w: int(w)).pprint()")
DEEP: dict[str, Callable[[int], str]] = {
    "terms": lambda n: "x = " + " + ".join(["a"] * n),
    "strings": lambda n: "x = " + " + \\\n    ".join(["'a'"] * n),
    "calls": lambda n: "x = a" + ".b()" * n,
    "calls on lines": lambda n: "x = (a" + "\n    .b()" * n + ")",
    "subscripts": lambda n: "x = a" + "[0]" * n,
    "brackets": lambda n: "x = " + "[" * min(n, 190) + "]" * min(n, 190),
    "parentheses": lambda n: "x = " + "(" * min(n, 190) + "1" + ")" * min(n, 190),
    "dicts": lambda n: "x = " + "{1: " * min(n, 90) + "1" + "}" * min(n, 90),
    "arguments": lambda n: "x = " + "f(" * min(n, 90) + ")" * min(n, 90),
    "lambdas": lambda n: "x = " + "lambda: " * min(n, 90) + "1",
    "signs": lambda n: "x = " + "-" * n + "1",
    "nots": lambda n: "x = " + "not " * n + "1",
    "conditions": lambda n: "x = " + "1 if a else " * min(n, 90) + "2",
    "comparisons": lambda n: "x = 1" + " < 1" * n,
    "ands": lambda n: "x = 1" + " and 1" * n,
    "powers": lambda n: "x = 1" + " ** 1" * min(n, 90),
    "blocks": lambda n: (
        "".join(f"{' ' * place}if a:\n" for place in range(min(n, 90))) + " " * min(n, 90) + "x = 1"
    ),
    "functions": lambda n: (
        "".join(f"{' ' * place}def f():\n" for place in range(min(n, 90))) + " " * min(n, 90) + "return 1"
    ),
    "branches": lambda n: "if a: x = 1\n" + "".join(f"elif a == {place}: x = 1\n" for place in range(n)),
    "attributes": lambda n: "x = a" + ".b" * n,
}
SIZES = [90, 200, 300, 500, 2000]


def left(done: Done, data: bytes) -> bool:
    """Whether a file was left as it is, which the command must give a reason for."""
    if done.out not in (b"", data):
        return False
    assert done.code == 2
    assert "nested too deeply" in done.err
    return True


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", DEEP)
@pytest.mark.parametrize("stream", [WORDS, STREAM], ids=["native", "compat"])
def test_a_file_with_deep_code_is_rewritten_or_left_with_a_reason(
    cli: Cli, kind: str, size: int, stream: str
) -> None:
    deep = DEEP[kind](size) + "\n"
    data = f"{stream}\n\nif a:\n    pass\n{deep}".encode()
    done = cli("rewrite", "-", stdin=data)
    assert "Traceback" not in done.err
    if left(done, data):
        return
    assert done.code == 0
    compile(done.out, "new", "exec")
    assert done.out.endswith(deep.encode())
    assert b"pyspark.streaming" not in done.out


@pytest.mark.parametrize("size", [200, 500])
@pytest.mark.parametrize("kind", ["terms", "calls"])
def test_the_other_files_are_rewritten(cli: Cli, project: Path, kind: str, size: int) -> None:
    deep = project / "deep.py"
    deep.write_text(f"{WORDS}\n{DEEP[kind](size)}\n")
    assert "Traceback" not in cli("rewrite", ".").err
    assert "compat.streaming" in (project / "job.py").read_text()
    compile(deep.read_text(), "deep", "exec")


@pytest.mark.parametrize("size", [50, 150, 300, 500])
@pytest.mark.parametrize("kind", ["terms", "steps", "lists"])
def test_deep_code_in_the_graph_itself(cli: Cli, kind: str, size: int) -> None:
    body = {
        "terms": "lines.map(lambda w: " + " + ".join(["len(w)"] * size) + ").pprint()",
        "steps": "lines" + ".map(lambda w: w + 'a')" * size + ".pprint()",
        "lists": "lines.map(lambda w: clean("
        + "[" * min(size, 90)
        + "w"
        + "]" * min(size, 90)
        + ")).pprint()",
    }[kind]
    data = STREAM.replace("lines.glom().pprint()", body).encode()
    done = cli("rewrite", "-", stdin=data)
    assert "Traceback" not in done.err
    if not left(done, data):
        compile(done.out, "new", "exec")


@pytest.mark.parametrize("size", [200, 1000])
def test_check_says_what_rewrite_does(cli: Cli, size: int) -> None:
    """Depth is seen before anything is planned, so that no report promises what is not written."""
    data = f"{WORDS}\n{DEEP['terms'](size)}\n".encode()
    shown = cli("check", "--diff", "-", stdin=data)
    assert (b"foreachBatch" in cli("rewrite", "-", stdin=data).out) == (b"foreachBatch" in shown.out)
