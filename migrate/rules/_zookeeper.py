"""ZooKeeper's address of a receiver: brokers are named in its place, where the program has it from.

What only named ZooKeeper (an argument of the command line, a literal, a variable of the environment) names
the brokers. Where it does more, or does not say where they are, they are those that the program names
elsewhere; the environment is the last resort.
"""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.plan.draft.beside import has_room, has_room_above
from migrate.plan.draft.step import Step
from migrate.plan.modules.usage_lines import address_comments
from migrate.plan.new_code.inner import Inner, Put
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.value_origin import Origin, called_by, is_argument_of_program, origin_of
from migrate.rules._addresses import (
    CHECK,
    ENVIRONMENT,
    FROM_ENVIRONMENT,
    HAS_BROKERS,
    READ_TOO,
    SETTING,
    ZOOKEEPER,
    Address,
    address_of,
)
from migrate.rules._known_brokers import KnownBrokers, known_brokers
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted

BROKERS = "brokers"
NO_ARGUMENT = "nothing reads `{}`, which named ZooKeeper, any more"
_HARMLESS = frozenset({"len", "str", "int", "get", "getenv", "format", "join", "split", "strip"})
"""Functions and methods that make an address of parts, and do nothing else."""


def brokers(step: Step, node: ast.expr | None) -> tuple[str, str]:
    """The code of the brokers' addresses, for the argument that names ZooKeeper, and a comment on it."""
    given = f'"{step.options.bootstrap_servers}"' if step.options.bootstrap_servers else ""
    if node is None:
        return (given, "") if given else _elsewhere(step, known_brokers(step, step.operation.call))
    facts = step.facts.of(node)
    taken = step.trace.taken.of_module(step.program.module_of(node))
    asked = _asked(step)
    origin = origin_of(node, asked, facts, taken)
    known = None if given else known_brokers(step, node)
    own = _own(step, asked)
    if origin.alone:
        try:
            return step.attempt(lambda tried: _named(tried, node, origin, given, known, own))
        except Refusal as refused:
            _drop(step, origin, is_read=refused.reason in (READ_TOO, HAS_BROKERS))
            if refused.reason == HAS_BROKERS:
                step.note(NO_ARGUMENT.format(step.shown(origin.end)))
    return (given, "") if given else _elsewhere(step, known)


def _asked(step: Step) -> set[ast.AST]:
    """The arguments that name ZooKeeper, of all receivers of the program."""
    sources = [source.call for source in step.program.sources if source.operator == step.operation.operator]
    named = {keyword.value for call in sources for keyword in call.keywords if keyword.arg == "zkQuorum"}
    return {*named, *(call.args[1] for call in sources if len(call.args) > 1)}


def _own(step: Step, asked: set[ast.AST]) -> frozenset[ast.AST]:
    """The expressions that give these addresses, and nothing else a value."""
    nodes = [node for node in asked if isinstance(node, ast.expr)]
    found = [origin_of(node, asked, step.facts.of(node)) for node in nodes]
    return frozenset(part for origin in found if origin.alone for part in walk(origin.end))


def _named(
    step: Step,
    node: ast.expr,
    origin: Origin,
    given: str,
    known: KnownBrokers | None,
    own: frozenset[ast.AST],
) -> tuple[str, str]:
    """The argument, which names the brokers after changes where its value comes from, and a comment on it.

    Raises:
        Refusal: it is of no kind that can.
    """
    unpacking = _unpacks(step, origin)
    item = _item(unpacking, origin) if unpacking is not None else None
    address = Address(step, origin, _name(step, origin), given, known, own, item)
    named = address_of(address)
    changes = named.changes
    if (statement := origin.statement or unpacking) is not None:
        module = step.program.module_of(origin.end)
        changes |= Inner(comments=address_comments(module, statement))
    _rename(step, origin, named.name)
    comment = named.comment
    if comment and origin.statement is not None:
        said = ((origin.statement, comment),)
        if has_room(origin.statement, comment, step):
            changes, comment = changes | Inner(beside=said), ""
        elif has_room_above(origin.statement, step):
            changes, comment = changes | Inner(above=said), ""
    step.need(inner=changes)
    return quoted(node), comment


def _unpacks(step: Step, origin: Origin) -> ast.Assign | None:
    """``zk, topic = sys.argv[1:]``, where that gives the address to its variable."""
    for name in origin.names:
        statement = step.program.tree.statement_of(name)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple):
            return statement
    return None


def _item(statement: ast.Assign, origin: Origin) -> int | None:
    """The place of an address among what is unpacked; None where that is not known."""
    (target,) = statement.targets
    names = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    starred = any(isinstance(name, ast.Starred) for name in names)
    return None if starred else next((n for n, name in enumerate(names) if name in origin.names), None)


def _name(step: Step, origin: Origin) -> str:
    """What the brokers are called where the program has them from: as it was, if that says nothing else."""
    if origin.called and not any(map(ZOOKEEPER.search, origin.called)):
        return origin.called[-1]
    renamed = dict(step.known.inner.renamed)
    known = next((renamed[name] for name in origin.names if name in renamed), None)
    return known.strip("_").lower() if known else step.fresh(BROKERS, anywhere=True)


def _rename(step: Step, origin: Origin, new: str) -> None:
    """Rename what was called after ZooKeeper."""
    named_so = {name for name in origin.called if ZOOKEEPER.search(name)}
    renamed = [(one, _like(called_by(one), new)) for one in origin.names if called_by(one) in named_so]
    step.need(inner=Inner(renamed=tuple(renamed)))


def _like(old: str, name: str) -> str:
    """A name in the form of another one: ``_brokers`` for ``_zk``, ``BROKERS`` for ``ZK``."""
    leading = old[: len(old) - len(old.lstrip("_"))]
    return leading + (name.upper() if old.isupper() else name)


def _drop(step: Step, origin: Origin, *, is_read: bool) -> None:
    """Leave out a variable that nothing reads any more, if making it does nothing else.

    Args:
        step: what is planned.
        origin: where its value comes from.
        is_read: whether something else reads that, so that callers see from it what they pass.
    """
    statement = origin.statement
    facts = step.facts.of(origin.end)
    if statement is None:
        return
    kept = (node for node in walk(statement.value) if not (is_read and node is origin.end))
    if any(_may_do_more(node, facts) for node in kept):
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


def _elsewhere(step: Step, known: KnownBrokers | None) -> tuple[str, str]:
    """The brokers that another part of the program names, or the environment, and a comment on them."""
    if known is not None:
        code = _moved_above(step, known.below) if known.below is not None else ""
        known = replace(known, code=code or known.code)
        step.must_change(CHECK.format(known.shown, known.where))
        return known.code, ""
    step.imports("os")
    step.must_change(ENVIRONMENT)
    return f'os.environ["{SETTING}"]', FROM_ENVIRONMENT


def _moved_above(step: Step, named: ast.Assign) -> str:
    """The variable of the brokers, which gets its value above the stream; empty where that is not near."""
    tree, stream = step.program.tree, step.program.tree.statement_of(step.operation.call)
    (target,) = named.targets
    if tree.block_of(named) is not tree.block_of(stream) or not isinstance(target, ast.Name):
        return ""
    put = Put(f"{target.id} = {quoted(named.value)}", moved=named)
    step.need(inner=Inner(before=((stream, put),), dropped=(named,)))
    return target.id
