"""One tree with notebooks, Python 2, other line ends and encodings, links, and files without rights."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.migrate.conftest import STREAM, Cli
from tests.migrate.read.notebook.notebooks import CELLS, notebook
from tests.migrate.read.notebook.test_databricks import NOTEBOOK

OLD = "print 'Python 2'\n" + STREAM
FILES = {
    "a.ipynb": notebook(CELLS).encode(),
    "brick.py": NOTEBOOK.replace("\n", "\r\n").encode(),
    "bom.py": b"\xef\xbb\xbf" + STREAM.encode(),
    "latin.py": ("# coding: latin-1\n" + STREAM + "# é").encode("latin-1"),
    "old.py": OLD.encode(),
    "unproven.py": ("print repr(x)\n" + STREAM).encode(),
    "sub/with space.py": STREAM.encode(),
    "broken.py": b"def f(:\n",
    "empty.py": b"",
    "scala.ipynb": notebook(["val x = 1"], kernelspec={"language": "scala"}).encode(),
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, data in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "link.py").symlink_to("bom.py")
    (tmp_path / "loop").symlink_to(".")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(directory: Path) -> dict[str, bytes]:
    return {name: (directory / name).read_bytes() for name in FILES}


def test_patch_makes_what_rewrite_makes(
    cli: Cli, tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "tree"
    shutil.copytree(tree, other, symlinks=True)
    done = cli("check", "--diff", ".")
    assert done.code == 2, "one file is broken"
    subprocess.run(["patch", "-p1", "-s"], input=done.out, cwd=other, check=True)
    assert cli("rewrite", ".").code == 2
    assert contents(other) == contents(tree)
    assert {name for name, data in contents(tree).items() if data != FILES[name]} == {
        *("a.ipynb", "brick.py", "bom.py", "latin.py", "old.py", "unproven.py", "sub/with space.py")
    }
    assert (tree / "link.py").is_symlink()
    before = contents(tree)
    assert cli("rewrite", ".").code == 2
    assert contents(tree) == before


def test_the_report_says_what_each_file_is(cli: Cli, tree: Path) -> None:
    found = json.loads(cli("report", "--json", ".").out)
    assert {file["path"]: (file["python"], file["status"]) for file in found["files"]} == {
        "a.ipynb": (3, "native"),
        "brick.py": (3, "native"),
        "bom.py": (3, "compat"),
        "broken.py": (3, "unparsed"),
        "empty.py": (3, "untouched"),
        "latin.py": (3, "compat"),
        "old.py": (2, "compat"),
        "scala.ipynb": (3, "untouched"),
        "sub/with space.py": (3, "compat"),
        "unproven.py": (2, "manual"),
    }
    for kind, entries in (("files", "status"), ("graphs", "outcome"), ("sites", "tier")):
        counted = found["totals"][kind]
        assert counted.pop("total") == len(found[kind]) == sum(counted.values())
        for name, number in counted.items():
            assert number == sum(entry[entries] == name for entry in found[kind])
    ids = {graph["id"]: graph for graph in found["graphs"]}
    assert all(site["path"] in ids[site["graph"]]["files"] for site in found["sites"])
    assert all(
        (site["cell"] is None) == (site["path"] not in ("a.ipynb", "brick.py")) for site in found["sites"]
    )
    for site in found["sites"]:
        if site["cell"] is None:
            encoding = "latin-1" if site["path"] == "latin.py" else "utf-8-sig"
            row = FILES[site["path"]].decode(encoding).splitlines()[site["line"] - 1]
            assert row[site["column"] - 1 :].startswith(site["operator"])


def test_a_notebook_on_standard_input(cli: Cli, tree: Path) -> None:
    done = cli("rewrite", "-", stdin=FILES["a.ipynb"])
    assert done.code == 0
    assert cli("rewrite", "a.ipynb").code == 0
    assert (tree / "a.ipynb").read_bytes() == done.out


@pytest.mark.parametrize("form", ["--sarif", "--html", "--json"])
def test_reports_go_to_a_file_as_well(cli: Cli, tree: Path, form: str) -> None:
    to_output = cli("report", form, ".").out
    assert cli("report", form, "--output", "report.txt", ".").out == b""
    assert (tree / "report.txt").read_bytes() == to_output
    assert cli("report", form, "--output", "nowhere/report.txt", ".").code == 3
    assert cli("report", ".").code == 3


def test_files_without_rights(cli: Cli, tree: Path) -> None:
    (tree / "bom.py").chmod(0o000)
    if os.access(tree / "bom.py", os.R_OK):
        pytest.skip("root may read and write everything")
    (tree / "sub").chmod(0o500)
    (tree / "latin.py").chmod(0o444)
    done = cli("rewrite", ".")
    assert done.code == 3
    assert "bom.py: unparsed (cannot be read: Permission denied)" in done.text
    assert "sub/with space.py was not written" in done.err
    assert "latin.py was not written: it is read-only" in done.err
    assert b"compat.streaming" in (tree / "old.py").read_bytes()
    for path in (tree / "bom.py", tree / "sub"):
        path.chmod(0o700)


def test_a_rewrite_that_is_staged_can_be_followed_by_the_next(cli: Cli, tree: Path) -> None:
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], check=True, cwd=tree)
    assert cli("rewrite", "--target", "compat", ".").code == 2
    subprocess.run([*git, "add", "."], check=True, cwd=tree)
    done = cli("rewrite", ".")
    assert (done.code, "unstaged" in done.err) == (2, False)
    assert b"foreachBatch" in (tree / "a.ipynb").read_bytes()
    assert cli("rewrite", ".").err == ""
