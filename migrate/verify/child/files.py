"""Which files a program wrote since the last look, and what is in them."""

from __future__ import annotations

import gc
import gzip
import hashlib
import io
import os
from collections import defaultdict
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from migrate.verify.values import encode

_NOT_OUTPUT = {"metastore_db", "derby.log", "__pycache__", "_temporary", "_spark_metadata"}
_TEXT_LIMIT = 64 << 20
_Stat = tuple[int, int, int]


def write_out() -> None:
    """Write what the files that are open still hold back.

    A program may keep a file open for all its batches, and what it holds back is written at some time: at
    the end, or when a DStream's checkpoint pickles the function that writes to it.
    """
    for file in gc.get_objects():
        if issubclass(type(file), io.TextIOWrapper | io.BufferedWriter | io.BufferedRandom):
            with suppress(OSError, ValueError):  # it is closed, or has no place any more
                file.flush()


class Snapshot:
    """The files of a directory as they were at the last look."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._stats = self._look(frozenset())
        self._texts: dict[PurePosixPath, str] = {}

    def changes(self, ignored: set[str]) -> list[dict[str, Any]]:
        """What was written since the last look, by path relative to the root.

        A plain file gives its text, or what was appended to it. A directory that Spark wrote gives its
        records, part by part, and whether older ones were replaced.
        """
        write_out()
        now = self._look(frozenset(ignored))
        changed = [path for path, stat in now.items() if self._stats.get(path) != stat]
        gone = [
            path
            for path in self._stats
            if path not in now and not any(str(parent) in ignored for parent in path.parents)
        ]
        self._stats = now
        datasets: dict[PurePosixPath, list[PurePosixPath]] = defaultdict(list)
        for path in filter(_is_part, changed):
            datasets[path.parent].append(path)
        replaced = {path.parent for path in gone if _is_part(path)}
        return [
            *(self._file(path) for path in sorted(changed) if not _is_part(path)),
            *(
                self._dataset(directory, parts, replaced=directory in replaced)
                for directory, parts in sorted(datasets.items())
            ),
            *(
                {"path": str(path), "how": "deleted", "lines": []}
                for path in sorted(gone)
                if not _is_part(path)
            ),
        ]

    def _file(self, path: PurePosixPath) -> dict[str, Any]:
        text = _decoded(path, (self._root / path).read_bytes())
        before = self._texts.get(path)
        self._texts[path] = text
        if before is not None and text.startswith(before):
            return {"path": str(path), "how": "appended", "lines": text[len(before) :].split("\n")}
        return {"path": str(path), "how": "written", "lines": text.split("\n")}

    def _dataset(
        self, directory: PurePosixPath, parts: list[PurePosixPath], *, replaced: bool
    ) -> dict[str, Any]:
        # In the order of the parts, which is that of a sort if there was one.
        rows = [encode(record) for part in sorted(parts) for record in _records(self._root, part)]
        return {"path": str(directory), "how": "replaced" if replaced else "added", "rows": rows}

    def _look(self, ignored: frozenset[str]) -> dict[PurePosixPath, _Stat]:
        found: dict[PurePosixPath, _Stat] = {}
        for directory, names, files in os.walk(self._root):
            here = PurePosixPath(Path(directory).relative_to(self._root).as_posix())
            names[:] = [
                name
                for name in names
                if name not in _NOT_OUTPUT and not name.startswith(".") and str(here / name) not in ignored
            ]
            for name in files:
                if name in _NOT_OUTPUT or name.endswith(".crc"):
                    continue
                try:
                    stat = Path(directory, name).stat()
                except FileNotFoundError:  # a dangling link, or gone meanwhile
                    continue
                found[here / name] = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
        return found


def _is_part(path: PurePosixPath) -> bool:
    return path.name.startswith("part-") or path.name == "_SUCCESS"


def _records(root: Path, part: PurePosixPath) -> list[Any]:
    """The rows of one part file: of text formats its lines."""
    if part.name == "_SUCCESS":
        return []
    if part.suffix == ".parquet":
        from pyarrow import parquet

        return _rows(parquet.ParquetFile(root / part).read())
    if part.suffix == ".orc":
        from pyarrow import orc

        return _rows(orc.ORCFile(root / part).read())
    text = _decoded(part, (root / part).read_bytes())
    return text.removesuffix("\n").split("\n") if text else []


def _rows(table: Any) -> list[Any]:
    names = table.column_names
    return [tuple((name, row[name]) for name in names) for row in table.to_pylist()]


def _decoded(path: PurePosixPath, data: bytes) -> str:
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    if len(data) <= _TEXT_LIMIT:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass
    return f"binary, {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"
