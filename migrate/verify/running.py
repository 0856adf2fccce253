"""The options of commands that run programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit
from urllib.request import url2pathname

import click
from rich.progress import Progress, TaskID

from migrate.kafka.topic_slice import Slice

Command = TypeVar("Command", bound=Callable[..., Any])


class _Place(click.Path):
    """A path, or the URI of a local file, as a query's errors name it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and value.startswith("file:"):
            value = url2pathname(urlsplit(value).path)
        return super().convert(value, param, ctx)


def running(command: Command) -> Command:
    """Add the options that say what a program is run on, and how."""
    options = [
        click.option(
            "--cwd",
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            help="Programs run in a copy of this directory; the current one if not given.",
        ),
        click.option(
            "--input",
            "source",
            type=_Place(path_type=Path, exists=True),
            help="A text file, cut into batches, or a directory with a file for each, also as `file:///...`; "
            "without it text is made up.",
        ),
        click.option(
            "--hold-out",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            metavar="SHARE",
            help="`learn` leaves out this share of the lines; `verify` runs on what it has left out: 0.2.",
        ),
        click.option("--batches", type=click.IntRange(1), help="How many batches with data."),
        click.option(
            "--drain",
            type=click.IntRange(0),
            help="How many empty batches follow; without it 8 if there are windows.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(1),
            default=60.0,
            show_default=True,
            help="Seconds that a batch may take.",
        ),
        click.option(
            "--allow-side-effects",
            "side_effects",
            is_flag=True,
            help="Let the programs connect to hosts and write outside of their copies of the directory.",
        ),
        click.option(
            "--stand-in",
            "stand_ins",
            multiple=True,
            metavar="PACKAGE",
            help="Run without this package, as the client of a database: any call of it does nothing, and is "
            "compared as if it were printed. May be given more than once.",
        ),
        click.option(
            "--kafka",
            metavar="HOST:PORT",
            help="A broker to run on, with topics of the run's own; "
            "without it one is started where it is needed.",
        ),
        click.option(
            "--partitions",
            type=click.IntRange(1),
            default=2,
            show_default=True,
            help="How many partitions Kafka's topics have.",
        ),
        click.option(
            "--from-topic", metavar="TOPIC", help="Feed Kafka with records of this topic, which is only read."
        ),
        click.option("--from-broker", metavar="HOST:PORT", help="Where --from-topic is."),
        click.option(
            "--offsets", metavar="P:FROM-UNTIL,...", help="Which records of each partition of --from-topic."
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def conditions_of(how: dict[str, Any]) -> dict[str, Any]:
    """The options as arguments of the function that runs the programs.

    Raises:
        click.UsageError: some that go together are not all given.
        ValueError: the offsets are none.
    """
    topic, server, offsets = (how.pop(name) for name in ("from_topic", "from_broker", "offsets"))
    given = [topic, server, offsets]
    if any(given) and not all(given):
        raise click.UsageError("--from-topic, --from-broker and --offsets go together")
    return {**how, "records": Slice.parse(server, topic, offsets) if all(given) else None}


def bars_of(bars: Progress) -> Callable[[str, int, int], None]:
    """Show how far each program is."""
    tasks: dict[str, TaskID] = {}

    def told(name: str, done: int, total: int) -> None:
        if name not in tasks:
            tasks[name] = bars.add_task(f"{name} program", total=total)
        bars.update(tasks[name], completed=done)

    return told
