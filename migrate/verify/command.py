"""The command ``dstream-migrate verify``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, TaskID

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
    as_json: bool,
) -> int:
    """Run OLD and NEW on the same batches and compare what leaves them.

    This is the one command that runs your code. Both programs run unchanged in processes of their own, in
    copies of the working directory. Their sockets and watched directories are fed batch by batch; what they
    print, the tables and files that they write are compared exactly. ARGUMENTS, after --, are for both
    programs; {host}, {port}, {work} (the copy) and {dir} (where the batches arrive) are filled in.

    \b
    Exit codes: 0 equal; 1 they differ, crash, take too long or put nothing out; 2 a program is unreadable;
    3 a side effect was refused, a source cannot be supplied, or there is no Java.
    """
    try:
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
