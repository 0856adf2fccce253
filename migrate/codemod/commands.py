"""The codemod as LibCST knows codemods: commands for ``python -m libcst.tool codemod``, and for ours.

    python -m libcst.tool codemod -x --no-format migrate.codemod.commands.DStreamsToDataFrames PATH

LibCST's tool works on one file at a time. A graph over several files is left as it is there, with a warning;
``dstream-migrate rewrite`` decides on all of them together and hands each command the changes of its file.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext

from migrate.codemod.changes import Changes
from migrate.codemod.outline import Outline
from migrate.codemod.source import deep
from migrate.codemod.transformer import applied
from migrate.decisions import Decision, decide
from migrate.facts.file import by_place, found
from migrate.frozen import replace
from migrate.knowledge.spark_version import SparkVersion, installed
from migrate.knowledge.triggers import Trigger
from migrate.model import FileResult, Module, Options, Outcome
from migrate.pins import pinned_or_installed
from migrate.read.linked import is_seed
from migrate.read.parse import UnparsedError, parse, parse_bytes
from migrate.read.scan import project_root, scan

CHANGES = "migrate.changes"
"""The key of `CodemodContext.scratch` that holds what was decided before."""
SEVERAL = (
    "left as it is: its program spans several files ({}); `dstream-migrate rewrite` rewrites them together"
)


class _Command(CodemodCommand):
    """What both commands do."""

    TARGET: ClassVar[Outcome]
    _pinned = False
    """Whether the code is for the version of Spark that the project pins."""
    _learnt = False
    """Whether columns may have the types that `dstream-migrate learn` found."""

    def __init__(self, context: CodemodContext, options: Options) -> None:
        super().__init__(context)
        self._options = replace(options, target=self.TARGET)

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """Rewrite one module.

        Why a program is not native, and what is to be known of its new code, are the context's warnings.
        """
        changes = self.context.scratch.get(CHANGES)
        with deep():
            return applied(tree, changes) if isinstance(changes, Changes) else self._alone(tree)

    def _alone(self, tree: cst.Module) -> cst.Module:
        """Decide and rewrite a module whose other files are only read."""
        code = tree.code
        if not is_seed(code.encode()):
            return tree
        try:
            module, *others = self._modules(code)
        except UnparsedError as error:
            self.warn(f"left as it is: {error}")
            return tree
        folder = Path(self.context.filename or "module.py").absolute().parent
        if self._pinned:
            self._options = replace(self._options, spark=pinned_or_installed(folder))
        facts = found(folder) if self._learnt else None
        if facts is not None:
            self._options = replace(self._options, facts=by_place(facts))
        decided = decide([module, *others], self._options)
        own = decided.of(module.relative)
        shared = sorted({path for decision in own for path in decision.files} - {module.relative})
        if shared:
            self.warn(SEVERAL.format(", ".join(shared)))
            return tree
        for decision in own:
            for said in _said(decision):
                self.warn(said)
        changes = decided.changes.get(module.relative)
        new = decided.texts.get(module.relative, module.source)
        if changes is not None:
            new = rewrite_module(changes)
        adopted = any(decision.outcome is not Outcome.MANUAL for decision in own)
        text = module.form.restore(new, adopted=adopted)
        return tree if text == code else cst.parse_module(text)

    def _modules(self, code: str) -> Iterator[Module]:
        """The module itself, and those that imports join it to."""
        name = self.context.filename
        if name is None:
            yield parse_bytes(code.encode(), Path("module.py"), "module.py")
            return
        path = Path(name).absolute()
        whole = path if project_root(path.parent) is not None else path.parent
        for group in scan([whole]).groups:
            if any(source.path == path for source in group.sources):
                own = next(source for source in group.sources if source.path == path)
                yield parse_bytes(code.encode(), path, own.relative)
                for source in group.sources:
                    parsed = parse(source)
                    if source is not own and not isinstance(parsed, FileResult):
                        yield replace(parsed, outside=source.outside)
                return
        yield parse_bytes(code.encode(), path, path.name)


class DStreamsToCompat(_Command):
    """Change the imports of `pyspark.streaming` to `compat.streaming`, and nothing else."""

    DESCRIPTION = "Run DStream programs on Structured Streaming as they are, by `compat.streaming`."
    TARGET = Outcome.COMPAT

    def __init__(self, context: CodemodContext) -> None:
        super().__init__(context, Options())


class DStreamsToDataFrames(_Command):
    """Rewrite DStream programs to the DataFrame API where the results are provably the same.

    Every other program becomes one of `compat.streaming`.
    """

    DESCRIPTION = "Rewrite DStream programs to Structured Streaming, on the DataFrame API."
    TARGET = Outcome.NATIVE

    def __init__(
        self,
        context: CodemodContext,
        *,
        unsafe: bool = False,
        strict: bool = False,
        assume_compat: bool = False,
        event_time: str | None = None,
        watermark: str | None = None,
        approximate_time: bool = False,
        pprint_exact: bool = False,
        changed_keys: bool = False,
        skip_empty_batches: bool = False,
        trigger: str = "",
        kinesis: str = "",
        bootstrap_servers: str = "",
        json_schema: Sequence[str] = (),
        no_learnt: bool = False,
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        spark: str | None = None,
    ) -> None:
        """Take the options of ``dstream-migrate rewrite`` under the same names."""
        options = Options(
            unsafe=unsafe,
            strict=strict,
            assume_compat=assume_compat,
            event_time=event_time,
            watermark=watermark,
            approximate_time=approximate_time,
            pprint_exact=pprint_exact,
            changed_keys=changed_keys,
            skip_empty_batches=skip_empty_batches,
            trigger=Trigger.parse(trigger),
            kinesis=kinesis,
            bootstrap_servers=bootstrap_servers,
            json_schemas=tuple((name, ddl) for name, _, ddl in (one.partition("=") for one in json_schema)),
            select=frozenset(select),
            ignore=frozenset(ignore),
            spark=SparkVersion.parse(spark) if spark else installed(),
        )
        super().__init__(context, options)
        self._pinned = not spark
        self._learnt = not no_learnt

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Add the options to those of LibCST's tool."""
        add = arg_parser.add_argument
        add("--unsafe", action="store_true", help="allow rewrites that may change results")
        add("--strict", action="store_true", help="fail for certain on all input that made a batch fail")
        add("--assume-compat", action="store_true", help="contexts from code that was not read are compat's")
        add("--event-time", metavar="COLUMN", help="make windows over time windows over this column")
        add("--watermark", metavar="DELAY", help='how late a row may be for its window: "10 minutes"')
        add("--approximate-time", action="store_true", help="let the current time stand for the batch time")
        add("--pprint-exact", action="store_true", help="keep the text that pprint prints")
        add("--changed-keys", action="store_true", help="put out the keys of a state that changed")
        add("--skip-empty-batches", action="store_true", help="run no batch in an interval without input")
        add("--trigger", metavar="TRIGGER", default="", help="available-now, continuous=1s or realtime")
        add("--kinesis", choices=["aws", "databricks"], default="", help="whose source reads Kinesis")
        add("--bootstrap-servers", metavar="HOST:PORT", default="", help="Kafka's brokers")
        add("--json-schema", metavar="NAME=DDL", action="append", default=[], help="what JSON holds")
        add("--no-learnt", action="store_true", help="let no column rest on what `learn` found")
        add("--select", metavar="RULE", action="append", default=[], help="only these rules")
        add("--ignore", metavar="RULE", action="append", default=[], help="not these rules")
        add(
            "--spark",
            metavar="VERSION",
            help="write code for it, not for what the project pins or has installed",
        )


def rewrite_module(changes: Changes) -> str:
    """The new code of a module whose changes are decided, by the command for it.

    Raises:
        UnwritableError: LibCST cannot take the code.
    """
    outline = Outline(changes)
    command = DStreamsToDataFrames(CodemodContext(scratch={CHANGES: changes}))
    # `transform_module` would copy the whole tree for metadata that nothing asks for
    return outline.text_of(command.transform_module_impl(outline.module))


def _said(decision: Decision) -> Iterator[str]:
    """What a user must know of a decision."""
    if decision.outcome is not Outcome.NATIVE:
        for reason in decision.reasons:
            yield f"{decision.outcome.value}: {reason}"
    for text in decision.must_change:
        yield f"you must change: {text}"
    for note in decision.notes:
        yield f"note: {note}"
