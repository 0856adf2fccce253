"""The work of a run, in as many processes as there are cores when there is enough of it."""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from migrate.frozen import replace
from migrate.garbage import collect_rarely
from migrate.migration import migrate
from migrate.model import FileResult, Module, Options, Result, Status
from migrate.read.parse import MAX_DEPTH, of_one_python, parse
from migrate.read.scan import SourceFile
from migrate.rules import load

FRAMES_PER_LEVEL = 12
"""Python frames that walking down one level of a syntax tree may take."""

_LONGEST = 300
"""The characters of an error of our own that a report shows."""
ALONE = {"fork": 80_000, "spawn": 400_000}
"""Bytes of code that one process is done with by the time that a second one has started, by how it starts."""
Shown = Callable[[], AbstractContextManager[object]]
"""A display for as long as the work lasts."""


@dataclass(frozen=True)
class Task:
    """Files that belong together."""

    sources: tuple[SourceFile, ...]
    options: Options | None = None
    """The options of the migration; None for files that no stream can reach, which are only parsed."""
    write: bool = True
    """Whether the new texts are wanted, and not only what becomes of each graph."""
    prefix: str = ""
    """The prefix to remove from file names in the result; files without it are outside of the PATHs."""

    @property
    def size(self) -> int:
        """Its bytes of code."""
        return sum(len(source.data) for source in self.sources)


@dataclass(frozen=True)
class Done:
    """The result of a task."""

    result: Result
    crashed: bool = False
    """Whether the migration itself failed on a file."""


def do_all(tasks: Sequence[Task], shown: Shown = nullcontext) -> list[Done]:
    """Do all tasks, one process per core, and the large ones first.

    A process that dies takes no file with it but those it worked on.

    Args:
        tasks: what is to be done.
        shown: a display that begins when all processes have started, as it may be a thread.
    """
    cores = _cores()
    if cores == 1 or len(tasks) == 1 or sum(task.size for task in tasks) < ALONE[_start_method()]:
        with shown():
            return [do(task) for task in tasks]
    tasks = sorted(tasks, key=lambda task: task.size, reverse=True)
    results = _in_processes(tasks, cores, shown)
    return [done or _do_apart(task) for task, done in zip(tasks, results, strict=True)]


def do(task: Task) -> Done:
    """Parse the files of a task, and migrate them if streams may reach them."""
    with _uncollected():
        return _do(task)


def _do(task: Task) -> Done:
    modules: list[Module] = []
    others: list[FileResult] = []
    for source in task.sources:
        parsed = parse(source)
        if isinstance(parsed, FileResult):
            others.append(parsed)
        elif task.options is None:
            untouched = FileResult(parsed.relative, Status.UNTOUCHED, python=parsed.python)
            others.append(replace(untouched, remarks=parsed.remarks).judged)
        else:
            modules.append(replace(parsed, outside=True) if source.outside else parsed)
    if task.options is None:
        return Done(Result(files=tuple(others)))
    with _room_for_recursion():
        result, crashed = _isolated(of_one_python(modules), task.options, write=task.write)
    whole = replace(result, files=(*result.files, *crashed, *others))
    return Done(_inside(whole, task.prefix), bool(crashed))


def _inside(result: Result, prefix: str) -> Result:
    """The result for the files below `prefix`, with their paths relative to it."""
    if not prefix:
        return result

    def short(name: str) -> str:
        up = "../" * prefix.count("/")
        return name.removeprefix(prefix) if name.startswith(prefix) else up + name

    graphs = [g for g in result.graphs if any(path.startswith(prefix) for path in g.files)]
    kept = {graph.id for graph in graphs}
    files = [file for file in result.files if file.path.startswith(prefix)]
    return Result(
        tuple(replace(g, id=short(g.id), files=tuple(map(short, g.files))) for g in graphs),
        tuple(replace(f, path=short(f.path), graphs=tuple(map(short, f.graphs))) for f in files),
        tuple(
            replace(site, graph=short(site.graph), path=short(site.path))
            for site in result.sites
            if site.graph in kept
        ),
    )


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start_method() -> str:
    """How other processes start: as copies of this one, which has imported all that they need, or anew.

    A copy has none of the threads, and waits forever for what one of them had locked. Only on Linux is it
    safe without other threads: the system's own libraries start some elsewhere.
    """
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _in_processes(tasks: Sequence[Task], cores: int, shown: Shown = nullcontext) -> list[Done | None]:
    """The results of tasks in other processes; None for all that were in work when a process died."""
    method = _start_method()
    if method == "fork":
        _import_all(tasks)
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(min(cores, len(tasks)), context, initializer=_begin_process) as pool:
        with _interrupts_later():  # the processes start here, and would print where they were interrupted
            futures = [pool.submit(do, task) for task in tasks]
        try:
            with shown():
                return [_result(future) for future in futures]
        except BaseException:
            for child in multiprocessing.active_children():
                child.terminate()  # or leaving would wait for all of them
            raise


def _import_all(tasks: Sequence[Task]) -> None:
    """Import what tasks import when they need it, so that each process has it from the beginning."""
    if any(task.options is not None for task in tasks):
        load()
    if any(task.options is not None and task.write for task in tasks):
        importlib.import_module("migrate.codemod.commands")


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Keep Ctrl-C waiting, here and in processes that are started meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_process() -> None:
    """Begin a process that only does tasks.

    Ctrl-C reaches all processes of a terminal; the first one tells the others.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    gc.freeze()  # a search through what the process began with would copy all of it


def _result(future: Future[Done]) -> Done | None:
    try:
        return future.result()
    except BrokenProcessPool:
        return None


def _do_apart(task: Task) -> Done:
    """Do a task that may have killed a process, and find the file that did it."""
    (done,) = _in_processes([task], 1)
    if done is not None:
        return done
    if len(task.sources) > 1:
        alone = [(source, _in_processes([Task((source,))], 1)[0]) for source in task.sources]
        alive = tuple(source for source, done in alone if done is not None)
        if len(alive) < len(task.sources):
            dead = [_died(source) for source, done in alone if done is None]
            rest = _do_apart(replace(task, sources=alive)) if alive else Done(Result())
            return Done(replace(rest.result, files=(*rest.result.files, *dead)), crashed=True)
    return Done(Result(files=tuple(_died(source) for source in task.sources)), crashed=True)


def _died(source: SourceFile) -> FileResult:
    why = "an error of dstream-migrate itself: the process that worked on it died"
    return FileResult(source.relative, Status.UNPARSED, error=why)


def _isolated(modules: Sequence[Module], options: Options, *, write: bool) -> tuple[Result, list[FileResult]]:
    """The result, and the files on which the migration itself fails: they keep no other from being done."""
    try:
        return migrate(modules, options, write=write), []
    except Exception as error:
        together = _reason(error)
        reasons = {module.relative: _crash(module, options, write=write) for module in modules}
    if not any(reasons.values()):  # it takes several files together to fail
        reasons = dict.fromkeys(reasons, together)
    crashed = [FileResult(path, Status.UNPARSED, error=reason) for path, reason in reasons.items() if reason]
    whole = [module for module in modules if not reasons[module.relative]]
    return migrate(whole, options, write=write), crashed


def _crash(module: Module, options: Options, *, write: bool) -> str | None:
    try:
        migrate([module], options, write=write)
    except Exception as error:
        return _reason(error)
    return None


def _reason(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}:{where.lineno}"
    told = " ".join(str(error).split())[:_LONGEST]
    return f"an error of dstream-migrate itself: {type(error).__name__}: {told} ({place})"


@contextmanager
def _room_for_recursion() -> Iterator[None]:
    """Let visitors go down to the depth that `parse` lets through."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES_PER_LEVEL * MAX_DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Do not look for garbage: the trees of a task are all in use until its end."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()  # now what the task leaves is collected, unless this process does so rarely
