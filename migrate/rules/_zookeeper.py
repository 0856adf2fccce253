"""ZooKeeper's address of a receiver: brokers are named in its place, where the program has it from.

An argument of the command line that only named ZooKeeper names the brokers; a literal is filled with the
user's ``--bootstrap-servers``; anything else is left, and the brokers are read from the environment.
"""

from __future__ import annotations

import ast
import re

from migrate.columns import Refusal
from migrate.plan.code import Inner
from migrate.plan.step import Step
from migrate.proofs.facts import Facts
from migrate.proofs.value_origin import Origin, called_by, is_argument_of_program, origin_of
from migrate.rules._command_line import declared, renamed_declaration
from migrate.rules._usage import usage_words
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted

SETTING = "KAFKA_BOOTSTRAP_SERVERS"
BROKERS = "brokers"
ENVIRONMENT = (
    "you must change: the program names ZooKeeper, and a query needs Kafka's brokers: set the environment "
    f"variable {SETTING} to host:port,..., or migrate with --bootstrap-servers"
)
CALLERS = (
    "you must change: callers pass the addresses of Kafka's brokers, host:port,..., where they passed "
    "ZooKeeper's: {}"
)
_FROM_ENVIRONMENT = """{name} = os.environ.get("{setting}")
if not {name}:
    raise SystemExit("{setting} must name Kafka's brokers: host:port,...")"""
_ZOOKEEPER = re.compile(r"zk|zoo|quorum", re.IGNORECASE)
_HARMLESS = frozenset({"len", "str", "int", "get", "getenv", "format", "join", "split", "strip"})
"""Functions and methods that make an address of parts, and do nothing else."""
_KAFKA = re.compile(r"[\w.-]+:9092(,[\w.-]+:9092)*")
"""Addresses at the port of Kafka, which no ZooKeeper has."""


def brokers(step: Step, node: ast.expr | None) -> tuple[str, tuple[str, ...]]:
    """The code of the brokers' addresses, for the argument that names ZooKeeper; and statements before it."""
    given = f'"{step.options.bootstrap_servers}"' if step.options.bootstrap_servers else ""
    if node is None:
        return (given, ()) if given else _from_environment(step)
    facts = step.facts.of(node)
    origin = origin_of(node, _asked(step), facts, step.trace.taken.of_module(step.program.module_of(node)))
    if origin.alone:
        try:
            return step.attempt(lambda tried: _named(tried, node, origin, given)), ()
        except Refusal:
            _drop(step, origin)
    return (given, ()) if given else _from_environment(step)


def _asked(step: Step) -> set[ast.AST]:
    """The arguments that name ZooKeeper, of all receivers of the program."""
    sources = [source.call for source in step.program.sources if source.operator == step.operation.operator]
    named = {keyword.value for call in sources for keyword in call.keywords if keyword.arg == "zkQuorum"}
    return {*named, *(call.args[1] for call in sources if len(call.args) > 1)}


def _named(step: Step, node: ast.expr, origin: Origin, given: str) -> str:
    """The argument, which names the brokers after changes where its value comes from.

    Raises:
        Refusal: it is of no kind that can.
    """
    facts = step.facts.of(node)
    end = origin.end
    if isinstance(end, ast.Constant) and isinstance(end.value, str):
        if not given and not _KAFKA.fullmatch(end.value):
            raise Refusal("it does not say who gives the address", node)
        _rename(step, origin, _name(step, origin))
        if given:
            step.need(inner=Inner(((end, given),)))
        return quoted(node)
    if is_argument_of_program(end, facts):
        name = _name(step, origin)
        _rename(step, origin, name)
        step.need(inner=Inner(reworded=usage_words(facts.tree, origin.called, name, _ZOOKEEPER)))
        step.note(CALLERS.format(f"the argument `{name}`"))
        return quoted(node)
    option = declared(origin, facts)
    if option is None:
        raise Refusal("it does not say who gives the address", node)
    wanted = _name(step, origin) if _ZOOKEEPER.search(option.dest) else option.dest
    changed = renamed_declaration(option, wanted, given, _ZOOKEEPER)
    if changed is None:
        raise Refusal("it does not say who gives the address", node)
    if option.read is not None and option.dest != wanted and _ZOOKEEPER.search(option.dest):
        changed |= Inner(renamed=((option.read, wanted),))
    _rename(step, origin, wanted)
    words = usage_words(facts.tree, (*origin.called, option.dest), wanted, _ZOOKEEPER)
    step.need(inner=Inner(reworded=words) | changed)
    step.note(CALLERS.format(f"the option `{wanted}`"))
    return quoted(node)


def _name(step: Step, origin: Origin) -> str:
    """What the brokers are called where the program has them from: as it was, if that says nothing else."""
    if origin.called and not any(map(_ZOOKEEPER.search, origin.called)):
        return origin.called[-1]
    renamed = dict(step.known.inner.renamed)
    known = next((renamed[name] for name in origin.names if name in renamed), None)
    return known.strip("_").lower() if known else step.fresh(BROKERS, anywhere=True)


def _rename(step: Step, origin: Origin, new: str) -> None:
    """Rename what was called after ZooKeeper."""
    named_so = {name for name in origin.called if _ZOOKEEPER.search(name)}
    renamed = [(one, _like(called_by(one), new)) for one in origin.names if called_by(one) in named_so]
    step.need(inner=Inner(renamed=tuple(renamed)))


def _like(old: str, name: str) -> str:
    """A name in the form of another one: ``_brokers`` for ``_zk``, ``BROKERS`` for ``ZK``."""
    leading = old[: len(old) - len(old.lstrip("_"))]
    return leading + (name.upper() if old.isupper() else name)


def _drop(step: Step, origin: Origin) -> None:
    """Leave out a variable that nothing reads any more, if making it does nothing else."""
    statement = origin.statement
    facts = step.facts.of(origin.end)
    if statement is None or any(_may_do_more(node, facts) for node in walk(statement.value)):
        return
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Name):
        step.need(inner=Inner(dropped=(statement,)))
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        left = [pair for pair in zip(target.elts, value.elts, strict=True) if pair[1] is not origin.end]
        targets = ", ".join(ast.unparse(one) for one, _ in left)
        values = ", ".join(quoted(one) for _, one in left)
        step.need(inner=Inner(((target, targets), (value, values))))


def _may_do_more(node: ast.AST, facts: Facts) -> bool:
    """Whether a part of an expression may do more than give a value, or is what callers pass."""
    if isinstance(node, ast.expr) and is_argument_of_program(node, facts):
        return True
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Await | ast.NamedExpr | ast.Yield)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name not in _HARMLESS


def _from_environment(step: Step) -> tuple[str, tuple[str, ...]]:
    """Brokers that are read from the environment right before the source, once in each function."""
    step.note(ENVIRONMENT)
    scope = step.line.scope
    if scope in step.known.brokers:
        return step.known.brokers[scope], ()
    name = step.fresh(BROKERS, anywhere=True)
    step.need(brokers={scope: name})
    step.imports("os")
    return name, (_FROM_ENVIRONMENT.format(name=name, setting=SETTING),)
