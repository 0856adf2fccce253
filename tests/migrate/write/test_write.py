from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from migrate.model import FileResult, GraphResult, Module, Outcome, Result, Status
from migrate.read.parse import parse
from migrate.read.scan import scan
from migrate.write import journal
from migrate.write.files import Written, groups, write
from migrate.write.git import GitError, unstaged


def changes(tree: Path, *graphs: tuple[str, ...]) -> Result:
    """A result that upper-cases every file of `tree`; `graphs` name the files that hang together."""
    modules = {}
    for source in scan([tree]).sources:
        module = parse(source)
        assert isinstance(module, Module)
        modules[module.relative] = module
    ids = {f"g{i}": files for i, files in enumerate(graphs)}
    files = tuple(
        FileResult(
            name,
            Status.NATIVE,
            tuple(i for i, members in ids.items() if name in members),
            old=module.source,
            new=module.source.upper(),
            encoding=module.encoding,
            bom=module.bom,
        )
        for name, module in modules.items()
    )
    return Result(tuple(GraphResult(i, m, Outcome.NATIVE, ()) for i, m in ids.items()), files)


def git(tree: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=tree, check=True, capture_output=True)


def repository(tree: Path) -> None:
    git(tree, "init", "-q")
    git(tree, "add", ".")
    git(tree, "commit", "-qm", "first")


@pytest.mark.parametrize(
    ("data", "new"),
    [
        (b"x\r\ny", b"X\r\nY"),
        (b"\xef\xbb\xbf'\xc3\xa9'\n", b"\xef\xbb\xbf'\xc3\x89'\n"),
        (b"# coding: latin-1\n'\xe9'\n", b"# CODING: LATIN-1\n'\xc9'\n"),
        (b"if x:\n\ty\n", b"IF X:\n\tY\n"),
    ],
    ids=["CRLF, no newline at the end", "BOM", "latin-1", "tabs"],
)
def test_encoding_bom_and_line_ends_are_kept(tmp_path: Path, data: bytes, new: bytes) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    path.chmod(0o755)
    assert write(changes(tmp_path), tmp_path) == Written(["a.py"])
    assert path.read_bytes() == new
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    assert [p.name for p in tmp_path.iterdir()] == ["a.py"]


def test_a_character_that_the_encoding_lacks_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("# coding: ascii\nx\n")
    file = FileResult("a.py", Status.MANUAL, old="# coding: ascii\nx\n", new="# é\nx\n", encoding="ascii")
    assert write(Result(files=(file,)), tmp_path).files == ["a.py"]
    assert (tmp_path / "a.py").read_bytes() == b"# \\xe9\nx\n"


def test_files_without_changes_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("X\n")
    before = (tmp_path / "a.py").stat()
    assert write(changes(tmp_path), tmp_path) == Written()
    after = (tmp_path / "a.py").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("x\n")
    (tmp_path / "link").symlink_to("real.py")
    result = Result(files=(FileResult("link", Status.NATIVE, old="x\n", new="y\n"),))
    write(result, tmp_path)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real.py").read_text() == "y\n"


def test_unstaged_edits_are_refused_and_staged_ones_are_not(tmp_path: Path) -> None:
    for name in ("edited.py", "staged.py", "clean.py"):
        (tmp_path / name).write_text("x\n")
    repository(tmp_path)
    for name in ("edited.py", "staged.py"):
        (tmp_path / name).write_text("y\n")
    git(tmp_path, "add", "staged.py")
    (tmp_path / "untracked.py").write_text("z\n")
    written = write(changes(tmp_path), tmp_path)
    assert written.files == ["clean.py", "staged.py", "untracked.py"]
    assert list(written.refused) == ["edited.py"]
    assert "unstaged edits" in written.refused["edited.py"]
    assert (tmp_path / "edited.py").read_text() == "y\n"
    assert write(changes(tmp_path), tmp_path, force=True).files == ["edited.py"]


def test_a_refused_file_keeps_its_whole_graph_from_being_written(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.py").write_text("x\n")
    (tmp_path / "b.py").chmod(0o444)
    result = changes(tmp_path, ("a.py", "b.py"), ("c.py",))
    written = write(result, tmp_path)
    assert written.files == ["c.py"]
    assert written.refused == {
        "a.py": "it shares a graph with b.py",
        "b.py": "it is read-only: make it writable, or use --force",
    }
    assert (tmp_path / "a.py").read_text() == "x\n"
    assert write(result, tmp_path, force=True).refused == {
        "c.py": "it changed while it was worked on: run again"
    }


def test_a_file_that_changed_since_it_was_read_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x\n")
    result = changes(tmp_path)
    (tmp_path / "a.py").write_text("mine\n")
    assert "changed while" in write(result, tmp_path).refused["a.py"]
    assert (tmp_path / "a.py").read_text() == "mine\n"


def test_an_error_of_one_graph_leaves_the_others_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        (tmp_path / f"{name}.py").write_text("x\n")
    keep = journal._keep

    def fail(path: Path, old: Path) -> None:
        if path.name == "a.py":
            raise PermissionError(13, "Permission denied")
        keep(path, old)

    monkeypatch.setattr(journal, "_keep", fail)
    written = write(changes(tmp_path), tmp_path)
    assert written.files == ["b.py"]
    assert "Permission denied" in written.refused["a.py"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.py", "b.py"]


def test_names_that_git_would_quote_or_read_as_patterns(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("é *.py", "a.py", ":x.py", '"q".py')]
    for path in paths:
        path.write_text("x\n")
    repository(tmp_path)
    paths[0].write_text("y\n")
    paths[2].write_text("y\n")
    assert unstaged(paths) == {paths[0], paths[2]}


def test_without_git_nothing_is_unstaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("x\n")
    repository(tmp_path)
    (tmp_path / "a.py").write_text("y\n")
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    assert unstaged([tmp_path / "a.py"]) == set()


def test_git_that_fails_is_no_licence(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.py").write_text("x\n")
    with pytest.raises(GitError, match="cannot compare"):
        unstaged([tmp_path / "a.py"])


def test_graphs_that_share_a_file_are_one_group() -> None:
    files = [
        FileResult("a", Status.NATIVE, ("1",)),
        FileResult("b", Status.NATIVE, ("2",)),
        FileResult("c", Status.NATIVE, ("1", "3")),
        FileResult("d", Status.NATIVE),
        FileResult("e", Status.NATIVE, ("3",)),
    ]
    assert [[file.path for file in group] for group in groups(files)] == [["a", "c", "e"], ["b"], ["d"]]
