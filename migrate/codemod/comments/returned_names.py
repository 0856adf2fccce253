"""What docstrings say that a function returns, where it returns something else now."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from migrate.codemod.changes import Changes
from migrate.codemod.comments.old_contexts import once, without_context
from migrate.plan.new_code.code import Makes
from migrate.syntax.nodes import walk
from migrate.syntax.wording import Words

_RETURNED = re.compile(r"^([ \t]*[:@]returns?[ \t]+)(\w+(?:,[ \t]*\w+)*)([ \t]*:)(.*)$", re.MULTILINE)
"""``:return ssc, lines: the context and the lines``."""
_PARTS = re.compile(r"(,[ \t]+(?:and[ \t]+)?|[ \t]+and[ \t]+)")
_STEP = re.compile(
    r"(,[ \t]+[\w \t]+?)?(?:,?[ \t]+and|,[ \t]+then)[ \t]+(\w+)\b[^.,;\n]*(?=[.\n]|\Z)", re.IGNORECASE
)
"""``make a context, a stream and parse that`` at the end of a sentence, from the last comma."""
_ARTICLE = re.compile(r"(?:an?|the)[ \t]+", re.IGNORECASE)


def returned_words(holder: ast.AST | None, text: str, changes: Changes) -> Words:
    """The words of a docstring for what its function returns under other names now.

    ``:return ssc, pairs: the context and pairs of words``, of which the pairs are made per batch now, becomes
    ``:return spark, lines: the SparkSession and the streaming DataFrame``.

    Args:
        holder: the function.
        text: its docstring.
        changes: the changes of its module.
    """
    if not isinstance(holder, ast.FunctionDef):
        return ()
    names = _renamed(holder, changes)
    if not names:
        return ()
    makes, moved = _made(holder, changes), {*_moved(holder, changes)}
    other = names.keys() & moved
    words: list[tuple[str, str]] = []
    for found in _RETURNED.finditer(text):
        old = re.split(r",[ \t]*", found[2])
        if not names.keys().isdisjoint(old):
            new = ", ".join(names.get(name, name) for name in old)
            kinds = [makes.get(names[name]) if name in other else None for name in old]
            words.append((found[0], f"{found[1]}{new}{found[3]}{_described(found[4], kinds)}"))
    steps = (step for step in _STEP.finditer(text) if any(_is_named_for(name, step[2]) for name in other))
    words += [(step[0], re.sub(r",([ \t]+)", r" and\1", step[1] or "")) for step in steps]
    return tuple(words)


def _renamed(function: ast.FunctionDef, changes: Changes) -> Mapping[str, str]:
    """The names that a function returned, with those of what it returns in their places."""
    returns = [node.value for node in walk(function) if isinstance(node, ast.Return)]
    values = [part for one in returns for part in (one.elts if isinstance(one, ast.Tuple) else [one])]
    return {
        one.id: changes.renamed[one] for one in values if isinstance(one, ast.Name) and one in changes.renamed
    }


def _made(function: ast.FunctionDef, changes: Changes) -> Mapping[str, Makes]:
    """What the variables of a function hold that new code in it binds."""
    inside = {*walk(function)}
    new = [one for place, one in changes.new() if place in inside and one.makes is not None]
    return {
        target.id: one.makes
        for one in new
        if one.makes is not None
        for statement in one.tree
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }


def _moved(function: ast.FunctionDef, changes: Changes) -> Iterator[str]:
    """The variables of a function that are bound elsewhere now."""
    for statement in (one for one in walk(function) if isinstance(one, ast.Assign)):
        gone = changes.statements.get(statement) == ()
        # what makes a context or a source in another form goes, too
        does = isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Attribute)
        if gone and does:
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))


def _described(text: str, kinds: list[Makes | None]) -> str:
    """What is said of several things, each in words of its own, of which some are others now."""
    pieces = _PARTS.split(text)
    if len(pieces) != 2 * len(kinds) - 1:
        return text
    for place, kind in enumerate(kinds):
        own = pieces[2 * place]
        if kind is not None:
            article = _ARTICLE.match(own.lstrip())
            space = own[: len(own) - len(own.lstrip())]
            pieces[2 * place] = space + ("the " if article is not None else "") + kind.value
        else:
            pieces[2 * place] = once(without_context(own))
    return "".join(pieces)


def _is_named_for(variable: str, verb: str) -> bool:
    """Whether a variable is called after what is done to make it: ``parsed_lines``, of `parse`."""
    stem = verb.lower().removesuffix("e")
    return len(stem) > 2 and any(
        part in (verb.lower(), f"{stem}ed", f"{stem}{stem[-1]}ed") for part in variable.lower().split("_")
    )
