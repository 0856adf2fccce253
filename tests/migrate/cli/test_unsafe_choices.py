"""Options that let a rewrite change what a program puts out, each by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.migrate.conftest import Cli

COUNTED = "lines.countByWindow(4, 2).pprint()"


@pytest.fixture
def windowed(project: Path) -> Path:
    job = project / "job.py"
    job.write_text(job.read_text().replace("lines.glom().pprint()", COUNTED))
    return job


def test_windows_are_over_event_time_where_the_column_is_named(cli: Cli, windowed: Path) -> None:
    done = cli("rewrite", "--event-time", "timestamp", "--watermark", "10 minutes", "--force", windowed)
    assert done.code == 0
    assert "unsafe: countByWindow" in done.text
    new = windowed.read_text()
    assert 'F.window("timestamp", "4 seconds", "2 seconds")' in new
    assert 'withWatermark("timestamp", "10 minutes")' in new


def test_the_project_may_say_so(cli: Cli, windowed: Path) -> None:
    (windowed.parent / "pyproject.toml").write_text('[tool.dstream-migrate]\nevent-time = "timestamp"\n')
    assert "native" in cli("check", windowed).text


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--watermark", "10 minutes"), "--event-time COLUMN"),
        (("--event-time", "timestamp", "--watermark", "soon"), "no delay such as '10 minutes'"),
        (("--batch-time", "any"), "approximate"),
        (("--trigger", "once"), "available-now, continuous=1s, or realtime=5s"),
    ],
)
def test_mistakes_are_named(cli: Cli, windowed: Path, arguments: tuple[str, ...], reason: str) -> None:
    done = cli("check", *arguments, windowed)
    assert (done.code, reason in done.err) == (3, True), done.err


def test_states_put_out_changed_keys_where_that_is_asked_for(cli: Cli, windowed: Path) -> None:
    total = "map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))"
    windowed.write_text(windowed.read_text().replace(COUNTED, f"lines.{total}.pprint()"))
    assert "unsafe" not in cli("check", windowed).text
    assert "unsafe: a running sum" in cli("check", "--changed-keys", windowed).text
    (windowed.parent / "pyproject.toml").write_text("[tool.dstream-migrate]\nchanged-keys = true\n")
    assert "unsafe: a running sum" in cli("check", windowed).text


def test_intervals_without_input_may_be_left_out(cli: Cli, windowed: Path) -> None:
    assert "unsafe" not in cli("check", windowed).text
    assert "unsafe: countByWindow" in cli("check", "--skip-empty-batches", windowed).text
    (windowed.parent / "pyproject.toml").write_text("[tool.dstream-migrate]\nskip-empty-batches = true\n")
    cli("rewrite", windowed)
    assert "every_interval" not in windowed.read_text()


def test_another_time_may_stand_for_the_batch_time(cli: Cli, windowed: Path) -> None:
    windowed.write_text(windowed.read_text().replace(COUNTED, 'lines.saveAsTextFiles("out")'))
    assert "unsafe" not in cli("check", windowed).text
    text = cli("check", "--batch-time", "approximate", windowed).text
    assert "unsafe: saveAsTextFiles becomes write.text under the batch time" in text


def test_a_backfill_may_be_that_of_the_project(cli: Cli, windowed: Path) -> None:
    source = windowed.read_text().replace(COUNTED, "lines.pprint()")
    windowed.write_text(source.replace('socketTextStream("localhost", 9999)', 'textFileStream("in")'))
    assert "unsafe: the StreamingContext" in cli("check", "--trigger", "available-now", windowed).text
    (windowed.parent / "pyproject.toml").write_text('[tool.dstream-migrate]\ntrigger = "available-now"\n')
    cli("rewrite", windowed)
    assert "trigger(availableNow=True)" in windowed.read_text()
