"""Names of the program's variables that say RDD or DStream, and hold DataFrames now: ``sorted_rdd``.

Everything in the module that has such a name is a variable of DataFrames, so all of it is called anew. So are
variables that say DStream and hold RDDs of batches now, or that say stream and hold the DataFrame of a batch.
A list of rows keeps its name, and so does what is called by keys and values, as ``kvs``.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from migrate.frozen import replace
from migrate.model import Module
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.draft import Draft
from migrate.plan.frames.rdd import Rdd
from migrate.plan.names.function_names import OF_FRAME, is_text
from migrate.plan.names.kept import Kept
from migrate.plan.new_code.code import Chain
from migrate.plan.new_code.inner import Inner
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.code_names import with_names
from migrate.syntax.nodes import of_kinds
from migrate.syntax.text import words

NAMED = "variables that hold DataFrames now are called so: {}"
RDDS = "variables that hold the RDDs of batches now are called so: {}"
OF_RDD = re.compile(
    r"(?:(?<![A-Za-z])(?:rdd|d[sS]tream)|(?<![A-Z])(?:R[dD][dD]|D[sS]tream))(?=s?(?:[A-Z\d_]|$))"
    r"|(?<![A-Za-z])RDD(?=[a-z]{2})"
)
"""What a name has that says RDD or DStream."""
_OF_FRAMES = re.compile(
    rf"{OF_RDD.pattern}|(?<=_)(?:DS|ds)(?=\d*$)|(?<=[a-z])DS(?=\d*$)|(?<=[a-z]{{3}})rdd(?=s?\d*$)"
)
"""The same, also at the end: ``words_DS``, ``wordsrdd``."""
_OF_BATCHES = re.compile(r"(?:(?<=_)stream|(?<=[a-z\d])Stream)(?=s?\d*$)")
"""What a name ends in that says stream, where it is no DStream."""
_OF_STREAM = re.compile(
    r"(?:(?<![A-Za-z])d[sS]tream|(?<![A-Z])D[sS]tream)(?=s?(?:[A-Z\d_]|$))"
    rf"|{_OF_BATCHES.pattern}|^ds(?=_?\d*$)|(?<=_)ds(?=\d*$)"
)
_SHORT = ("df", "DF")
_NUMBER = re.compile(r"\d+$")


def with_frame_names(draft: Draft, attempt: Attempt, changes: PlannedModule) -> PlannedModule:
    """The new code with ``sorted_df`` in place of ``sorted_rdd``, and a note that says so.

    A name is left alone that is taken, that a text holds, or that another file of the program has, too.
    """
    basis = draft.basis
    renamed = dict(changes.inner.renamed)
    wanted, named = _Wanted({}, {}), dict[str, str]()
    anew: dict[ast.AST, str] = {}
    for module in (module for module in basis.program.modules if module.tree.body):
        facts = basis.facts.of(module.tree.body[0])
        own = _wanted(draft, facts)
        if not own.all or Kept(basis, changes).reads_by_name(module.tree, own.all):
            continue
        given = _given(draft, module, changes, own.all, renamed, taken=named)
        anew |= {
            node: given[name]
            for name in given
            for node in (*facts.bindings.get(name, ()), *facts.loads.get(name, ()))
            if node not in renamed  # as where a function returns the source that a stream is made of
        }
        wanted, named = wanted | own, named | given
    if not named:
        return changes
    kinds = (
        (NAMED, named.keys() - wanted.rdds.keys()),
        (RDDS, named.keys() & wanted.rdds.keys()),
    )
    for note, of_note in kinds:
        pairs = [f"`{old}` is `{new}`" for old, new in named.items() if old in of_note]
        attempt.need(notes=(note.format(", ".join(pairs)),) if pairs else ())
    anew |= {node: named[name] for node, name in renamed.items() if name in named}
    new_code = changes.with_texts(lambda code: with_names(code, named))
    return replace(new_code, inner=new_code.inner | Inner(renamed=tuple(anew.items())), variables=named)


@dataclass(frozen=True)
class _Wanted:
    """New names of variables by what these hold: DataFrames, RDDs of batches."""

    frames: Mapping[str, str]
    rdds: Mapping[str, str]

    @property
    def all(self) -> dict[str, str]:
        return {**self.frames, **self.rdds}

    def __or__(self, more: _Wanted) -> _Wanted:
        return _Wanted({**self.frames, **more.frames}, {**self.rdds, **more.rdds})


def _wanted(draft: Draft, facts: Facts) -> _Wanted:
    """New names of those variables of a module whose names say RDD or stream."""
    rdds = {name: new for name in _rdds(draft, facts) if (new := rdd_name(name)) != name}
    frames = _frames(draft, facts)
    named = {name: new for name in frames if (new := frame_name(name)) != name} | rdds
    of_batch = {one.code.target for one in draft.body.statements if isinstance(one.code, Chain)}
    named |= {name: new for name in frames if name in of_batch and (new := batch_name(name)) != name}
    return _Wanted(named, rdds)


def _given(
    draft: Draft,
    module: Module,
    changes: PlannedModule,
    wanted: dict[str, str],
    renamed: Mapping[ast.AST, str],
    taken: Mapping[str, str],
) -> dict[str, str]:
    """Those of the new names that are free, in the new code and in what stays of the module.

    Args:
        draft: what is planned.
        module: the module.
        changes: its new code, and that of others.
        wanted: the new names.
        renamed: what has a new name already.
        taken: the names that variables of other modules get.
    """
    basis = draft.basis
    facts, contents = basis.facts.of(module.tree.body[0]), draft.query.contents
    modules = (other for other in basis.program.modules if other is not module and other.tree.body)
    others = [basis.facts.of(other.tree.body[0]) for other in modules]
    imported, kept = basis.trace.taken.of_module(module), Kept(basis, changes)
    left = {*changes.names.all, *kept.names, *renamed.values()}
    held, read = words(*changes.names.texts), changes.names.taken
    named: dict[str, str] = {}
    for name, new in without_gaps(wanted, _gone(wanted, facts, module, left)).items():
        if name not in left or name in imported or name in held or is_text(name, facts):
            continue
        # where `df` is taken, what a source holds says as much as `dstream` did
        for one in (new, *([contents[name]] if name in contents and new in _SHORT else [])):
            free = one not in {*named.values(), *taken.values(), *read, *vars(builtins)} and _is_free(
                one, kept, renamed, facts
            )
            if free and not any({name, one} & other.identifiers for other in others):
                named[name] = one
                break
    return named


def _is_free(name: str, kept: Kept, renamed: Mapping[ast.AST, str], facts: Facts) -> bool:
    """Whether nothing that stays has a name; the parameter of a lambda that is gone has none any more."""
    if name in {*facts.starred, *renamed.values()} or is_text(name, facts):
        return False
    nodes: list[ast.AST] = [node for node in of_kinds(facts.tree, ast.arg) if node.arg == name]
    nodes += (*facts.bindings.get(name, ()), *facts.loads.get(name, ()))
    return all(node in renamed or node not in kept.nodes for node in nodes)


def _gone(names: Iterable[str], facts: Facts, module: Module, left: Container[str]) -> set[str]:
    """Those of some variables that nothing in the new program has, comments included."""
    found = {name for name in names if name not in left}
    said = Counter(re.findall(r"\w+", module.source)) if found else Counter[str]()
    return {
        name
        for name in found
        if said[name] == len((*facts.bindings.get(name, ()), *facts.loads.get(name, ())))
    }


def without_gaps(names: Mapping[str, str], gone: Container[str]) -> dict[str, str]:
    """New names without those of variables that are gone, whose numbers others get.

    >>> without_gaps({"rdd": "df", "rdd1": "df1", "rdd2": "df2", "words": "rows"}, {"rdd1"})
    {'rdd': 'df', 'rdd2': 'df1', 'words': 'rows'}
    >>> without_gaps({"rdd2019": "df2019", "rdd2020": "df2020"}, {"rdd2019"})
    {'rdd2020': 'df2020'}
    """
    numbered: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for name, new in names.items():
        number = _NUMBER.search(new)
        stem = new if number is None else new[: number.start()]
        numbered[stem].append((int(number[0]) if number is not None else 0, name))
    found: dict[str, str] = {}
    for group in numbered.values():
        numbers, ordered = zip(*sorted(group), strict=True)
        counted = numbers[0] <= 1 and numbers == tuple(range(numbers[0], numbers[0] + len(numbers)))
        left = [name for name in ordered if name not in gone]
        places = ordered if counted else left
        found |= {name: names[place] for name, place in zip(left, places, strict=False)}
    return {name: found[name] for name in names if name in found}


def frame_name(name: str) -> str:
    """A name with DataFrame's abbreviation in place of RDD and DStream; itself where it says neither.

    >>> names = ("sorted_rdd", "wordsRDD", "rdds1", "rddQueue", "DStream_words", "df_rdd")
    >>> [frame_name(name) for name in names]
    ['sorted_df', 'wordsDF', 'dfs1', 'dfQueue', 'DF_words', 'df_rdd']
    """
    if OF_FRAME.search(name):
        return name
    return _OF_FRAMES.sub(lambda found: "df" if found.group()[0].islower() else "DF", name)


def batch_name(name: str) -> str:
    """A name with DataFrame's abbreviation in place of the stream at its end.

    >>> [batch_name(name) for name in ("summedStream", "words_stream", "dataStreamer", "stream")]
    ['summedDF', 'words_df', 'dataStreamer', 'stream']
    """
    return _OF_BATCHES.sub(lambda found: "df" if found.group()[0].islower() else "DF", frame_name(name))


def rdd_name(name: str) -> str:
    """A name with RDD in place of DStream, or of the stream at its end.

    >>> [rdd_name(name) for name in ("wordsDStream", "dstream", "words_rdd", "new_stream", "words_ds", "ds")]
    ['wordsRDD', 'rdd', 'words_rdd', 'new_rdd', 'words_rdd', 'rdd']
    """
    return _OF_STREAM.sub(lambda found: "rdd" if found.group()[0].islower() else "RDD", name)


def _frames(draft: Draft, facts: Facts) -> list[str]:
    """The variables that nothing but DataFrames is bound to."""
    bound: dict[str, set[ast.AST]] = defaultdict(set)
    for statement, name in draft.needs.frames.items():
        if statement in facts.above:
            bound[name].add(statement)
    statics = draft.needs.statics.items()
    bound |= {static.name: {statement} for statement, static in statics if statement in facts.above}
    return _only_bound(bound, facts)


def _rdds(draft: Draft, facts: Facts) -> list[str]:
    """The variables that nothing but RDDs of batches is bound to.

    That of a source holds its streaming DataFrame, also where its batches are read as RDDs.
    """
    streaming = {name for name, _ in draft.query.sources}
    bound: dict[str, set[ast.AST]] = defaultdict(set)
    for line in draft.basis.program.lines:
        target = draft.basis.targets.get(line.operations[-1])
        if target is None or target in streaming or line.statement not in facts.above:
            continue
        if isinstance(draft.stages.get(line.operations[-1]), Rdd):
            bound[target].add(line.statement)
    return _only_bound(bound, facts)


def _only_bound(bound: Mapping[str, set[ast.AST]], facts: Facts) -> list[str]:
    """The variables that only some statements bind."""
    parameters = {node.arg for node in of_kinds(facts.tree, ast.arg)}  # those of lambdas are no bindings
    return [
        name
        for name, statements in bound.items()
        if name not in parameters
        and not facts.is_declared_elsewhere(name)
        and all(facts.statement_of(node) in statements for node in facts.bindings.get(name, ()))
    ]
