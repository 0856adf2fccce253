"""What is in a directory: by one call to the JVM, however many files there are."""

from __future__ import annotations

import json
import logging
import os
import re
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from py4j.protocol import Py4JError

from compat.directory.retries import line

if TYPE_CHECKING:
    from compat._structured.life.session import Session

_log = logging.getLogger(__name__)

GLOB = re.compile(r"([\\*?\[\]{}])")
"""Signs that Hadoop takes for patterns."""


class Status(NamedTuple):
    """A file or a directory."""

    path: str
    modified_ms: int
    is_directory: bool
    length: int
    block: int
    """The block size in bytes."""


class Listing:
    """Lists the directories that a path names, which may be a pattern.

    Names that start with a dot or an underscore, or are no UTF-8, are left out.
    """

    def __init__(self, path: str, session: Session) -> None:
        sc: Any = session.spark_context
        self._jvm = sc._jvm
        self._path = self._jvm.org.apache.hadoop.fs.Path
        pattern = self._path(path)
        self._files = pattern.getFileSystem(sc._jsc.hadoopConfiguration())
        self._pattern = self._files.makeQualified(pattern)
        self._is_pattern = GLOB.search(path) is not None
        self._block = session.split_bytes
        self._local = self._files.getUri().getScheme() == "file"
        self._local_paths: dict[str, str] = {}

    def entries(self) -> list[Status]:
        """What is in the directories now; nothing, with a warning, for one that cannot be listed."""
        return [status for directory in self._directories() for status in self._if_there(directory)]

    def _directories(self) -> list[str]:
        if not self._is_pattern:
            return [self._pattern.toString()]
        try:
            matches = self._files.globStatus(self._pattern) or []
        except Py4JError as error:
            _log.warning("Could not look for directories %s: %s", self._pattern.toString(), line(error))
            return []
        return [status.getPath().toString() for status in matches if status.isDirectory()]

    def within(self, directory: str) -> list[Status]:
        """What is in one directory. Raises OSError or Py4JError if it cannot be listed."""
        found = self._local_entries(directory) if self._local else self._hadoop_entries(directory)
        return [status for status in found if not _ignored(status.path.rpartition("/")[2])]

    @cached_property
    def _json(self) -> Any:
        return _json_of_fields(self._jvm)

    def _if_there(self, directory: str) -> list[Status]:
        try:
            return self.within(directory)
        except (OSError, Py4JError) as error:
            _log.warning("No directory to scan: %s: %s", directory, line(error))
            return []

    def _local_entries(self, directory: str) -> list[Status]:
        found = []
        if directory not in self._local_paths:
            self._local_paths[directory] = self._path(directory).toUri().getPath()
        with os.scandir(self._local_paths[directory]) as entries:
            for entry in entries:
                if _ignored(entry.name):
                    continue
                # Hadoop, too, passes over what is gone by now, and links to what is not there.
                with suppress(FileNotFoundError):
                    stat = entry.stat()
                    modified_ms = stat.st_mtime_ns // 1_000_000
                    path = f"{directory}/{entry.name}"
                    found.append(Status(path, modified_ms, entry.is_dir(), stat.st_size, self._block))
        return found

    def _hadoop_entries(self, directory: str) -> list[Status]:
        path = self._path(directory)
        if not self._files.exists(path):
            raise FileNotFoundError(directory)
        found = json.loads(self._json.writeValueAsString(self._files.listStatus(path)))
        return [
            Status(
                f"{directory.rstrip('/')}/{_name(status['path']['uri'])}",
                status["modification_time"],
                status["isdir"],
                status["length"],
                status["blocksize"],
            )
            for status in found
        ]


def _ignored(name: str) -> bool:
    """Whether files of that name are not read: hidden ones, and those whose name is no UTF-8.

    Java cannot open the latter, and Python has them with lone surrogates.
    """
    return name.startswith((".", "_")) or any("\ud800" <= sign <= "\udfff" for sign in name)


def _name(uri: str) -> str:
    return unquote(uri.rstrip("/").rpartition("/")[2])


def _json_of_fields(jvm: Any) -> Any:
    """Jackson, which Spark has, told to write the fields of objects.

    Asked for its members, Hadoop's FileStatus raises unless it is a link; its text does not tell where a path
    ends.
    """
    jackson = jvm.com.fasterxml.jackson
    access, visible = jackson.annotation.PropertyAccessor, jackson.annotation.JsonAutoDetect.Visibility
    mapper = jackson.databind.ObjectMapper()
    mapper.setVisibility(access.ALL, visible.NONE)
    mapper.setVisibility(access.FIELD, visible.ANY)
    return mapper.disable(jackson.databind.SerializationFeature.FAIL_ON_EMPTY_BEANS)
