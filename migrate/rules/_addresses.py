"""Addresses of ZooKeeper that become those of Kafka's brokers, by where the program has them from."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from migrate.columns import Refusal
from migrate.model import Callers
from migrate.plan.draft.step import Step
from migrate.plan.modules.usage_lines import usage_comments, usage_words
from migrate.plan.new_code.inner import Inner
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.other_readers import argument_is_read, option_is_read, variable_is_read
from migrate.proofs.values.value_origin import Origin, is_argument_of_program
from migrate.rules._command_line import declared, renamed_declaration
from migrate.rules._known_brokers import KnownBrokers
from migrate.syntax.nodes import walk

SETTING = "KAFKA_BOOTSTRAP_SERVERS"
ZOOKEEPER = re.compile(r"zk|(?:^|_)z(?:_k|q)(?:_|$)|zoo|quorum", re.IGNORECASE)
ENVIRONMENT = (
    f"set the environment variable {SETTING} to Kafka's brokers, host:port,..., which nothing in the program "
    "names (--bootstrap-servers writes them into it)"
)
CHECK = "check that Kafka's brokers are at {}: {}"
_ARGUMENT = "callers pass Kafka's brokers, host:port,..., as {}, in place of ZooKeeper's address"
_VARIABLE = "set the environment variable {} to Kafka's brokers, host:port,...; {} named ZooKeeper"
_ONE_HOST = re.compile(r"([A-Za-z][\w.-]*|\d+(?:\.\d+){3})(:\d+)?(/[\w/.-]*)?")
"""A ZooKeeper on one host, where an installation as small as that has its broker, too."""
_KAFKA = re.compile(r"[\w.-]+:9092(,[\w.-]+:9092)*")
"""Addresses at the port of Kafka, which no ZooKeeper has."""
_PORT, _BROKERS_PORT = ":2181", ":9092"
_NOWHERE = "it does not say who gives the address"
READ_TOO = "something else reads it"
HAS_BROKERS = "the program has the brokers by itself"
FROM_ENVIRONMENT = "# set this to Kafka's brokers, host:port,...: the program named only ZooKeeper"
_GUESSED = "# guessed from ZooKeeper's {}: set Kafka's brokers"
"""Beside an address that is a guess."""


@dataclass(frozen=True)
class Named:
    """How the brokers are named where ZooKeeper was."""

    changes: Inner
    name: str
    """What they are called."""
    comment: str = ""
    """What is to be said beside them in the code: that they are a guess, or where they come from."""


@dataclass(frozen=True)
class Address:
    """An address of ZooKeeper that nothing else reads."""

    step: Step
    origin: Origin
    name: str
    """What the brokers are called."""
    given: str
    """The code of the user's ``--bootstrap-servers``; empty for none."""
    known: KnownBrokers | None
    """The brokers that the program names elsewhere."""
    own: frozenset[ast.AST] = frozenset()
    """The expressions that may read it: those that give it to a receiver."""
    item: int | None = None
    """Its place in the slice of ``sys.argv`` that gives it."""


def address_of(address: Address) -> Named:
    """The changes that make it name the brokers.

    Raises:
        Refusal: it is of no kind that can.
    """
    return _part(address, address.origin.end)


def _part(address: Address, end: ast.expr) -> Named:
    """The same for the expression that gives the address, or a part of it that may."""
    facts = address.step.facts.of(end)
    if isinstance(end, ast.Constant) and isinstance(end.value, str):
        code, comment = _literal(address, end)
        return Named(Inner(((end, code),) if code else ()), address.name, comment)
    if address.known is not None and address.known.is_computed:
        raise Refusal(HAS_BROKERS, end)
    if is_argument_of_program(end, facts):
        if argument_is_read(end, address.item, address.own, facts):
            raise Refusal(READ_TOO, end)
        return Named(_argument(address, facts), address.name)
    put_together = _put_together(address, end)
    if put_together is not None:
        return Named(put_together, address.name, _GUESSED.format("host"))
    if isinstance(end, ast.IfExp):
        return _either(address, end.body, end.orelse)
    if isinstance(end, ast.BoolOp) and isinstance(end.op, ast.Or):
        return _either(address, *end.values)
    key = _variable_key(end, facts)
    if key is None:
        return _option(address, end, facts)
    return _variable(address, end, key, str(key.value))


def _put_together(address: Address, end: ast.expr) -> Inner | None:
    """``"{}:2181".format(host)`` with the port of Kafka; None for anything else.

    A host that is called ZooKeeper's need not be a broker's.
    """
    match end:
        case ast.Call(ast.Attribute(ast.Constant(str()), "format")) | ast.JoinedStr():
            pass
        case ast.BinOp(ast.Constant(str()), ast.Mod()) | ast.BinOp(_, ast.Add(), ast.Constant(str())):
            pass
        case _:
            return None
    parts = [node for node in ast.walk(end) if isinstance(node, ast.Constant) and _PORT in str(node.value)]
    shown = address.step.shown(end)
    if len(parts) != 1 or address.given or address.known is not None or ZOOKEEPER.search(shown):
        return None
    brokers = shown.replace(_PORT, _BROKERS_PORT)
    address.step.must_change(CHECK.format(f"`{brokers}`", "ZooKeeper was at that host"))
    written = end if isinstance(end, ast.JoinedStr) else parts[0]
    return Inner(reworded=((written, ((_PORT, _BROKERS_PORT),)),))


def _either(address: Address, *parts: ast.expr) -> Named:
    """``sys.argv[1] if len(sys.argv) > 1 else "localhost:2181"``."""
    found = [_part(address, part) for part in parts]
    changes = Inner()
    for one in found:
        changes |= one.changes
    return Named(changes, found[-1].name, next((one.comment for one in found if one.comment), ""))


def _literal(address: Address, node: ast.Constant) -> tuple[str, str]:
    """New code of a literal, empty for one that names brokers already, and what is to be said of it.

    Raises:
        Refusal: the program names the brokers elsewhere, or has the literal at the top of a module.
    """
    step = address.step
    if address.given:
        return address.given, ""
    if _KAFKA.fullmatch(str(node.value)):
        step.must_change(CHECK.format(node.value, "the program has that in the place of ZooKeeper's address"))
        return "", ""
    if address.known is not None:
        raise Refusal(_NOWHERE, node)
    if code := broker_beside(address, node):
        return code, _GUESSED.format(node.value)
    facts = step.facts.of(node)
    if facts.tree is not step.facts.tree or _scope(step, node) is not step.line.scope:
        raise Refusal(_NOWHERE, node)  # the environment is read where Kafka is
    step.imports("os")
    step.must_change(ENVIRONMENT)
    return f'os.environ["{SETTING}"]', FROM_ENVIRONMENT


def broker_beside(address: Address, node: ast.Constant) -> str:
    """The code of the broker on the host of a ZooKeeper; empty where it has several, or one of its own."""
    one = _ONE_HOST.fullmatch(str(node.value))
    if one is None or ZOOKEEPER.search(one[1]):
        return ""
    why = f"ZooKeeper was at {one[0]}"
    address.step.must_change(CHECK.format(f"{one[1]}:9092", why))
    return f'"{one[1]}:9092"'


def _scope(step: Step, node: ast.AST) -> ast.AST:
    return step.program.tree.scope_of(node)


def _argument(address: Address, facts: Facts) -> Inner:
    """``sys.argv[1]``."""
    step = address.step
    step.must_change(_ARGUMENT.format(f"the argument `{address.name}`"))
    step.need(callers=Callers(address=True))
    return _usage(address, facts, address.origin.called, address.name)


def _usage(
    address: Address,
    facts: Facts,
    called: Sequence[str],
    name: str,
    flags: Mapping[str, str] = MappingProxyType({}),
) -> Inner:
    """Texts and comments that tell how the program is called, by `flags` that may have other names now."""
    module = address.step.program.module_of(address.origin.end)
    return Inner(
        reworded=usage_words(facts.tree, called, name, ZOOKEEPER, flags),
        comments=usage_comments(module, called, name, ZOOKEEPER, flags),
    )


def _option(address: Address, end: ast.expr, facts: Facts) -> Named:
    """``args.zk``, by the declaration of the option.

    Raises:
        Refusal: it is no option.
    """
    step = address.step
    option = declared(address.origin, facts) if end is address.origin.end else None
    if option is None:
        raise Refusal(_NOWHERE, end)
    if option.read is not None and option_is_read(option.read, {*address.own, *walk(option.call)}, facts):
        raise Refusal(READ_TOO, end)
    wanted = address.name if ZOOKEEPER.search(option.dest) else option.dest
    default = option.given("default")
    value = address.given
    if not value and isinstance(default, ast.Constant):
        value = broker_beside(address, default)
    changed = renamed_declaration(option, wanted, value, ZOOKEEPER)
    if changed is None:
        raise Refusal(_NOWHERE, end)
    if option.read is not None and option.dest != wanted and ZOOKEEPER.search(option.dest):
        changed |= Inner(renamed=((option.read, wanted),))
    new = dict(changed.replaced)
    flags = {str(flag.value): new.get(flag, str(flag.value)).strip('"') for flag in option.flags}
    named = ", ".join(f"`{flag}`" for flag in flags.values()) or f"`{wanted}`"
    step.must_change(_ARGUMENT.format(f"the option {named}"))
    renamed = tuple((old, new) for old, new in flags.items() if old.startswith("-"))
    step.need(callers=Callers(flags=renamed, address=True))
    return Named(
        _usage(address, facts, [*address.origin.called, option.dest], wanted, flags) | changed, wanted
    )


def _variable_key(end: ast.expr, facts: Facts) -> ast.Constant | None:
    """The name of a variable of the environment that an expression reads."""
    if isinstance(end, ast.Subscript) and facts.qualified(end.value) == "os.environ":
        return _text(end.slice)
    if isinstance(end, ast.Call) and facts.qualified(end.func) in ("os.environ.get", "os.getenv"):
        return _text(end.args[0]) if end.args and not end.keywords else None
    return None


def _text(node: ast.expr) -> ast.Constant | None:
    return node if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _variable(address: Address, end: ast.expr, key: ast.Constant, old: str) -> Named:
    """``os.environ.get("ZOOKEEPER", "localhost:2181")``."""
    step = address.step
    if variable_is_read(key, address.own, step.facts.of(end)):
        raise Refusal(READ_TOO, end)
    new = SETTING if ZOOKEEPER.search(old) else old
    step.must_change(_VARIABLE.format(new, old))
    step.need(callers=Callers(variables=((old, new),) if new != old else ()))
    default = end.args[1] if isinstance(end, ast.Call) and len(end.args) > 1 else None
    if default is None:
        return Named(Inner(((key, f'"{new}"'),)), address.name)
    value = address.given
    if not value and isinstance(default, ast.Constant):
        value = broker_beside(address, default)
    if value:
        guessed = "" if address.given else _GUESSED.format(getattr(default, "value", ""))
        return Named(Inner(((key, f'"{new}"'), (default, value))), address.name, guessed)
    step.imports("os")
    return Named(Inner(((end, f'os.environ["{new}"]'),)), address.name)
