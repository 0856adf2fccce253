"""How a command ends: its exit code, and the errors that are one sentence and no stack trace."""

from __future__ import annotations

import sys
from enum import IntEnum


class Exit(IntEnum):
    """What the shell is told; where several hold, the highest."""

    DONE = 0
    PENDING = 1
    """Changes are pending, an outcome is not what `--fail-on` allows, or results differ."""
    UNREAD = 2
    """A file could not be read or parsed."""
    ENVIRONMENT = 3
    """Wrong usage, or something outside the code: no Java, a file with unstaged edits."""
    INTERNAL = 70
    """An error of dstream-migrate itself."""
    INTERRUPTED = 130
    CLOSED = 141
    """Whoever read the output stopped reading."""


class EnvironmentProblemError(Exception):
    """Something outside the code that is migrated stands in the way; the text says what, and what to do."""


def say(sentence: str) -> None:
    """Tell the user, on standard error."""
    print(f"dstream-migrate: {sentence}", file=sys.stderr, flush=True)
