"""New code as a plan holds it, without layout.

A text is the source of an expression or of statements, without indentation of its own and with four spaces
for each level below; expressions of the program stand in it as `migrate.syntax.quoting.quoted` names.
`migrate.codemod` lays it out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import TypeVar

from migrate.cached import cached_property
from migrate.columns import Helper
from migrate.frozen import dataclass, replace


@dataclass(frozen=True)
class Call:
    """One link of a chain of method calls, without its leading dot."""

    code: str
    """``where(F.length("word") > 3)``; an attribute, ``rdd``, as well."""
    origin: tuple[ast.Call, ...] = ()
    """The calls of the program that it replaces; it takes over their comments."""
    comment: str = ""
    """What is to be said of it, as ``# in order``, where the program says nothing."""

    @property
    def method(self) -> str:
        """The name of the method or attribute."""
        return self.code.partition("(")[0]


def links(calls: Sequence[str | Call], origin: tuple[ast.Call, ...] = ()) -> tuple[Call, ...]:
    """The links of a chain; the first one replaces the calls in `origin`."""
    made = []
    for number, call in enumerate(calls):
        own = () if number else origin
        made.append(Call(call, own) if isinstance(call, str) else replace(call, origin=own))
    return tuple(made)


@dataclass(frozen=True)
class Chain:
    """A statement that is a chain of method calls: ``counts = words.groupBy("word").agg(...)``."""

    base: str
    """The variable, or the expression, that it starts from."""
    calls: tuple[Call, ...] = ()
    target: str = ""
    """The variable or attribute that its value is assigned to; empty for none."""
    returned: bool = False
    """Whether its value is returned."""
    has_trigger: bool = False
    """Whether it says when the batches of a query run."""
    shows: bool = False
    """Whether it prints rows."""
    persists: str = ""
    """The variable whose DataFrame or RDD it persists."""

    @cached_property
    def text(self) -> str:
        """The chain as one expression, for a place inside other code."""
        return ".".join([self.base, *(call.code for call in self.calls)])

    @property
    def is_writer(self) -> bool:
        """Whether it makes the writer of a query and does not start that."""
        return self.has_trigger and self.calls[-1].method != "start"

    @property
    def statement(self) -> str:
        """The statement on one line."""
        if self.returned:
            return f"return {self.text}"
        return f"{self.target} = {self.text}" if self.target else self.text


@dataclass(frozen=True)
class Value:
    """A value in the driver, as new code."""

    code: str
    is_variable: bool = False
    """Whether a variable holds it, so that code may read it more than once."""


Code = str | Chain
"""A statement, or several lines of them if it is a text."""


class Makes(Enum):
    """What a statement of new code makes, or is about, in the words of a comment."""

    SESSION = "SparkSession"
    SOURCE = "streaming DataFrame"
    FRAME = "DataFrame"
    RDD = "RDD"
    QUERY = "streaming query"


@dataclass(frozen=True)
class When:
    """A condition under which a statement runs."""

    test: str
    holds: bool = True
    """Whether the test must be true."""
    opposite: str = ""
    """The opposite of the test, for a statement that runs where it is false and none where it is true."""
    branch: ast.If | None = None
    """The branch of the program whose place it takes; None where that one stays, with what else it does."""
    comment: str = ""
    """What is to be said of it, as ``# from the first row on``."""
    again: str = ""
    """The same test in fewer words, for a second block, below one with what makes it true."""


@dataclass(frozen=True)
class Written:
    """A statement of new code."""

    code: Code
    replaces: tuple[ast.stmt, ...] = ()
    """Statements of the program whose comments it takes over."""
    makes: Makes | None = None
    body: tuple[Written, ...] = ()
    """The statements of its block, if it opens one: ``try:``."""
    end: str = ""
    """The clauses below its block: ``except ValueError:`` and what stands there."""
    orelse: tuple[Written, ...] = ()
    """The statements of its ``else:``, if it has one."""
    when: tuple[When, ...] = ()
    """Conditions, each inside of the one before, under which it runs."""

    def texts(self) -> Iterable[str]:
        """Its code, each part by itself."""
        yield _text(self.code)
        for inner in (*self.body, *self.orelse):
            yield from inner.texts()
        if self.end:
            yield self.end

    def with_texts(self, change: Callable[[str], str]) -> Written:
        """The statement with each part of its code changed."""
        body = tuple(one.with_texts(change) for one in self.body)
        orelse = tuple(one.with_texts(change) for one in self.orelse)
        when = tuple(replace(one, test=change(one.test), opposite=change(one.opposite)) for one in self.when)
        code = _changed(self.code, change)
        return replace(self, code=code, body=body, end=change(self.end), orelse=orelse, when=when)


def statements_replaced(block: Sequence[Written]) -> Iterator[ast.stmt]:
    """The statements of the program that those of a block stand for."""
    for one in block:
        yield from one.replaces
        yield from statements_replaced((*one.body, *one.orelse))


@dataclass(frozen=True)
class Put:
    """Code that stands above a statement of the program."""

    code: str
    looks: bool = False
    """Whether it looks for rows of a DataFrame, which computes them."""
    returns: bool = False
    """Whether the function around it may return there."""
    moved: ast.stmt | None = None
    """The statement of another place of the program that it is."""
    replaces: tuple[ast.stmt, ...] = ()
    """Statements of the program whose comments it takes over."""


@dataclass(frozen=True)
class Inner:
    """Changes inside code of the program that stays or is quoted."""

    replaced: tuple[tuple[ast.AST, str], ...] = ()
    """Expressions, each with its replacement, which may quote parts of it; parameters, each with those in its
    place: ``batch, batch_id``, or none."""
    renamed: tuple[tuple[ast.AST, str], ...] = ()
    """Names, attributes, parameters and keywords, each with its new name."""
    before: tuple[tuple[ast.stmt, Put], ...] = ()
    """Statements, each with what is put before it."""
    dropped: tuple[ast.stmt, ...] = ()
    """Statements to remove; their comments go to the next statement."""
    reworded: tuple[tuple[ast.expr, tuple[tuple[str, str], ...]], ...] = ()
    """Texts that are written out, each with words of it and what stands in their places."""
    comments: tuple[tuple[tuple[ast.Module, int], tuple[tuple[str, str], ...]], ...] = ()
    """Comments by their modules and lines, with words that change in the same way."""
    beside: tuple[tuple[ast.stmt, str], ...] = ()
    """Assignments without comments, each with what is to be said behind it."""

    def __or__(self, more: Inner) -> Inner:
        """The changes of both; where both replace or rename one node, `more` wins."""
        if not any(vars(more).values()):
            return self
        return Inner(
            tuple({**dict(self.replaced), **dict(more.replaced)}.items()),
            tuple({**dict(self.renamed), **dict(more.renamed)}.items()),
            (*self.before, *(put for put in more.before if put not in self.before)),
            tuple(dict.fromkeys((*self.dropped, *more.dropped))),
            _words(self.reworded, more.reworded),
            _words(self.comments, more.comments),
            tuple(dict.fromkeys((*self.beside, *more.beside))),
        )


Text = TypeVar("Text")
_Words = tuple[tuple[Text, tuple[tuple[str, str], ...]], ...]


def _words(one: _Words[Text], other: _Words[Text]) -> _Words[Text]:
    """The words of both, text by text."""
    found = dict(one)
    for text, words in other:
        found[text] = tuple(dict.fromkeys((*found.get(text, ()), *words)))
    return tuple(found.items())


NOTHING = Inner()


@dataclass(frozen=True)
class BatchFunction:
    """The function that a query calls for each batch: a new one, or one of the program."""

    name: str
    parameters: tuple[str, str]
    body: tuple[Written, ...]
    """Its statements; none where the program has the function."""
    place: ast.stmt
    """The statement that it follows, or whose place it takes if that one is removed."""
    above: tuple[Code, ...] = ()
    """Statements right above it, whose variables it reads."""
    below: Chain | None = None
    """The statement right below it."""
    within: ast.FunctionDef | None = None
    """The function of the program whose own statements stand below those of `body`."""
    last: tuple[Written, ...] = ()
    """What stands below these."""
    released: ast.Try | None = None
    """The last of them, in whose ``finally:`` that stands, as some of them return."""


@dataclass(frozen=True)
class PlannedModule:
    """The new code of one module."""

    replaced: Mapping[ast.stmt, tuple[Written, ...]] = field(default_factory=dict)
    """Statements, each with its replacement; comments around a replaced one stay."""
    removed: Mapping[ast.stmt, bool] = field(default_factory=dict)
    """Statements to remove, and whether the comments right above are removed, too."""
    after: Mapping[ast.stmt, Code] = field(default_factory=dict)
    """Statements, each with code to put after it in its block."""
    function: BatchFunction | None = None
    inner: Inner = NOTHING
    helpers: tuple[Helper, ...] = ()
    """Functions to add to the module, after its imports."""
    settings: tuple[Helper, ...] = ()
    """Assignments to add to the module, before those."""
    imports: frozenset[str] = frozenset()
    """The names that new code needs imported: ``F``, ``SparkSession``."""
    contexts: frozenset[str] = frozenset()
    """The variables that held the StreamingContext."""
    unused: tuple[ast.stmt, ...] = ()
    """Functions and variables whose last use is removed: they are removed, too."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """The new names of variables, which commented-out code may read, too."""
    libraries: frozenset[str] = frozenset()
    """Packages that extend PySpark and that it has no use for: their imports go."""
    moved: Mapping[ast.alias, str] = field(default_factory=dict)
    """Imported names that go, as PySpark has them elsewhere now, each with the statement that binds it."""
    puts_out: bool = True
    """Whether the program has outputs."""
    rdds: bool = True
    """Whether the program has RDDs or a SparkContext still."""
    per_batch: frozenset[ast.AST] = frozenset()
    """The functions that are given the DataFrames of each batch."""
    begin: int = 0
    """The line above which a notebook has cells that do not run with the program."""

    def texts(self) -> Iterable[str]:
        """All new code, each part by itself."""
        for written in (part for parts in self.replaced.values() for part in parts):
            yield from written.texts()
        for code in self.after.values():
            yield _text(code)
        if self.function is not None:
            for written in (*self.function.body, *self.function.last):
                yield from written.texts()
            yield from map(_text, self.function.above)
            if self.function.below is not None:
                yield self.function.below.text
        yield from (text for _, text in self.inner.replaced)
        yield from (put.code for _, put in self.inner.before)

    def with_texts(self, change: Callable[[str], str]) -> PlannedModule:
        """The new code of the module with each part of it changed, helpers and settings as well."""
        function, inner = self.function, self.inner
        if function is not None:
            below = function.below
            function = replace(
                function,
                body=tuple(one.with_texts(change) for one in function.body),
                last=tuple(one.with_texts(change) for one in function.last),
                above=tuple(_changed(code, change) for code in function.above),
                below=None if below is None else _changed_chain(below, change),
            )
        return replace(
            self,
            replaced={
                old: tuple(one.with_texts(change) for one in written)
                for old, written in self.replaced.items()
            },
            after={old: _changed(code, change) for old, code in self.after.items()},
            function=function,
            inner=replace(
                inner,
                replaced=tuple((old, change(text)) for old, text in inner.replaced),
                before=tuple((old, replace(put, code=change(put.code))) for old, put in inner.before),
            ),
            helpers=tuple(replace(one, source=change(one.source)) for one in self.helpers),
            settings=tuple(replace(one, source=change(one.source)) for one in self.settings),
        )


def _changed(code: Code, change: Callable[[str], str]) -> Code:
    return change(code) if isinstance(code, str) else _changed_chain(code, change)


def _changed_chain(chain: Chain, change: Callable[[str], str]) -> Chain:
    calls = tuple(replace(call, code=change(call.code)) for call in chain.calls)
    return replace(chain, base=change(chain.base), calls=calls, target=change(chain.target))


def _text(code: Code) -> str:
    return code if isinstance(code, str) else code.text
