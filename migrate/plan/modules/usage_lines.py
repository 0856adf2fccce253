"""Texts and comments that tell how a program is called: their words for an argument with another meaning."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from migrate.model import Module
from migrate.syntax.lexical import Piece, pieces
from migrate.syntax.nodes import of_kinds, parents_of
from migrate.syntax.wording import Words, changed_alone, changed_words

_PLACEHOLDER = re.compile(r"<[^<>\n]*>|\[[^\[\]\n]*\]")
_WORD = re.compile(r"[a-z]+")
_USAGE = re.compile(r"usage", re.IGNORECASE)
_SUBMIT = re.compile(r"spark-submit(?:\\\n|[^\n`])*")
_ADDRESS = re.compile(r"([^\s,\"'=]+):218[1-9]\b")
_PROGRAM = re.compile(r"\w\.(py|sh|bat|cmd)(?!\w)")
"""How the name of a program ends."""
_ZOOKEEPER = re.compile(
    r"(?<![-\w./])(?:Apache )?(?:zoo\W?keepers?(?:'s)?|zk)"
    r"(?:[ _-](?:server|host|quorum|node|ensemble|ip|broker)s?(?:'s)?)*"
    r"(?P<address> address(?:es)?)?\b(?!\.\w)",
    re.IGNORECASE,
)
_HOST_AND_PORT = re.compile(r"(<[^<>\n]*>):(<[^<>\n]*port[^<>\n]*>)", re.IGNORECASE)
_SIDES = frozenset({"input", "in", "source", "consumer", "output", "out", "sink", "producer", "target"})
"""Words that tell one argument from another with the same meaning."""
_ARTICLE = re.compile(r"\bthe\s+\Z", re.IGNORECASE)


def usage_words(
    tree: ast.AST, called: Iterable[str], name: str, meant: re.Pattern[str], flags: Mapping[str, str]
) -> tuple[tuple[ast.expr, Words], ...]:
    """The words to change in the texts of a module.

    Args:
        tree: the module.
        called: what the argument was called.
        name: what it is called now.
        meant: words like those of placeholders that are for it: ``<zk>``.
        flags: the flags of the command line that it is given by, and those by which it is now.
    """
    assert isinstance(tree, ast.Module)
    above = parents_of(tree)
    pieces: dict[ast.expr, list[str]] = {}
    for node in of_kinds(tree, ast.Constant):
        if isinstance(node.value, str):
            text = above[node] if isinstance(above[node], ast.JoinedStr) else node
            assert isinstance(text, ast.expr)
            pieces.setdefault(text, []).append(node.value)
    found = {
        text: tuple(_words(own, tuple(called), name, meant, flags, told=any(map(_USAGE.search, own))))
        for text, own in pieces.items()
    }
    return tuple((text, words) for text, words in found.items() if words)


def usage_comments(
    module: Module, called: Iterable[str], name: str, meant: re.Pattern[str], flags: Mapping[str, str]
) -> tuple[tuple[tuple[ast.Module, int], Words], ...]:
    """The words to change in the comments of a module, with the arguments of `usage_words`."""
    blocks: list[list[Piece]] = []
    for piece in pieces(module.source):
        if not piece.is_comment:
            continue
        if not blocks or blocks[-1][-1].line != piece.line - 1:
            blocks.append([])
        blocks[-1].append(piece)
    found: list[tuple[tuple[ast.Module, int], Words]] = []
    for block in blocks:
        old = "\n".join(piece.text for piece in block)
        new = _new(old, tuple(called), name, meant, flags, told=_USAGE.search(old) is not None)
        for piece, line in zip(block, new.split("\n"), strict=True):
            if line != piece.text:
                found.append(((module.tree, piece.line), changed_alone(piece.text, line)))
    return tuple(found)


def address_comments(module: Module, statement: ast.stmt) -> tuple[tuple[tuple[ast.Module, int], Words], ...]:
    """The words to change in the comments right above and beside the statement that names the brokers now.

    ``# Zookeeper host`` says ``# Kafka brokers``.
    """
    beside = {piece.line: piece for piece in pieces(module.source) if piece.is_comment}
    first, last = statement.lineno, statement.end_lineno or statement.lineno
    while first - 1 in beside and beside[first - 1].column == statement.col_offset:
        first -= 1
    found = []
    for line in sorted(beside.keys() & set(range(first, last + 1))):
        old = beside[line].text
        new = of_brokers(old)
        if new != old:
            found.append(((module.tree, line), ((old, new),)))
    return tuple(found)


def of_brokers(text: str) -> str:
    """A text about an address that is the brokers' now: ``the Zookeeper quorum`` is ``the Kafka brokers``."""
    return _ZOOKEEPER.sub(_brokers, text)


def _brokers(found: re.Match[str]) -> str:
    has_article = _ARTICLE.search(found.string, 0, found.start()) is not None
    plain = has_article or found[0][0].isupper() or found.string.isupper()
    if found["address"]:
        return f"{'A' if found[0][0].isupper() else 'a'}ddresses of Kafka's brokers"
    return "Kafka brokers" if plain else "Kafka's brokers"


def _words(
    pieces: Iterable[str],
    called: tuple[str, ...],
    name: str,
    meant: re.Pattern[str],
    flags: Mapping[str, str],
    *,
    told: bool,
) -> Iterator[tuple[str, str]]:
    """The words of one text that change; `told`: it is one that says how the program is called."""
    for text in pieces:
        new = _new(text, called, name, meant, flags, told=told)
        if new != text:
            yield from changed_words(text, new)


def _new(
    text: str,
    called: tuple[str, ...],
    name: str,
    meant: re.Pattern[str],
    flags: Mapping[str, str],
    *,
    told: bool,
) -> str:
    """A text after its words have changed."""

    sides = _SIDES.intersection(_WORD.findall(" ".join(called).lower()))

    def is_meant(text: str) -> bool:
        own = _SIDES.intersection(_WORD.findall(text.lower()))
        return meant.search(text) is not None and not (sides and own - sides)

    def placeholder(found: re.Match[str]) -> str:
        return f"{found[0][0]}{name}{found[0][-1]}" if is_meant(found[0]) else found[0]

    def address_of(found: re.Match[str]) -> str:
        return f"<{name}>" if is_meant(found[1]) else found[0]

    def address(found: re.Match[str]) -> str:
        return f"{'kafka' if meant.search(found[1]) else found[1]}:9092"

    def passed(found: re.Match[str]) -> str:
        programs = _PROGRAM.findall(found.string, 0, found.start())
        if not programs or programs[-1] != "py":
            return found[0]  # ``kafka-topics.sh --zookeeper localhost:2181``
        return f"{flags[found[1]]}{found[2]}{_ADDRESS.sub(address, found[3])}"

    named = re.compile(rf"\b({'|'.join(map(re.escape, filter(meant.search, called)))})\b")
    new = _PLACEHOLDER.sub(placeholder, _HOST_AND_PORT.sub(address_of, text))
    if told and new == text and any(map(meant.search, called)):
        new = named.sub(name, text)
    if flags:
        any_flag = "|".join(map(re.escape, flags))
        new = re.sub(rf"(?<![\w-])({any_flag})(\s+|=)(\S+:218[1-9])\b", passed, new)
    return _SUBMIT.sub(lambda command: _ADDRESS.sub(address, command[0]), new)
