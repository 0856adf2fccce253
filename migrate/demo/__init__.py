"""The command ``dstream-migrate demo``: the whole path, on programs and texts that are at hand."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click
from rich.console import Console

from migrate.demo.material import LINES, write_texts
from migrate.demo.samples import Sample, directory, samples
from migrate.demo.table import Row, table
from migrate.errors import EnvironmentProblemError, Exit
from migrate.facts.file import NAME, Facts, by_place, text_of
from migrate.java import require_java
from migrate.kafka import broker
from migrate.learn.run import learn
from migrate.model import Options
from migrate.report.terminal import render
from migrate.run import run
from migrate.verify import VerifyResult, verify
from migrate.verify.report import lines_of
from migrate.write.files import write

_PATIENCE = 300.0
"""Seconds that a batch may take, on a busy machine too."""
BATCHES = 3
"""Batches with data per program; an empty one comes first, and one in the middle."""
HOLD_OUT = 0.2
"""The share of the lines that nothing is learnt from, and that alone prove what rests on what was learnt."""


@click.command()
@click.option("--kafka", is_flag=True, help="The programs that read Kafka, on a broker that is started.")
@click.option("--keep", is_flag=True, help="Keep the working directory and say where it is.")
def demo(kafka: bool, keep: bool) -> int:
    """Check, rewrite and verify the sample programs, on a copy, with ten thousand lines of real text.

    Of two of them `learn` finds types first, without the lines that prove them afterwards.

    Exits with 0 only if every rewritten program puts out exactly what the old one does.
    """
    require_java()
    console = Console(highlight=False, soft_wrap=True)
    work = Path(tempfile.mkdtemp(prefix="dstream-migrate-demo-"))
    try:
        return _demo(work, console, kafka=kafka)
    finally:
        if keep:
            console.print(f"kept in {work}")
        else:
            shutil.rmtree(work, ignore_errors=True)


def _demo(work: Path, console: Console, *, kafka: bool) -> int:
    old, new = work / "legacy", work / "programs"
    chosen = [sample for sample in samples() if sample.kafka is kafka]
    for copy in (old, new):
        copy.mkdir()
        for sample in chosen:
            shutil.copy(directory() / "legacy" / sample.name, copy)
    texts = write_texts(work)
    console.print(f"A copy of the sample programs, and {LINES:,} lines of real text for each, are in {work}.")

    facts: Facts = {}
    if learning := [sample for sample in chosen if sample.learn]:
        _headline(
            console, f"learn: types that no code says, from all lines but {HOLD_OUT:.0%}, held out for verify"
        )
        for sample in learning:
            with _progress(console, sample.name, "learning of") as say:
                facts = {**facts, **_learnt(sample, new, work, texts, say)}
        (new / NAME).write_text(text_of(facts), encoding="utf-8")
        console.print(f"{len(facts)} facts in {new / NAME}")

    _headline(console, "check --diff: what a rewrite would do")
    planned = run([new], Options(facts=by_place(new / NAME)))
    console.out(planned.diff().decode(), end="", highlight=False)
    console.print()
    for line in render(planned.result):
        console.print(line)

    _headline(console, "rewrite")
    written = write(planned.result, planned.base)
    console.print(f"rewrote {len(written.files)} programs")

    _headline(console, "verify: old and new side by side on the same batches")
    rows = []
    with ExitStack() as stack:
        address = stack.enter_context(broker()).address if kafka else None
        for number, sample in enumerate(chosen, 1):
            with _progress(console, f"{sample.name} ({number} of {len(chosen)})") as say:
                result = _verified(sample, old, new, work, texts, say, address)
            rows.append(Row.of(sample.name, planned.result, result))
            for said in lines_of(result):
                console.print(f"{sample.name}: {said}", markup=False)
    console.print()
    console.print(table(rows))
    return Exit.DONE if all(row.equal for row in rows) else Exit.PENDING


def _learnt(
    sample: Sample, programs: Path, work: Path, texts: dict[str, Path], say: Callable[[str], None]
) -> Facts:
    """What is learnt of a program that has not been rewritten."""
    empty = work / "empty"
    empty.mkdir(exist_ok=True)
    found = learn(
        programs / sample.name,
        arguments=sample.arguments,
        cwd=empty,
        source=texts[sample.input],
        batches=BATCHES,
        progress=lambda _, batch, total: say(f"{batch}/{total} batches"),
        timeout=_PATIENCE,
        hold_out=HOLD_OUT,
    )
    if found.failures:
        raise EnvironmentProblemError("; ".join(found.failures))
    return found.facts


def _verified(
    sample: Sample,
    old: Path,
    new: Path,
    work: Path,
    texts: dict[str, Path],
    say: Callable[[str], None],
    address: str | None,
) -> VerifyResult:
    empty = work / "empty"
    empty.mkdir(exist_ok=True)
    done = {"old": 0, "new": 0}

    def told(side: str, batch: int, total: int) -> None:
        done[side] = batch
        say(f"old {done['old']}/{total}, new {done['new']}/{total} batches")

    return verify(
        old / sample.name,
        new / sample.name,
        arguments=sample.arguments,
        cwd=empty,
        source=texts[sample.input],
        batches=BATCHES,
        progress=told,
        timeout=_PATIENCE,
        kafka=address,
        hold_out=HOLD_OUT if sample.learn else None,
    )


def _headline(console: Console, text: str) -> None:
    console.print(f"\n[bold]{text}[/]\n")


@contextmanager
def _progress(console: Console, title: str, doing: str = "verifying") -> Iterator[Callable[[str], None]]:
    """Show what is at work: all the time on a terminal, once in a pipe."""
    if not console.is_terminal:
        console.print(f"{doing} {title}")
        yield lambda detail: None
        return
    with console.status(f"{doing} {title}") as status:
        yield lambda detail: status.update(f"{doing} {title}: {detail}")
