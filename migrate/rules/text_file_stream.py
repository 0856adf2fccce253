"""``textFileStream``: the text source, without the files that were there before."""

from __future__ import annotations

import ast
import re

from migrate.columns import Helper, column_named
from migrate.columns.characters import LINE
from migrate.columns.shapes import Str
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call
from migrate.plan.query.restarts import inside
from migrate.proofs.values.constants import literal
from migrate.rules._register import Example, SourceRule, register
from migrate.syntax.quoting import quoted

NOTE = (
    "the file source reads no new subdirectories and no files whose names begin with an underscore, "
    "and wants the directory to exist"
)
NAMES = (
    "the file source reads each path once: what is written later to a file that was there at the start is not"
    " read, as DStream does by its time; nor are files that are a week older than the newest, and a directory"
    " key=value is taken for a partition"
)
MOVED = (
    "a file that is moved in more than a minute after it was written is read; DStream looks back for one"
    " minute only (`spark.streaming.fileStream.minRememberDuration`), and ignores it"
)
BYTES = "columns take bytes that are no UTF-8 as they are, where DStream has replacement characters"
GLOB = "its directory has wildcards: DStream takes directories for them, the file source files as well"
OF_FILE = (
    "`{}` is a file by its name: DStream reads directories only, and nothing of a file, which the query reads"
    " once; name the directory that new files come to"
)
NEWER = "# no earlier files"
OTHER_DIRECTORY = "the checkpoint's directory has no name where the source is made: bind it in the module"
FIRST_START = Helper(
    "first_start",
    '''\
def first_start(spark, directory):
    """The time of the first start, which the directory keeps: a restart reads what came in between."""
    now = spark.range(1).select(F.current_timestamp().alias("time"))
    now.write.mode("append").parquet(directory)
    return spark.read.parquet(directory).agg(F.min("time")).first()[0]''',
)
_WILDCARDS = frozenset("*?[{")
_FILE = re.compile(r"[^/]\.(csv|dat|json|log|tsv|txt|xml)$", re.IGNORECASE)
"""The end of a path that is hardly a directory."""

_MODIFIED = "file_modification_time"


@register
class TextFileStream(SourceRule):
    """DStream takes files newer than the stream; the file source would take the whole backlog."""

    operator = "textFileStream"
    summary = "textFileStream becomes readStream.text of the files that are newer than the start"
    repeats = True
    examples = (
        Example(
            'lines = ssc.textFileStream("in")',
            "started = datetime.now()\n"
            'lines = spark.readStream.text("in").where(F.col("_metadata.file_modification_time") > started)',
        ),
    )

    def load(self, step: Step) -> Input:
        found = step.arguments("directory")
        if "directory" not in found:
            raise step.blocked("its directory is missing")
        if _has_wildcards(found["directory"]):
            raise step.blocked(GLOB)
        directory = literal(found["directory"], step.facts)
        if isinstance(directory, str) and _FILE.search(directory):
            step.must_change(OF_FILE.format(directory))
        calls: tuple[Call, ...] = (Call("readStream"), Call("text", quoted(found["directory"])))
        before: tuple[str, ...] = ()
        notes: tuple[str, ...] = (NOTE, NAMES, BYTES)
        if not step.options.trigger.is_backfill:
            started = step.fresh("started", anywhere=True)
            newer = f'F.col("_metadata.file_modification_time") > {started}'
            calls = (*calls, Call("where", newer, comment=NEWER))
            before = (f"{started} = {_start(step)}",)
            notes = (*notes, MOVED)
        return Input(
            name="lines",
            calls=calls,
            timed={_MODIFIED: (*calls, Call("select", f'"value", "_metadata.{_MODIFIED}"'))},
            element=column_named("value", Str(LINE)),
            before=before,
            notes=notes,
        )


def _start(step: Step) -> str:
    """Code of the time from which files are read: that of the first start, if there is a checkpoint.

    Raises:
        Blocked: the checkpoint's directory may be another one where the source is made.
    """
    directory = step.program.goes_on
    if directory is None:
        return step.now()
    scopes = step.trace.scopes
    if isinstance(directory, ast.Name):
        there = scopes.around(step.operation.call).home(directory.id)
        if there is not scopes.home(directory):
            raise step.blocked(OTHER_DIRECTORY)
    return f"{step.helper(FIRST_START)}({step.names.session}, {inside(directory, 'started')})"


def _has_wildcards(node: ast.expr) -> bool:
    """Whether a text in an expression has one."""
    texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return any(isinstance(text, str) and _WILDCARDS & set(text) for text in texts)
