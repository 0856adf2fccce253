"""New code as a plan holds it, without layout.

A text is the source of an expression or of one statement; a block is a value of its own: `Written`.
Expressions of the program stand in texts as `migrate.syntax.quoting.quoted` names. `migrate.codemod` lays it
out. What is to be known of code stands beside its text, in fields that its maker fills: nobody looks for it
in the text, but for the names that are read there (`migrate.syntax.code_names`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, field
from enum import Enum
from textwrap import indent

from migrate.cached import cached_property
from migrate.frozen import dataclass, replace
from migrate.graph.operations import Operation
from migrate.plan.new_code.function_call import Argument, FunctionCall
from migrate.syntax.quoting import quoted


@dataclass(frozen=True)
class Call:
    """One link of a chain of method calls, without its leading dot."""

    method: str
    """The name of the method or attribute."""
    arguments: str | None = None
    """Its arguments; None for an attribute, ``rdd``."""
    _: KW_ONLY
    origin: tuple[ast.Call, ...] = ()
    """The calls of the program that it replaces; it takes over their comments."""
    comment: str = ""
    """What is to be said of it, as ``# in order``, where the program says nothing."""
    item: int | None = None
    """Which item of its result is taken: ``first()[0]``."""
    has_ones: bool = False
    """Whether it makes a column of ones, as for ``(word, 1)``."""

    @property
    def code(self) -> str:
        """``where(F.length("word") > 3)``."""
        called = "" if self.arguments is None else f"({self.arguments})"
        return f"{self.method}{called}{'' if self.item is None else f'[{self.item}]'}"

    def repeats(self, old: ast.Call) -> bool:
        """Whether it calls the same method as one of the program, with the same expressions."""
        named = [(f"{word.arg}=", word.value) for word in old.keywords]
        given = ", ".join(
            f"{name}{quoted(value)}" for name, value in [*(("", arg) for arg in old.args), *named]
        )
        same = isinstance(old.func, ast.Attribute) and old.func.attr == self.method
        return same and self.arguments == given and self.item is None

    def with_texts(self, change: Callable[[str], str]) -> Call:
        """The call with its arguments changed."""
        return self if self.arguments is None else replace(self, arguments=change(self.arguments))


def links(calls: Sequence[Call], origin: tuple[ast.Call, ...] = ()) -> tuple[Call, ...]:
    """The links of a chain; the first one replaces the calls in `origin`."""
    return tuple(replace(call, origin=() if number else origin) for number, call in enumerate(calls))


@dataclass(frozen=True)
class Chain:
    """A statement that is a chain of method calls: ``counts = words.groupBy("word").agg(...)``."""

    base: str
    """The variable, or the expression, that it starts from."""
    calls: tuple[Call, ...] = ()
    _: KW_ONLY
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
    otherwise: tuple[Call, ...] = ()
    """Its calls where that one is persisted already; none if it does nothing else."""
    comment: str = ""
    """What is said behind it, as ``# end of the interval``."""
    in_attribute: bool = False
    """Whether `target` is an attribute, and no variable."""
    called: FunctionCall | None = None
    """The call of a function of the program that `base` is."""

    @cached_property
    def text(self) -> str:
        """The chain as one expression, for a place inside other code."""
        return ".".join([self.base, *(call.code for call in self.calls)])

    @property
    def unchanged(self) -> ast.Call | None:
        """The expression of the program that the chain is, link by link; None if it is another one."""
        made: ast.Call | None = None
        for call in self.calls:
            match call.origin:
                case (ast.Call(func=ast.Attribute(value=owner)) as old,) if call.repeats(old):
                    starts = isinstance(owner, ast.Name) and owner.id == self.base
                    if not (starts if made is None else owner is made):
                        return None
                    made = old
                case _:
                    return None
        return made

    @property
    def has_ones(self) -> bool:
        """Whether it makes a column of ones, or calls a function with one."""
        given = self.called.arguments if self.called is not None else ()
        return any(call.has_ones for call in self.calls) or any(one.has_ones for one in given)

    @property
    def makes_rdd(self) -> bool:
        """Whether it makes an RDD of a DataFrame, or calls a function with one."""
        given = self.called.arguments if self.called is not None else ()
        return any(call.method == "rdd" for call in self.calls) or any(one.makes_rdd for one in given)

    @property
    def only_persists(self) -> bool:
        """Whether it persists a variable's DataFrame or RDD, and does no more: ``words.persist()``."""
        return bool(self.persists) and not self.target and not self.otherwise

    @property
    def variable(self) -> str:
        """The variable that its value is assigned to; empty for none."""
        return "" if self.in_attribute else self.target

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

    def with_texts(self, change: Callable[[str], str]) -> Chain:
        """The chain with each part of its code changed."""
        calls = tuple(call.with_texts(change) for call in self.calls)
        otherwise = tuple(call.with_texts(change) for call in self.otherwise)
        called = None if self.called is None else self.called.with_texts(change)
        changed = replace(self, base=change(self.base), calls=calls, otherwise=otherwise, called=called)
        return replace(changed, target=change(self.target))


def calling(function: ast.expr, *arguments: Argument) -> Chain:
    """The statement that calls a function of the program."""
    called = FunctionCall(function, arguments)
    return Chain(called.code, called=called)


@dataclass(frozen=True)
class Value:
    """A value in the driver, as new code."""

    code: str
    is_variable: bool = False
    """Whether a variable holds it, so that code may read it more than once."""


@dataclass(frozen=True, eq=False)
class Origin:
    """What a line of new code comes from: that gets its comments. Each line has one of its own."""

    calls: tuple[ast.Call, ...]
    """The calls of the program whose work the line does, but for `last`."""
    last: ast.Call | None = None
    """The one whose work it does at last, if the code that calls the function has the comments of that."""


@dataclass(frozen=True)
class Function:
    """A function of new code; its head alone in a statement that has the body as a block."""

    text: str
    """Its source, with decorators."""
    origins: tuple[Origin, ...] = field(default=(), compare=False)
    """What each line of its body comes from, if it has several."""

    @property
    def statement(self) -> str:
        """The source."""
        return self.text

    def with_texts(self, change: Callable[[str], str]) -> Function:
        """The function with its code changed."""
        return Function(change(self.text), self.origins)

    def with_comments(self, said: Callable[[Origin], Sequence[str]]) -> str:
        """The source with comments above the lines of its body.

        Args:
            said: gives what is said of a line.
        """
        rows = self.text.split("\n")
        head = len(rows) - len(self.origins)
        told = rows[:head]
        for row, origin in zip(rows[head:], self.origins, strict=True):
            margin = row[: len(row) - len(row.lstrip())]
            told += [*(margin + comment for comment in said(origin)), row]
        return "\n".join(told)


Code = str | Chain | Function
"""A statement, or the first line of one that opens a block."""


def text_of(code: Code) -> str:
    """The code as one expression, or as a statement."""
    return code if isinstance(code, str) else code.text


def with_text(code: Code, change: Callable[[str], str]) -> Code:
    """The code with each part of it changed."""
    return change(code) if isinstance(code, str) else code.with_texts(change)


NAME = "{name}"
"""What stands in code for a name that it is yet to be given."""


def with_name(code: Code, name: str) -> Code:
    """The code of a statement that binds a name."""
    if isinstance(code, Chain):
        return replace(code, target=name)
    return with_text(code, lambda text: text.replace(NAME, name, 1))


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
    _: KW_ONLY
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
    _: KW_ONLY
    makes: Makes | None = None
    body: tuple[Written, ...] = ()
    """The statements of its block, if it opens one: ``try:``."""
    clauses: tuple[Written, ...] = ()
    """What stands below its block, each with a block of its own: ``except ValueError:``."""
    orelse: tuple[Written, ...] = ()
    """The statements of its ``else:``, if it has one."""
    comment: str = ""
    """What is said behind it, or behind its first line: ``# else the next batch computes it again``."""
    is_branch: bool = False
    """Whether it is an ``if`` with a block."""
    when: tuple[When, ...] = ()
    """Conditions, each inside of the one before, under which it runs."""
    streams: tuple[Operation, ...] = field(default=(), compare=False)
    """The streams that it makes or puts out, or that a function which it calls is given."""
    origin: Origin | None = field(default=None, compare=False)
    """What it comes from, if it is one of several lines that the functions of some operators became."""

    @property
    def makes_context(self) -> bool:
        """Whether it is about a SparkContext: ``sc = spark.sparkContext``."""
        return isinstance(self.code, Chain) and any(call.method == "sparkContext" for call in self.code.calls)

    @property
    def within(self) -> tuple[Written, ...]:
        """The statements of its blocks, and its clauses."""
        return (*self.body, *self.clauses, *self.orelse) if self.body else ()

    def texts(self) -> Iterable[str]:
        """Its code, each part by itself."""
        yield text_of(self.code)
        if self.body:
            for inner in self.within:
                yield from inner.texts()

    @property
    def text(self) -> str:
        """It with its blocks, for those who look at its syntax tree."""
        code = self.code if isinstance(self.code, str) else self.code.statement
        block = [indent(one.text, "    ") for one in self.body]
        clauses = [one.text for one in self.clauses]
        otherwise = ["else:", *(indent(one.text, "    ") for one in self.orelse)] if self.orelse else []
        return "\n".join([code, *block, *clauses, *otherwise])

    def with_texts(self, change: Callable[[str], str]) -> Written:
        """The statement with each part of its code changed."""
        changed = self.with_each(lambda one: one.with_texts(change)) if self.body else self
        when = tuple(replace(one, test=change(one.test), opposite=change(one.opposite)) for one in self.when)
        return replace(changed, code=with_text(self.code, change), when=when)

    def with_each(self, change: Callable[[Written], Written]) -> Written:
        """The statement with those of its blocks, and its clauses, changed."""
        body, orelse = tuple(map(change, self.body)), tuple(map(change, self.orelse))
        return replace(self, body=body, clauses=tuple(map(change, self.clauses)), orelse=orelse)


def block(head: Code, *body: Code | Written, comment: str = "") -> Written:
    """A statement with a block: ``while window:`` and what stands below it.

    Args:
        head: its first line.
        body: the statements of its block.
        comment: what is said behind its first line.
    """
    return Written(head, body=tuple(map(written, body)), comment=comment)


def written(code: Code | Written) -> Written:
    """Code as a statement."""
    return code if isinstance(code, Written) else Written(code)


def statements_replaced(block: Sequence[Written]) -> Iterator[ast.stmt]:
    """The statements of the program that those of a block stand for."""
    for one in block:
        yield from one.replaces
        yield from statements_replaced(one.within)
