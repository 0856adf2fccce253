"""The commands that read and rewrite programs without running them: check, rewrite, report, rules."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.text import Text

from migrate.columns.schema import parse_schema
from migrate.config import ConfigError, settings
from migrate.errors import Exit, say
from migrate.facts.file import Facts, by_place, found
from migrate.knowledge.spark_version import SparkVersion
from migrate.knowledge.triggers import Trigger
from migrate.model import Options, Outcome
from migrate.pins import pinned_or_installed
from migrate.read.scan import base_of
from migrate.report.catalogue import details, overview
from migrate.report.document import document
from migrate.report.sarif import sarif
from migrate.report.terminal import render
from migrate.rules import all_rules
from migrate.run import Run, run, run_text
from migrate.write.files import write

_SERVERS = re.compile(r"[^\s,:\"\\]+:\d+(,[^\s,:\"\\]+:\d+)*")
Command = TypeVar("Command", bound=Callable[..., Any])

_DELAY = re.compile(r"\d+ (millisecond|second|minute|hour|day|week)s?")
_CHOICES = {
    "target": ("native", "compat"),
    "pprint": ("show", "exact"),
    "batch-time": ("exact", "approximate"),
    "kinesis": ("", "aws", "databricks"),
}
"""The values that a setting can have; the first is the default."""


def planning(command: Command) -> Command:
    """Add the arguments that say what to migrate, and how."""
    options = [
        click.argument("paths", nargs=-1, required=True, metavar="PATH..."),
        click.option(
            "--target",
            type=click.Choice(["native", "compat"]),
            help="native (the default): DataFrame code where it is safe, else compat. compat: imports only.",
        ),
        click.option(
            "--strict",
            is_flag=True,
            default=None,
            help="Fail for certain, in any mode of Spark, on all input that made a batch fail.",
        ),
        click.option("--unsafe", is_flag=True, default=None, help="Allow rewrites that may change results."),
        click.option(
            "--assume-compat",
            is_flag=True,
            default=None,
            help="Contexts from code that was not read, and code that gets one, are on compat, too (unsafe).",
        ),
        click.option("--select", multiple=True, metavar="RULE", help="Only these rules may rewrite."),
        click.option("--ignore", multiple=True, metavar="RULE", help="These rules may not rewrite."),
        click.option(
            "--pprint",
            type=click.Choice(["show", "exact"]),
            help="show (the default): pprint(n) becomes show(n). exact: code that prints the old text.",
        ),
        click.option(
            "--event-time",
            metavar="COLUMN",
            help="Windows become windows over this column of the source, `timestamp` (unsafe).",
        ),
        click.option(
            "--watermark",
            metavar="DELAY",
            help='With --event-time: how late rows may be, "10 minutes". A window is put out once, '
            "when it is over; without it, whenever it changes.",
        ),
        click.option(
            "--batch-time",
            type=click.Choice(["exact", "approximate"]),
            help="exact (the default): a batch time that is more than printed is computed as DStreams do. "
            "approximate: the time at which the batch runs stands for it (unsafe).",
        ),
        click.option(
            "--changed-keys",
            is_flag=True,
            default=None,
            help="A running state puts out the keys that a batch changed, not all in every batch (unsafe).",
        ),
        click.option(
            "--skip-empty-batches",
            is_flag=True,
            default=None,
            help="No batch runs in an interval without input, also where one put something out (unsafe).",
        ),
        click.option(
            "--trigger",
            metavar="TRIGGER",
            help="In place of the batch interval. available-now: read what is there and end, for backfills. "
            "continuous=1s, realtime: each record by itself, from Kafka to outputs of records (unsafe).",
        ),
        click.option(
            "--kinesis",
            type=click.Choice(["aws", "databricks"]),
            help="Whose source reads Kinesis; without it programs that do stay on compat.",
        ),
        click.option(
            "--json-schema",
            multiple=True,
            metavar="NAME=DDL",
            help="What `json.loads` gives for the stream NAME, or of it: its fields become columns (unsafe).",
        ),
        click.option(
            "--facts",
            type=click.Path(path_type=Path, dir_okay=False),
            help="The types that `learn` found; dstream-migrate.facts.toml of the project if not given.",
        ),
        click.option(
            "--learnt/--no-learnt",
            default=None,
            help="Whether columns may have the types that `learn` found (the default if there is the file).",
        ),
        click.option(
            "--bootstrap-servers",
            metavar="HOST:PORT,...",
            help="Kafka's brokers, for programs that name ZooKeeper only; without it they become a setting.",
        ),
        click.option(
            "--spark",
            metavar="VERSION",
            help="Write code for this version; else for the one that the project pins, or the installed one.",
        ),
        click.option(
            "--fail-on",
            multiple=True,
            type=click.Choice(["compat", "manual"]),
            help="Exit with 1 if a graph has this outcome.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@planning
@click.option("--diff", is_flag=True, help="Print the changes to standard output, for `patch -p1` in PATH.")
def check(paths: tuple[str, ...], diff: bool, **how: Any) -> int:
    """Say what a rewrite would do, call by call, and change nothing. PATH - reads standard input."""
    planned, fail_on = _plan(paths, how, write=diff)
    if diff:
        _write_out(planned.diff())
    _print_report(planned, to_stderr=diff)
    return max(_code(planned, fail_on), Exit.PENDING if _pending(planned) else Exit.DONE)


@click.command()
@planning
@click.option("--force", is_flag=True, help="Write over unstaged edits and read-only files, too.")
def rewrite(paths: tuple[str, ...], force: bool, **how: Any) -> int:
    """Rewrite programs in place. PATH - reads standard input and writes standard output.

    Each file is written by the LibCST codemod migrate.codemod.commands.DStreamsToDataFrames, which
    `python -m libcst.tool codemod` runs as well; this command adds what that tool cannot have: all files of
    a program or none, notebooks, Python 2, and a journal that an interrupted run is rolled back by.
    """
    planned, fail_on = _plan(paths, how)
    code = _code(planned, fail_on)
    if paths == ("-",):
        _write_out(planned.text())
        _print_report(planned, to_stderr=True)
        return code
    _print_report(planned)
    written = write(planned.result, planned.base, force=force)
    for path, reason in written.refused.items():
        say(f"{path} was not written: {reason}")
    if written.files:
        say(f"rewrote {_counted(len(written.files), 'file')}")
    return max(code, Exit.ENVIRONMENT if written.refused else Exit.DONE)


@click.command()
@planning
@click.option("--json", "form", flag_value="json", help="One JSON document.")
@click.option("--sarif", "form", flag_value="sarif", help="SARIF 2.1.0, for code scanning.")
@click.option("--html", "form", flag_value="html", help="One page with the pipelines before and after.")
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="A file, not standard output."
)
def report(paths: tuple[str, ...], form: str | None, output: Path | None, **how: Any) -> int:
    """Say what a rewrite would do, for a machine or a browser to read."""
    if form is None:
        raise click.UsageError("say which report: --json, --sarif or --html")
    planned, fail_on = _plan(paths, how, write=form == "html")
    data = _report(form, planned)
    if output is None:
        _write_out(data)
    else:
        _write_file(output, data)
    return _code(planned, fail_on)


def _report(form: str, planned: Run) -> bytes:
    if form == "html":
        from migrate.report.html import page  # the templates' library is for this alone

        return page(planned.result).encode(errors="replace")
    values = document(planned.result) if form == "json" else sarif(planned.result)
    text = json.dumps(values, indent=2, ensure_ascii=False)
    return text.encode(errors="backslashreplace") + b"\n"


def _write_file(output: Path, data: bytes) -> None:
    try:
        output.write_bytes(data)
    except OSError as error:
        raise click.UsageError(f"{output} cannot be written: {error.strerror}") from None


@click.command()
@click.argument("rule", required=False)
def rules(rule: str | None) -> int:
    """List the rules, or show what RULE does, before and after."""
    known = {info.id: info for info in all_rules()}
    if rule is not None and rule not in known:
        raise click.UsageError(f"there is no rule {rule!r}; `dstream-migrate rules` lists them")
    _print(details(known[rule]) if rule else overview(list(known.values())))
    return Exit.DONE


def _plan(paths: tuple[str, ...], how: dict[str, Any], *, write: bool = True) -> tuple[Run, list[str]]:
    """What is to be done with `paths`, with new texts if they are wanted, and what counts as a failure."""
    if "-" in paths and len(paths) > 1:
        raise click.UsageError("- stands for standard input and can only be the one PATH")
    files = [] if paths == ("-",) else [_existing(path) for path in paths]
    base = base_of(files) if files else Path.cwd()
    configured = settings(base)
    given = {name.replace("_", "-"): value for name, value in how.items() if value not in (None, ())}
    chosen = {**configured, **given}
    options = _options(chosen, base.absolute())
    if files:
        shown = partial(Console(stderr=True).status, "reading and tracing")
        planned = run(files, options, write=write, shown=shown)
    else:
        planned = run_text(sys.stdin.buffer.read(), options)
    if planned.crashed:
        say("an error of dstream-migrate itself is among the results, please report it")
    for undone in planned.undone:
        for path in undone.restored:
            say(f"{path}: an interrupted rewrite was rolled back")
        for path in undone.edited:
            say(f"{path}: edited since a rewrite was interrupted, left alone; its old text is {path}.orig")
    return planned, chosen.get("fail-on", [])


def _existing(path: str) -> Path:
    if not os.path.lexists(path):
        raise click.UsageError(f"{path} does not exist")
    return Path(path)


def _options(chosen: dict[str, Any], base: Path) -> Options:
    for name, allowed in _CHOICES.items():
        if chosen.get(name, allowed[0]) not in allowed:
            raise ConfigError(f"{name} is {chosen[name]!r}; it can be {' or '.join(filter(None, allowed))}")
    if "watermark" in chosen and "event-time" not in chosen:
        raise click.UsageError("--watermark is for windows over event time: say --event-time COLUMN, too")
    if not _DELAY.fullmatch(chosen.get("watermark", "0 seconds")):
        raise click.UsageError(f"the watermark {chosen['watermark']!r} is no delay such as '10 minutes'")
    for name in ("select", "ignore"):
        if unknown := set(chosen.get(name, ())) - {info.id for info in all_rules()}:
            listed = ", ".join(sorted(unknown))
            raise click.UsageError(f"no such rule: {listed}; `dstream-migrate rules` lists them")
    return Options(
        target=Outcome(chosen.get("target", "native")),
        unsafe=chosen.get("unsafe", False),
        strict=chosen.get("strict", False),
        assume_compat=chosen.get("assume-compat", False),
        select=frozenset(chosen.get("select", ())),
        ignore=frozenset(chosen.get("ignore", ())),
        pprint_exact=chosen.get("pprint") == "exact",
        event_time=chosen.get("event-time"),
        watermark=chosen.get("watermark"),
        approximate_time=chosen.get("batch-time") == "approximate",
        json_schemas=tuple(_schema(given) for given in chosen.get("json-schema", ())),
        facts=_facts(chosen, base),
        changed_keys=chosen.get("changed-keys", False),
        skip_empty_batches=chosen.get("skip-empty-batches", False),
        trigger=_trigger(chosen.get("trigger", "")),
        kinesis=chosen.get("kinesis", ""),
        bootstrap_servers=_servers(chosen.get("bootstrap-servers", "")),
        spark=_spark(chosen["spark"]) if "spark" in chosen else pinned_or_installed(base),
    )


def _trigger(given: str) -> Trigger:
    try:
        return Trigger.parse(given)
    except ValueError as error:
        raise ConfigError(f"trigger is {given!r}; {error}") from None


def _spark(given: str) -> SparkVersion:
    try:
        return SparkVersion.parse(given)
    except ValueError as error:
        raise ConfigError(f"spark is {given!r}; {error}") from None


def _schema(given: str) -> tuple[str, str]:
    """``events=id BIGINT, user STRING``."""
    name, _, ddl = given.partition("=")
    try:
        if not name.isidentifier():
            raise ValueError("it begins with no name")
        parse_schema(ddl)
    except ValueError as error:
        raise ConfigError(f"json-schema is {given!r}; it must be NAME=DDL: {error}") from None
    return name, ddl.strip()


def _facts(chosen: dict[str, Any], base: Path) -> Facts:
    """What `learn` found of the programs of a project."""
    if not chosen.get("learnt", True):
        return {}
    given = chosen.get("facts")
    if given is None:
        file = found(base)
        return by_place(file) if file is not None else {}
    if not Path(given).is_file():
        raise ConfigError(f"facts is {str(given)!r}; there is no such file")
    return by_place(Path(given))


def _servers(given: str) -> str:
    """Addresses of Kafka's brokers, in the form that its clients take."""
    if given and not _SERVERS.fullmatch(given):
        raise ConfigError(f"bootstrap-servers is {given!r}; it must be host:port, or several with commas")
    return given


def _code(planned: Run, fail_on: Sequence[str]) -> int:
    code = Exit.DONE
    if any(graph.outcome.value in fail_on for graph in planned.result.graphs):
        code = Exit.PENDING
    if not all(file.is_whole for file in planned.result.files):
        code = Exit.UNREAD
    return Exit.INTERNAL if planned.crashed else code


def _pending(planned: Run) -> bool:
    return any(file.changed for file in planned.result.files)


def _print_report(planned: Run, *, to_stderr: bool = False) -> None:
    _print(render(planned.result), to_stderr=to_stderr)


def _print(lines: Iterable[Text], *, to_stderr: bool = False) -> None:
    console = Console(stderr=to_stderr, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(line)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _write_out(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
