"""Sessions and contexts in callbacks: which expressions are the batch's own session."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from migrate.columns import Refusal
from migrate.graph.session_expressions import Is, SessionExpressions, is_builder, makes_session, named
from migrate.knowledge.rdd import RDDS
from migrate.knowledge.sessions import CHANGES_VIEWS, OF_SESSIONS, OF_SQL_CONTEXTS, READS_VIEWS
from migrate.plan.callbacks.conversion import Conversion
from migrate.plan.draft.beside import may_get_longer
from migrate.plan.draft.step import Step
from migrate.plan.new_code.inner import Inner
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.callbacks.roles import Callback, made_of
from migrate.proofs.values.may_be_none import comes_to_its_end
from migrate.syntax.tree import declared_among

NONE = (
    "`{}` returned None once it had made its session, so that what callbacks did with it failed from the"
    " second call on: each batch has a session now"
)
SPARK = "spark"
"""What a session is called."""
_OF_CONTEXTS = re.compile(r"sql|hive|context|ctx", re.IGNORECASE)
_CONTEXT = frozenset({"pyspark.SparkContext"})
_OF_VIEWS = READS_VIEWS | {"catalog"}
"""Members of a session that read temp views, or list them."""


class MadeSessions:
    """The sessions that a callback makes."""

    def __init__(self, callback: Callback, step: Step) -> None:
        self._callback = callback
        self._step = step
        self._values = SessionExpressions(step.program.tree, step.trace)

    def is_made(self, node: ast.AST) -> bool:
        """Whether an expression makes or finds the session of the batch.

        ``getSparkSessionInstance(rdd.context.getConf())``, or
        ``SparkSession.builder.config(conf=rdd.context.getConf()).getOrCreate()``.
        """
        if not isinstance(node, ast.Call):
            return False
        trace = self._step.trace
        if isinstance(node.func, ast.Attribute) and is_builder(node.func.value, trace):
            return makes_session(node, trace)
        return self._has_context(node) and self._values.is_session(node) is Is.YES

    def _has_context(self, node: ast.Call) -> bool:
        """Whether a call is given the context of the batch's RDD or of the program, or its settings."""
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        return any(map(self._is_context, given)) or any(
            isinstance(argument, ast.Name) and named(argument, self._step.trace) == _CONTEXT
            for argument in given
        )

    def _is_context(self, node: ast.expr) -> bool:
        """Whether an expression is the context of an RDD, or its settings: ``words.context.getConf()``."""
        match node:
            case ast.Call(ast.Attribute(context, "getConf"), [], []):
                return self._is_context(context)
            case ast.Attribute(value, "context" | "ctx"):
                rdd = made_of(value, RDDS)
                return isinstance(rdd, ast.Name) and rdd.id in {self._callback.rdd, *self._callback.rdds}
        return False


class Sessions(MadeSessions):
    """The sessions that a callback reads: its own, which it makes, and those of outside."""

    def __init__(self, conversion: Conversion) -> None:
        super().__init__(conversion.callback, conversion.step)
        self._to = conversion
        arguments = ast.walk(self._callback.node.args)
        self._parameters = {node.arg for node in arguments if isinstance(node, ast.arg)}

    def is_session(self, node: ast.AST) -> bool:
        """Whether an expression is a session, or stands for one."""
        own = isinstance(node, ast.Name) and node.id in self._to.sessions
        return own or self.is_made(node) or self._is_outside(node) is Is.YES

    def is_outer(self, node: ast.expr) -> bool:
        """Whether an expression is a session or SQLContext that was made outside.

        Its temp views are not those of the batch's session.
        """
        parent = self._to.parents.get(node)
        followed = isinstance(parent, ast.Attribute) and parent.attr in OF_SESSIONS
        return followed and self._is_outside(node) is Is.YES and not self._only_makes_rows(node)

    def setting_of(self, node: ast.AST) -> str | None:
        """The method of a session that a setting of an outer SQLContext is: ``conf.set`` for `setConf`."""
        if not isinstance(node, ast.Attribute) or node.attr not in ("getConf", "setConf"):
            return None
        return OF_SQL_CONTEXTS[node.attr] if self._is_outside(node.value) is Is.YES else None

    def _only_makes_rows(self, node: ast.expr) -> bool:
        """Whether the program's session makes a DataFrame of values, and nothing has temp views."""
        step, parent = self._step, self._to.parents.get(node)
        made = isinstance(parent, ast.Attribute) and parent.attr == "createDataFrame"
        if not (made and isinstance(node, ast.Name) and node.id == step.names.session):
            return False
        members = step.program.tree.of_kinds(ast.Attribute)
        return not any(member.attr in CHANGES_VIEWS | READS_VIEWS for member in members)

    def _is_outside(self, node: ast.AST) -> Is:
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return Is.NO
        if isinstance(node, ast.Name):
            if node.id in self._to.sessions:
                return Is.NO
            if node.id in self._parameters:
                return self._is_given(node.id)
            basis = self._step.basis
            if node.id == basis.names.session and basis.session.builder is None:
                return Is.YES
        return self._values.is_session(node)

    def _is_given(self, parameter: str) -> Is:
        """Whether the only call of the callback gives a parameter a session: ``save(rdd, spark)``."""
        given = self._callback.given.get(parameter)
        stored = any(
            isinstance(node, ast.Name) and node.id == parameter and not isinstance(node.ctx, ast.Load)
            for node in self._callback.walk()
        )
        if not isinstance(given, ast.Name | ast.Attribute) or stored:
            return Is.NO
        return Is.YES if self._values.is_session(given) is Is.YES else Is.NO

    def check_members(self) -> None:
        """Refuse a callback whose session has more than the session of the batch.

        Raises:
            Refusal: a member is one that only an SQLContext has, or an expression may be another session.
        """
        for node in self._callback.walk():
            if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.expr)):
                continue
            call = self._to.parents.get(node)
            if isinstance(call, ast.Call) and call.func is node and call in self._to.replaced:
                continue
            if node in self._to.replaced:
                continue
            inner = isinstance(node.value, ast.Name) and node.value.id in self._to.sessions
            if (inner or self.is_made(node.value)) and node.attr not in OF_SESSIONS:
                raise Refusal(f"`{node.attr}` is not followed to the batch's session", node)
            outer = self._is_outside(node.value)
            if outer is Is.YES and self._to.used_session and node.attr not in OF_SESSIONS:
                raise Refusal(f"`{node.attr}` is of another session than the batch's", node)
            if outer is Is.UNKNOWN and node.attr in _OF_VIEWS and self._makes_views():
                shown = ast.unparse(node.value)
                raise Refusal(f"`{shown}` may be a session that lacks the temp views of the batch", node)

    def renamed(self) -> Iterator[tuple[ast.AST, str]]:
        """Variables of the batch's session that are called after a context, with the name of a session."""
        nodes = list(self._callback.walk())
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        bound = {node.arg for node in nodes if isinstance(node, ast.arg)} | self._parameters
        bound |= declared_among(nodes)
        old = [name for name in self._to.sessions if _OF_CONTEXTS.search(name)]
        if len(old) != 1 or {SPARK, *old} & bound or SPARK in names:
            return
        yield from ((node, SPARK) for node in nodes if isinstance(node, ast.Name) and node.id == old[0])

    def _makes_views(self) -> bool:
        nodes = (node for node in self._callback.walk() if isinstance(node, ast.Attribute))
        return any(node.attr in CHANGES_VIEWS for node in nodes)


def _tell_of_none(step: Step, made: ast.AST) -> None:
    """Tell of a function that returned its session where it made it, and None once it had one."""
    called = called_function(made.func, step.facts) if isinstance(made, ast.Call) else None
    if called is not None and comes_to_its_end(called.node.body):
        step.note(NONE.format(called.node.name))


def read_in_place(to: Conversion) -> None:
    """Read the batch's session where its variable is read once: ``batch.sparkSession.sql(query)``.

    A line that gets longer than others are keeps the variable.
    """
    for made in [*to.own_sessions]:
        _tell_of_none(to.step, made)
        statement = to.parents.get(made)
        match statement:
            case ast.Assign([ast.Name(name)]) if not (to.callback.rebound or statement in to.guards):
                reads = [one for one in to.callback.reads(name) if not to.is_gone(one)]
                if to.callback.only_binding(name) is None or len(reads) != 1:
                    continue
                (read,), code = reads, to.replaced[made]
                if not _is_of_session(read, to.parents) or not _fits(to, read, len(code) - len(name)):
                    continue
                del to.replaced[made]
                to.dropped[statement] = None
                to.sessions.discard(name)
                to.replaced[read] = code
                to.own_sessions[to.own_sessions.index(made)] = read


def _fits(to: Conversion, read: ast.Name, longer: int) -> bool:
    """Whether a line may get longer where a variable is read, outside of functions inside the callback."""
    above: ast.AST | None = to.parents.get(read)
    while above is not None and above is not to.callback.node:
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return False
        above = to.parents.get(above)
    return may_get_longer(read, longer, to.step)


def in_own_session(step: Step, callback: Callback) -> Inner:
    """Let RDD code read the program's session in place of one that it finds by its RDD's context.

    ``spark = getSparkSessionInstance(rdd.context.getConf())`` goes, where `spark` is in reach anyway.
    """
    made, found = MadeSessions(callback, step), Inner()
    parents = callback.parents
    for node in callback.walk():
        statement = parents.get(node)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name) or not made.is_made(node):
            continue
        _tell_of_none(step, node)
        names = [other for other in callback.walk() if isinstance(other, ast.Name) and other.id == target.id]
        reads = [name for name in names if name is not target]
        if not all(_is_of_session(name, parents) for name in reads) or not _in_reach(step, callback, target):
            continue
        session = step.names.session
        bound = {other.arg for other in callback.walk() if isinstance(other, ast.arg)}
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and target.id not in bound:
            others = tuple((name, session) for name in reads if target.id != session)
            found |= Inner(renamed=others, dropped=(statement,))
    return found


def _is_of_session(name: ast.Name, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a variable is read for a member that the session has."""
    above = parents.get(name)
    return isinstance(name.ctx, ast.Load) and isinstance(above, ast.Attribute) and above.attr in OF_SESSIONS


def _in_reach(step: Step, callback: Callback, target: ast.Name) -> bool:
    """Whether the variable of the session is the module's, and the callback has no other of that name."""
    program, name = step.program, step.names.session
    statement = step.basis.session.statement or program.construction
    own = callback.node in program.tree.above and program.module_of(callback.node) is program.module_of(
        statement
    )
    top = program.carriers is None and isinstance(program.tree.scope_of(statement), ast.Module)
    bindings = step.facts.bindings.get(name, ()) if own else ()
    others = [
        node for node in bindings if node is not target and program.tree.scope_of(node) is callback.node
    ]
    return own and top and not others and (step.basis.session.builder is not None or _is_made_once(step))


def _is_made_once(step: Step) -> bool:
    """Whether the program makes its session by a builder, once: that is the one which each finds after it."""
    tree, trace = step.program.tree, step.trace
    bindings = step.facts.bindings.get(step.names.session, ())
    above = [tree.above[node] for node in bindings if isinstance(tree.scope_of(node), ast.Module)]
    made = [one.value for one in above if isinstance(one, ast.Assign)]
    return (
        len(made) == len(above) == 1
        and isinstance(made[0], ast.Call)
        and isinstance(made[0].func, ast.Attribute)
        and is_builder(made[0].func.value, trace)
        and all(one.attr != "newSession" for one in tree.of_kinds(ast.Attribute))
    )
