"""What a run of any program needs: its text, batches, a broker, and to wait for its end."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from migrate.kafka import Broker, broker, jars
from migrate.verify.batches import Batch
from migrate.verify.imported import imported
from migrate.verify.process import Side
from migrate.verify.recording import Recording
from migrate.verify.workspace import in_python_3

Progress = Callable[[str, int, int], None]
"""Called with ``old`` or ``new``, the number of batches done and of all batches."""

_WINDOW = re.compile(r"[wW]indow\s*\(")
_KAFKA = re.compile(r"""\bKafkaUtils\b|\bformat\(\s*["']kafka["']""")
_CTRL_C = re.compile(r"\b(KeyboardInterrupt|SIGINT)\b")
_DRAIN = 8


def empty_batches(text: str, drain: int | None) -> list[Batch]:
    """The batches without input at the end; unless `drain` says how many, as many as windows need."""
    return [()] * (_DRAIN * bool(_WINDOW.search(text)) if drain is None else drain)


def catches_ctrl_c(text: str) -> bool:
    """Whether a program handles Ctrl-C, and is to be ended by it."""
    return bool(_CTRL_C.search(text))


def broker_for(text: str, address: str | None, stack: ExitStack) -> Broker | None:
    """The broker that was given, or one that ends with `stack`; None for programs without Kafka."""
    if not _KAFKA.search(text):
        return None
    return Broker(address, jars().connector) if address else stack.enter_context(broker())


def read_program(path: Path) -> tuple[str, str]:
    """The text of a program and of the modules beside it that it imports, and why it cannot be run."""
    try:
        source = path.read_bytes()
        compile(source, str(path), "exec", dont_inherit=True)
    except OSError as error:
        return "", f"{path} cannot be read: {error.strerror}"
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        modern = in_python_3(path)
        if modern is not None:
            return modern.decode("utf-8", "replace"), ""
        return "", f"{path} is no Python {sys.version_info[0]} program: {error}"
    texts = [source.decode("utf-8", "replace")]
    return "\n".join([*texts, *imported(path)]), ""


def wait(sides: Sequence[Side], progress: Progress | None) -> None:
    """Wait until all programs have ended."""
    told = {side.name: -1 for side in sides}
    while sum(side.is_done() for side in sides) < len(sides):
        for side in sides:
            done = side.batches_done() if progress else -1
            if progress and done != told[side.name]:
                told[side.name] = done
                progress(side.name, done, side.total)
        time.sleep(0.05)


def failure(name: str, recording: Recording) -> list[str]:
    """Why a run did not come to its end, if so."""
    if recording.refused:
        what = "; ".join(dict.fromkeys(recording.refused))
        return [f"the {name} program was refused: {what} (--allow-side-effects lets it through)"]
    if recording.status == "ended":
        return []
    place = f"in batch {recording.batches[-1].index}" if recording.batches else "before the first batch"
    said = {
        "unsupported": recording.detail,
        "timeout": f"time-out {place}: {recording.detail}",
        "died": f"its process died {place}: {recording.detail}",
    }
    return [f"the {name} program: {said.get(recording.status, f'error {place}: {recording.detail}')}"]
