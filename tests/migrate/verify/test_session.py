"""What a run gives its sources, and which directories stand for which."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.verify.child.session import Refused, Session
from migrate.verify.spec import Spec


@pytest.fixture
def session(tmp_path: Path) -> Session:
    for name in ("work", "private"):
        (tmp_path / name).mkdir()
    return Session(
        Spec(
            program="program.py",
            arguments=(),
            work=str(tmp_path / "work"),
            private=str(tmp_path / "private"),
            batches=[[], ["a", "b", "c"], [], ["d", "e"]],
            interrupt=False,
            side_effects=False,
            timeout=1.0,
        )
    )


def test_a_second_source_gets_other_lines_and_is_empty_when_the_first_is(session):
    assert [session.lines_for(0, index) for index in range(5)] == [[], ["a", "b", "c"], [], ["d", "e"], []]
    assert [session.lines_for(1, index) for index in range(5)] == [[], ["e"], [], ["b", "c"], []]


def test_sources_are_counted_by_their_address(session):
    assert [session.source("socket", address) for address in ("a:1", "b:1", "a:1")] == [0, 1, 0]


@pytest.mark.parametrize("path", ["in", "./in", "{work}/in", "file:{work}/in", "file://{work}/in", "a/../in"])
def test_a_watched_directory_of_the_program_is_used_itself(session, path):
    work = session.spec.work
    assert session.watched(path.replace("{work}", work)) == Path(work, "in").resolve()
    assert session.recorder.ignored == {"in"}


@pytest.mark.parametrize(
    "path", ["/data/in", "hdfs://host:9000/in", "s3a://bucket/in", "../in", "file:/data/in"]
)
def test_a_watched_directory_elsewhere_is_replaced(session, path):
    assert session.watched(path).is_relative_to(session.spec.private)


def test_checkpoints_are_private_and_one_directory_stays_one(session):
    assert session.checkpoint("checkpoint") == session.checkpoint("checkpoint/")
    assert Path(session.checkpoint("hdfs://host/a")).is_relative_to(session.spec.private)


@pytest.mark.parametrize("path", ["/data/out", "hdfs://host/out", "../out", "file:/out"])
def test_a_target_elsewhere_is_refused(session, path):
    with pytest.raises(Refused):
        session.check_target(path)
    session.check_target("out")
    session.check_target(f"file:{session.spec.work}/out")
