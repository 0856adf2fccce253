"""``getOrCreate``: decides whether a graph that is built anew does what one from a checkpoint did.

A receiver's data is gone after a restart: for every batch before it, `ReceiverInputDStream.compute` gives an
RDD without partitions. Without state nothing else is left of the batches before. An output that is made
outside of the function, and so at every start, fails beside a checkpoint (`DStream.isTimeValid`: "has not
been initialized"): such a program works only where it begins anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from migrate.graph.blocked import Blocked
from migrate.graph.call_graph import CallGraph
from migrate.graph.operations import Operation
from migrate.graph.reading import Reading
from migrate.knowledge.builtins import PURE
from migrate.knowledge.connectors import KAFKA
from migrate.knowledge.methods import FILLS, READS
from migrate.knowledge.sessions import QUIET
from migrate.knowledge.streaming import OF_SEVERAL_BATCHES, RECEIVERS, TEXT_FILES
from migrate.syntax.nodes import position, walk
from migrate.syntax.tree import own_nodes
from migrate.trace import Use

_OF_KAFKA = frozenset({"createDirectStream", "createStream"})
"""A receiver goes on from its group's offsets in ZooKeeper, which a stop commits."""
_MAKES_CONTEXTS = frozenset(
    {"SparkContext", "SparkConf", "StreamingContext", "getOrCreate", "appName", "master", "config"}
    | {"TopicAndPartition"}
)
_OUTSIDE = frozenset(
    {"exists", "getenv", "hget", "hgetall", "load", "read", "readlines", "readline", "safe_load"}
)
"""Methods and functions that read what may be another thing at the next start."""
_READS = READS | FILLS | _OUTSIDE | {"loads"}
"""Methods and functions of what builds values for the graph, which change nothing outside of it."""


def check_recovery(use: Use, reading: Reading, calls: CallGraph) -> ast.expr | None:
    """Check that a program does the same after a restart if it builds its graph anew.

    Returns:
        The directory of the checkpoint, if the query must go on from one: Kafka's offsets and running
        aggregates do.

    Raises:
        Blocked: sources or state go on where they were, or the function that builds does more than that.
    """
    operations = reading.operations.values()
    sources = [op for op in operations if op.is_source]
    lasting = [op for op in sources if op.operator not in RECEIVERS]
    goes_on = bool(lasting) and all(_keeps_offsets(op) for op in sources)
    assert use.call is not None
    inside = calls.reach(calls.targets[use.call])
    again = not goes_on or any(op.operator in (TEXT_FILES, "createStream") for op in sources)
    if again and any(op.is_output and calls.tree.scope_of(op.call) not in inside for op in operations):
        reading.starts_anew = True  # an output that the function does not make is never initialised again
        return None
    if lasting and not goes_on:
        raise Blocked(
            "`getOrCreate` goes on in the source where the program stopped; a new query would begin again",
            lasting[0].use,
        )
    kept = OF_SEVERAL_BATCHES - ({"updateStateByKey"} if goes_on else set())
    states = [op for op in operations if op.operator in kept]
    if states:
        where = "" if goes_on else ", and goes on from Kafka or files alone"
        raise Blocked(
            f"`getOrCreate` goes on with the state of the checkpoint; a new query would begin without{where}",
            states[0].use,
        )
    ours = {*reading.aliases, *reading.removed, *(line.statement for line in reading.lines)}
    for statement in _run_by(inside, calls):
        own = calls.tree.scope_of(statement) in inside
        if statement in ours or (_builds(statement, calls) if own else _only_makes(statement, calls, _READS)):
            reading.read_anew += [] if own else [*_reads_outside(statement)][:1]
            continue
        if not _says(statement):
            raise Blocked(
                "after a restart `getOrCreate` would not run this again: "
                "move it out of the function that builds the graph",
                use,
                at=statement,
            )
        reading.said.append(statement)
    return _directory(use, reading, calls) if goes_on else None


def _keeps_offsets(source: Operation) -> bool:
    """Whether a source goes on from the checkpoint of a query as it does from a DStream's."""
    if source.operator == TEXT_FILES:
        return True
    return source.operator in _OF_KAFKA and source.use.connector.startswith(f"{KAFKA}.")


def _directory(use: Use, reading: Reading, calls: CallGraph) -> ast.expr:
    """The directory of a checkpoint, as the call of ``start`` can name it, too.

    Raises:
        Blocked: it may be another one there.
    """
    call = use.call
    assert call is not None
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    node = call.args[0] if call.args else named.get("checkpointPath")
    starts = [one.node for one in reading.lifecycle if one.name == "start"]
    near = [calls.tree.scope_of(start) is calls.tree.scope_of(call) for start in starts]
    if not (node is not None and near == [True] and _lasts(node, calls)):
        raise Blocked(
            "the checkpoint's directory may be another one where the context is started: "
            "assign it to a name, once, and start the context where `getOrCreate` is called",
            use,
        )
    if not any(one.name.startswith("awaitTermination") for one in reading.lifecycle):
        raise Blocked(
            "a batch that fails runs again at the next start, but nobody waits for it and the query "
            "would leave it out: call `awaitTermination`",
            use,
        )
    return node


def _lasts(node: ast.expr, calls: CallGraph) -> bool:
    """Whether a directory is a text, or a variable that is bound once."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if not isinstance(node, ast.Name):
        return False
    scopes = calls.trace.scopes
    home = scopes.home(node)
    stores = (name for name in calls.tree.of_kinds(ast.Name) if not isinstance(name.ctx, ast.Load))
    bound = [name for name in stores if name.id == node.id and scopes.home(name) is home]
    given = home is not None and any(
        argument.arg == node.id and calls.tree.scope_of(argument) is home.node
        for argument in calls.tree.of_kinds(ast.arg)
    )
    return home is not None and len(bound) + given == 1


def _says(statement: ast.stmt) -> bool:
    """Whether a statement only prints a text."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=args, keywords=[])):
            return all(isinstance(argument, ast.Constant) for argument in args)
    return False


def _run_by(functions: set[ast.AST], calls: CallGraph) -> Iterator[ast.stmt]:
    """The statements of functions, and of all functions of the program that they call."""
    pending, found = [*functions], set(functions)
    while pending:
        for statement in getattr(pending.pop(), "body", []):
            yield statement
            called = (calls.targets.get(node) for node in own_nodes(statement) if isinstance(node, ast.Call))
            new = {one for one in called if one is not None} - found
            found |= new
            pending += sorted(new, key=position)


def _builds(statement: ast.stmt, calls: CallGraph) -> bool:
    """Whether a statement only makes what the graph needs."""
    if isinstance(statement, ast.FunctionDef | ast.Pass | ast.Global | ast.Import | ast.ImportFrom):
        return True
    if isinstance(statement, ast.If):
        inside = (*statement.body, *statement.orelse)
        return _only_makes(statement.test, calls) and all(_builds(one, calls) for one in inside)
    value = getattr(statement, "value", None)
    if value is None:
        return isinstance(statement, ast.Return)
    is_text = isinstance(statement, ast.Expr) and isinstance(value, ast.Constant)
    is_bound = isinstance(statement, ast.Assign | ast.Return) or isinstance(value, ast.Call)
    return is_text or (is_bound and _only_makes(value, calls))


def _only_makes(code: ast.AST, calls: CallGraph, more: Set[str] = frozenset()) -> bool:
    """Whether code only makes values: contexts, those of builtins, or of functions looked at.

    Args:
        code: an expression or a statement.
        calls: the functions of the program.
        more: names of functions and methods that it may call, too.
    """
    parts = [*walk(code)]
    does = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
    called = [part for part in parts if isinstance(part, ast.Call) and part not in calls.targets]
    others = [call.func for call in called if not (_is_pure(call.func, calls) or (more and _opens(call)))]
    names = {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in others}
    return names <= _MAKES_CONTEXTS | QUIET | more and not any(isinstance(part, does) for part in parts)


def _reads_outside(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls by which a statement of a function that makes values reads a file or a store for them."""
    for part in walk(statement):
        if isinstance(part, ast.Call) and (_opens(part) or getattr(part.func, "attr", "") in _OUTSIDE):
            yield part


def _opens(call: ast.Call) -> bool:
    """Whether a call opens a file to read it."""
    match call:
        case ast.Call(ast.Name("open"), [_]) | ast.Call(ast.Name("open"), [_, ast.Constant("r" | "rb")]):
            return all(word.arg == "encoding" for word in call.keywords)
    return False


def _is_pure(function: ast.expr, calls: CallGraph) -> bool:
    """Whether a function is a builtin that only computes something of its arguments: ``int``."""
    is_builtin = isinstance(function, ast.Name) and calls.trace.scopes.home(function) is None
    return is_builtin and isinstance(function, ast.Name) and function.id in PURE
