"""What a program's process is told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

LEFT = "the program left with exit status"
"""How the error of a program begins that ended itself, for reasons that it told the user."""


@dataclass(frozen=True)
class Kafka:
    """A broker that the programs can use.

    Args:
        address: host and port.
        jars: what Spark needs to talk to it.
        suffix: what the names of the program's own topics end in; of one length for both programs.
        partitions: how many each topic has.
    """

    address: str
    jars: Sequence[str]
    suffix: str
    partitions: int


@dataclass(frozen=True)
class Spec:
    """One run of one program.

    Args:
        program: the file to run, in place or in the copy of the working directory.
        arguments: its `sys.argv[1:]`.
        work: the copy of the working directory; the current directory of the program.
        private: a directory for what belongs to the run, not to the program: sources, checkpoints, the log.
        batches: the lines of each batch.
        interrupt: end the program as Ctrl-C does, since it handles that; else `awaitTermination` returns.
        side_effects: let writes outside of `work` and connections through.
        timeout: seconds that one batch may take.
        kafka: the broker, if there is one.
        learns: note the types of elements.
        examples: note examples of values, too.
        as_they_came: leave rows in the order in which they came, also where Spark promises none.
        stand_ins: packages that the program does without.
        beside: the log of the old program that this one is compared with, if there is one.
    """

    program: str
    arguments: Sequence[str]
    work: str
    private: str
    batches: Sequence[Sequence[str]]
    interrupt: bool
    side_effects: bool
    timeout: float
    kafka: Kafka | None = None
    learns: bool = False
    examples: bool = True
    as_they_came: bool = False
    stand_ins: Sequence[str] = ()
    beside: str = ""

    def write(self) -> Path:
        """Save into the private directory and say where."""
        path = Path(self.private, "spec.json")
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")
        return path

    @classmethod
    def read(cls, path: Path) -> Spec:
        """What `write` saved."""
        values = json.loads(path.read_text(encoding="utf-8"))
        kafka = values.pop("kafka")
        return cls(**values, kafka=Kafka(**kafka) if kafka else None)

    @property
    def log(self) -> Path:
        """Where the events of the run go, one JSON object a line."""
        return Path(self.private, "events.jsonl")

    @property
    def seen(self) -> Path:
        """Where the types of elements go that were seen, a file for each partition."""
        return Path(self.private, "seen")

    @property
    def output(self) -> Path:
        """Where the program's standard output goes."""
        return Path(self.private, "stdout")
