"""Runs the two programs side by side and compares what left them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from migrate.java import require_java
from migrate.verify.batches import Batch, batches_for
from migrate.verify.compare import compare
from migrate.verify.recording import Recording, read_recording
from migrate.verify.result import VerifyResult
from migrate.verify.spec import Spec
from migrate.verify.times import Masks
from migrate.verify.workspace import Workspace, check_size

Progress = Callable[[str, int, int], None]
"""Called with ``old`` or ``new``, the number of batches done and of all batches."""

# Without the working directory on the path, which may hold a package of the same name.
_START = "import sys; sys.path.pop(0); from migrate.verify.child.runner import main; main()"
_WINDOW = re.compile(r"[wW]indow\s*\(")
_CTRL_C = re.compile(r"\b(KeyboardInterrupt|SIGINT)\b")
_TO_START = 120.0
_DRAIN = 8


def verify(
    old: Path,
    new: Path,
    *,
    arguments: Sequence[str] = (),
    cwd: Path | None = None,
    source: Path | None = None,
    batches: int | None = None,
    drain: int | None = None,
    timeout: float = 60.0,
    side_effects: bool = False,
    progress: Progress | None = None,
) -> VerifyResult:
    """Run `old` (on `pyspark.streaming`) and `new` on the same batches and compare what leaves them.

    Args:
        old: the program that says what is right.
        new: the program that should do the same.
        arguments: for both; {host}, {port}, {work} and {dir} are filled in.
        cwd: the directory that both get a copy of, the current one if it is not given.
        source: a text file or a directory of text to feed; without it, text made up here.
        batches: how many batches with data.
        drain: how many empty batches follow, 8 where the old program has windows, else none.
        timeout: seconds that one batch may take.
        side_effects: let connections, and writes outside of the copies, through.
        progress: is told of every batch.

    Raises:
        EnvironmentProblemError: no Java, or the working directory cannot be copied.
        ValueError: there is no text in `source`.
        OSError: `source` cannot be read.
    """
    texts, problems = _read(old, new)
    if problems:
        return VerifyResult(str(old), str(new), failures=tuple(problems), unreadable=True)
    require_java()
    cwd = cwd or Path.cwd()
    check_size(cwd)
    feed = batches_for(source, batches)
    feed += [()] * (drain if drain is not None else _DRAIN * bool(_WINDOW.search(texts[0])))
    root = Path(tempfile.mkdtemp(prefix="dstream-verify-")).resolve()
    try:
        sides = [
            _Side(
                root, cwd, path, name, feed, arguments, bool(_CTRL_C.search(texts[0])), side_effects, timeout
            )
            for name, path in (("old", old), ("new", new))
        ]
        _wait(sides, progress)
        return _result(sides[0], sides[1])
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _read(old: Path, new: Path) -> tuple[list[str], list[str]]:
    texts, problems = [], []
    for path in (old, new):
        try:
            source = path.read_bytes()
            compile(source, str(path), "exec", dont_inherit=True)
            texts.append(source.decode("utf-8", "replace"))
        except OSError as error:
            problems.append(f"{path} cannot be read: {error.strerror}")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            problems.append(f"{path} is no Python {sys.version_info[0]} program: {error}")
    return texts, problems


class _Side:
    """One program, running."""

    def __init__(
        self,
        root: Path,
        cwd: Path,
        program: Path,
        name: str,
        feed: list[Batch],
        arguments: Sequence[str],
        interrupt: bool,
        side_effects: bool,
        timeout: float,
    ) -> None:
        self.name = name
        self.path = program
        self.total = len(feed)
        self._limit = _TO_START + timeout * (len(feed) + 1)
        place = Workspace(root / name, cwd)
        stale = [f"stale {line}" for lines in feed for line in lines][:20]
        self.spec = Spec(
            program=place.program(program),
            arguments=place.arguments(arguments, stale),
            work=str(place.work),
            private=str(place.private),
            batches=feed,
            interrupt=interrupt,
            side_effects=side_effects,
            timeout=timeout,
        )
        self._began = time.time()
        self._ended = 0.0
        with self.spec.output.open("ab") as output, self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, str(self.spec.write())],
                cwd=place.work,
                env=_environment(place.temporary),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )

    @property
    def _errors(self) -> Path:
        return Path(self.spec.private, "stderr")

    def is_done(self) -> bool:
        """Whether the process has ended; one that takes too long is ended here."""
        if self._process.poll() is None:
            if time.time() - self._began < self._limit:
                return False
            self.kill()
        if not self._ended:
            self._ended = time.time()
            self.kill()
        return True

    def kill(self) -> None:
        """End the program and the JVM that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def batches_done(self) -> int:
        """How far it is."""
        log = self.spec.log
        return log.read_bytes().count(b'"event": "end"') if log.exists() else 0

    def recording(self) -> Recording:
        """What it put out."""
        found = read_recording(self.spec.log, self.spec.output)
        found.seconds = self._ended - self._began
        found.spans.append((self._began, self._ended))
        if found.status == "died" and found.seconds >= self._limit:
            found.status, found.detail = "timeout", f"it was ended after {found.seconds:.0f} s"
        if found.status in ("died", "crashed"):
            found.detail = _last_words(
                found.detail, self._errors.read_text(encoding="utf-8", errors="replace")
            )
        return found


def _environment(temporary: Path) -> dict[str, str]:
    environment = dict(os.environ)
    package = str(Path(__file__).resolve().parents[2])
    if package not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [package, environment.get("PYTHONPATH")]))
    environment.update(
        PYSPARK_PYTHON=sys.executable,
        PYSPARK_DRIVER_PYTHON=sys.executable,
        PYTHONDONTWRITEBYTECODE="1",
        PYTHONIOENCODING="utf-8",
        PYTHONHASHSEED="0",
        TMPDIR=str(temporary),
    )
    environment.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return environment


def _wait(sides: Sequence[_Side], progress: Progress | None) -> None:
    told = {side.name: -1 for side in sides}
    try:
        while sum(side.is_done() for side in sides) < len(sides):
            for side in sides:
                done = side.batches_done() if progress else -1
                if progress and done != told[side.name]:
                    told[side.name] = done
                    progress(side.name, done, side.total)
            time.sleep(0.05)
    finally:
        for side in sides:
            side.kill()


def _last_words(detail: str, errors: str) -> str:
    """The end of an error that says what is wrong: its last lines, without Spark's log."""
    text = detail or errors
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("\tat ", "    at "))]
    return "\n".join(lines[-12:])


def _result(old: _Side, new: _Side) -> VerifyResult:
    was, came = old.recording(), new.recording()
    names = [
        (path, name)
        for side in (old, new)
        for path, name in ((side.spec.work, "{work}"), (side.spec.private, "{private}"))
    ]
    found = compare(was, came, Masks([*was.spans, *came.spans], names))
    failures = [*_failures("old", was), *_failures("new", came)]
    if not failures and was.is_silent and came.is_silent:
        failures.append("neither program put anything out, so nothing is proven")
    if not failures and was.sources != came.sources:
        failures.append(
            f"the programs read different sources: {', '.join(was.sources) or 'none'};"
            f" {', '.join(came.sources) or 'none'}"
        )
    blocked = [side for side in (was, came) if side.refused or side.status in ("refused", "unsupported")]
    missing = [batch.name for batch in found if batch.missing]
    return VerifyResult(
        str(old.path),
        str(new.path),
        batches=tuple(found),
        failures=tuple(failures),
        notes=(_missing_note(missing),) if missing else (),
        environment=bool(blocked),
        seconds_old=sum(batch.seconds_old for batch in found),
        seconds_new=sum(batch.seconds_new for batch in found),
        wall_old=was.seconds,
        wall_new=came.seconds,
    )


def _missing_note(names: Sequence[str]) -> str:
    return (
        f"{', '.join(names)}: no input, so no micro-batch in the new program; what the old one put out there"
        " is missing"
    )


def _failures(name: str, recording: Recording) -> list[str]:
    if recording.refused:
        what = "; ".join(dict.fromkeys(recording.refused))
        return [f"the {name} program was refused: {what} (--allow-side-effects lets it through)"]
    if recording.status == "ended":
        return []
    where = f"after {len(recording.batches)} batches" if recording.batches else "before the first batch"
    said = {
        "unsupported": recording.detail,
        "timeout": f"time-out {where}: {recording.detail}",
        "died": f"its process died {where}: {recording.detail}",
    }
    return [f"the {name} program: {said.get(recording.status, f'error {where}: {recording.detail}')}"]
