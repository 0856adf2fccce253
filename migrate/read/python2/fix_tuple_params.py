"""``lambda (k, v), n: k`` becomes ``lambda kv, n: kv[0]``.

One that reads many items becomes a function (`migrate.read.python2.unpacking`). `fissix` knows only lambdas
with one parameter, and takes attributes and the parameters of lambdas inside for what they are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from keyword import iskeyword
from typing import Any

from fissix.fixer_util import Name
from fissix.fixes import fix_tuple_params
from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms
from fissix.pytree import Base, Leaf

from migrate.read.python2.unpacking import FEW, define, statement_of

_LONGEST = 15
"""The letters of a name that is made of others."""
_SHORT = (("fields", "items", "row"), ("pair", "item"))
"""Names for tuples, and for those of two things."""


class FixTupleParams(fix_tuple_params.FixTupleParams):  # type: ignore[misc]
    """Parameters that are tuples, of functions as `fissix` has it, and of lambdas."""

    PATTERN = """
        funcdef< 'def' any parameters< '(' args=any ')' > ['->' any] ':' suite=any+ >
        |
        lambda=lambdef< 'lambda' args=any ':' body=any >
        """

    def start_tree(self, tree: Base, filename: str) -> None:
        """Begin a file, in which lambdas with the same parameters call them alike."""
        super().start_tree(tree, filename)
        self._called: dict[tuple[tuple[str, str], ...], str] = {}
        self._alike: dict[tuple[str, ...], str] = {}

    def transform(self, node: Base, results: dict[str, Any]) -> None:
        """Give the tuples of a function names of their own items, in the order of the parameters."""
        args = results["args"]
        tuples = [args] if args.type == syms.tfpdef else []
        if args.type == syms.typedargslist:
            tuples = [child for child in args.children if child.type == syms.tfpdef]
        self._wanted = [_joined(dict(_paths(parameter, ""))) for parameter in tuples]
        super().transform(node, results)

    def new_name(self, template: str = "") -> str:
        """A name that the file does not use: `template`, else that of the next tuple of a function."""
        name: str = super().new_name(template or self._wanted.pop(0))
        return name

    def _name(self, paths: dict[str, str], *, is_alone: bool) -> str:
        """A name for a tuple of a lambda: that of its items, or what it is if that would be long.

        Args:
            paths: the items, and the subscripts that lead to them.
            is_alone: whether nothing else in the lambda may have the same name.
        """
        joined = _joined(paths)
        if not is_alone or len(joined) <= _LONGEST:
            return self.new_name(joined)
        kind = _SHORT[{path[:3] for path in paths.values()} == {"[0]", "[1]"}]
        if kind not in self._alike:
            free = (name for name in kind if name not in self.used_names)
            self._alike[kind] = self.new_name(next(free, kind[0]))
        return self._alike[kind]

    def transform_lambda(self, node: Base, results: dict[str, Any]) -> None:
        """Give each tuple a name, and read its items by their positions."""
        args, body = results["args"], results["body"]
        tuples = [args] if args.type == syms.vfpdef else []
        if args.type == syms.varargslist:
            tuples = [child for child in args.children if child.type == syms.vfpdef]
        items: dict[str, str] = {}
        is_alone = len(tuples) == 1 and _is_alone(node)
        if is_alone and args in tuples and self._defined(node, args):
            return
        for parameter in tuples:
            paths = dict(_paths(parameter, ""))
            same = (*paths.items(),)
            if same not in self._called:
                alone = set(paths.values()) == {""}
                self._called[same] = next(iter(paths)) if alone else self._name(paths, is_alone=is_alone)
            name = self._called[same]
            items |= {item: name + path for item, path in paths.items() if path}
            parameter.replace(Name(name, prefix=parameter.prefix))
        if items.keys() & _bound_by_loops(body):
            raise ValueError("a parameter that is a tuple is bound again")
        for leaf in list(_reads(body, frozenset(items))):
            leaf.replace(Name(items[leaf.value], prefix=leaf.prefix))

    def _defined(self, function: Base, parameter: Base) -> bool:
        """Whether a function now stands for a lambda that reads many items of its only parameter."""
        body = function.children[-1]
        paths = dict(_paths(parameter, ""))
        reads = [*_reads(body, frozenset(paths))]
        statement = statement_of(function) if min(len(paths), len(reads)) > FEW else None
        unclear = "#" in str(function) or any(map(iskeyword, paths))
        if statement is None or unclear or paths.keys() & _bound_by_loops(body):
            return False
        define(function, parameter, statement, self._name(paths, is_alone=True), self.new_name)
        return True


def _is_alone(function: Base) -> bool:
    """Whether a lambda is in no other one, and has none inside."""
    inside = sum(part.type in (syms.lambdef, syms.old_lambdef) for part in function.pre_order())
    around = function.parent
    while around is not None and around.type not in (syms.lambdef, syms.old_lambdef):
        around = around.parent
    return inside == 1 and around is None


def _joined(names: Iterable[str]) -> str:
    """A name made of others: ``kv``, ``key_value``."""
    letters = "".join(names)
    return letters if all(len(name) == 1 for name in names) and not iskeyword(letters) else "_".join(names)


def _paths(parameter: Base, path: str) -> Iterator[tuple[str, str]]:
    """Each name in a tuple of parameters, and the subscripts that lead to it."""
    if parameter.type == token.NAME:
        yield parameter.value, path
    elif parameter.type in (syms.vfpdef, syms.tfpdef):
        yield from _paths(parameter.children[1], path)
    else:
        parts = [child for child in parameter.children if child.type != token.COMMA]
        for position, part in enumerate(parts):
            yield from _paths(part, f"{path}[{position}]")


def _reads(node: Base, names: frozenset[str]) -> Iterator[Leaf]:
    """Where `names` are read below `node`, which may be such a place itself."""
    if isinstance(node, Leaf):
        if node.type == token.NAME and node.value in names and not _is_label(node):
            yield node
    elif node.type == syms.lambdef and len(node.children) == 4:
        own = {leaf.value for leaf in node.children[1].leaves()}
        yield from _reads(node.children[3], names - own)
    else:
        for child in node.children:
            yield from _reads(child, names)


def _is_label(leaf: Leaf) -> bool:
    """Whether a name is that of an attribute or of a keyword's argument."""
    before, after = leaf.prev_sibling, leaf.next_sibling
    if before is not None and before.type == token.DOT:
        return True
    return leaf.parent.type == syms.argument and after is not None and after.type == token.EQUAL


def _bound_by_loops(node: Base) -> set[str]:
    """The names that comprehensions bind."""
    loops = [part for part in node.pre_order() if part.type == syms.comp_for]
    return {leaf.value for loop in loops for leaf in loop.children[1].leaves() if leaf.type == token.NAME}
