"""What was seen of a fact, as a file for the command."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

from migrate.facts.seen import Seen


def write(path: Path, seen: Seen, fact: tuple[str, str]) -> None:
    """Write down what was seen of a fact."""
    half = path.with_suffix(f".{uuid.uuid4().hex}")
    half.write_text(json.dumps({"fact": fact, "seen": seen.document()}), encoding="ascii")
    half.rename(path)
