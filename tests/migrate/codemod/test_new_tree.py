from __future__ import annotations

import ast

import pytest

from migrate.codemod.new_tree import new_tree
from migrate.codemod.writing import written
from migrate.decisions import decide
from migrate.demo.samples import directory
from migrate.model import Options, Outcome
from migrate.syntax.bindings import bound_names
from tests.migrate.programs import module, whole_program

BODIES = (
    "lines.flatMap(str.split).map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).pprint()",
    "def save(rdd):\n    if not rdd.isEmpty():\n        print(rdd.collect())\nlines.foreachRDD(save)",
    "def mean(rdd):\n    n = rdd.count()\n    if n == 0:\n        return\n"
    "    total = rdd.map(len).reduce(lambda a, b: a + b)\n    print(total / n)\nlines.foreachRDD(mean)",
    "numbers.map(lambda n: n * 2).pprint()",
    "messages.map(lambda m: m[1]).saveAsTextFiles('out')",
    "verbose = int('1')\nif verbose:\n    lines.pprint()\nelse:\n    lines.count().pprint()",
)
SAMPLES = sorted((directory() / "legacy").glob("*.py"))


def sorted_imports(tree: ast.Module) -> str:
    """A tree as text, with the names of each import in order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            node.names.sort(key=lambda alias: alias.name)
    return ast.dump(ast.parse(ast.unparse(tree)))


@pytest.mark.parametrize(
    "source", [*map(whole_program, BODIES), *(path.read_text(encoding="utf-8") for path in SAMPLES)]
)
def test_the_tree_is_that_of_the_text_which_is_written(source: str) -> None:
    (decision,) = decide([module(source)], Options()).decisions
    for changes in decision.changes.values():
        assert decision.outcome is Outcome.NATIVE
        new, text = new_tree(changes), ast.parse(written(changes))
        assert sorted_imports(new) == sorted_imports(text)
        assert bound_names(new) == bound_names(text)
