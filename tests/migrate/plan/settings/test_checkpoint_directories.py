"""``sc.setCheckpointDir`` is left out where nothing of the program is checkpointed any more."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run, socket_program

STATE = "counts = lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, old: sum(new) + (old or 0))\n"


def program(body: str) -> str:
    return socket_program(f'sc.setCheckpointDir("checkpoints")\n{body}')


@pytest.mark.parametrize("body", ["lines.pprint()", STATE + "counts.pprint()", "lines.window(3).pprint()"])
def test_one_that_nothing_reads_goes(body: str) -> None:
    result = run(program(body))
    assert "checkpoints" not in str(result.files[0].new)
    left_out = (
        "`sc.setCheckpointDir('checkpoints')` is left out: nothing of the program is checkpointed there"
    )
    assert left_out in result.graphs[0].notes


@pytest.mark.parametrize(
    "body",
    [
        "lines.pprint()\nrdd = sc.parallelize([1])\nrdd.checkpoint()\nprint(rdd.count())",
        "lines.pprint()\nfrom pyspark.mllib.recommendation import ALS\nprint(ALS)",
        "lines.pprint()\nimport graphframes\nprint(graphframes)",
        "lines.pprint()\nprint(sc.getCheckpointDir())",
        "lines.pprint()\nsc.setCheckpointDir('others')",
        "def save(rdd):\n    rdd.checkpoint()\n    print(rdd.max())\nlines.map(made).foreachRDD(save)",
    ],
    ids=["an RDD", "MLlib", "another library", "its name", "two of them", "a callback"],
)
def test_one_that_something_may_read_stays(body: str) -> None:
    assert 'setCheckpointDir("checkpoints")' in str(run(program(body)).files[0].new)
