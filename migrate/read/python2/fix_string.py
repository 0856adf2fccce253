"""Functions and constants of the module ``string`` that only Python 2 has: texts have them as methods."""

from __future__ import annotations

from typing import Any

from fissix.fixer_base import BaseFix
from fissix.fixer_util import Name, parenthesize
from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms
from fissix.pytree import Base, Leaf, Node

_METHODS = frozenset(
    {
        *("capitalize", "count", "expandtabs", "find", "index", "lower", "lstrip", "replace", "rfind"),
        *("rindex", "rsplit", "rstrip", "split", "strip", "swapcase", "upper", "zfill"),
    }
)
_OTHER_NAMES = {
    **{name: f"ascii_{name}" for name in ("letters", "lowercase", "uppercase")},
    "atof": "float",
    "atoi": "int",
    "atol": "int",
}
"""The letters are those of ASCII as long as nobody sets a locale."""
_JOINS = frozenset({"join", "joinfields"})
_OPERANDS = frozenset({token.NAME, token.STRING, syms.power, syms.atom})
"""Expressions that a method can be called on without parentheses."""


class FixString(BaseFix):  # type: ignore[misc]
    """``string.split(line, ",")`` becomes ``line.split(",")``.

    ``string.letters`` becomes ``string.ascii_letters``.
    """

    BM_compatible = True
    order = "post"  # what stands in the arguments comes first
    PATTERN = "power< 'string' trailer< '.' name=NAME > rest=any* >"

    def start_tree(self, tree: Any, filename: str) -> None:
        """Find out whether ``string`` is the module wherever it is named."""
        super().start_tree(tree, filename)
        named = [leaf for leaf in tree.leaves() if leaf.value == "string" and leaf.type == token.NAME]
        imported = any(map(_is_import, named))
        self.is_module = imported and all(_is_import(leaf) or _is_read(leaf) for leaf in named)
        self.has_locale = any(leaf.value == "setlocale" for leaf in tree.leaves())

    def transform(self, node: Node, results: dict[str, Any]) -> Base | None:
        """The new expression; None where it stays."""
        name = results["name"].value
        if not self.is_module:
            return None
        other = _OTHER_NAMES.get(name)
        if other is not None and other.startswith("ascii_"):
            if not self.has_locale:
                results["name"].replace(Name(other))
            return None
        arguments = _arguments(node)
        if arguments is None:  # handed on, as in `map(string.atoi, words)`
            is_handed = other is not None and len(node.children) == 2
            return Name(other, prefix=node.prefix) if is_handed else None
        if other is not None:
            return _instead(node, [Name(other), node.children[2].clone()])
        if name in _JOINS and len(arguments) in (1, 2):
            words, separator = (*arguments, Leaf(token.STRING, '" "'))[:2]
            return _instead(node, [_operand(separator), *_call("join", [words])])
        if name in _METHODS and arguments:
            return _instead(node, [_operand(arguments[0]), *_call(name, arguments[1:])])
        return None


def _is_import(leaf: Leaf) -> bool:
    """Whether a name stands in ``import string``, without another name for it."""
    above = leaf.parent
    if above is not None and above.type == syms.dotted_as_names:
        above = above.parent
    return above is not None and above.type == syms.import_name


def _is_read(leaf: Leaf) -> bool:
    """Whether a name is a member of something else, or what a member is read of: ``string.digits``."""
    above = leaf.parent
    if above is None or above.type not in (syms.power, syms.trailer):
        return False
    if above.type == syms.trailer:
        return bool(leaf.prev_sibling is not None and leaf.prev_sibling.value == ".")
    following = leaf.next_sibling
    reads = following is not None and following.type == syms.trailer and following.children[0].value == "."
    return reads and not _is_stored(above)


def _is_stored(power: Node) -> bool:
    """Whether something is bound to a member: ``string.digits = "01"``."""
    equals = power.next_sibling
    return equals is not None and equals.type == token.EQUAL


def _arguments(node: Node) -> list[Base] | None:
    """The arguments of the call that a name is the function of; None where it is none, or they have names."""
    call = node.children[2] if len(node.children) > 2 else None
    if call is None or call.type != syms.trailer or call.children[0].value != "(" or len(call.children) == 2:
        return None
    inside = call.children[1]
    parts = (
        [part for part in inside.children if part.type != token.COMMA]
        if inside.type == syms.arglist
        else [inside]
    )
    plain = all(part.type not in (syms.argument, syms.comp_for) for part in parts)
    return parts if plain and "#" not in str(call) else None


def _operand(argument: Base) -> Base:
    """An argument as what a method is called on."""
    made = argument.clone()
    made.prefix = ""
    return made if made.type in _OPERANDS else parenthesize(made)


def _call(name: str, arguments: list[Base]) -> list[Base]:
    """``.name(arguments)``."""
    given: list[Base] = []
    for argument in arguments:
        copy = argument.clone()
        copy.prefix = " " if given else ""
        given += [Leaf(token.COMMA, ",")] * bool(given) + [copy]
    inside = [Node(syms.arglist, given)] if len(given) > 1 else given
    return [
        Node(syms.trailer, [Leaf(token.DOT, "."), Name(name)]),
        Node(syms.trailer, [Leaf(token.LPAR, "("), *inside, Leaf(token.RPAR, ")")]),
    ]


def _instead(node: Node, parts: list[Base]) -> Node:
    """A call with other parts at its beginning, and with what follows it."""
    made = Node(syms.power, [*parts, *(part.clone() for part in node.children[3:])])
    made.prefix = node.prefix
    return made
