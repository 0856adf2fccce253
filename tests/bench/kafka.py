"""Messages per second out of Kafka, and seconds per small batch: both engines, migrated code, and a person's.

    python -m tests.bench.kafka [--rounds 1]

A broker of one node is started, with a topic of 7.5 million messages of 100 bytes in four partitions. Every
contender reads them in batches of 2.5 million, one right after the other: the first is start-up and not
counted, and what counts is the time between the lines that the first and the last batch print. After that
come ten messages at a time, half an interval before a batch is due, and what counts is the time from their
sending to their line, once the contender has caught up with the batch times that went by under the big ones.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]
from rich.console import Console
from rich.table import Table

from migrate.kafka import broker, jars
from tests.bench.run import SUBMIT, Process, between_batches, contenders

TOPIC, PARTITIONS = "levels", 4
IN_BATCH, BATCHES = 2_500_000, 3
INTERVAL = 1
LINE = r"\bINFO\b"
COUNTED = 10
"""Batches of ten messages that count."""
TIMELY, LATE, PROBES = 3, 3, 60
"""Small batches in a row, each done within so many seconds, that show that a contender has caught up; and how
many it gets for that."""
SECONDS = 300
BUFFERED = 50_000
"""Messages that wait to be sent; the producer takes twice as many."""


def message(number: int) -> bytes:
    """100 bytes; every batch has some of level INFO."""
    level = ("INFO", "WARN", "DEBUG", "ERROR")[number % 4]
    return f"{level} {number:09d} ".encode().ljust(100, b"x")


@contextmanager
def filled() -> Iterator[tuple[str, Producer]]:
    """A broker with the messages; its address, and who sends more."""
    with broker() as started:
        admin = AdminClient({"bootstrap.servers": started.address})
        admin.create_topics([NewTopic(TOPIC, PARTITIONS, 1)])[TOPIC].result()
        producer = Producer({"bootstrap.servers": started.address, "linger.ms": 50, "batch.size": 1 << 20})
        for number in range(IN_BATCH * BATCHES):
            send(producer, number)
        producer.flush()
        yield started.address, producer


def send(producer: Producer, number: int) -> None:
    """Send a message; the partitions take turns."""
    while len(producer) >= BUFFERED:
        producer.poll(0.01)
    # Four in a row have the four levels.
    producer.produce(TOPIC, message(number), partition=number // 4 % PARTITIONS)


def measure(process: Process, producer: Producer, probes: Iterator[int]) -> tuple[float, list[float]]:
    """Messages per second, and the seconds of small batches.

    `probes` gives each of those a number that no other has: all contenders read the topic from its beginning.
    """
    lines = [_next(process, LINE, len(process.printed)) for _ in range(BATCHES)]
    rate = IN_BATCH * (BATCHES - 1) / (lines[-1] - lines[0])
    _catch_up(process, producer, probes)
    return rate, [_small(process, producer, next(probes)) for _ in range(COUNTED)]


def _catch_up(process: Process, producer: Producer, probes: Iterator[int]) -> None:
    """Wait until batches are run at their time."""
    timely = 0
    for probe in islice(probes, PROBES):
        timely = timely + 1 if _small(process, producer, probe) < LATE else 0
        if timely == TIMELY:
            return
    raise SystemExit(f"{process.program}: has not caught up after {PROBES} small batches")


def _small(process: Process, producer: Producer, probe: int) -> float:
    """Seconds from the sending of ten messages to their line.

    They go to one partition together, so that no batch gets a part of them, and have a level of their own.
    """
    between_batches(INTERVAL)
    sent = time.time()
    for _ in range(10):
        producer.produce(TOPIC, f"PROBE{probe} ".encode().ljust(100, b"x"), partition=probe % PARTITIONS)
    producer.flush()
    return _next(process, rf"\bPROBE{probe}\b", 0) - sent


def _next(process: Process, line: str, since: int) -> float:
    """When such a line was printed, after the first `since` ones."""
    done = process.wait_for(line, since, SECONDS)
    if done is None:
        errors = (process.work / "stderr").read_text()[-2000:]
        raise SystemExit(f"{process.program}: no result\n{errors}")
    return done


def main() -> None:
    """Have the contenders take turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    rounds = parser.parse_args().rounds
    console = Console(highlight=False)
    submit = f"--jars {jars().submit} {SUBMIT}"
    rates: dict[str, list[float]] = {}
    small: dict[str, list[float]] = {}
    probes = count()
    with filled() as (address, producer), tempfile.TemporaryDirectory(prefix="bench-") as directory:
        programs = contenders("levels", Path(directory))
        # No Spark of today runs the old program: the RDD engine is its stand-in.
        programs = {"RDD engine": programs["drop-in"], **programs}
        del programs["DStream"]
        for turn in range(rounds):
            for contender, program in programs.items():
                work = Path(directory, f"{contender}-{turn}")
                work.mkdir()
                engine = {"COMPAT_ENGINE": "rdd" if contender == "RDD engine" else "structured"}
                process = Process(program, work, [address], submit, engine)
                try:
                    rate, seconds = measure(process, producer, probes)
                finally:
                    process.stop()
                rates.setdefault(contender, []).append(rate)
                small.setdefault(contender, []).extend(seconds)
                console.print(
                    f"{turn + 1}/{rounds} {contender}: {rate:,.0f}/s, {[round(x, 2) for x in seconds]}"
                )
    table = Table(
        "contender", "messages/s", "of the RDD engine", "of hand-written", "seconds per small batch"
    )
    median = {contender: statistics.median(rates[contender]) for contender in rates}
    for contender, rate in median.items():
        table.add_row(
            contender,
            f"{rate:,.0f}",
            f"{rate / median['RDD engine']:.2f}x",
            f"{rate / median['hand-written']:.2f}x",
            f"{statistics.median(small[contender]):.2f}",
        )
    console.print(table)


if __name__ == "__main__":
    main()
