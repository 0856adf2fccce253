"""The arguments of a SparkContext, and the SparkConf among them, as calls on ``SparkSession.builder``."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.frozen import dataclass
from migrate.graph.existing_session import is_external
from migrate.graph.program import Program
from migrate.knowledge.kafka_connector import PACKAGE_SETTING, is_of_receivers
from migrate.plan.new_code.code import Call
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.may_be_none import may_be_none
from migrate.syntax.nodes import of_kinds, position
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import is_none
from migrate.trace import Trace

_CONF = "pyspark.SparkConf"
_SETTERS = {"setAppName": "appName", "setMaster": "master"}
_NAMES = ("master", "appName")
_OVERRULED = ("spark.master", "spark.app.name")
"""The settings that the arguments of these names overrule."""
OLD_CLUSTER = "yarn-cluster"
"""A master with which no Spark from 3 on starts: it goes, and who submits the program says it otherwise."""
_OF_DSTREAMS = "spark.streaming."
"""The prefix of settings that have no effect on a query: they go."""


@dataclass(frozen=True)
class Settings:
    """The arguments of a SparkContext as calls on the builder, each of a name or master once."""

    calls: tuple[Call, ...]
    melted: tuple[ast.stmt, ...] = ()
    """The statements that built the SparkConf, whose comments go with the calls."""
    dropped: tuple[ast.stmt, ...] = ()
    """Those that go with their comments."""

    def __post_init__(self) -> None:
        """Leave out a name or master that a later one takes the place of."""
        last = {call.method: call for call in self.calls}
        kept = (call for call in self.calls if call.method == "config" or last[call.method] is call)
        object.__setattr__(self, "calls", tuple(kept))


def builder_calls(program: Program, facts: Facts, call: ast.Call) -> Settings | None:
    """The builder's calls for the arguments of a SparkContext; None where one has no counterpart.

    A SparkContext takes None for what is not given; the builder makes a text of it.
    """
    trace = facts.trace
    getting = isinstance(call.func, ast.Attribute) and call.func.attr == "getOrCreate"
    builder: list[Call] = []
    conf: ast.expr | None = None
    if getting:
        if len(call.args) + len(call.keywords) > 1:
            return None
        conf = call.args[0] if call.args else call.keywords[0].value if call.keywords else None
    else:
        if len(call.args) > 2 or any(isinstance(argument, ast.Starred) for argument in call.args):
            return None
        given = dict(zip(_NAMES, call.args, strict=False))
        for keyword in call.keywords:
            if keyword.arg == "conf":
                conf = keyword.value
            elif keyword.arg in _NAMES:
                given[keyword.arg] = keyword.value
            else:
                return None
        given = {name: value for name, value in given.items() if not is_none(value)}
        if any(may_be_none(value, facts) for value in given.values()):
            return None
        names = [name for name in _NAMES if name in given and not _is_old_cluster(given[name])]
        builder = [Call(name, quoted(given[name])) for name in names]
    if conf is None:
        return Settings(tuple(builder))
    chained = _conf_calls(conf, trace)
    if chained is not None:
        return Settings(_together(chained, builder))
    if isinstance(conf, ast.Name):
        return _named_conf(program, trace, conf, tuple(builder))
    return None


def calls_of_conf(program: Program, facts: Facts, given: ast.expr | None) -> Settings | None:
    """The builder's calls for a SparkConf that a StreamingContext is given; None for anything else."""
    if not isinstance(given, ast.Name):
        return None
    made = facts.part_of(facts.only_binding(given.id))
    while isinstance(made, ast.Call):
        if is_external(made.func, _CONF, facts.trace):
            return _named_conf(program, facts.trace, given, ())
        made = made.func.value if isinstance(made.func, ast.Attribute) else None
    return None


def _together(settings: Sequence[Call], own: Sequence[Call]) -> tuple[Call, ...]:
    """The calls for a SparkConf below those for other arguments, or above where these may overrule one."""
    known = all(_key(call) not in ("", *_OVERRULED) for call in settings)
    return (*own, *settings) if known else (*settings, *own)


def _key(setting: Call) -> str:
    """The key of ``conf.set("spark.cores.max", 2)``; empty for another call."""
    match setting.origin:
        case [ast.Call(ast.Attribute(attr="set"), [ast.Constant(str(key)), _])]:
            return key
    return ""


def _named_conf(program: Program, trace: Trace, conf: ast.Name, builder: tuple[Call, ...]) -> Settings:
    """The builder's calls for a SparkConf in a variable.

    Its settings become calls of the builder if they are all made in one block and for this context alone;
    else the SparkConf itself is passed, since a branch may leave a setting out.
    """
    root = program.tree.root_of(conf)
    loads = [
        node for node in of_kinds(root, ast.Name) if node.id == conf.id and isinstance(node.ctx, ast.Load)
    ]
    stores = [
        node
        for node in of_kinds(root, ast.Assign)
        if any(isinstance(t, ast.Name) and t.id == conf.id for t in node.targets)
    ]
    if len(stores) == 1 and len(stores[0].targets) == 1:
        settings = _conf_calls(stores[0].value, trace)
        above = program.tree.above
        block = program.tree.block_of(program.construction)
        near = stores[0] in block or isinstance(above[stores[0]], ast.Module)
        setting = [_setting(load, above) for load in loads if load is not conf]
        if settings is not None and near and all(setting):
            calls = list(settings)
            melted: list[ast.stmt] = [stores[0]]
            dropped: list[ast.stmt] = []
            for found in setting:
                assert found is not None
                statement, call = found
                own = _conf_call(call)
                straight = statement in program.tree.block_of(stores[0]) and position(statement) < position(
                    conf
                )
                if own is None or not straight:
                    return Settings((Call("config", f"conf={conf.id}"), *builder))
                calls += own
                (melted if own else dropped).append(statement)
            return Settings(_together(calls, builder), tuple(melted), tuple(dropped))
    return Settings((Call("config", f"conf={conf.id}"), *builder))


def _setting(load: ast.Name, above: Mapping[ast.AST, ast.AST]) -> tuple[ast.stmt, ast.Call] | None:
    """``conf.set(key, value)`` as a statement of its own."""
    attribute = above[load]
    call = above.get(attribute)
    statement = above.get(call) if call is not None else None
    if (
        isinstance(attribute, ast.Attribute)
        and isinstance(call, ast.Call)
        and isinstance(statement, ast.Expr)
    ):
        return statement, call
    return None


def _conf_calls(node: ast.expr, trace: Trace) -> tuple[Call, ...] | None:
    """``SparkConf().setAppName(a).set(k, v)`` as calls on the builder; None for any other expression."""
    calls: list[Call] = []
    while isinstance(node, ast.Call):
        if is_external(node.func, _CONF, trace):
            return tuple(reversed(calls)) if not node.args and not node.keywords else None
        own = _conf_call(node)
        if own is None:
            return None
        calls += own
        assert isinstance(node.func, ast.Attribute)
        node = node.func.value
    return None


def _conf_call(call: ast.Call) -> tuple[Call, ...] | None:
    """The builder's call for one of a SparkConf; none for a setting of DStreams, or what no Spark has now."""
    if not isinstance(call.func, ast.Attribute) or call.keywords:
        return None
    if call.args and _is_old_cluster(call.args[-1]) and call.func.attr in ("set", "setMaster"):
        return ()
    if call.func.attr in _SETTERS and len(call.args) == 1:
        return (Call(_SETTERS[call.func.attr], quoted(call.args[0]), origin=(call,)),)
    if call.func.attr == "set" and len(call.args) == 2:
        key, value = call.args
        if isinstance(key, ast.Constant) and is_of_dstreams(str(key.value)):
            return ()
        if names_receivers(call, value):
            return ()
        return (Call("config", f"{quoted(key)}, {quoted(value)}", origin=(call,)),)
    return None


def _is_old_cluster(master: ast.expr) -> bool:
    return isinstance(master, ast.Constant) and master.value == OLD_CLUSTER


def is_of_dstreams(key: str) -> bool:
    """Whether a setting has no effect on a query: ``spark.streaming.kafka.maxRatePerPartition``."""
    return key.startswith(_OF_DSTREAMS)


def names_receivers(call: ast.AST, value: ast.expr) -> bool:
    """Whether a call is ``conf.set("spark.jars.packages", value)`` with connectors of DStreams alone."""
    match call:
        case ast.Call(
            func=ast.Attribute(attr="set"),
            args=[ast.Constant(key), ast.Constant(str(packages)) as given],
        ):
            return given is value and key == PACKAGE_SETTING and is_of_receivers(packages)
    return False
