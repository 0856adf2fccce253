"""Settings that only the first session of a program can have: the new one comes first and gets them."""

from __future__ import annotations

import ast

from migrate.graph.blocked import Blocked
from migrate.graph.existing_session import is_external, is_session
from migrate.graph.program import Program
from migrate.graph.session_expressions import is_builder
from migrate.plan.new_code.code import Call
from migrate.syntax.nodes import position
from migrate.syntax.quoting import quoted
from migrate.trace import Trace

_STATIC = frozenset(
    {
        *("spark.sql.warehouse.dir", "spark.sql.catalogImplementation", "spark.sql.extensions"),
        *("spark.sql.globalTempDatabase", "spark.sql.cache.serializer", "spark.sql.queryExecutionListeners"),
        *("spark.sql.streaming.streamingQueryListeners", "spark.sql.filesourceTableRelationCacheSize"),
        *("spark.sql.sources.schemaStringLengthThreshold", "spark.sql.codegen.cache.maxEntries"),
    }
)
"""Settings that only the first session of a program can have: those of Spark's StaticSQLConf."""
_SETTING = frozenset({"config", "enableHiveSupport"})
"""Methods of a session's builder that give it settings."""
_OF_SESSIONS = ("spark.sql.", "hive.")
"""Prefixes of the settings that still have an effect on a session if there is a SparkContext already."""
_OF_CONTEXTS = frozenset(
    {
        *("acls", "app", "archives", "authenticate", "blockManager", "broadcast", "cleaner"),
        *("cores", "decommission", "default", "deploy", "driver", "dynamicAllocation", "eventLog"),
        *("excludeOnFailure", "executor", "executorEnv", "extraListeners", "files", "hadoop"),
        *("history", "io", "jars", "kryo", "kryoserializer", "kubernetes", "local", "locality"),
        *("log", "logConf", "master", "memory", "mesos", "metrics", "modify", "network", "pyspark"),
        *("python", "rdd", "reducer", "repl", "rpc", "scheduler", "security", "serializer"),
        *("shuffle", "some", "speculation", "ssl", "stage", "storage", "streaming", "submit"),
        *("task", "ui", "unsafe", "user", "worker", "yarn"),
    }
)
"""The second words of settings of Spark's core, and of the one that its documentation makes up."""


def needs_hive(program: Program, trace: Trace) -> bool:
    """Whether the new session needs Hive, because the program makes a HiveContext after it.

    Raises:
        Blocked: the program makes other sessions as well, and it is not known which comes first.
    """
    if not any("HiveContext" in module.source for module in trace.modules):
        return False
    calls = list(program.tree.of_kinds(ast.Call))
    hive = [call for call in calls if is_external(call.func, "pyspark.sql.HiveContext", trace)]
    if not hive:
        return False
    others = [
        call
        for call in calls
        if is_session(call, trace) or is_external(call.func, "pyspark.sql.SQLContext", trace)
    ]
    if not all(_comes_later(other, hive[0], program, set()) for other in others):
        what = ast.unparse(hive[0].func)
        raise Blocked(f"`{what}` finds Hive only if it is made before other sessions", at=hive[0])
    return True


def _comes_later(node: ast.AST, first: ast.Call, program: Program, seen: set[ast.AST]) -> bool:
    """Whether code runs below a call of its module, as do functions that are named only below it.

    Args:
        node: the code.
        first: the call.
        program: the program.
        seen: functions that were gone through.
    """
    tree = program.tree
    if tree.root_of(node) is not tree.root_of(first) or not isinstance(tree.scope_of(first), ast.Module):
        return False
    scope = tree.scope_of(node)
    if isinstance(scope, ast.Module):
        return position(node) > position(first)
    if isinstance(scope, ast.Lambda):
        return _comes_later(scope, first, program, seen)
    if scope in seen:
        return True
    seen.add(scope)
    name = getattr(scope, "name", "")
    reads = [one for one in tree.of_kinds(ast.Name) if one.id == name]
    members = any(one.attr == name for one in tree.of_kinds(ast.Attribute))
    return not members and all(_comes_later(read, first, program, seen) for read in reads)


def first_settings(program: Program, trace: Trace) -> tuple[Call, ...]:
    """The static settings of the program's first session, which the new one must have as it comes first.

    Returns:
        Calls on the builder.

    Raises:
        Blocked: it is not certain which session is the first one, or what it is given.
    """
    for node in program.tree.of_kinds(ast.Call):
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _SETTING:
            continue
        if not is_builder(node.func.value, trace) or program.is_of_other_cells(node):
            continue
        keys = node.args[:1] if len(node.args) == 2 else []
        keys += [keyword.value for keyword in node.keywords if keyword.arg in ("key", "map")]
        static = any(not isinstance(key, ast.Constant) or key.value in _STATIC for key in keys)
        if node.func.attr == "enableHiveSupport" or (node.func.attr == "config" and static):
            if session_before(program.tree.statement_of(node), program, trace):
                continue  # the old program loses it, too
            settings = _of_first(node, program, trace)
            if settings is None:
                shown = f"{node.func.attr}({', '.join(map(ast.unparse, keys))})"
                raise Blocked(f"`{shown}` is lost where the session is not the first one", at=node)
            return settings
    return ()


def _of_first(node: ast.Call, program: Program, trace: Trace) -> tuple[Call, ...] | None:
    """The settings of a builder that makes the program's first session; None where they are not certain."""
    statement = program.tree.statement_of(node)
    if not isinstance(statement, ast.Assign) or not is_session(statement.value, trace):
        return None
    earlier = [
        call
        for call in program.tree.of_kinds(ast.Call)
        if (is_session(call, trace) or _is_old_session(call, trace))
        and (
            program.module_of(call) is not program.module_of(statement)
            or position(call) < position(statement)
        )
    ]
    if earlier or statement not in program.tree.block_of(program.construction):
        return None
    return session_settings(statement.value, trace)


def session_before(statement: ast.stmt, program: Program, trace: Trace) -> str:
    """The code of what makes a session for certain above a statement; empty if nothing does.

    ``SQLContext(sc)`` does, after which a builder only finds that session.
    """
    block = program.tree.block_of(program.construction)
    above = block[: block.index(statement)] if statement in block else []
    for call in program.tree.of_kinds(ast.Call):
        own = program.tree.statement_of(call)
        if (
            own in above
            and isinstance(own, ast.Assign)
            and own.value is call
            and _is_old_session(call, trace)
        ):
            return ast.unparse(call)
    return ""


def is_static(call: Call) -> bool:
    """Whether a call on a builder gives what only the first session of a program can have."""
    (made,) = call.origin
    key = made.args[0] if made.args else None
    return key is None or (isinstance(key, ast.Constant) and key.value in _STATIC)


def session_settings(made: ast.expr, trace: Trace) -> tuple[Call, ...] | None:
    """The settings of ``SparkSession.builder...getOrCreate()`` that count where there is a SparkContext.

    Returns:
        Calls on the builder; None where one is given what is not written out.
    """
    calls: list[Call] = []
    step = made
    while isinstance(step, ast.Call) and isinstance(step.func, ast.Attribute):
        if step.func.attr in ("config", "enableHiveSupport") and not _is_of_context(step):
            if step.keywords or not all(isinstance(argument, ast.Constant) for argument in step.args):
                return None
            key = step.args[0] if step.args else None
            if not isinstance(key, ast.Constant) or _counts(str(key.value)):
                given = ", ".join(map(quoted, step.args))
                calls.insert(0, Call(step.func.attr, given, origin=(step,)))
        step = step.func.value
    return tuple(calls)


def _counts(key: str) -> bool:
    """Whether a session takes a setting: those of Spark's core are its context's, a connector's are not."""
    first, *rest = key.split(".")
    return key.startswith(_OF_SESSIONS) or first != "spark" or rest[:1] == [] or rest[0] not in _OF_CONTEXTS


def _is_of_context(call: ast.Call) -> bool:
    """``config(conf=sc.getConf())``, whose settings the session has from its context."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    functions = [node.func for node in given if isinstance(node, ast.Call)]
    return len(given) == 1 and any(isinstance(f, ast.Attribute) and f.attr == "getConf" for f in functions)


def _is_old_session(call: ast.Call, trace: Trace) -> bool:
    return any(is_external(call.func, f"pyspark.sql.{name}", trace) for name in ("SQLContext", "HiveContext"))
