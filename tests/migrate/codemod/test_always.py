"""Conditions on streams, which always hold."""

from __future__ import annotations

import pytest

from migrate.model import Outcome, Tier
from tests.migrate.programs import file, run, socket_program

BRANCH = """\
words = lines.map(lambda line: line.strip())
# what was said
{test}
    pairs = words.map(
        lambda w: (w, 1)
    )

    # of the pairs
    pairs.pprint()
ssc.remember(3)
"""


@pytest.mark.parametrize("test", ["if words:", "if words is not None:"])
def test_a_stream_is_true_and_not_none(test: str) -> None:
    straight = BRANCH.replace("{test}\n", "").replace("\n    ", "\n")
    straight = straight.replace("    lambda", "        lambda")
    result = run(socket_program(BRANCH.format(test=test)))
    assert result.files[0].new == file(socket_program(straight)).new
    assert "# of the pairs" in result.files[0].new
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE
    sites = {(site.operator, site.line, site.tier) for site in result.sites if site.operator == "pprint"}
    assert sites == {("pprint", 15, Tier.COLUMN)}


@pytest.mark.parametrize(
    "branch", ["if words:  # why\n    words.pprint()\n", "if words: words.pprint()  # why\n"]
)
def test_comments_beside_the_condition_stay(branch: str) -> None:
    new = file(socket_program(f"words = lines.map(len)\n{branch}")).new
    assert "if " not in new
    assert "# why" in new


@pytest.mark.parametrize(
    "body",
    [
        "words = lines.map(len)\nif words:\n    words.pprint()\nelse:\n    print(1)\n",
        "words = lines.map(len)\nif not words:\n    words.pprint()\n",
        "words = lines.map(len)\nif words is None:\n    words.pprint()\n",
        "words = lines.map(len)\nif words == None:\n    words.pprint()\n",
        "words = None\nwords = lines.map(len)\nif words:\n    words.pprint()\n",
        "shown = lines.remember(3)\nif shown:\n    lines.pprint()\n",
        "def show(words):\n    if words:\n        words.pprint()\n\nmapped = lines.map(len)\nshow(mapped)\n",
    ],
)
def test_other_conditions_stay(body: str) -> None:
    (graph,) = run(socket_program(body)).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "in a branch" in graph.reasons[0] or "in a later batch" in graph.reasons[0]
