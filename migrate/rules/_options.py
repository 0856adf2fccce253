"""Options of the Kafka source, from the arguments of the old functions: brokers, topics, parameters, limits.

Old and new parameters are those of Kafka's documentation, of 0.8 (Old Consumer Configs) and of today; what
the old stream made of ``auto.offset.reset`` is in Spark 2.4's `KafkaUtils.getFromOffsets`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from migrate.knowledge.kafka_consumer import is_of_consumer
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Call
from migrate.plan.new_code.inner import Inner
from migrate.proofs.values.changed_elsewhere import is_bound_elsewhere, is_changed_elsewhere
from migrate.proofs.values.constants import only_read
from migrate.syntax.nodes import root_of
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import Tree, is_none
from migrate.trace.taken import EVERYTHING
from migrate.trace.values import Bag

NO_MEANING = "Kafka parameters that mean nothing to a query are left out: {}"
NO_GROUP_ID = "`group.id` (Spark names a group for each query)"
NO_PARAMETER = "`{}` is no parameter of Kafka's consumer: it had no effect, and is left out"
RATE = (
    "give the source the option maxOffsetsPerTrigger in place of `{}`: it limits a whole batch, to that "
    "number times the partitions times the interval in seconds; without it the first batch has all that waits"
)
RATE_SETTING = "spark.streaming.kafka.maxRatePerPartition"
RECEIVER_RATE = "spark.streaming.receiver.maxRate"

WRONG_TOPICS = (
    "its topics are {found}, and `{operator}` takes {wanted} alone: it raises a TypeError there as it is;"
    " give it {wanted}"
)

EARLIEST, LATEST = '"earliest"', '"latest"'
"""The code of the starts: with what Kafka has, or with what comes."""
_KINDS: Mapping[type[ast.expr], str] = {
    ast.List: "a list",
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.Tuple: "a tuple",
    ast.Constant: "a constant",
    ast.JoinedStr: "a text",
}
"""What topics may be, as far as it is seen without types."""
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
"""Parameters of the old consumer alone, or which Spark's source sets itself."""
_OF_QUERIES = frozenset(
    {
        *("startingOffsets", "endingOffsets", "startingTimestamp", "failOnDataLoss", "subscribe"),
        *("subscribePattern", "assign", "maxOffsetsPerTrigger", "minPartitions", "includeHeaders"),
    }
)
"""Options of the source of queries, which some programs give the old consumer."""
_MEANINGLESS_PREFIXES = ("zookeeper.", "rebalance.", "offsets.", "spark.")


@dataclass(frozen=True)
class Parameter:
    """A Kafka parameter of the program: the code of its value, and the value where it is a literal."""

    code: str
    value: object = None
    either: ast.IfExp | None = None
    """The value where it is one of two literals, by a condition that can stand at the call."""

    @property
    def values(self) -> tuple[object, ...]:
        """The values that it may have, as far as they are known."""
        parts = () if self.either is None else (self.either.body, self.either.orelse)
        return (*(part.value for part in parts if isinstance(part, ast.Constant)), self.value)


def parameters(step: Step, node: ast.expr | None) -> dict[str, Parameter]:
    """The Kafka parameters that a call is given, by name.

    Raises:
        Blocked: the dict is not written out, or something may change it.
    """
    if node is None or is_none(node):
        return {}
    match node:
        case ast.Call(ast.Name("dict"), [given], keywords) if "dict" not in step.facts.shadowed:
            return {**parameters(step, given), **_more(step, keywords)}
    written = node if isinstance(node, ast.Dict) else _written(step, node)
    if written is None or not all(_is_text(key) for key in written.keys):
        raise step.blocked("its Kafka parameters are not written out")
    own = written is not node and step.program.tree.holds(written)
    melts = own and _melts(step, node, written, written.values)
    if melts:
        _drop(step, written)
    found = {}
    for key, value in zip(written.keys, written.values, strict=True):
        assert isinstance(key, ast.Constant) and isinstance(key.value, str)
        code = quoted(value) if written is node or melts else f'{quoted(node)}["{key.value}"]'
        either = value if _is_either(value, step, here=written is node) else None
        found[key.value] = Parameter(code, value.value if isinstance(value, ast.Constant) else None, either)
    return found


def _is_either(value: ast.expr, step: Step, *, here: bool) -> TypeGuard[ast.IfExp]:
    """Whether a value is one of two texts, by a condition that is the same at the call: ``args.rewind``.

    Args:
        value: the value.
        step: the call.
        here: whether it stands in the call.
    """
    match value:
        case ast.IfExp(test, ast.Constant(str()), ast.Constant(str())):
            return here or (step.facts.of(value) is step.facts and step.facts.unchanging(test))
    return False


def _more(step: Step, keywords: Iterable[ast.keyword]) -> dict[str, Parameter]:
    """The parameters in ``dict(params, **{"group.id": "pages"})`` beside the others.

    Raises:
        Blocked: they are not written out.
    """
    found: dict[str, Parameter] = {}
    for keyword in keywords:
        value = keyword.value
        if keyword.arg is not None:
            literal = value.value if isinstance(value, ast.Constant) else None
            found[keyword.arg] = Parameter(quoted(value), literal)
        else:
            found |= parameters(step, value)
    return found


def _written(step: Step, node: ast.expr) -> ast.Dict | None:
    """The dict that a name is bound to once and that nothing changes."""
    value = _bound(step, node) or _imported(step, node)
    return value if isinstance(value, ast.Dict) else None


def _imported(step: Step, node: ast.expr) -> ast.expr | None:
    """The dict of another module that a name is, which no module changes."""
    facts = step.facts
    kinds = facts.trace.kinds.get(node, frozenset())
    binding = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
    if (
        not isinstance(node, ast.Name)
        or not isinstance(binding, ast.alias)
        or binding.asname
        or len(kinds) != 1
    ):
        return None
    (made,) = kinds
    value = made.node if isinstance(made, Bag) else None
    there = facts.of(value) if value is not None else facts
    if (
        not isinstance(value, ast.Dict)
        or there is facts
        or there.value_of(there.only_binding(node.id)) is not value
    ):
        return None
    looked_at = all(only_read(load, there) for load in there.loads.get(node.id, ()))
    others = is_bound_elsewhere(node.id, there) or is_changed_elsewhere(node.id, there)
    return value if looked_at and not others else None


def _bound(step: Step, node: ast.expr) -> ast.expr | None:
    """The value that a name is bound to once, if nothing changes it."""
    facts = step.facts
    binding = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(node, ast.Name) or not isinstance(binding, ast.Name) or not _seen(step, binding, node):
        return None
    statement = facts.statement_of(binding)
    others = [load for load in facts.loads.get(node.id, ()) if load is not node]
    own = isinstance(statement, ast.Assign) and statement.targets == [binding]
    if not own or not all(only_read(load, facts) for load in others):
        return None
    assert isinstance(statement, ast.Assign)
    return statement.value


def _drop(step: Step, written: ast.expr) -> None:
    """Leave out the statement that gives a variable a dict or a list."""
    statement = step.program.tree.statement_of(written)
    assert isinstance(statement, ast.stmt)
    step.need(inner=Inner(dropped=(statement,)))


def _melts(step: Step, node: ast.expr, written: ast.expr, parts: Iterable[ast.expr]) -> bool:
    """Whether a dict or list in a variable, which nothing else reads, becomes options with parts of it."""
    facts = step.facts
    if not isinstance(node, ast.Name) or not _is_read_once(step, node, written):
        return False
    others = (value for value in parts if not isinstance(value, ast.Constant))
    bound = [_read_by(value, step) for value in others]
    names = [(value, facts.only_binding_of(value)) for value in bound if isinstance(value, ast.Name)]
    return len(names) == len(bound) and all(
        isinstance(binding, ast.Name) and _seen(step, binding, value) for value, binding in names
    )


def _read_by(value: ast.expr, step: Step) -> ast.expr:
    """The variable that a part reads which is the same at the call: ``args`` in ``args.brokers``."""
    if _is_either(value, step, here=False):
        return root_of(value.test)
    return root_of(value) if isinstance(value, ast.Attribute) and step.facts.unchanging(value) else value


def _is_read_once(step: Step, node: ast.Name, written: ast.expr) -> bool:
    """Whether nothing but the call reads the variable that holds a dict or a list."""
    taken = step.trace.taken.of_module(step.program.module_of(written))
    return step.facts.loads.get(node.id) == [node] and not taken & {node.id, EVERYTHING}


def _seen(step: Step, binding: ast.AST, node: ast.expr) -> bool:
    """Whether the only binding of a name is seen where the name is read, and no loop repeats it."""
    tree = step.program.tree
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
    """The code of the start of a new query, ``earliest`` or ``latest``; None where the program does not say.

    A backfill begins with what is there.

    Raises:
        Blocked: what it says is not a literal, nor one of two.
    """
    reset = given.get("auto.offset.reset")
    if step.options.trigger.is_backfill:
        return EARLIEST
    if reset is None:
        return None
    match reset.either:
        case ast.IfExp(test, ast.Constant(one), ast.Constant(other)):
            first, second = _start_of(one), _start_of(other)
            return first if first == second else f"{first} if {quoted(test)} else {second}"
    if not isinstance(reset.value, str):
        raise step.blocked("its auto.offset.reset is not a literal")
    return _start_of(reset.value)


def _start_of(reset: object) -> str:
    return EARLIEST if str(reset).lower() == "smallest" else LATEST


def from_there(start: str | None) -> list[Call]:
    """The option for where a new query starts, if the program says that."""
    return [] if start is None else [Call("option", f'"startingOffsets", {start}')]


def options(step: Step, given: Mapping[str, Parameter]) -> list[Call]:
    """Options for the other parameters of the consumer: security, sizes, ``isolation.level``."""
    rows, left_out = [], []
    for name, parameter in given.items():
        if name in _BROKERS or name == "auto.offset.reset":
            continue
        if name.startswith("kafka.") or name in _OF_QUERIES:
            step.note(NO_PARAMETER.format(name))
            continue
        if name in _MEANINGLESS or name.startswith(_MEANINGLESS_PREFIXES):
            if name != "zookeeper.connect":
                left_out.append(NO_GROUP_ID if name == "group.id" else f"`{name}`")
            continue
        new = _RENAMED.get(name, name)
        if not is_of_consumer(new):
            step.note(NO_PARAMETER.format(name))
            continue
        rows.append(Call("option", f'"kafka.{new}", {parameter.code}'))
    if left_out:
        step.note(NO_MEANING.format(", ".join(left_out)))
    return rows


def subscribed(step: Step, node: ast.expr, kind: type[ast.List | ast.Dict]) -> str:
    """The code of the topics, with commas between them.

    Args:
        step: the call.
        node: the argument.
        kind: what it must be, a list of topics or a dict of them.

    Raises:
        Blocked: it is something else for certain, or its topics are not written out.
    """
    found = _bound(step, node) or node
    if type(found) in _KINDS and not isinstance(found, kind):
        words = {"found": _KINDS[type(found)], "wanted": _KINDS[kind], "operator": step.operation.operator}
        raise step.blocked(WRONG_TOPICS.format(**words))
    items: list[ast.expr | None] | None = None
    if isinstance(node, ast.List):
        items = list(node.elts)
    elif isinstance(node, ast.Dict):
        items = list(node.keys)
    if items is None:
        return _joined_list(node) or _variable_of_text(step, node) or f'",".join({quoted(node)})'
    topics = [item for item in items if item is not None and not isinstance(item, ast.Starred)]
    if not topics or len(topics) != len(items):
        raise step.blocked("its topics are not written out")
    if len(topics) == 1:
        return quoted(topics[0])
    if all(_is_text(topic) for topic in topics):
        names = [topic.value for topic in topics if isinstance(topic, ast.Constant)]
        return f'"{",".join(map(str, names))}"'
    return f'",".join([{", ".join(map(quoted, topics))}])'


def _joined_list(node: ast.expr) -> str:
    """The text whose parts are the topics: ``topics`` for ``topics.split(",")``; empty for anything else."""
    match node:
        case ast.Call(ast.Attribute(text, "split"), [ast.Constant(",")], []):
            return quoted(text)
    return ""


def _variable_of_text(step: Step, node: ast.expr) -> str:
    """The variable of the topics, ``topics = ["words"]``, which is a text now; empty for another one.

    The numbers in a dict of topics are of threads, which a query does not have.
    """
    written = _bound(step, node)
    items = _topics(written)
    if written is None or not isinstance(node, ast.Name) or not _is_read_once(step, node, written):
        return ""
    match items:
        case [ast.Name() as topic] if _melts(step, node, written, [topic]):
            _drop(step, written)
            return quoted(topic)
        case [ast.Constant() | ast.Subscript() | ast.Attribute() as topic]:
            step.need(inner=Inner(((written, quoted(topic)),)))
        case [_, *_] if isinstance(written, ast.Dict) and all(map(_is_text, items)):
            topics = [item.value for item in items if isinstance(item, ast.Constant)]
            step.need(inner=Inner(((written, f'"{",".join(map(str, topics))}"'),)))
        case _:
            return ""
    return quoted(node)


def _topics(written: ast.expr | None) -> Sequence[ast.expr | None]:
    """The topics of a list or dict that is written out."""
    match written:
        case ast.List(elts=items):
            return items
        case ast.Dict(keys=keys):
            return keys
    return ()


def is_single(topics: ast.expr | None) -> bool:
    """Whether a list or dict of topics that is written out has one topic: ``["pages"]``, ``{topic: 1}``."""
    match topics:
        case ast.List([one]) | ast.Dict([ast.expr() as one]):
            return not isinstance(one, ast.Starred)
    return False


def limit(step: Step, setting: str, partitions: int | None) -> list[Call]:
    """The option that limits a batch as a setting of so many messages per second and partition did.

    Nothing where the setting or the interval is not a literal, or the number of partitions is not known; nor
    where there are no batches.
    """
    if step.options.trigger.is_by_record:
        return []  # real-time mode fails with one
    rate, interval = _setting(step.program.tree, setting), _interval(step)
    if rate is None or interval is None or partitions is None:
        return []
    step.need(mapped=frozenset({setting}))
    most = max(1, int(rate * interval)) * partitions
    return [Call("option", f'"maxOffsetsPerTrigger", {most}')] if rate > 0 else []


def _setting(tree: Tree, name: str) -> float | None:
    """The number that a program gives a setting of Spark, where it is a literal."""
    given = [
        node.args[1].value
        for node in tree.of_kinds(ast.Call)
        if len(node.args) == 2
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value == name
        and isinstance(node.args[1], ast.Constant)
    ]
    try:
        return float(str(given[0])) if len(given) == 1 else None
    except ValueError:
        return None


def _interval(step: Step) -> float | None:
    """The batch interval in seconds, where it is a literal."""
    call = step.program.constructor.call
    assert call is not None
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    node = call.args[1] if len(call.args) > 1 else named.get("batchDuration")
    value = node.value if isinstance(node, ast.Constant) else None
    return float(value) if isinstance(value, int | float) else None
