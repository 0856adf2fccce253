"""Checks of what a typed function returns: functions of the program's own that its result goes through."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from migrate.columns import Helper, Origin, Record, Refusal
from migrate.columns.code import quote
from migrate.plan.draft.step import Step
from migrate.syntax.quoting import quoted
from migrate.typed import Result

CHECKED = '''\
def checked(value):
    """The value; raises for what a column cannot hold, which Spark would make null or another text."""
    if isinstance(value, (list, tuple)):
        for item in value:
            checked(item)
    elif isinstance(value, str):
        value.encode()
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise OverflowError("%d does not fit into 64 bits" % value)
    return value'''
OF_TYPE = '''\
def of_type(value, kind):
    """The value, which must be of this type: Spark would convert another one without a word.

    The type is a class, {class, None}, a tuple with a type for each item, or a list with one for all items.
    """
    if isinstance(kind, set):
        kind = next(one for one in kind if one is not None)
        return value if value is None else of_type(value, kind)
    plain = type(kind) not in (tuple, list)
    fits = type(value) is kind if plain else isinstance(value, type(kind))
    if fits and isinstance(kind, tuple):
        fits = len(value) == len(kind)
    if not fits or (kind is int and not -(2**63) <= value < 2**63):
        raise TypeError(f"expected {kind}, found {value!r:.200}")
    if kind is str:
        value.encode()  # raises for lone surrogates
    if not plain:
        for item, inner in zip(value, kind if isinstance(kind, tuple) else kind * len(value)):
            of_type(item, inner)
    return value'''
OF_LEARNT_TYPE = '''\
def of_learnt_type(call, given, kind, fact, *place):
    """What the call returns, which must be of the type that was learnt.

    An error names the fact, what the function was given, and the place of the record.
    """
    try:
        value = call()
    except Exception as error:
        found = f"{error!r} for {given!r:.200} in {' '.join(map(str, (fact, *place)))};"
        found += " the old program fails for it as well"
        raise RuntimeError(found) from error
    try:
        return of_type(value, kind)
    except TypeError as error:
        of = "--input RECORDS"{placed}
        found = f"{error} in {' '.join(map(str, (fact, *place)))}; to accept it:"
        found += f" `dstream-migrate learn OLD {of} -- ARGS`, `rewrite`, start again"
        raise TypeError(found) from None'''
_PLACED = {
    Origin.KAFKA: """
        for record in place:
            of = f"--from-topic {record.topic} --from-broker BROKER"
            of += f" --offsets {record.partition}:{record.offset}-{record.offset + 1}\"""",
    Origin.FILES: """
        for file in place:
            of = f"--input {file}\"""",
    Origin.UNKNOWN: "",
}
"""What names the record in the command that learns of it."""
LEARNT = (
    "results of functions have the types of dstream-migrate.facts.toml: the query fails for another one. Then"
    " `learn` of such records, `rewrite`, and start it again: with a checkpoint it goes on where it failed"
)


PLACE = "\0"
"""Stands for the argument with the place of a record, until it is known whether there is one."""


@dataclass(frozen=True)
class Wrap:
    """A function that a result goes through.

    Attributes:
        name: its name.
        more: its last arguments, as code, if it has some.
        calls: whether it calls what gives the result, and is told what that is given.
    """

    name: str
    more: str = ""
    calls: bool = False

    def of(self, code: str, given: str) -> str:
        """Its call.

        Args:
            code: the result.
            given: what the function is given whose result it is, as code.
        """
        arguments = (f"lambda: {code}", given) if self.calls else (code,)
        return f"{self.name}({', '.join([*arguments, self.more] if self.more else arguments)})"


def wraps_of(step: Step, found: Result, wrap: str = "") -> list[Wrap]:
    """The functions that a result goes through, the last one first, to be what its type says.

    Raises:
        Refusal: the name of one means something else in the module, or an attribute of an object would be
            checked, which is not looked into.
    """
    wraps = [] if found.exact or not wrap else [Wrap(wrap)]
    if {one.name for one in wraps} & step.facts.shadowed:
        raise Refusal(f"`{wrap}` may be something else in this file", step.operation.call)
    if found.checked:
        check = step.helper(Helper("of_type", OF_TYPE))
        if found.learnt:
            of = OF_LEARNT_TYPE.replace("{placed}", _PLACED[step.origin])
            source = of.replace("of_type(", f"{check}(")
            name = step.helper(Helper("of_learnt_type", source, of=of, calls=(check,)))
            wraps.insert(0, Wrap(name, f"{found.checked}, {quote(found.fact)}{PLACE}", calls=True))
        else:
            wraps.insert(0, Wrap(check, found.checked))
    if found.learnt:
        step.note(LEARNT)
        step.learnt()
    if not (found.fits or found.schema) and not step.options.spark.checks_over_arrow:
        if isinstance(found.element, Record) and found.element.of_object:
            raise Refusal("an attribute of its result may not fit into a column", step.operation.call)
        wraps.insert(0, Wrap(step.helper(Helper("checked", CHECKED))))
    return wraps


def returned(body: ast.expr, wraps: list[Wrap], *given: str) -> str:
    """What a lambda returns, whose result goes through functions: a tuple as the list that it becomes.

    Args:
        body: the expression.
        wraps: the functions, the last one first.
        given: the parameters that it reads.
    """
    whole = isinstance(body, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in body.elts)
    if isinstance(body, ast.Tuple) and whole and wraps[-1:] == [Wrap("list")]:
        return wrapped(f"[{', '.join(map(quoted, body.elts))}]", wraps[:-1], *given)
    return wrapped(quoted(body), wraps, *given)


def wrapped(call: str, wraps: list[Wrap], *given: str) -> str:
    """A call whose result goes through functions.

    Args:
        call: the call.
        wraps: the functions, the last one first.
        given: the parameters that the call reads.
    """
    for wrap in reversed(wraps):
        call = wrap.of(call, given[0] if len(given) == 1 else f"({', '.join(given)})")
    return call
