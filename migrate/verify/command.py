"""The command ``dstream-migrate verify``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from migrate.verify.report import lines_of
from migrate.verify.run import verify as run_both
from migrate.verify.running import bars_of, conditions_of, running


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@running
@click.option("--json", "as_json", is_flag=True, help="The result as one JSON document.")
def verify(old: Path, new: Path, as_json: bool, **how: Any) -> int:
    """Run OLD and NEW on the same batches and compare what leaves them.

    This and `learn` are the commands that run your code. Both programs run unchanged in processes of their
    own, in copies of the working directory. Their sockets and watched directories are fed batch by batch;
    what they print, the tables and files that they write are compared exactly. ARGUMENTS, after --, are for
    both programs; {host}, {port}, {work} (the copy) and {dir} (where the batches arrive) are filled in.

    Programs on Kafka run on a real broker, with topics that are theirs alone. Each gets the same records, and
    each of its batches ends where a batch of records does.

    \b
    Exit codes: 0 equal; 1 they differ, crash, take too long or put nothing out; 2 a program is unreadable;
    3 a side effect was refused, a source cannot be supplied, or there is no Java.
    """
    try:
        with Progress(console=Console(stderr=True), transient=True) as bars:
            result = run_both(old, new, progress=bars_of(bars), **conditions_of(how))
    except (OSError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps(result.document(), indent=2, ensure_ascii=False))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for line in lines_of(result):
            console.print(line, markup=False)
    return int(result.exit_code)
