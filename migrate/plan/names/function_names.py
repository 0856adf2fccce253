"""Names of the program's functions that say RDD or stream, where they get batches now: ``process_rdd``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.outputs import Direct
from migrate.plan.new_code.inner import Inner
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.given_to_outputs import given_to_outputs
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.quoting import quoted

_OF_RDD = re.compile(r"(?<=[a-z])(?:_rdds?|_RDDs?|Rdds?|RDDs?|_d?streams?|D?Streams?)$")
_RDD_BETWEEN = re.compile(r"(?<=[a-z]_)rdds?(?=_[a-z]|\d)|(?<=[a-z])(?:Rdd|RDD)s?(?=[A-Z\d])")
"""``save_rdd_to_table``, ``readRddOfStream``."""
_RDD_ALONE = re.compile(r"(_*)(?:rdd|Rdd|RDD)s?")
_OF_BATCHES = re.compile(r"_*[a-z]+(?:_?(?:each|every|Each|Every))?_*")
"""What is left of the name of a function that says no more than what is done with an RDD: ``process``."""
_OF_OUTPUT = re.compile(
    r"_*(?:display|draw|dump|emit|export|insert|log|output|plot|print|publish|push|put|report|save|send|show"
    r"|store|upload|upsert|write)(?:_?(?:each|every))?_*",
    re.IGNORECASE,
)
"""Names that say how rows are put out, and not that these are made."""
_OF_ANYTHING = re.compile(
    r"_*(?:process|handle|handler|callback|func|function|each|for_?each)(?:_?(?:each|data|batch))*",
    re.IGNORECASE,
)
"""Names that do not even say that."""
_RDD_FIRST = re.compile(r"(?:rdd|Rdd|RDD)s?(?=_[a-z]|[A-Z]|to[A-Z_]|to[Dd]f|2)")
"""``rddToDf``, ``rdd_to_df``."""
OF_FRAME = re.compile(r"df|frame", re.IGNORECASE)
"""Names that say DataFrame already, such as those of functions that make DataFrames of RDDs."""


RENAMED = "functions that get a DataFrame now are called so: {}"


def without_rdd(draft: Draft, attempt: Attempt, direct: Direct | None) -> Inner:
    """New names: ``process_batch``, or ``process_df`` beside a batch function of that name.

    Where another callback that is called alike keeps its RDD, all keep their names.

    Args:
        draft: the plan of all lines.
        attempt: gets the note on them.
        direct: the function that the query itself calls, if it does.
    """
    found: list[tuple[ast.AST, str]] = []
    given: set[str] = set()
    told: list[str] = []
    functions = dict(draft.body.takes_frames)
    if direct is not None and direct.read is not None and isinstance(direct.node, ast.FunctionDef):
        functions[direct.node] = direct.read
    for function, read in functions.items():
        facts = draft.basis.facts.of(function)
        if any(one.name not in {own.name for own in functions} for one in _callbacks(facts)):
            continue  # of callbacks that are called alike all are called anew, or none
        taken = given if direct is not None and direct.function == quoted(read) else given | {_own(draft)}
        if is_text(function.name, facts):
            continue  # it may be asked for by its name
        reading = draft.basis.facts.of(read)
        imports = [] if reading is facts else _imports(function.name, reading)
        if any(alias.asname for alias in imports) or (reading is not facts and not imports):
            continue  # this module has a name of its own for it
        names = (one for one in _names(function.name) if one not in taken)
        name = next((one for one in names if is_free(one, facts) and is_free(one, reading)), None)
        if name is not None:
            given.add(name)
            found += [(function, name), (read, name), *((alias, name) for alias in imports)]
            told.append(f"`{function.name}` is `{name}`")
    if told:
        attempt.need(notes=(RENAMED.format(", ".join(told)),))
    return Inner(renamed=tuple(found))


def _callbacks(facts: Facts) -> Iterator[ast.FunctionDef]:
    """The functions of a module, called after RDDs, that outputs are given or call."""
    given = given_to_outputs(facts.tree)
    names = {one.id for argument in given for one in walk(argument) if isinstance(one, ast.Name)}
    for function in of_kinds(facts.tree, ast.FunctionDef):
        if function.name in names and _names(function.name):
            yield function


def _imports(name: str, facts: Facts) -> list[ast.alias]:
    """The import statements' names by which a module has a function."""
    return [alias for alias in of_kinds(facts.tree, ast.alias) if alias.name == name]


def _own(draft: Draft) -> str:
    return draft.basis.names.function


def _names(name: str) -> list[str]:
    """The names that it may get, the best one first."""
    if (alone := _RDD_ALONE.fullmatch(name)) is not None:
        return [f"{alone[1]}process_{end}" for end in ("batch", "df")]
    if _RDD_BETWEEN.search(name) and not OF_FRAME.search(name):
        return [_RDD_BETWEEN.sub(lambda found: "batch" if found[0].islower() else "Batch", name)]
    first = _RDD_FIRST.match(name)
    if first is not None and "rdd" not in name[first.end() :].lower():
        return [f"batch{name[first.end() :]}"]
    found = _OF_RDD.search(name)
    if found is None or OF_FRAME.search(name):
        return []
    start, is_snake = name[: found.start()], found.group().startswith("_")
    return [f"{start}{end}" for end in (("_batch", "_df") if is_snake else ("Batch", "DF"))]


def is_of_batches(name: str) -> bool:
    """Whether the name of a function says no more than that it gets batches.

    >>> [is_of_batches(name) for name in ("process_rdd", "rdd_handler", "_RDD", "handle")]
    [True, True, True, True]
    >>> [is_of_batches(name) for name in ("process_tweets", "save_rdd", "sendRDD")]
    [False, False, False]
    """
    if _RDD_ALONE.fullmatch(name):
        return True
    rest = _OF_RDD.sub("", _RDD_FIRST.sub("", name))
    named = _OF_BATCHES.fullmatch(rest[:1].lower() + rest[1:]) if rest != name else None
    if named is not None and _OF_OUTPUT.fullmatch(rest):
        return False
    return named is not None or _OF_ANYTHING.fullmatch(name) is not None


def is_free(name: str, facts: Facts) -> bool:
    """Whether nothing in a module has a name."""
    return name not in facts.identifiers and name not in facts.starred and not is_text(name, facts)


def is_text(name: str, facts: Facts) -> bool:
    """Whether a name is a text of a module: ``__all__ = ["save_rdd"]``."""
    return any(node.value == name for node in of_kinds(facts.tree, ast.Constant))
