"""Changes inside code of the program that stays, or that new code quotes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator
from dataclasses import KW_ONLY
from typing import TypeVar

from migrate.frozen import dataclass, replace
from migrate.plan.new_code.code import Code, Written


@dataclass(frozen=True)
class Put:
    """Code that stands above a statement of the program."""

    code: Code
    _: KW_ONLY
    body: tuple[Written, ...] = ()
    """The statements of its block, if it opens one."""
    looks: bool = False
    """Whether it looks for rows of a DataFrame, which computes them."""
    returns: bool = False
    """Whether the function around it may return there."""
    moved: ast.stmt | None = None
    """The statement of another place of the program that it is."""
    replaces: tuple[ast.stmt, ...] = ()
    """Statements of the program whose comments it takes over."""
    comment: str = ""
    """What is said behind its first line."""
    counts: bool = False
    """Whether it computes all rows of a DataFrame to see whether there are any."""

    @property
    def written(self) -> Written:
        """It as a statement."""
        return Written(self.code, self.replaces, body=self.body, comment=self.comment)

    def with_texts(self, change: Callable[[str], str]) -> Put:
        """It with each part of its code changed."""
        changed = self.written.with_texts(change)
        return replace(self, code=changed.code, body=changed.body)


@dataclass(frozen=True)
class Parameters:
    """The parameters in the place of one, without its annotation."""

    names: tuple[str, ...] = ()
    """None where it goes."""
    has_batch: bool = True
    """Whether the first of them is given the DataFrame of a batch."""


GONE = Parameters(has_batch=False)
"""A parameter that goes."""


@dataclass(frozen=True)
class Inner:
    """Changes inside code of the program that stays or is quoted."""

    replaced: tuple[tuple[ast.AST, str], ...] = ()
    """Expressions, each with its replacement, which may quote parts of it."""
    _: KW_ONLY
    renamed: tuple[tuple[ast.AST, str], ...] = ()
    """Names, attributes, parameters and keywords, each with its new name."""
    before: tuple[tuple[ast.stmt, Put], ...] = ()
    """Statements, each with what is put before it."""
    dropped: tuple[ast.stmt, ...] = ()
    """Statements to remove; their comments go to the next statement, or along where a statement is moved."""
    reworded: tuple[tuple[ast.expr, tuple[tuple[str, str], ...]], ...] = ()
    """Texts that are written out, each with words of it and what stands in their places."""
    comments: tuple[tuple[tuple[ast.Module, int], tuple[tuple[str, str], ...]], ...] = ()
    """Comments by their modules and lines, with words that change in the same way."""
    beside: tuple[tuple[ast.stmt, str], ...] = ()
    """Assignments without comments, each with what is to be said behind it."""
    above: tuple[tuple[ast.stmt, str], ...] = ()
    """Assignments that change, each with what is to be said above it."""
    parameters: tuple[tuple[ast.arg, Parameters], ...] = ()
    """Parameters, each with those in its place."""
    sessions: tuple[ast.AST, ...] = ()
    """The expressions in `replaced` in whose places the SparkSession of a batch stands."""
    unsaid: tuple[tuple[ast.Call, tuple[ast.expr, ...]], ...] = ()
    """Calls, each with arguments whose comments go with them."""
    reads: tuple[ast.AST, ...] = ()
    """The expressions in `replaced` in whose places a variable is read, or a member of one."""
    rdds: tuple[ast.AST, ...] = ()
    """Those in whose places an RDD is made of a DataFrame."""
    contexts: tuple[ast.AST, ...] = ()
    """Those in whose places a SparkContext stands."""

    def __or__(self, more: Inner) -> Inner:
        """The changes of both; where both replace or rename one node, `more` wins."""
        if not any(vars(more).values()):
            return self
        new = dict(more.replaced)
        return Inner(
            tuple({**dict(self.replaced), **new}.items()),
            renamed=tuple({**dict(self.renamed), **dict(more.renamed)}.items()),
            before=(*self.before, *(put for put in more.before if put not in self.before)),
            dropped=tuple(dict.fromkeys((*self.dropped, *more.dropped))),
            reworded=_words(self.reworded, more.reworded),
            comments=_words(self.comments, more.comments),
            beside=tuple(dict.fromkeys((*self.beside, *more.beside))),
            above=tuple(dict.fromkeys((*self.above, *more.above))),
            parameters=tuple({**dict(self.parameters), **dict(more.parameters)}.items()),
            sessions=tuple(dict.fromkeys((*self.sessions, *more.sessions))),
            unsaid=tuple(dict.fromkeys((*self.unsaid, *more.unsaid))),
            reads=(*_left(self.reads, new), *more.reads),
            rdds=(*_left(self.rdds, new), *more.rdds),
            contexts=(*_left(self.contexts, new), *more.contexts),
        )

    @property
    def nodes(self) -> Iterator[ast.AST]:
        """The nodes of which it replaces, renames or removes one, or puts something above it."""
        pairs = (self.replaced, self.renamed, self.before, self.parameters)
        yield from (node for part in pairs for node, _ in part)
        yield from self.dropped

    @property
    def gone(self) -> list[ast.stmt]:
        """The statements to remove that are not moved to another place."""
        moved = {put.moved for _, put in self.before}
        return [statement for statement in self.dropped if statement not in moved]

    def within(self, own: Callable[[ast.AST], bool]) -> Inner:
        """The changes in a part of the code, by whether a node is in it."""
        return Inner(
            tuple(pair for pair in self.replaced if own(pair[0])),
            renamed=tuple(pair for pair in self.renamed if own(pair[0])),
            before=tuple(pair for pair in self.before if own(pair[0])),
            dropped=tuple(node for node in self.dropped if own(node)),
            reworded=tuple(pair for pair in self.reworded if own(pair[0])),
            comments=tuple(pair for pair in self.comments if own(pair[0][0])),
            beside=tuple(pair for pair in self.beside if own(pair[0])),
            above=tuple(pair for pair in self.above if own(pair[0])),
            parameters=tuple(pair for pair in self.parameters if own(pair[0])),
            sessions=tuple(node for node in self.sessions if own(node)),
            unsaid=tuple(pair for pair in self.unsaid if own(pair[0])),
            reads=tuple(node for node in self.reads if own(node)),
            rdds=tuple(node for node in self.rdds if own(node)),
            contexts=tuple(node for node in self.contexts if own(node)),
        )

    def texts(self) -> Iterator[str]:
        """All new code in it, in parts that can be parsed."""
        yield from (text for _, text in self.replaced)
        yield from (", ".join(one.names) for _, one in self.parameters)
        yield from (text for _, put in self.before for text in put.written.texts())

    def with_texts(self, change: Callable[[str], str]) -> Inner:
        """The changes with each part of the new code changed."""
        return replace(
            self,
            replaced=tuple((old, change(text)) for old, text in self.replaced),
            before=tuple((old, put.with_texts(change)) for old, put in self.before),
            parameters=tuple(
                (old, replace(one, names=tuple(map(change, one.names)))) for old, one in self.parameters
            ),
        )


Text = TypeVar("Text")
_Words = tuple[tuple[Text, tuple[tuple[str, str], ...]], ...]


def _left(nodes: tuple[ast.AST, ...], new: Container[ast.AST]) -> Iterator[ast.AST]:
    """Nodes that other changes do not replace."""
    return (node for node in nodes if node not in new)


def _words(one: _Words[Text], other: _Words[Text]) -> _Words[Text]:
    """The words of both, text by text."""
    found = dict(one)
    for text, words in other:
        found[text] = tuple(dict.fromkeys((*found.get(text, ()), *words)))
    return tuple(found.items())


NOTHING = Inner()


def context_of(session: str, *nodes: ast.AST) -> Inner:
    """The SparkContext of a session in the places of expressions."""
    read = reading(*((node, f"{session}.sparkContext") for node in nodes))
    return replace(read, contexts=nodes)


def reading(*pairs: tuple[ast.AST, str]) -> Inner:
    """Variables, or members of them, in the places of expressions."""
    return Inner(pairs, reads=tuple(node for node, _ in pairs))
