"""The command ``dstream-migrate verify``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, TaskID

from migrate.kafka.topic_slice import Slice
from migrate.verify.report import lines_of
from migrate.verify.run import verify as run_both


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--cwd",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Both programs run in a copy of this directory; the current one if not given.",
)
@click.option(
    "--input",
    "source",
    type=click.Path(path_type=Path, exists=True),
    help="A text file, cut into batches, or a directory with a file for each; without it text is made up.",
)
@click.option("--batches", type=click.IntRange(1), help="How many batches with data.")
@click.option(
    "--drain",
    type=click.IntRange(0),
    help="How many empty batches follow; without it 8 if there are windows.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(1),
    default=60.0,
    show_default=True,
    help="Seconds that a batch may take.",
)
@click.option(
    "--allow-side-effects",
    "side_effects",
    is_flag=True,
    help="Let the programs connect to hosts and write outside of their copies of the directory.",
)
@click.option(
    "--kafka",
    metavar="HOST:PORT",
    help="A broker to run on, with topics of the run's own; without it one is started where it is needed.",
)
@click.option(
    "--partitions",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="How many partitions Kafka's topics have.",
)
@click.option(
    "--from-topic", metavar="TOPIC", help="Feed Kafka with records of this topic, which is only read."
)
@click.option("--from-broker", metavar="HOST:PORT", help="Where --from-topic is.")
@click.option(
    "--offsets", metavar="P:FROM-UNTIL,...", help="Which records of each partition of --from-topic."
)
@click.option("--json", "as_json", is_flag=True, help="The result as one JSON document.")
def verify(
    old: Path,
    new: Path,
    arguments: tuple[str, ...],
    cwd: Path | None,
    source: Path | None,
    batches: int | None,
    drain: int | None,
    timeout: float,
    side_effects: bool,
    kafka: str | None,
    partitions: int,
    from_topic: str | None,
    from_broker: str | None,
    offsets: str | None,
    as_json: bool,
) -> int:
    """Run OLD and NEW on the same batches and compare what leaves them.

    This is the one command that runs your code. Both programs run unchanged in processes of their own, in
    copies of the working directory. Their sockets and watched directories are fed batch by batch; what they
    print, the tables and files that they write are compared exactly. ARGUMENTS, after --, are for both
    programs; {host}, {port}, {work} (the copy) and {dir} (where the batches arrive) are filled in.

    Programs on Kafka run on a real broker, with topics that are theirs alone. Each gets the same records, and
    each of its batches ends where a batch of records does.

    \b
    Exit codes: 0 equal; 1 they differ, crash, take too long or put nothing out; 2 a program is unreadable;
    3 a side effect was refused, a source cannot be supplied, or there is no Java.
    """
    given = [from_topic, from_broker, offsets]
    if any(given) and not all(given):
        raise click.UsageError("--from-topic, --from-broker and --offsets go together")
    try:
        records = (
            Slice.parse(from_broker, from_topic, offsets) if from_broker and from_topic and offsets else None
        )
        with Progress(console=Console(stderr=True), transient=True) as bars:
            result = run_both(
                old,
                new,
                arguments=arguments,
                cwd=cwd,
                source=source,
                batches=batches,
                drain=drain,
                timeout=timeout,
                side_effects=side_effects,
                progress=_bars(bars),
                kafka=kafka,
                partitions=partitions,
                records=records,
            )
    except (OSError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps(result.document(), indent=2, ensure_ascii=False))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for line in lines_of(result):
            console.print(line, markup=False)
    return int(result.exit_code)


def _bars(bars: Progress) -> Callable[[str, int, int], None]:
    tasks: dict[str, TaskID] = {}

    def told(name: str, done: int, total: int) -> None:
        if name not in tasks:
            tasks[name] = bars.add_task(f"{name} program", total=total)
        bars.update(tasks[name], completed=done)

    return told
