from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from migrate.model import Status
from migrate.read import scan as module
from migrate.read.scan import base_of, scan
from migrate.read.walk import JOURNAL, SKIPPED

STREAM = "from pyspark.streaming import StreamingContext\n"


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".py").write_text(text)


def names(tree: module.Tree) -> list[str]:
    return [source.relative for source in tree.sources]


def test_files_come_sorted_by_path_relative_to_the_directory(tmp_path: Path) -> None:
    write(tmp_path, b="1", a__z="2", a__b="3")
    tree = scan([tmp_path])
    assert names(tree) == ["a/b.py", "a/z.py", "b.py"]
    assert tree.base == tmp_path
    assert tree.sources[0].data == b"3"


def test_only_python_files_are_read_unless_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "job").write_text("x = 1\n")
    (tmp_path / "notes.txt").write_text("x")
    assert names(scan([tmp_path])) == []
    assert names(scan([tmp_path / "job"])) == ["job"]


@pytest.mark.parametrize("directory", sorted(SKIPPED))
def test_tool_directories_are_skipped(tmp_path: Path, directory: str) -> None:
    write(tmp_path / directory, a=STREAM)
    assert names(scan([tmp_path])) == []
    assert names(scan([tmp_path / directory])) == ["a.py"]


def test_virtual_environments_are_skipped_whatever_their_name(tmp_path: Path) -> None:
    write(tmp_path / "env", a=STREAM)
    (tmp_path / "env" / "pyvenv.cfg").touch()
    assert names(scan([tmp_path])) == []


def test_the_packages_of_an_environment_are_skipped_without_the_rest_of_it(tmp_path: Path) -> None:
    write(tmp_path / "venv" / "Lib" / "site-packages" / "tool", a=STREAM)
    assert names(scan([tmp_path])) == []


def test_what_git_ignores_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, a="1", build__b="2", sub__c="3", sub__keep="4", sub__deep__d="5")
    (tmp_path / ".gitignore").write_text("build/\n/sub/*.py\n!keep.py\n")
    (tmp_path / "sub" / "deep" / ".gitignore").write_text("d.py\n")
    assert names(scan([tmp_path])) == ["a.py", "sub/keep.py"]


def test_an_inner_ignore_file_overrules_an_outer_one(tmp_path: Path) -> None:
    write(tmp_path, generated="1", sub__generated="2")
    (tmp_path / ".gitignore").write_text("generated.py\n")
    (tmp_path / "sub" / ".gitignore").write_text("!generated.py\n")
    assert names(scan([tmp_path])) == ["sub/generated.py"]


def test_ignore_files_above_the_path_count_within_the_repository(tmp_path: Path) -> None:
    write(tmp_path, sub__a="1", sub__b="2")
    (tmp_path / ".gitignore").write_text("sub/b.py\n")
    assert names(scan([tmp_path / "sub"])) == ["a.py", "b.py"], "not in a repository"
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert names(scan([tmp_path / "sub"])) == ["a.py"]


def test_an_ignored_directory_is_read_when_it_is_the_path(tmp_path: Path) -> None:
    write(tmp_path, vendor__a="1")
    (tmp_path / ".gitignore").write_text("vendor/\n")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert names(scan([tmp_path])) == []
    assert names(scan([tmp_path / "vendor"])) == ["a.py"]


def test_links_are_followed_only_as_paths(tmp_path: Path) -> None:
    write(tmp_path / "real", a="1")
    (tmp_path / "proj").mkdir()
    (tmp_path / "proj" / "link.py").symlink_to(tmp_path / "real" / "a.py")
    (tmp_path / "proj" / "loop").symlink_to(tmp_path / "proj")
    (tmp_path / "proj" / "broken.py").symlink_to(tmp_path / "nowhere")
    assert names(scan([tmp_path / "proj"])) == []
    assert names(scan([tmp_path / "proj" / "link.py"])) == ["link.py"]
    assert names(scan([tmp_path / "proj" / "loop"])) == []


def test_pyspark_itself_is_no_program_but_its_examples_are(tmp_path: Path) -> None:
    write(tmp_path, pyspark__streaming__dstream=STREAM, pyspark__examples__a=STREAM, pyspark__sql__b=STREAM)
    assert names(scan([tmp_path])) == ["pyspark/examples/a.py"]
    assert names(scan([tmp_path / "pyspark" / "streaming"])) == ["dstream.py"], "asked for"
    write(tmp_path / "mine", pyspark__jobs=STREAM)
    assert names(scan([tmp_path / "mine"])) == ["pyspark/jobs.py"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, a="1")
    (tmp_path / "link.py").symlink_to("a.py")
    assert names(scan([tmp_path, tmp_path / "a.py"])) == ["a.py"]
    assert names(scan([tmp_path / "a.py", tmp_path / "link.py"])) == ["a.py"]


def test_an_unreadable_file_is_reported_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a="1", b="2")
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "a.py":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    tree = scan([tmp_path])
    assert names(tree) == ["b.py"]
    assert [(f.path, f.status, f.error) for f in tree.unread] == [
        ("a.py", Status.UNPARSED, "cannot be read: Permission denied")
    ]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert names(scan([tmp_path])) == []
    assert [f.error for f in scan([tmp_path / "pipe.py"]).unread] == ["cannot be read: not a regular file"]


def test_large_trees_keep_only_what_can_touch_a_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WHOLE", 2)
    write(
        tmp_path,
        job=STREAM + "from lib import (  # noqa\n    clean,\n)\n",
        lib__clean="import table\n",
        table="",
        main="from job import run\n",
        other="import json\n",
        broken="def (:\n",
    )
    tree = scan([tmp_path])
    assert names(tree) == ["job.py", "lib/clean.py", "main.py", "table.py"]
    assert tree.untouched == ["broken.py", "other.py"]


def test_small_trees_are_kept_whole(tmp_path: Path) -> None:
    write(tmp_path, a="", b="def (:\n")
    assert names(scan([tmp_path])) == ["a.py", "b.py"]


def test_an_interrupted_rewrite_is_noticed_below_and_above(tmp_path: Path) -> None:
    write(tmp_path, sub__a="1")
    (tmp_path / JOURNAL).mkdir()
    (tmp_path / "sub" / JOURNAL).mkdir()
    assert set(scan([tmp_path]).journals) == {tmp_path / JOURNAL, tmp_path / "sub" / JOURNAL}
    assert set(scan([tmp_path / "sub" / "a.py"]).journals) == {tmp_path / JOURNAL, tmp_path / "sub" / JOURNAL}


def test_base_of_several_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, x__a="1", y__b="2")
    inside = [tmp_path / "x" / "a.py", tmp_path / "y"]
    assert base_of(inside) == tmp_path
    assert base_of([tmp_path / "x"]) == tmp_path / "x"
    assert base_of([tmp_path / "x" / "a.py"]) == tmp_path / "x"
    monkeypatch.chdir(tmp_path)
    assert base_of([Path("x/a.py")]) == tmp_path
    assert names(scan([Path("x/a.py"), Path("y")])) == ["x/a.py", "y/b.py"]
    assert names(scan([Path("x")])) == ["a.py"]
