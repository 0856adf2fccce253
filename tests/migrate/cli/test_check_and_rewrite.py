from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from migrate.migration import migrate
from migrate.model import Module, Options, Result
from migrate.write.journal import _prepare
from tests.migrate.conftest import STREAM, Cli

REWRITTEN = STREAM.replace("pyspark.streaming", "compat.streaming")


def test_nothing_to_do_is_0(cli: Cli, project: Path) -> None:
    done = cli("check", "plain.py")
    assert (done.code, done.err) == (0, "")
    assert "1 file: 1 untouched" in done.text


def test_check_reports_every_call_and_changes_nothing(cli: Cli, project: Path) -> None:
    done = cli("check", ".")
    assert done.code == 1
    assert "(the installed one)\njob.py: compat\n" in done.text
    lines = done.text.splitlines()
    assert any(line.split()[:3] == ["7:7", "glom", "compat"] for line in lines)
    assert lines[-3] == "2 files: 1 compat, 1 untouched"
    assert lines[-2] == "1 graph: 1 compat"
    assert lines[-1].startswith("6 sites: ")
    assert (project / "job.py").read_text() == STREAM


def test_the_diff_is_all_of_standard_output_and_patch_applies_it(cli: Cli, project: Path) -> None:
    done = cli("check", "--diff", ".")
    assert done.code == 1
    assert done.out.startswith(b"--- a/job.py\n+++ b/job.py\n@@ ")
    assert "job.py: compat" in done.err
    subprocess.run(["patch", "-p1", "-s"], input=done.out, cwd=project, check=True)
    assert (project / "job.py").read_text() == REWRITTEN


def test_the_diff_of_a_file_in_another_encoding_applies(cli: Cli, project: Path) -> None:
    data = ("# coding: latin-1\r\n" + STREAM.replace("\n", "\r\n") + "# né").encode("latin-1")
    (project / "job.py").write_bytes(data)
    done = cli("check", "--diff", project)
    subprocess.run(["patch", "-p1", "-s"], input=done.out, cwd=project, check=True)
    assert (project / "job.py").read_bytes() == data.replace(b"pyspark.streaming", b"compat.streaming")


def test_rewrite_in_place_and_twice_changes_nothing_more(cli: Cli, project: Path) -> None:
    done = cli("rewrite", ".")
    assert (done.code, done.err) == (0, "dstream-migrate: rewrote 1 file\n")
    assert (project / "job.py").read_text() == REWRITTEN
    again = cli("rewrite", ".")
    assert (again.code, again.err) == (0, "")
    assert cli("check", ".").code == 0
    assert (project / "job.py").read_text() == REWRITTEN
    assert sorted(path.name for path in project.iterdir()) == ["job.py", "plain.py"]


def test_standard_input_to_standard_output(cli: Cli, project: Path) -> None:
    data = b"\xef\xbb\xbf" + STREAM.replace("\n", "\r\n").encode()
    done = cli("rewrite", "-", stdin=data)
    assert done.code == 0
    assert done.out == data.replace(b"pyspark.streaming", b"compat.streaming")
    assert "-: compat" in done.err
    assert cli("check", "-", stdin=data).code == 1
    assert cli("rewrite", "-", stdin=b"x = 1").out == b"x = 1"


def test_broken_standard_input_gives_no_text(cli: Cli, project: Path) -> None:
    done = cli("rewrite", "-", stdin=b"def (:\n")
    assert (done.code, done.out) == (2, b"")
    assert "-: unparsed (line 1: " in done.err


def test_a_file_that_does_not_parse_is_2_and_the_others_are_done(cli: Cli, project: Path) -> None:
    (project / "broken.py").write_text("def f(:\n")
    done = cli("rewrite", ".")
    assert done.code == 2
    assert "broken.py: unparsed (line 1: " in done.text
    assert "3 files: 1 compat, 1 untouched, 1 unparsed" in done.text
    assert (project / "job.py").read_text() == REWRITTEN
    assert cli("check", ".").code == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Usage"),
        (["check"], "Missing argument"),
        (["check", "nowhere"], "nowhere does not exist"),
        (["check", "-", "plain.py"], "can only be the one PATH"),
        (["check", "--target", "flink", "."], "Invalid value"),
        (["check", "--select", "no_such_rule", "."], "no such rule: no_such_rule"),
        (["frobnicate"], "No such command"),
        (["rules", "no_such_rule"], "there is no rule 'no_such_rule'"),
    ],
)
def test_wrong_usage_is_3(cli: Cli, project: Path, arguments: list[str], sentence: str) -> None:
    done = cli(*arguments)
    assert done.code == 3
    assert sentence in done.err
    assert "Traceback" not in done.err


def test_unstaged_edits_are_3_and_force_overrides(cli: Cli, project: Path) -> None:
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    (project / "job.py").write_text("")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], check=True)
    (project / "job.py").write_text(STREAM)
    done = cli("rewrite", ".")
    assert done.code == 3
    assert "job.py was not written: it has unstaged edits" in done.err
    assert (project / "job.py").read_text() == STREAM
    assert cli("rewrite", "--force", ".").code == 0
    assert (project / "job.py").read_text() == REWRITTEN
    assert cli("rewrite", ".").code == 0, "a second run writes nothing and refuses nothing"


def test_fail_on_an_outcome(cli: Cli, project: Path) -> None:
    assert cli("rewrite", ".").code == 0
    assert cli("check", ".").code == 0
    assert cli("check", "--fail-on", "compat", ".").code == 1
    assert cli("check", "--fail-on", "manual", ".").code == 0


def test_an_error_of_ours_is_70(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("migrate.commands.run", fail)
    done = cli("check", ".")
    assert done.code == 70
    assert "ZeroDivisionError: oops" in done.err
    assert "please report it" in done.err


def test_an_error_of_ours_on_one_file_leaves_the_others_done(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(modules: Sequence[Module], options: Options, *, write: bool) -> Result:
        if any(module.relative == "bad.py" for module in modules):
            raise ZeroDivisionError("oops" + 1000 * "!")
        return migrate(modules, options, write=write)

    monkeypatch.setattr("migrate.work.migrate", fail)
    (project / "bad.py").write_text(STREAM)
    done = cli("rewrite", ".")
    assert done.code == 70
    assert 299 < done.text.count("!") + len("oops") < 302, "an error that shows all that it is about is cut"
    assert "please report it" in done.err
    assert "bad.py: unparsed (an error of dstream-migrate itself: ZeroDivisionError: oops!" in done.text
    assert (project / "job.py").read_text() == REWRITTEN


def test_ctrl_c_is_130(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object, write: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("migrate.work.migrate", interrupt)
    done = cli("rewrite", ".")
    assert (done.code, done.err.strip()) == (130, "dstream-migrate: interrupted")
    assert (project / "job.py").read_text() == STREAM


def test_an_interrupted_rewrite_is_rolled_back_by_the_next_run(cli: Cli, project: Path) -> None:
    journal = project / ".dstream-migrate.journal"
    journal.mkdir()
    _prepare(journal, {project / "job.py": b"half done\n"})
    (journal / "0.new").replace(project / "job.py")
    done = cli("check", ".")
    assert done.code == 1
    assert "job.py: an interrupted rewrite was rolled back" in done.err
    assert (project / "job.py").read_text() == STREAM


def test_an_empty_directory(cli: Cli, tmp_path: Path) -> None:
    done = cli("check", "--spark", "4.1", tmp_path)
    first = "new code is for Spark 4.1 (as asked for)\n"
    assert (done.code, done.text) == (0, first + "0 files\n0 graphs\n0 sites\n")
