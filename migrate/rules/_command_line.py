"""Options and arguments that a program declares, for `argparse`, `optparse` or `click`."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from migrate.plan.new_code.inner import Inner
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.value_origin import Origin, namespace_of
from migrate.syntax.nodes import of_kinds

HELP = "addresses of Kafka's brokers: host:port,..."
_DECLARING = frozenset({"add_argument", "add_option"})
_CLICK = frozenset({"click.option", "click.argument"})


@dataclass(frozen=True)
class Declared:
    """One declaration: ``parser.add_argument("--zk", dest="zk", help="ZooKeeper")``."""

    call: ast.Call
    others: tuple[ast.Call, ...]
    """The other declarations of the module."""
    read: ast.expr | None
    """Where its value is read, ``args.zk``; None for a parameter that has it."""

    @property
    def flags(self) -> list[ast.Constant]:
        """Its names, as they are written out."""
        return [
            argument
            for argument in self.call.args
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        ]

    def given(self, name: str) -> ast.expr | None:
        """An argument by name."""
        return next((keyword.value for keyword in self.call.keywords if keyword.arg == name), None)

    @property
    def dest(self) -> str:
        """The name that its value is read by."""
        return _dest(self.call)


def declared(origin: Origin, facts: Facts) -> Declared | None:
    """The declaration that a value comes from; None where it is no option, or more than one."""
    node = origin.end
    calls = [call for call in of_kinds(facts.tree, ast.Call) if _declares(call, facts)]
    if isinstance(node, ast.Attribute) and namespace_of(node.value, facts):
        wanted, read = node.attr, node
        same = [other for other in of_kinds(facts.tree, ast.Attribute) if other.attr == wanted]
        if same != [node]:
            return None
    elif origin.parameter is not None:
        wanted, read = origin.parameter.arg, None
    else:
        return None
    found = [call for call in calls if _dest(call) == wanted]
    if len(found) != 1:
        return None
    return Declared(found[0], tuple(call for call in calls if call is not found[0]), read)


def _declares(call: ast.Call, facts: Facts) -> bool:
    if isinstance(call.func, ast.Attribute) and call.func.attr in _DECLARING:
        return True
    return facts.qualified(call.func) in _CLICK


def _dest(call: ast.Call) -> str:
    for keyword in call.keywords:
        if keyword.arg == "dest" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    flags = [str(flag.value) for flag in call.args if isinstance(flag, ast.Constant)]
    plain = [flag for flag in flags if not flag.startswith("-")]
    long = [flag for flag in flags if flag.startswith("--")]
    first = (plain or long or flags or [""])[0]
    return first.lstrip("-").replace("-", "_")


def renamed_declaration(option: Declared, name: str, value: str, meant: re.Pattern[str]) -> Inner | None:
    """The changes of a declaration whose value has another meaning; None where it has a default to lose.

    Args:
        option: the declaration.
        name: what its value is called now.
        value: the code of its default, if it is known.
        meant: words like those that are not true any more.
    """
    replaced: list[tuple[ast.AST, str]] = []
    renamed: list[tuple[ast.AST, str]] = []
    taken = {
        str(flag.value) for call in option.others for flag in call.args if isinstance(flag, ast.Constant)
    }
    for flag in option.flags:
        text = str(flag.value)
        if not meant.search(text) and not (text.startswith("-") and text[1:] == "z"):
            continue
        dashes = text[: len(text) - len(text.lstrip("-"))]
        new = f"{dashes}{name.replace('_', '-') if len(dashes) == 2 else name}" if len(dashes) != 1 else "-b"
        if new in taken:
            return None
        replaced.append((flag, f'"{new}"'))
    for keyword in option.call.keywords:
        node = keyword.value
        if keyword.arg == "help":
            replaced.append((node, f'"{HELP}"'))
        elif not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            if keyword.arg == "default" and not (isinstance(node, ast.Constant) and node.value is None):
                return None
        elif keyword.arg == "default" and value:
            replaced.append((node, value))
        elif keyword.arg == "default":
            if not _may_be_required(option):
                return None
            renamed.append((keyword, "required"))
            replaced.append((node, "True"))
        elif keyword.arg in ("dest", "metavar") and meant.search(node.value):
            replaced.append((node, f'"{name.upper() if node.value.isupper() else name}"'))
    return Inner(tuple(replaced), renamed=tuple(renamed))


def _may_be_required(option: Declared) -> bool:
    """Whether a default can give way to ``required=True``."""
    function = option.call.func
    optional = any(str(flag.value).startswith("-") for flag in option.flags)
    no_optparse = not (isinstance(function, ast.Attribute) and function.attr == "add_option")
    return optional and no_optparse and option.given("required") is None
