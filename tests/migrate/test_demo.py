from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from rich.console import Console

from migrate import demo as module
from migrate.demo.material import LINES, TEXTS, write_texts
from migrate.demo.samples import directory, samples
from migrate.demo.table import Row, table
from migrate.facts.file import NAME, read
from migrate.kafka import Broker
from migrate.learn.run import Learnt
from migrate.verify import BatchResult, Difference, VerifyResult
from tests.migrate.conftest import Cli


def result(*, equal: bool) -> VerifyResult:
    differences = () if equal else (Difference("pprint 1", "('a', 1)", "('a', 2)"),)
    batch = BatchResult("batch 1", 10, differences, False, 1.0, 0.5)
    return VerifyResult("old", "new", (batch,), seconds_old=1.0, seconds_new=0.5)


def test_the_texts_are_real_and_long(tmp_path: Path) -> None:
    paths = write_texts(tmp_path)
    lines = {name: path.read_text(encoding="utf-8").split("\n")[:-1] for name, path in paths.items()}
    assert {name: len(text) for name, text in lines.items()} == dict.fromkeys(TEXTS, LINES)
    assert len(set(lines["sources"])) > LINES / 4
    fields = [line.split(",") for line in lines["records"]]
    assert sum(len(parts) == 3 for parts in fields) > LINES * 0.9
    assert any(parts[1] == "" for parts in fields), "failed downloads"
    assert all(parts[2].isdigit() for parts in fields if len(parts) == 3 and parts[1])


def test_every_sample_reads_a_text_that_there_is() -> None:
    assert len(samples()) >= 4
    assert {sample.input for sample in samples()} <= TEXTS.keys()


def test_samples_are_as_long_as_what_people_write() -> None:
    assert all(len((directory() / "legacy" / s.name).read_text().splitlines()) >= 55 for s in samples())


@pytest.mark.parametrize(
    ("kafka", "wrong", "code"),
    [(False, None, 0), (False, "sql_report.py", 1), (True, None, 0)],
    ids=["all equal", "one differs", "on Kafka"],
)
def test_the_demo_is_0_only_if_all_are_equal(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, kafka: bool, wrong: str | None, code: int
) -> None:
    seen = []
    brokers = nullcontext(Broker("broker:9092", ()))

    def verified(old: Path, new: Path, **how: object) -> VerifyResult:
        learns = next(sample.learn for sample in samples() if sample.name == old.name)
        assert how["hold_out"] == (module.HOLD_OUT if learns else None)
        assert how["kafka"] == ("broker:9092" if kafka else None)
        assert old.read_bytes() == (directory() / "legacy" / old.name).read_bytes()
        assert new.read_bytes() == (directory() / "migrated" / old.name).read_bytes()
        seen.append(old.name)
        return result(equal=old.name != wrong)

    def learnt(program: Path, **how: object) -> Learnt:
        assert how["hold_out"] == module.HOLD_OUT
        facts = read(directory() / "legacy" / NAME)
        return Learnt({key: fact for key, fact in facts.items() if key[0] == program.name})

    monkeypatch.setattr(module, "learn", learnt)
    monkeypatch.setattr(module, "verify", verified)
    monkeypatch.setattr(module, "broker", lambda: brokers)
    done = cli("demo", *(["--kafka"] if kafka else []))
    assert done.code == code
    assert seen == [sample.name for sample in samples() if sample.kafka is kafka]
    for name in seen:
        assert f"--- a/{name}" in done.text, "the diff is shown"
        assert f"verifying {name}" in done.text, "progress is shown"
    last = done.text.rstrip().splitlines()[-len(seen) :]
    assert [line.split()[0] for line in last] == seen
    assert [" NO " in line for line in last] == [name == wrong for name in seen]
    left = done.text.split(" are in ")[1].splitlines()[0].rstrip(".")
    assert not Path(left).exists()


def test_without_java_one_sentence(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    done = cli("demo")
    assert done.code == 3
    assert done.out == b""
    assert done.err.startswith("dstream-migrate: Spark needs Java and there is none here: install Java 17 (")
    assert done.err.count("\n") == 1


def test_a_java_that_does_not_start(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\nexit 1\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    done = cli("demo")
    assert done.code == 3
    assert f"it does not start (JAVA_HOME is {tmp_path})" in done.err


def test_the_table_shows_every_tier() -> None:
    console = Console(width=100)
    with console.capture() as captured:
        console.print(table([Row("a.py", "3 column, 1 rdd", "native", True, 1.26, 0.5)]))
    assert ["a.py", "3", "column,", "1", "rdd", "native", "yes", "1.3", "0.5"] in [
        s.split() for s in captured.get().split("\n")
    ]
