"""SparkContext and SparkConf become one SparkSession, with the same settings."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.cassandra import other_members
from migrate.graph.existing_session import is_external, is_session
from migrate.graph.program import Program
from migrate.knowledge.cassandra import CONTEXTS
from migrate.plan.new_code.code import Call
from migrate.plan.session.first_session import (
    first_settings,
    is_static,
    needs_hive,
    session_before,
    session_settings,
)
from migrate.plan.session.spark_conf import builder_calls, calls_of_conf
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import code_of, of_kinds, position, walk
from migrate.syntax.tree import is_single, target_of
from migrate.trace import Trace
from migrate.trace.values import Made, Value

_CONTEXTS = ("pyspark.SparkContext", "pyspark.SparkContext.getOrCreate")
_HIVE = Call("enableHiveSupport", "")
LOST = (
    "`{}` made the session, so that what only the first builder can set did nothing below it, and is left "
    "out: {}; give it to the new session if that is to have it"
)
NO_CONTEXT = (
    "{}: `{}` is a SparkConf, no SparkContext: an AttributeError where this ran; the session has its"
    " settings, and the code below it runs"
)
WITHOUT_HIVE = "# without Hive, as before: `{}` made the session"


@dataclass
class Session:
    """The session of the new program, and the statements that it replaces."""

    name: str
    """The name of its variable."""
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
    dropped: tuple[ast.stmt, ...] = ()
    """Those of them whose settings have no effect on a query."""
    taken_from: ast.Assign | None = None
    """``sc = spark.sparkContext`` of a program with a session, to be removed if nothing else reads `sc`."""

    later: ast.Assign | None = None
    """The statement that made the program's own session after the context, to be removed: it is this one."""
    has_hive: bool = False
    """Whether it was made for a HiveContext."""
    notes: tuple[str, ...] = ()
    """What to say of the settings, those of `later` too."""
    remark: str = ""
    """The same in short, above the session."""


def later_session(program: Program, facts: Facts, trace: Trace) -> ast.Assign | None:
    """The statement that makes the program's session, ``spark = SparkSession(sc)``, after its SparkContext.

    It is the same session as the one that takes the context's place, which gets its name.
    """
    block = program.tree.block_of(program.construction)
    made = _spark_context(program, trace)
    begin = made[0] if made is not None and made[0] in block else program.construction
    for statement in block[block.index(begin) :]:
        if isinstance(statement, ast.Assign) and is_session(statement.value, trace):
            (target, *others) = statement.targets
            if isinstance(target, ast.Name) and not others and _is_bound_once(target, program, facts):
                return statement
            held = program.carriers.name_of(program.target) if program.carriers else ""
            if isinstance(target, ast.Attribute) and not others and code_of(target) == held:
                return statement
    return None


def _is_bound_once(target: ast.Name, program: Program, facts: Facts) -> bool:
    """Whether one place alone gives a variable its value, though functions may declare it ``global``.

    Functions that have a variable of their own by that name do not change it, as callbacks that find their
    session: ``spark = getSparkSessionInstance(rdd.context.getConf())``.
    """
    tree, name = program.tree, target.id
    bindings = facts.bindings.get(name, [])
    if target not in bindings or name in facts.starred:
        return False
    root = tree.root_of(target)
    declaring: list[ast.Global | ast.Nonlocal] = []
    declaring += of_kinds(root, ast.Global)
    declaring += of_kinds(root, ast.Nonlocal)
    shared = {tree.scope_of(node) for node in declaring if name in node.names}
    scope = tree.scope_of(target)
    if scope in shared:  # `global spark`, in the function that makes it
        return bindings == [target]
    own = {tree.scope_of(node) for node in bindings if node is not target}
    holding = {program.scope, *(line.scope for line in program.lines)}
    functions = all(isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) for scope in own)
    return scope not in own and functions and own.isdisjoint(shared | holding)


def plan_session(
    program: Program, facts: Facts, name: str, existing: str | None, later: ast.Assign | None
) -> Session:
    """The session of the new program: one that the program has, or one for its SparkContext.

    Args:
        program: the graph.
        facts: the names of its module.
        name: the name of a new session.
        existing: the variable of one that the program makes itself.
        later: the statement that makes one with that name after the context.
    """
    trace = facts.trace
    inline = _inline_context(program, trace)
    if existing is not None:
        return Session(existing, None, None, taken_from=_taken_from(existing, program, trace))
    has_hive = needs_hive(program, trace)
    made = _made_session(program, facts, name, inline, (_HIVE,) if has_hive else ())
    settings = session_settings(later.value, trace) if later is not None else None
    own = later is not None and ast.unparse(later.targets[0]) == made.name
    finds = not settings and _is_of_next_part(later, program)
    if settings is None or made.builder is None or not own or finds:
        return replace(made, has_hive=has_hive)
    known = {call.code for call in made.builder}
    assert later is not None
    before = session_before(later, program, trace) if not has_hive else ""
    lost = [call for call in settings if before and is_static(call)]
    more = tuple(call for call in settings if call.code not in known and call not in lost)
    notes = (LOST.format(before, ", ".join(map(_shown, lost))),) if lost else ()
    remark = WITHOUT_HIVE.format(before) if any(call.method == _HIVE.method for call in lost) else ""
    calls = (*made.builder, *more)
    told = (*made.notes, *notes)
    return replace(made, builder=calls, later=later, has_hive=has_hive, notes=told, remark=remark)


def _is_of_next_part(later: ast.Assign | None, program: Program) -> bool:
    """Whether a session is made below the start of the streams, by what finds the one that is there.

    It begins another part of the program, which would lack it: ``SparkSession.builder.getOrCreate()``.
    """
    start, tree = program.start, program.tree
    if later is None or start is None or tree.root_of(later) is not tree.root_of(start.node):
        return False
    read = {node.id for node in walk(later.value) if isinstance(node, ast.Name)}
    return position(later) > position(start.node) and len(read) == 1


def _shown(call: Call) -> str:
    """A call on a builder as the program writes it."""
    (made,) = call.origin
    assert isinstance(made.func, ast.Attribute)
    return f"`{made.func.attr}({', '.join(map(ast.unparse, made.args))})`"


def _made_session(
    program: Program, facts: Facts, name: str, inline: ast.Call | None, hive: tuple[Call, ...]
) -> Session:
    """The session that takes the place of the SparkContext."""
    trace = facts.trace
    first = hive or first_settings(program, trace)
    if inline is not None:
        settings = builder_calls(program, facts, inline)
        if settings is None:
            raise Blocked("the settings of the SparkContext have no counterpart", program.constructor)
        return Session(name, (*settings.calls, *first), None, None, settings.melted, settings.dropped)
    made = _spark_context(program, trace)
    if made is not None and (program.carriers is None or _beside(made[0], program)):
        statement, variable, call = made
        settings = builder_calls(program, facts, call)
        if settings is not None:
            calls = (*settings.calls, *first)
            return Session(name, calls, statement, variable, settings.melted, settings.dropped)
    given = _argument(program)
    settings = calls_of_conf(program, facts, given)
    if settings is None or given is None:
        return Session(name, first, None)
    line = program.graph.told(program.module_of(program.construction)).where(given.lineno)
    calls = (*settings.calls, *first)
    notes = (NO_CONTEXT.format(line, code_of(given)),)
    return Session(name, calls, None, None, settings.melted, settings.dropped, notes=notes)


def _taken_from(session: str, program: Program, trace: Trace) -> ast.Assign | None:
    """The assignment of `session`'s SparkContext to the variable that the constructor is given.

    Below the session, ``SparkContext.getOrCreate()`` finds the same one.
    """
    argument = _argument(program)
    if not isinstance(argument, ast.Name):
        return None
    made = False
    for statement in program.tree.block_of(program.construction):
        if not isinstance(statement, ast.Assign):
            continue
        targets = [ast.unparse(target) for target in statement.targets]
        if targets == [argument.id] and (
            ast.unparse(statement.value) == f"{session}.sparkContext"
            or (made and _finds_context(statement.value, trace))
        ):
            return statement
        made |= targets == [session]
    return None


def _finds_context(node: ast.expr, trace: Trace) -> bool:
    """``SparkContext.getOrCreate()``."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return is_external(node.func, "pyspark.SparkContext.getOrCreate", trace)


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
    if any(_makes_context(value, program) for value in values) and len(values) == 1:
        return argument
    raise Blocked("the SparkContext is made by a call that is not followed", program.constructor)


def _makes_context(value: Value, program: Program) -> bool:
    """Whether a value is a SparkContext; one of Cassandra's library if that can go."""
    if not isinstance(value, Made):
        return False
    others = other_members(program.modules, program.graph, reads=False)
    return value.name in _CONTEXTS or (value.name in CONTEXTS and next(others, None) is None)


def _spark_context(program: Program, trace: Trace) -> tuple[ast.Assign | ast.AnnAssign, str, ast.Call] | None:
    """The plain assignment of the SparkContext that the constructor is given, in reach of it."""
    argument = _argument(program)
    if not isinstance(argument, ast.Name | ast.Attribute):
        return None
    values = trace.kinds.get(argument, frozenset())
    if len(values) != 1:
        return None
    (value,) = values
    above = program.tree.above
    if not isinstance(value, Made) or not _makes_context(value, program):
        return None
    made = value.node
    if made not in above:  # it is of a module that the program only imports
        return None
    finding = above[above[made]]
    if isinstance(finding, ast.Call) and finding.func is above[made] and trace.kinds.get(finding) == values:
        made = finding  # `SparkContext("local").getOrCreate()`
    statement = above[made]
    holder = above.get(statement)
    near = statement in program.tree.block_of(program.construction) or isinstance(holder, ast.Module)
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or not near or not is_single(statement):
        return None
    variable = code_of(argument)
    if statement.value is not made or code_of(target_of(statement)) != variable:
        return None
    return statement, variable, value.node
