"""``socketTextStream``: the socket source, which does not reconnect nor go on from a checkpoint."""

from __future__ import annotations

import ast

from migrate.columns import column_named
from migrate.columns.characters import LINE
from migrate.columns.shapes import Str
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.elements.arrival import shows_order
from migrate.rules._register import Example, SourceRule, register
from migrate.syntax.nodes import code_of
from migrate.syntax.quoting import quoted

NOTE = (
    "the socket source does not connect again, does not retry, and cannot go on from a checkpoint; "
    "DStream's receiver connects again"
)
PORT = (
    "`{}` is a text, and `socketTextStream` takes none for its port: the old program ended there with an"
    " error of Py4J, where the new one starts"
)
_TEXTS = frozenset({"input", "os.environ.get", "os.getenv"})
_OF_TEXTS = frozenset({"os.environ", "sys.argv"})
IN_ORDER = "# one partition keeps the lines in order"


@register
class SocketTextStream(SourceRule):
    """Host and port become options; the storage level has no counterpart."""

    operator = "socketTextStream"
    summary = "socketTextStream becomes readStream of the socket source"
    repeats = True
    examples = (
        Example(
            'lines = ssc.socketTextStream("localhost", 9999)',
            'lines = spark.readStream.format("socket").options(host="localhost", port=9999).load()',
        ),
    )

    def load(self, step: Step) -> Input:
        found = step.arguments("hostname", "port", "storageLevel")
        if "hostname" not in found or "port" not in found:
            raise step.blocked("its host or port is missing")
        given = found["port"]
        host, port = (_argument(step, one) for one in (found["hostname"], given))
        chosen = step.choices.in_order or step.choices.for_others
        ordered = chosen or shows_order(step.operation, step.program.outputs, step.facts)
        # else lines are dealt out to several in turn
        options, why = f"host={host}, port={port}", ""
        if ordered:
            options, why = f"{options}, numPartitions=1", IN_ORDER
        return Input(
            name="lines",
            calls=_calls(options, why),
            timed={"timestamp": _calls(options + ", includeTimestamp=True", why)},
            element=column_named("value", Str(LINE)),
            notes=(NOTE, *([PORT.format(step.basis.shown(given))] if _is_text(given, step.facts) else [])),
        )


def _is_text(port: ast.expr, facts: Facts) -> bool:
    """Whether a port is certain to be a text: ``os.environ["PORT"]``, ``sys.argv[2]``."""
    match port:
        case ast.Name(name):
            made = facts.part_of(facts.only_binding(name))
            return made is not None and _is_text(made, facts)
        case ast.Constant(value):
            return isinstance(value, str)
        case ast.Subscript(value, index) if not isinstance(index, ast.Slice):
            return facts.qualified(value) in _OF_TEXTS
        case ast.Call(function):
            return (facts.qualified(function) or code_of(function)) in _TEXTS
    return False


def _calls(options: str, why: str) -> tuple[Call, ...]:
    given = Call("options", options, comment=why)
    return (Call("readStream"), Call("format", '"socket"'), given, Call("load", ""))


def _argument(step: Step, node: ast.expr) -> str:
    if isinstance(node, ast.Starred):
        raise step.blocked("its arguments are not written out")
    return quoted(node)
