"""SparkContext and SparkConf become one SparkSession, with the same settings."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from migrate.graph.blocked import Blocked
from migrate.graph.program import Program
from migrate.graph.session_values import is_builder
from migrate.graph.sessions import is_external, is_session
from migrate.plan.code import Call
from migrate.proofs.facts import Facts
from migrate.syntax.nodes import of_kinds, parents_of, walk
from migrate.syntax.quoting import quoted
from migrate.trace import Trace
from migrate.trace.values import Made

_CONF = "pyspark.SparkConf"
_CONTEXTS = ("pyspark.SparkContext", "pyspark.SparkContext.getOrCreate")
_STATIC = frozenset(
    {
        *("spark.sql.warehouse.dir", "spark.sql.catalogImplementation", "spark.sql.extensions"),
        *("spark.sql.globalTempDatabase", "spark.sql.cache.serializer", "spark.sql.queryExecutionListeners"),
        *("spark.sql.streaming.streamingQueryListeners", "spark.sql.filesourceTableRelationCacheSize"),
        *("spark.sql.sources.schemaStringLengthThreshold", "spark.sql.codegen.cache.maxEntries"),
    }
)
"""Settings that only the first session of a program can have: those of Spark's StaticSQLConf."""
_OF_SESSIONS = ("spark.sql.", "hive.")
"""What a session heeds that finds a SparkContext; the context's own settings have no effect any more."""
_HIVE = Call("enableHiveSupport()")
_SETTERS = {"setAppName": "appName", "setMaster": "master"}


@dataclass
class Session:
    """How the new program comes to its session."""

    name: str
    """Its variable."""
    builder: tuple[Call, ...] | None
    """Calls on ``SparkSession.builder``; None where the program makes the session itself."""
    statement: ast.stmt | None
    """The statement that made the SparkContext, to be replaced.

    None to put the session before the streams.
    """
    spark_context: str | None = None
    """The variable of the SparkContext that `statement` bound."""
    conf: tuple[ast.stmt, ...] = ()
    """Statements that built the SparkConf, to be removed."""
    taken_from: ast.Assign | None = None
    """``sc = spark.sparkContext`` of a program with a session, to be removed if nothing else reads `sc`."""

    has_hive: bool = False
    """Whether it was made for a HiveContext."""


def later_session(program: Program, facts: Facts, trace: Trace) -> str | None:
    """The variable that a program without carriers gives its session after the context was made.

    It is the same session as the one that takes the context's place, and may have the same name.
    """
    block = program.tree.block_of(program.construction)
    for statement in block[block.index(program.construction) :]:
        if isinstance(statement, ast.Assign) and is_session(statement.value, trace):
            (target, *others) = statement.targets
            if isinstance(target, ast.Name) and not others and facts.only_binding(target.id) is target:
                return target.id
    return None


def plan_session(program: Program, trace: Trace, name: str, existing: str | None) -> Session:
    """Where the session of the new program comes from.

    Args:
        program: the graph.
        trace: what is known of its expressions.
        name: what to call the session.
        existing: the variable of one that the program makes itself.
    """
    inline = _inline_context(program, trace)
    if existing is not None:
        return Session(existing, None, None, taken_from=_taken_from(existing, program))
    has_hive = _has_hive(program, trace)
    made = _made_session(program, trace, name, inline, (_HIVE,) if has_hive else ())
    return replace(made, has_hive=has_hive)


def _made_session(
    program: Program, trace: Trace, name: str, inline: ast.Call | None, hive: tuple[Call, ...]
) -> Session:
    """The session that takes the place of the SparkContext."""
    first = hive or _first_settings(program, trace)
    if inline is not None:
        settings = _settings(program, trace, inline)
        if settings is None:
            raise Blocked("the settings of the SparkContext have no counterpart", program.constructor)
        return Session(name, (*settings[0], *first), None, None, settings[1])
    made = _spark_context(program, trace)
    if made is not None and (program.carriers is None or _beside(made[0], program)):
        statement, variable, call = made
        settings = _settings(program, trace, call)
        if settings is not None:
            builder, conf = settings
            return Session(name, (*builder, *first), statement, variable, conf)
    return Session(name, first, None)


def _has_hive(program: Program, trace: Trace) -> bool:
    """Whether the program's sessions are a HiveContext's: the new one, which comes before it, has Hive, too.

    Raises:
        Blocked: the program makes other sessions as well, and it is not known which comes first.
    """
    calls = of_kinds(program.tree.tree, ast.Call)
    hive = [call for call in calls if is_external(call.func, "pyspark.sql.HiveContext", trace)]
    others = [
        call
        for call in calls
        if is_session(call, trace) or is_external(call.func, "pyspark.sql.SQLContext", trace)
    ]
    if hive and others:
        what = ast.unparse(hive[0].func)
        raise Blocked(f"`{what}` finds Hive only if it is made before other sessions", at=hive[0])
    return bool(hive)


def _first_settings(program: Program, trace: Trace) -> tuple[Call, ...]:
    """What the program's first session has that no later one can be given: the new one comes before it.

    Returns:
        Calls on the builder.

    Raises:
        Blocked: it is not certain which session is the first one, or what it is given.
    """
    for node in of_kinds(program.tree.tree, ast.Call):
        if not isinstance(node.func, ast.Attribute) or not is_builder(node.func.value, trace):
            continue
        keys = node.args[:1] if len(node.args) == 2 else []
        keys += [keyword.value for keyword in node.keywords if keyword.arg in ("key", "map")]
        static = any(not isinstance(key, ast.Constant) or key.value in _STATIC for key in keys)
        if node.func.attr == "enableHiveSupport" or (node.func.attr == "config" and static):
            settings = _of_first(node, program, trace)
            if settings is None:
                shown = f"{node.func.attr}({', '.join(map(ast.unparse, keys))})"
                raise Blocked(f"`{shown}` is lost where the session is not the first one", at=node)
            return settings
    return ()


def _of_first(node: ast.Call, program: Program, trace: Trace) -> tuple[Call, ...] | None:
    """All that a call's builder sets of a session, if it makes the first session, beside the context."""
    statement = program.tree.statement_of(node)
    if not isinstance(statement, ast.Assign) or not is_session(statement.value, trace):
        return None
    earlier = [
        call
        for call in walk(program.tree.tree)
        if isinstance(call, ast.Call)
        and call.lineno < statement.lineno
        and (is_session(call, trace) or _is_old_session(call, trace))
    ]
    if earlier or statement not in program.tree.block_of(program.construction):
        return None
    calls: list[Call] = []
    step = statement.value
    while isinstance(step, ast.Call) and isinstance(step.func, ast.Attribute):
        plain = not step.keywords and all(isinstance(argument, ast.Constant) for argument in step.args)
        if step.func.attr in ("config", "enableHiveSupport"):
            if not plain:
                return None
            key = step.args[0] if step.args else None
            if not isinstance(key, ast.Constant) or str(key.value).startswith(_OF_SESSIONS):
                given = ", ".join(map(quoted, step.args))
                calls.insert(0, Call(f"{step.func.attr}({given})", (step,)))
        step = step.func.value
    return tuple(calls)


def _is_old_session(call: ast.Call, trace: Trace) -> bool:
    return any(is_external(call.func, f"pyspark.sql.{name}", trace) for name in ("SQLContext", "HiveContext"))


def _taken_from(session: str, program: Program) -> ast.Assign | None:
    """The assignment of `session`'s SparkContext to the variable that the constructor is given."""
    argument = _argument(program)
    if not isinstance(argument, ast.Name):
        return None
    for statement in program.tree.block_of(program.construction):
        if isinstance(statement, ast.Assign) and (
            ast.unparse(statement) == f"{argument.id} = {session}.sparkContext"
        ):
            return statement
    return None


def _beside(statement: ast.stmt, program: Program) -> bool:
    return statement in program.tree.block_of(program.construction)


def _argument(program: Program) -> ast.expr | None:
    """The SparkContext that the constructor is given."""
    call = program.constructor.call
    assert call is not None
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return call.args[0] if call.args else named.get("sparkContext")


def _inline_context(program: Program, trace: Trace) -> ast.Call | None:
    """``SparkContext(...)`` as the constructor's argument.

    Raises:
        Blocked: the argument is a call of something else, which may do anything.
    """
    argument = _argument(program)
    if not isinstance(argument, ast.Call):
        return None
    values = trace.kinds.get(argument, frozenset())
    if any(isinstance(value, Made) and value.name in _CONTEXTS for value in values) and len(values) == 1:
        return argument
    raise Blocked("the SparkContext is made by a call that is not followed", program.constructor)


def _spark_context(program: Program, trace: Trace) -> tuple[ast.Assign, str, ast.Call] | None:
    """The plain assignment of the SparkContext that the constructor is given, in reach of it."""
    argument = _argument(program)
    if not isinstance(argument, ast.Name | ast.Attribute):
        return None
    values = trace.kinds.get(argument, frozenset())
    if len(values) != 1:
        return None
    (value,) = values
    if not isinstance(value, Made) or value.name not in _CONTEXTS:
        return None
    above = parents_of(program.module.tree)
    statement = above[value.node]
    holder = above.get(statement)
    near = statement in program.tree.block_of(program.construction) or isinstance(holder, ast.Module)
    if not isinstance(statement, ast.Assign) or not near or len(statement.targets) != 1:
        return None
    variable = ast.unparse(argument)
    if statement.value is not value.node or ast.unparse(statement.targets[0]) != variable:
        return None
    return statement, variable, value.node


def _settings(
    program: Program, trace: Trace, call: ast.Call
) -> tuple[tuple[Call, ...], tuple[ast.stmt, ...]] | None:
    """The builder's calls for the arguments of a SparkContext; None where one has no counterpart."""
    names = ("master", "appName")
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
        given = dict(zip(names, call.args, strict=False))
        for keyword in call.keywords:
            if keyword.arg == "conf":
                conf = keyword.value
            elif keyword.arg in names:
                given[keyword.arg] = keyword.value
            else:
                return None
        builder = [Call(f"{name}({quoted(given[name])})") for name in names if name in given]
    if conf is None:
        return tuple(builder), ()
    chained = _conf_calls(conf, trace)
    if chained is not None:
        return (*chained, *builder), ()
    if isinstance(conf, ast.Name):
        return _named_conf(program, trace, conf, tuple(builder))
    return None


def _named_conf(
    program: Program, trace: Trace, conf: ast.Name, builder: tuple[Call, ...]
) -> tuple[tuple[Call, ...], tuple[ast.stmt, ...]] | None:
    """A SparkConf that is made in one block for the context alone melts into the builder.

    Else it is passed: what is set in a branch may not be.
    """
    loads = [
        node
        for node in walk(program.module.tree)
        if isinstance(node, ast.Name) and node.id == conf.id and isinstance(node.ctx, ast.Load)
    ]
    stores = [
        node
        for node in walk(program.module.tree)
        if isinstance(node, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == conf.id for t in node.targets)
    ]
    if len(stores) == 1 and len(stores[0].targets) == 1:
        settings = _conf_calls(stores[0].value, trace)
        above = parents_of(program.module.tree)
        block = program.tree.block_of(program.construction)
        near = stores[0] in block or isinstance(above[stores[0]], ast.Module)
        setting = [_setting(load, above) for load in loads if load is not conf]
        if settings is not None and near and all(setting):
            calls = list(settings)
            removed: list[ast.stmt] = [stores[0]]
            for found in setting:
                assert found is not None
                statement, call = found
                own = _conf_call(call)
                straight = statement in program.tree.block_of(stores[0]) and statement.lineno < conf.lineno
                if own is None or not straight:
                    return (Call(f"config(conf={conf.id})"), *builder), ()
                calls.append(own)
                removed.append(statement)
            return (*calls, *builder), tuple(removed)
    return (Call(f"config(conf={conf.id})"), *builder), ()


def _setting(load: ast.Name, above: dict[ast.AST, ast.AST]) -> tuple[ast.stmt, ast.Call] | None:
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
        calls.append(own)
        assert isinstance(node.func, ast.Attribute)
        node = node.func.value
    return None


def _conf_call(call: ast.Call) -> Call | None:
    if not isinstance(call.func, ast.Attribute) or call.keywords:
        return None
    if call.func.attr in _SETTERS and len(call.args) == 1:
        return Call(f"{_SETTERS[call.func.attr]}({quoted(call.args[0])})", (call,))
    if call.func.attr == "set" and len(call.args) == 2:
        return Call(f"config({quoted(call.args[0])}, {quoted(call.args[1])})", (call,))
    return None
