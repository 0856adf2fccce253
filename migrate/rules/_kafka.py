"""What both ways of reading Kafka have in common: parameters become options, decoders casts.

Old and new parameters are those of Kafka's documentation, of 0.8 (Old Consumer Configs) and of today; what
the old stream made of ``auto.offset.reset`` is in Spark 2.4's `KafkaUtils.getFromOffsets`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from migrate.columns import Element, Helper, Record, Scalar
from migrate.columns.helpers import definitions, spelled
from migrate.connector import NEEDED, old_connectors
from migrate.native.outputs import Source
from migrate.native.step import Step
from migrate.native.syntax import parameter_names
from migrate.rules._same import is_none
from migrate.shapes import Maybe, Str
from migrate.surface import KAFKA

NO_GROUP = (
    "a query reads in a consumer group of its own and commits no offsets: tools that watch the lag of the "
    "old group see it no more"
)
DATA_LOSS = (
    "a query fails when messages that it has not read are gone from Kafka; the option failOnDataLoss=false "
    "lets it go on without them"
)
NO_MEANING = "the Kafka parameter `{}` has no meaning for a query and is left out"
RAW = Helper(
    "raw",
    '''def raw(value):
    """The bytes of a binary column, or None, as the decoders of DStreams get them."""
    return None if value is None else bytes(value)''',
)
RATE = (
    "the option maxOffsetsPerTrigger limits a whole batch: in place of `{}` it would be that number times "
    "the partitions times the interval in seconds"
)
LATEST = (
    "a new query begins with what arrives after its start; DStream began with what arrived after the stream "
    "was made, a moment before"
)
TEXT = Maybe(Str())
_TIME = "timestamp"
"""Kafka's column of the time at which a message was made, or came."""
RATE_SETTING = "spark.streaming.kafka.maxRatePerPartition"

_BROKERS = ("metadata.broker.list", "bootstrap.servers")
"""The brokers; where both are given, Spark 2.4 took the first one."""
_RENAMED = {
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "socket.receive.buffer.bytes": "receive.buffer.bytes",
}
_MEANINGLESS = frozenset(
    {
        *("group.id", "consumer.id", "consumer.timeout.ms", "enable.auto.commit", "auto.commit.enable"),
        *("auto.commit.interval.ms", "num.consumer.fetchers", "queued.max.message.chunks"),
        *("socket.timeout.ms", "refresh.leader.backoff.ms", "offsets.storage", "dual.commit.enabled"),
        *("partition.assignment.strategy", "exclude.internal.topics", "interceptor.classes"),
        *("key.deserializer", "value.deserializer", "key.serializer", "value.serializer"),
        *("serializer.class", "key.serializer.class"),
    }
)
"""Of the old consumer alone, or what Spark's source decides by itself."""
_MEANINGLESS_PREFIXES = ("zookeeper.", "rebalance.", "offsets.", "spark.")


@dataclass(frozen=True)
class Parameter:
    """A Kafka parameter of the program: the code of its value, and the value where it is a literal."""

    code: str
    value: object = None


def parameters(step: Step, node: ast.expr | None) -> dict[str, Parameter]:
    """The Kafka parameters that a call is given, by name.

    Raises:
        Blocked: the dict is not written out, or something may change it.
    """
    if node is None or is_none(node):
        return {}
    written = node if isinstance(node, ast.Dict) else _written(step, node)
    if written is None or not all(_is_text(key) for key in written.keys):
        raise step.blocked("its Kafka parameters are not written out")
    found = {}
    for key, value in zip(written.keys, written.values, strict=True):
        assert isinstance(key, ast.Constant) and isinstance(key.value, str)
        code = step.source(value) if written is node else f'{step.source(node)}["{key.value}"]'
        found[key.value] = Parameter(code, value.value if isinstance(value, ast.Constant) else None)
    return found


def _written(step: Step, node: ast.expr) -> ast.Dict | None:
    """The dict that a name is bound to once and that nothing changes."""
    facts = step.plan.facts
    binding = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(node, ast.Name) or not isinstance(binding, ast.Name) or not _seen(step, binding, node):
        return None
    statement = facts.statement_of(binding)
    others = [load for load in facts.loads.get(node.id, ()) if load is not node]
    own = isinstance(statement, ast.Assign) and statement.targets == [binding]
    if not own or not all(facts.only_read(load) for load in others):
        return None
    assert isinstance(statement, ast.Assign)
    return statement.value if isinstance(statement.value, ast.Dict) else None


def _seen(step: Step, binding: ast.AST, node: ast.expr) -> bool:
    """Whether a binding that is the only one, and that no loop repeats, is that of a name."""
    tree = step.plan.program.tree
    home = tree.scope_of(binding)
    inside = [above for above in tree.path(binding) if tree.scope_of(above) is home]
    looped = any(isinstance(above, ast.For | ast.While | ast.AsyncFor) for above in inside)
    return not looped and (isinstance(home, ast.Module) or home is tree.scope_of(node))


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def brokers(given: Mapping[str, Parameter]) -> str | None:
    """The code of the brokers' addresses; None where the parameters do not name them."""
    return next((given[name].code for name in _BROKERS if name in given), None)


def starting(step: Step, given: Mapping[str, Parameter]) -> str | None:
    """The option for where a new query starts; None where the program does not say.

    Raises:
        Blocked: what it says is not a literal.
    """
    reset = given.get("auto.offset.reset")
    if reset is None:
        return None
    if not isinstance(reset.value, str):
        raise step.blocked("its auto.offset.reset is not a literal")
    return f'option("startingOffsets", "{"earliest" if reset.value.lower() == "smallest" else "latest"}")'


def options(step: Step, given: Mapping[str, Parameter]) -> list[str]:
    """Options for what else the consumer is told: security, sizes, ``isolation.level``."""
    rows = []
    for name, parameter in given.items():
        if name in _BROKERS or name == "auto.offset.reset":
            continue
        if name in _MEANINGLESS or name.startswith(_MEANINGLESS_PREFIXES):
            if name not in ("group.id", "zookeeper.connect"):
                step.plan.notes[NO_MEANING.format(name)] = None
            continue
        rows.append(f'option("kafka.{_RENAMED.get(name, name)}", {parameter.code})')
    return rows


def subscribed(step: Step, node: ast.expr) -> str:
    """The code of the topics, with commas between them; `node` is a list of them, or a dict of them."""
    items: list[ast.expr | None] | None = None
    if isinstance(node, ast.List):
        items = list(node.elts)
    elif isinstance(node, ast.Dict):
        items = list(node.keys)
    if items is None:
        return f'",".join({step.source(node)})'
    topics = [item for item in items if item is not None and not isinstance(item, ast.Starred)]
    if not topics or len(topics) != len(items):
        raise step.blocked("its topics are not written out")
    if len(topics) == 1:
        return step.source(topics[0])
    if all(_is_text(topic) for topic in topics):
        names = [topic.value for topic in topics if isinstance(topic, ast.Constant)]
        return f'"{",".join(map(str, names))}"'
    return f'",".join([{", ".join(step.source(topic) for topic in topics)}])'


@dataclass(frozen=True)
class Decoded:
    """Kafka's columns as the program's elements."""

    calls: tuple[str, ...]
    """On the streaming DataFrame."""
    element: Element | None
    """One element over the columns then; None where `rdd` makes the elements."""
    rdd: tuple[str, ...] = ()
    """On the DataFrame of a batch."""


def decoded(step: Step, found: Mapping[str, ast.expr]) -> Decoded:
    """Pairs of key and value as the program's decoders make them: texts or None, if it has none."""
    decoders = [found.get("keyDecoder"), found.get("valueDecoder")]
    columns = [
        column(step, name) if is_default(step, decoder) else f'"{name}"'
        for name, decoder in zip(("key", "value"), decoders, strict=True)
    ]
    selected = f"select({', '.join(columns)})"
    if all(is_default(step, decoder) for decoder in decoders):
        return Decoded((selected,), Record((field("key"), field("value"))))
    parts = [
        f"row.{name}"
        if decoder is None or is_default(step, decoder)
        else _applied(step, decoder, f"row.{name}")
        for name, decoder in zip(("key", "value"), decoders, strict=True)
    ]
    if "row" in step.plan.facts.identifiers:
        raise step.blocked("`row` is the name of something else in this file")
    return Decoded((selected,), None, ("rdd", f"map(lambda row: ({', '.join(parts)}))"))


def field(name: str) -> Scalar:
    """A column of texts, of which any may be None."""
    return Scalar(f'F.col("{name}")', TEXT, name)


def column(step: Step, name: str) -> str:
    """The text of one of Kafka's two columns of bytes, as Python decodes it."""
    reserved = step.scope.reserved
    step.note((), definitions(("utf8",), reserved))
    return f'{spelled("utf8", reserved)}("{name}")'


def is_default(step: Step, decoder: ast.expr | None) -> bool:
    """Whether a decoder is ``utf8_decoder``, given or not."""
    if decoder is None:
        return True
    name = step.plan.facts.qualified(decoder) or ""
    return name.replace("compat.", "pyspark.", 1) == f"{KAFKA}.utf8_decoder"


def _applied(step: Step, decoder: ast.expr, given: str) -> str:
    """A decoder of the program on the bytes of a column."""
    raw = f"{step.plan.helper(RAW)}({given})"
    if not isinstance(decoder, ast.Lambda):
        return f"{step.argument(decoder)}({raw})"
    if isinstance(decoder.body, ast.Name) and [decoder.body.id] == parameter_names(decoder):
        return raw
    return f"({step.argument(decoder)})({raw})"


def source(
    step: Step,
    rows: Iterable[str],
    given: Mapping[str, Parameter],
    made: Decoded,
    told: Iterable[str],
    *,
    sure: bool,
) -> Source:
    """The Kafka source.

    Args:
        step: the call.
        rows: its options so far.
        given: the program's Kafka parameters.
        made: what Kafka's columns become.
        told: what a user must know of it, beside what holds for each.
        sure: whether DStream has a partition in a batch without messages.
    """
    read = ("readStream", 'format("kafka")', *rows, *options(step, given), "load()")
    timed = {}
    if len(made.calls) == 1:
        timed[_TIME] = (*read, f'{made.calls[0].removesuffix(")")}, "{_TIME}")')
    return Source(
        name="messages",
        calls=(*read, *made.calls),
        element=made.element,
        rdd=made.rdd,
        notes=(*_notes(step), *told),
        timed=timed,
        sure=sure,
    )


def _notes(step: Step) -> tuple[str, ...]:
    """What a user must know of every query that reads Kafka."""
    module = step.plan.program.module
    limited = (RATE.format(RATE_SETTING),) if RATE_SETTING in module.source else ()
    return (NEEDED, *old_connectors(module), NO_GROUP, DATA_LOSS, *limited)
