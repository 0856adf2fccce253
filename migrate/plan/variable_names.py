"""Names of the program's variables that say RDD or DStream, and hold DataFrames now: ``sorted_rdd``.

Everything in the module that has such a name is a variable of DataFrames, so all of it is called anew.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict

from migrate.frozen import replace
from migrate.plan.attempt import Attempt
from migrate.plan.code import Inner, PlannedModule
from migrate.plan.draft import Draft
from migrate.plan.function_names import OF_FRAME, is_free, is_text
from migrate.proofs.facts import Facts
from migrate.syntax.nodes import of_kinds

NAMED = "variables that hold DataFrames now are called so: {}"
_OF_RDD = re.compile(
    r"(?:(?<![A-Za-z])(?:rdd|dstream)|(?<![A-Z])(?:R[dD][dD]|D[sS]tream))(?=s?(?:[A-Z\d_]|$))"
)
_TEXT = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'", re.DOTALL)
_BY_NAME = frozenset({"eval", "exec", "globals", "locals", "vars"})
"""Functions that find a variable by its name."""


def with_frame_names(draft: Draft, attempt: Attempt, changes: PlannedModule) -> PlannedModule:
    """The new code with ``sorted_df`` in place of ``sorted_rdd``, and a note that says so.

    A program of several files is left alone, as is a name that is taken or that a text holds.
    """
    basis = draft.basis
    if len(basis.program.modules) > 1:
        return changes
    (module,) = basis.program.modules
    facts = basis.facts.of(module.tree)
    wanted = {name: new for name in _frames(draft, facts) if (new := frame_name(name)) != name}
    if not wanted or not _BY_NAME.isdisjoint(facts.identifiers):
        return changes
    taken = basis.trace.taken.of_module(module)
    texts = tuple(changes.texts())
    code = "\n".join(_TEXT.sub('""', text) for text in texts)
    held = {word for text in texts for written in _TEXT.findall(text) for word in _words(written)}
    named: dict[str, str] = {}
    for name, new in wanted.items():
        free = new not in {*named.values(), *_words(code), *vars(builtins)} and is_free(new, facts)
        if free and name not in taken and name not in held and not is_text(name, facts):
            named[name] = new
    if not named:
        return changes
    attempt.need(notes=(NAMED.format(", ".join(f"`{old}` is `{new}`" for old, new in named.items())),))
    word = re.compile(rf"({_TEXT.pattern})|(?<![\w.])({'|'.join(named)})\b", re.DOTALL)
    renamed = [
        (node, named[name])
        for name in named
        for node in (*facts.bindings.get(name, ()), *facts.loads.get(name, ()))
    ]
    new_code = changes.with_texts(lambda text: word.sub(lambda found: found[1] or named[found[2]], text))
    return replace(new_code, inner=new_code.inner | Inner(renamed=tuple(renamed)), variables=named)


def frame_name(name: str) -> str:
    """A name with DataFrame's abbreviation in place of RDD and DStream; itself where it says neither.

    >>> names = ("sorted_rdd", "wordsRDD", "rdds1", "rddQueue", "DStream_words", "df_rdd")
    >>> [frame_name(name) for name in names]
    ['sorted_df', 'wordsDF', 'dfs1', 'dfQueue', 'DF_words', 'df_rdd']
    """
    if OF_FRAME.search(name):
        return name
    return _OF_RDD.sub(lambda found: "df" if found.group().islower() else "DF", name)


def _frames(draft: Draft, facts: Facts) -> list[str]:
    """The variables that nothing but DataFrames is bound to."""
    bound: dict[str, set[ast.AST]] = defaultdict(set)
    for statement, name in draft.needs.frames.items():
        bound[name].add(statement)
    parameters = {node.arg for node in of_kinds(facts.tree, ast.arg)}  # those of lambdas are no bindings
    bound |= {static.name: {statement} for statement, static in draft.needs.statics.items()}
    return [
        name
        for name, statements in bound.items()
        if name not in parameters
        and not facts.is_declared_elsewhere(name)
        and all(facts.statement_of(node) in statements for node in facts.bindings.get(name, ()))
    ]


def _words(code: str) -> list[str]:
    return re.findall(r"\w+", code)
