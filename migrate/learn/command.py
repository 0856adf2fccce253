"""The command ``dstream-migrate learn``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from migrate.errors import Exit, say
from migrate.facts.ddl import ddl_of
from migrate.facts.file import Fact, Facts, nearest, read, text_of
from migrate.facts.types import contradictions
from migrate.learn.run import learn as run_program
from migrate.pins import pinned_or_installed
from migrate.verify.running import bars_of, conditions_of, running


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@running
@click.option(
    "--facts",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file; dstream-migrate.facts.toml beside the nearest pyproject.toml if not given.",
)
@click.option(
    "--no-examples", is_flag=True, help="Write no values of the data: no examples, no bounds of ints."
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if the run contradicts the file.")
def learn(old: Path, file: Path | None, no_examples: bool, check: bool, **how: Any) -> int:
    """Run OLD and write down which types the elements of its streams have.

    The program runs as under `verify`: unchanged, in a process of its own and in a copy of the working
    directory, on the same sources and with the same options. For every stream and RDD that an operator called
    in its code makes, and every `json.loads` in a function of elements, the file gets a table, named after
    its variable or its code: the kinds of values of each part, with counts and one shortened example as
    comments. It is meant to be reviewed and edited. A run widens what the file says, and never narrows it.
    Streams of sources are only written down for `queueStream`; names of keys that are no data are written in
    any case.

    \b
    Exit codes: 0 written, or no contradiction; 1 a contradiction, or the program failed; 2 it is unreadable;
    3 a side effect was refused, a source cannot be supplied, or there is no Java.
    """
    cwd = how["cwd"] or Path.cwd()
    file = file or nearest(cwd)
    known = read(file)
    try:
        with Progress(console=Console(stderr=True), transient=True) as bars:
            learnt = run_program(old, examples=not no_examples, progress=bars_of(bars), **conditions_of(how))
    except (OSError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    for reason in learnt.failures:
        say(reason)
    if learnt.failures:
        return int(learnt.code)
    seen = {(_from(file, old, cwd, path), name): fact for (path, name), fact in learnt.facts.items()}
    if check:
        return _checked(file, known, seen)
    changed = _write(file, known, seen)
    facts, records = _counted(len(seen), "fact"), _counted(learnt.rows, "record")
    click.echo(f"{file}: {changed} of {facts} new or wider, from {records}")
    if not pinned_or_installed(cwd).has_variant:
        for name, ddl in sorted(_schemas(seen).items()):
            click.echo(f"  for rewrite: --json-schema {shlex.quote(f'{name}={ddl}')}")
    return Exit.DONE


def _from(file: Path, old: Path, cwd: Path, path: str) -> str:
    """The path of a program's file, as seen from the file with the facts.

    A program outside of the working directory is known by its name there.
    """
    inside = old.resolve().is_relative_to(cwd.resolve())
    place = cwd.absolute() / path if inside or path != old.name else old.absolute()
    return Path(os.path.relpath(place, file.absolute().parent)).as_posix()


def _schemas(seen: Facts) -> dict[str, str]:
    """The schemas of dicts, as they may come of JSON, by the variables of their streams."""
    found = {name.rpartition(".")[2]: ddl_of(fact.type) for (_, name), fact in seen.items()}
    return {name: ddl for name, ddl in found.items() if ddl is not None and name.isidentifier()}


def _checked(file: Path, known: Facts, seen: Facts) -> int:
    found = list(_contradictions(known, seen))
    for line in found:
        click.echo(line)
    if not found:
        click.echo(f"{file}: no contradiction in {_counted(len(seen), 'fact')}")
    return Exit.PENDING if found else Exit.DONE


def _contradictions(known: Facts, seen: Facts) -> Iterator[str]:
    for key, fact in sorted(seen.items()):
        place = ": ".join(key)
        if key not in known:
            yield f"{place}: the file has no such fact"
            continue
        for path, was, came in contradictions(known[key].type, fact.type):
            example = fact.remarks.get(path, "")
            yield f"{place}: {path}: the file says {was}, the data {came}{f' ({example})' if example else ''}"


def _write(file: Path, known: Facts, seen: Facts) -> int:
    """Widen the file; the number of facts that are not what they were."""
    facts: dict[tuple[str, str], Fact] = dict(known)
    for key, fact in seen.items():
        facts[key] = known[key].widened(fact) if key in known else fact
    half = file.with_name(file.name + ".tmp")
    half.write_text(text_of(facts), encoding="utf-8")
    half.replace(file)
    return sum(key not in known or known[key].type != facts[key].type for key in seen)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
