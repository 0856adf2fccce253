"""Two file sources of one directory: the query reads it once, and both streams are of the same batch."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from migrate.plan.sources.equal_sources import SUMMARY
from migrate.plan.sources.side_by_side import NOTE
from tests.migrate.programs import file, run, socket_program

PAIRED = "map(lambda line: (line[:1], line))"


def program(body: str) -> str:
    return socket_program(body).replace(
        'lines = ssc.socketTextStream("localhost", 9999)\n', "import sys, os\n"
    )


def both(directory: str, other: str | None = None, between: str = "") -> str:
    return program(
        f"left = ssc.textFileStream({directory})\n{between}\n"
        f"right = ssc.textFileStream({other or directory})\nleft.{PAIRED}.join(right.{PAIRED}).pprint()"
    )


@pytest.mark.parametrize(
    "directory",
    ['"in"', "sys.argv[1]", "FOLDER", 'f"{FOLDER}/in"', 'FOLDER + "/in"', 'os.path.join(FOLDER, "in")'],
)
def test_one_directory_is_read_once(directory: str) -> None:
    new = file(f'FOLDER = "x"\n{both(directory)}').new
    assert new.count("readStream") == 1
    assert "right" not in new.partition("def process_batch")[0]
    assert "unionByName" not in new


def test_both_streams_are_the_batch() -> None:
    source = both('"in"').replace('ssc.textFileStream("in")', 'ssc.socketTextStream("localhost", 9999)', 1)
    assert "unionByName" in file(source).new, "a socket and a directory are two sources"
    result = run(both('"in"'))
    assert NOTE not in result.graphs[0].notes
    assert [site.reason == SUMMARY for site in result.sites if site.operator == "textFileStream"] == [
        False,
        True,
    ]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(both('"in"', '"out"'), id="two directories"),
        pytest.param(
            both("d").replace("import sys, os", "d = 'in'").replace("right =", "d = 'out'; right ="),
            id="a variable bound again",
        ),
        pytest.param(both("sys.argv[1]", between="sys.argv.pop(0)"), id="arguments that change"),
        pytest.param(both("next(names)").replace("import sys, os", "names = iter('ab')"), id="a call"),
    ],
)
def test_what_may_be_two_directories_is_two_sources(source: str) -> None:
    result = run(source)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert result.files[0].new.count("readStream") == 2


def test_sources_that_are_connected_to_stay_two() -> None:
    body = 'lines.pprint()\nssc.socketTextStream("localhost", 9999).map(len).pprint()'
    assert file(socket_program(body)).new.count("readStream") == 2


def test_a_source_in_a_chain_and_one_that_is_bound_again() -> None:
    new = file(
        program(
            'words = ssc.textFileStream("in").flatMap(str.split)\n'
            'lines = ssc.textFileStream("in")  # whole lines\n'
            "lines = lines.filter(lambda line: line)\n"
            "lines.pprint()\nwords.pprint()"
        )
    ).new
    assert new.count("readStream") == 1
    assert "batch.where(" in new and "F.explode" in new
    assert "# whole lines" in new


def test_a_count_of_both_is_one_of_the_batch() -> None:
    new = file(
        program('a = ssc.textFileStream("in")\nb = ssc.textFileStream("in")\na.union(b).count().pprint()')
    ).new
    assert "print(batch.union(batch).count())" in new


def test_a_running_state_of_both_is_kept_by_the_batch_function() -> None:
    total = "map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))"
    body = f'a = ssc.textFileStream("in")\nb = ssc.textFileStream("in")\na.{total}.pprint()\nb.pprint()'
    new = file(program(body)).new
    assert ".localCheckpoint()" in new and "outputMode" not in new
