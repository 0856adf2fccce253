"""What docstrings say of parameters that have other names now, and of what is gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from migrate.codemod.changes import Changes
from migrate.codemod.comments.kafka_words import of_queries
from migrate.codemod.comments.old_words import CONTEXTS, is_commented_code
from migrate.codemod.comments.prose_lines import heads_nothing, runs
from migrate.codemod.comments.retelling import without_streams
from migrate.codemod.comments.returned_names import returned_words
from migrate.codemod.comments.subjects import speaks_of_old
from migrate.codemod.comments.ways import without_ways
from migrate.frozen import dataclass
from migrate.plan.modules.usage_lines import of_brokers
from migrate.plan.new_code.code import Chain, Makes
from migrate.plan.new_code.inner import GONE
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.wording import Words, other_words

_FIELDS = r":(?:param|type)(?: \w+)? {0}:|@(?:param|type) {0}\b|`{0}`"
"""Of Sphinx and of Epydoc, and a name in the text."""
_ROWS = r"^[ \t]*{0}(?: ?\([^()\n]*\))? ?:"
"""``ssc: the context`` and ``ssc (StreamingContext): the context``, as Google and NumPy write them."""
_FIELD = re.compile(r"[ \t]*(?:[:@](?:param|type) )?\w+(?: ?\([^()\n]*\))? ?:(?= |$)")
"""The name of a parameter before what is said of it."""
_TYPED = re.compile(r"( ?\()DStream(\) ?:)$")
"""The type of a parameter: ``words (DStream):``."""
_ANY_FIELD = r"^[ \t]*(?:[:@]param )?(\w+)(?: ?\([^()\n]*\))? ?:(?= )"
_TYPE = re.compile(r"[ \t]*[:@]type ")
_BROKERS = re.compile("brokers", re.IGNORECASE)
"""In the name of a parameter that was ZooKeeper's address."""
_OLD_NAME = re.compile(r"d_?streams?|rdds?|ssc", re.IGNORECASE)
"""What a docstring calls a parameter that has another name in its function."""
_GONE = re.compile(r"rdd|d-?stream|context|bykey|pprint|create(?:direct)?stream", re.IGNORECASE)
"""What a docstring may say of the old API."""
_IN_CODE = re.compile(r"[/\\`\"']|\w\.\w")
"""A word that is a path, an address or code."""
_OWN_FIELD = r"[ \t]*(?:[:@](?:param|type)(?: \w+)? {0}\b|{0}(?: ?\([^()\n]*\))? ?:)"
"""How a line begins that is about one parameter or attribute."""
_WRITER = "DataStreamWriter"
"""What a function is given that starts the query, in place of the context."""


@dataclass(frozen=True)
class Reworded:
    """A text of the program with other words."""

    text: ast.Constant
    words: Words
    gone: tuple[str, ...]
    """Its lines that go."""
    left: tuple[str, ...] = ()
    """Those that speak of what is gone, as they did."""
    whole: ast.Expr | None = None
    """Its statement, if that goes."""


def docstring_words(changes: Changes, *, rdds: bool, per_batch: Collection[ast.AST]) -> Iterator[Reworded]:
    """The docstrings that name a parameter by its old name, or what is gone, with their other words.

    So are texts that stand by themselves, as a comment does.

    Args:
        changes: the changes of a module.
        rdds: whether the program has RDDs or a SparkContext still.
        per_batch: the functions that are given the DataFrames of each batch.
    """
    tree = changes.tree
    holders: list[ast.Module | ast.FunctionDef | ast.ClassDef] = [
        tree,
        *of_kinds(tree, ast.FunctionDef),
        *of_kinds(tree, ast.ClassDef),
    ]
    heads = {holder.body[0]: holder for holder in holders if holder.body}
    for statement in of_kinds(tree, ast.Expr):
        match statement.value:
            case ast.Constant(str(text)) as value if statement.lineno not in changes.others:
                holder = heads.get(statement)
                names = [*_names(holder, text, changes)]
                about, without = _without(text, [old for old, new in names if not new])
                renamed = [pair for pair in names if pair[1]]
                left = other_words(text, without)
                own = (*_of_writer(left, holder, renamed, changes), *returned_words(holder, left, changes))
                text = other_words(text, (*without, *own))
                of_rdds = rdds and not any("rdd" in old.lower() for old, _ in renamed)
                stream = stream_in(holder, changes) if holder in per_batch else Makes.SOURCE
                gone, told = _of_gone(text, rdds=of_rdds, stream=stream)
                if holder is not None and stream is Makes.FRAME and _makes_rdds(holder, changes):
                    gone, told = (), ()  # nor may it be a DataFrame what it returns
                words = [*told, *_of_renamed(other_words(text, told), renamed)]
                if told and speaks_of_old(other_words(text, tuple(words)), rdds=of_rdds):
                    # half of it in other words would be worse
                    gone, words = (), [*_of_renamed(text, renamed)]
                new = other_words(text, tuple(words))
                stale = _stale(new, [old for old, name in names if not name], rdds=of_rdds)
                if words or without or own or (stale and changes.statements.get(holder) != ()):  # type: ignore[arg-type]
                    told = tuple(dict.fromkeys((*without, *own, *words)))
                    if stale and _is_left_over(holder, changes):
                        lines = filter(None, map(str.strip, str(value.value).splitlines()))
                        yield Reworded(value, (), tuple(lines), whole=statement)
                        continue
                    yield Reworded(value, told, (*about, *gone), stale)


def _stale(text: str, names: Iterable[str], *, rdds: bool) -> tuple[str, ...]:
    """The lines of a docstring that speak of what is gone, parameters of some names among it."""
    gone = re.compile("|".join(rf"\b{name}\b" for name in names) or r"(?!)")
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if gone.search(line) or speaks_of_old(line, rdds=rdds))


def _is_left_over(function: ast.AST | None, changes: Changes) -> bool:
    """Whether the streams of a function are elsewhere now, and what it did with them, but not all of it."""
    if not isinstance(function, ast.FunctionDef):
        return False
    given = [changes.parameters.get(one) for one in function.args.args]
    gone = [one for one in function.body if changes.statements.get(one) == ()]
    inside = {*walk(function)}.difference(*map(walk, gone))
    made = any(place in inside for place, _ in changes.new()) or not inside.isdisjoint(changes.expressions)
    return GONE in given and bool(gone) and not made


def stream_in(function: ast.AST | None, changes: Changes) -> Makes:
    """What takes the place of a stream in a function that is called for each batch: a DataFrame or an RDD."""
    inside = {*walk(function)} if function is not None else set()
    made = {new.makes for place, new in changes.new() if place in inside}
    return Makes.RDD if Makes.RDD in made and Makes.FRAME not in made else Makes.FRAME


def _names(
    holder: ast.Module | ast.FunctionDef | ast.ClassDef | None, text: str, changes: Changes
) -> Iterator[tuple[str, str]]:
    """The names that a docstring has for parameters or attributes, and those that they have now, if any."""
    if isinstance(holder, ast.FunctionDef):
        yield from _renamed(holder, text, changes)
    elif isinstance(holder, ast.ClassDef):
        yield from _attributes(holder, changes)


def _attributes(cls: ast.ClassDef, changes: Changes) -> Iterator[tuple[str, str]]:
    """The attributes of a class that go, or have another name: ``self.ssc``."""
    for statement in (one for one in walk(cls) if isinstance(one, ast.Assign)):
        old, news = _attribute(statement), changes.statements.get(statement)
        if not old or news is None:
            continue
        found = [name for one in news for made in one.tree if (name := _attribute(made))]
        if old not in found and len(found) <= 1:
            yield old, "".join(found)


def _attribute(statement: ast.stmt) -> str:
    """The attribute of its object that a method gives a value."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(ast.Name("self"), name)]):
            return name
    return ""


def _without(text: str, names: Sequence[str]) -> tuple[tuple[str, ...], Words]:
    """The lines of a docstring about parameters and attributes that go, and the words without them."""
    lines = text.splitlines()
    gone: set[int] = set()
    for n, line in enumerate(lines):
        if n and any(re.match(_OWN_FIELD.format(name), line) for name in names):
            gone.add(n)
            deeper = (m for m in range(n + 1, len(lines)) if _depth(lines[m]) <= _depth(line))
            gone.update(range(n + 1, next(deeper, len(lines))))
    about = tuple(lines[n].strip() for n in sorted(gone))
    heads = {n for n in range(1, len(lines)) if heads_nothing(lines, n, gone)}
    gone |= heads | {n - 1 for n in heads if n > 1 and not lines[n - 1].strip()}
    words = []
    for run in runs(gone):
        cut = "\n".join(["", *lines[run.start : run.stop]])
        words.append((f"{cut}\n", "\n") if run.stop < len(lines) else (cut, ""))
    return about, tuple(words)


def _depth(line: str) -> int:
    """How far a line is indented; a blank line ends what stands above it."""
    return len(line) - len(line.lstrip()) if line.strip() else 0


def _of_writer(
    text: str, holder: ast.AST | None, renamed: Iterable[tuple[str, str]], changes: Changes
) -> Words:
    """The words for a parameter that was the context, and is what starts the query now."""
    inside = {*walk(holder)} if isinstance(holder, ast.FunctionDef) else set()
    queries = [new.code for place, new in changes.new() if place in inside and new.makes is Makes.QUERY]
    chains = (code for code in queries if isinstance(code, Chain) and code.calls)
    started = {chain.base for chain in chains if chain.calls[-1].method == "start"}
    words: list[tuple[str, str]] = []
    for old, new in renamed:
        if new in started:
            for line in text.splitlines():
                if re.match(_OWN_FIELD.format(old), line):
                    head = _FIELD.match(line)
                    field = head[0] if head is not None else ""
                    rest = CONTEXTS.sub(_WRITER, line.removeprefix(field))
                    words.append((line, re.sub(rf"\b{old}\b", new, field) + rest))
    return tuple(pair for pair in words if pair[0] != pair[1])


def _of_gone(text: str, *, rdds: bool, stream: Makes) -> tuple[tuple[str, ...], Words]:
    """The lines of a docstring that go, and its parts that have other words, with those."""
    if not _GONE.search(text) and of_queries(text) == text:
        return (), ()
    lines = text.splitlines()
    queried = of_queries(text).splitlines()
    ways = without_ways(queried, rdds=rdds)
    told = [line if _has_code(line) else new for line, new in zip(queried, ways, strict=True)]
    gone = {n for n, line in enumerate(lines) if line.strip() and not told[n] and 0 < n < len(lines) - 1}
    gone |= {n for n in range(1, len(lines)) if heads_nothing(lines, n, gone)}
    words = [("\n".join(["", *lines[run.start : run.stop], ""]), "\n") for run in runs(gone)]
    for n, (line, way) in enumerate(zip(lines, told, strict=True)):
        if n not in gone and way:
            new = _line(queried[n], way, rdds=rdds, stream=stream)
            words += [(line, new)] if new != line else []
    return tuple(lines[n].strip() for n in sorted(gone)), tuple(words)


def _line(line: str, told: str, *, rdds: bool, stream: Makes) -> str:
    """A line with other words, unless it has code."""
    head = _FIELD.match(told)
    field = head[0] if head is not None else ""
    rest = told.removeprefix(field)
    if field and stream is not Makes.SOURCE and CONTEXTS.search(rest):
        # a function of batches is given no context
        return f"{field} {stream.value}" if _TYPE.match(line) else line
    if _has_code(rest):
        return line
    return _TYPED.sub(r"\1DataFrame\2", field) + without_streams(rest, rdds=rdds, stream=stream)


def _makes_rdds(holder: ast.AST, changes: Changes) -> bool:
    """Whether the new code of a function makes an RDD of a DataFrame."""
    inside = {*walk(holder)}
    made = [new for place, new in changes.new() if place in inside]
    return not changes.rdds.isdisjoint(inside) or any(new.makes_rdd for new in made)


def _has_code(line: str) -> bool:
    """Whether a line of a docstring is code, or speaks of what is gone in some."""
    named = line.split() if _GONE.search(line) else ()
    in_code = any(_GONE.search(word) and _IN_CODE.search(word) for word in named)
    return in_code or "\\" in line or is_commented_code(line)


def _renamed(function: ast.FunctionDef, text: str, changes: Changes) -> Iterator[tuple[str, str]]:
    """The names that a docstring has for parameters, and those that they have now."""
    parameters = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    names: dict[str, str] = {}
    for parameter in parameters:
        given = changes.parameters.get(parameter)
        own = changes.renamed.get(parameter, parameter.arg)
        names[parameter.arg] = own if given is None else next(iter(given.names), "")
    yield from ((old, new) for old, new in names.items() if new != old)
    described = re.findall(_ANY_FIELD, text, re.MULTILINE)
    stale = [name for name in described if name not in names and _OLD_NAME.fullmatch(name)]
    left = [new for old, new in names.items() if new and old not in described and old != "self"]
    if len(stale) == len(left) == 1:
        yield stale[0], left[0]


def _of_renamed(text: str, renamed: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What a docstring calls its parameters, and what they are called now."""
    return (pair for old, new in renamed for pair in _words(text, old, new))


def _words(text: str, old: str, new: str) -> Iterator[tuple[str, str]]:
    of_address = _BROKERS.search(new) is not None and not _BROKERS.search(old)
    for pattern in (_FIELDS, _ROWS):
        for found in re.finditer(f"({pattern.format(old)})([^\n]*)", text, re.MULTILINE):
            named = re.sub(rf"\b{old}\b", new, found[1])
            if of_address and (told := of_brokers(found[2])) != found[2]:
                yield found[0], named + told
            else:
                yield found[1], named
