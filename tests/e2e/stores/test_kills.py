"""Programs on HDFS and S3 that are killed with SIGKILL at random moments, and started again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.processes import SUBMIT, Program, drop
from tests.e2e.stores.conftest import S3
from tests.e2e.stores.hdfs import Hdfs
from tests.e2e.test_kills import run

pytestmark = [pytest.mark.full, pytest.mark.timeout(2400)]


class OnHdfs:
    """Input and checkpoint on HDFS."""

    def __init__(self, hdfs: Hdfs) -> None:
        self._hdfs = hdfs
        self.inputs, self.checkpoint = f"{hdfs.uri}/in", f"{hdfs.uri}/checkpoint"

    @property
    def saved(self) -> bool:
        return self._hdfs.has("/checkpoint/structured/graph")

    def drop(self, name: str, line: str) -> None:
        self._hdfs.put("/in", name, [line])


class OnS3:
    """The checkpoint on S3, input on this machine."""

    def __init__(self, s3: S3, base: Path) -> None:
        self._s3 = s3
        self.inputs, self.checkpoint = str(base / "in"), f"{s3.uri}/killed"
        (base / "in").mkdir()

    @property
    def saved(self) -> bool:
        return self._s3.has("killed/structured/graph")

    def drop(self, name: str, line: str) -> None:
        drop(Path(self.inputs), name, [line])


def test_ten_kills_over_hdfs(tmp_path: Path, start: Callable[..., Program], hdfs: Hdfs) -> None:
    run(tmp_path, start, seed=11, kills=10, place=OnHdfs(hdfs))


def test_three_kills_over_s3(tmp_path: Path, start: Callable[..., Program], s3: S3) -> None:
    """What Spark needs to be let in is given by `spark-submit` alone: the checkpoint has no secret."""
    settings = " ".join(f"--conf '{name}={value}'" for name, value in s3.settings.items())
    launch = partial(start, PYSPARK_SUBMIT_ARGS=f"{settings} {SUBMIT}")
    run(tmp_path, launch, seed=12, kills=3, place=OnS3(s3, tmp_path))
