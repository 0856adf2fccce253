"""The types of expressions that a program evaluates before it starts: they may read files and arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.columns.element import Refusal, Scope
from migrate.typed.asking import Names
from migrate.typed.containers import called as collected_as
from migrate.typed.containers import gone_through
from migrate.typed.expressions import Expressions
from migrate.typed.held import Held
from migrate.typed.qualified import qualified
from migrate.typed.types import (
    ANY_TEXT,
    JSON,
    NOTHING,
    TEXT,
    Dataset,
    DictOf,
    Iterating,
    ListOf,
    Opaque,
    Type,
    join,
    kinds_of,
    one,
)

_VALUES: dict[str, Type] = {
    "sys.argv": one(ListOf(ANY_TEXT)),
    "os.environ": one(DictOf(ANY_TEXT, ANY_TEXT)),
}
_LINES = one(ListOf(TEXT))
_CONTEXT = one(Opaque("SparkContext"))
COLLECTING = frozenset({"collect", "collectAsMap", "take"})
"""Methods of an RDD that make a list or a dict of its elements."""
_READERS: dict[str, Type] = {
    "input": ANY_TEXT,
    "print": NOTHING,
    "csv.reader": one(Iterating(_LINES)),
    "json.load": JSON,
    "pyspark.SparkContext": _CONTEXT,
    "pyspark.SparkContext.getOrCreate": _CONTEXT,
    "nltk.corpus.stopwords.words": _LINES,
    "nltk.corpus.words.words": _LINES,
}
"""Functions whose results are of one type, whatever they are given; a reader of a file gives its texts."""
_OF_FILES: dict[str, Type] = {"read": TEXT, "readline": TEXT, "readlines": _LINES, "close": NOTHING}
_FILE = one(Opaque("file"))
_OF_BYTES = one(Opaque("file of bytes"))
"""Only a library reads it: ``joblib.load(file)``."""


class Building(Expressions):
    """`Expressions`, and what is not pure but of a known type.

    Args:
        scope: what the names of the module mean.
        attribute: gives the type of an attribute of the program's own objects; None for any other.
        is_context: whether a variable of the program is the SparkContext.
    """

    def __init__(
        self,
        scope: Scope,
        attribute: Callable[[ast.Attribute], Type | None] = lambda _: None,
        is_context: Callable[[ast.Name], bool] = lambda _: False,
    ) -> None:
        super().__init__(scope)
        self._attribute = attribute
        self._is_known_context = is_context

    def _of(self, node: ast.expr, names: Names) -> Type | None:
        if isinstance(node, ast.Attribute) and (name := qualified(node, names, self.scope)) in _VALUES:
            return _VALUES[name]
        if isinstance(node, ast.Attribute) and (known := self._attribute(node)) is not None:
            return known
        if isinstance(node, ast.Name) and node.id not in names and self._is_known_context(node):
            return _CONTEXT
        if isinstance(node, ast.Call):
            found = self._read(node, names)
            if found is not None:
                return found
        return super()._of(node, names)

    def apply(
        self, function: ast.AST, arguments: Sequence[Type], names: Names, held: Sequence[Held] = ()
    ) -> Type:
        """See `Expressions.apply`."""
        name = qualified(function, names, self.scope)
        if name in ("os.getenv", "os.environ.get"):
            return join(ANY_TEXT, arguments[1] if len(arguments) > 1 else NOTHING)
        return super().apply(function, arguments, names, held)

    def _read(self, call: ast.Call, names: Names) -> Type | None:
        """The type of a call that opens or reads a file, or the like."""
        name = qualified(call.func, names, self.scope)
        if name in ("open", "io.open", "codecs.open"):
            return _FILE if self._is_of_text(call) else _OF_BYTES
        if name in _READERS:
            return _READERS[name]
        if isinstance(call.func, ast.Attribute) and not call.keywords:
            of = self._elements(call.func.value, names) if call.func.attr in COLLECTING else None
            if of is not None:
                return collected_as("dict" if call.func.attr == "collectAsMap" else "list", [one(ListOf(of))])
            if (made := self._made(call.func, call.args, names)) is not None:
                return made
        if isinstance(call.func, ast.Attribute) and name is None and call.func.attr in _OF_FILES:
            receiver = set(kinds_of(self.type_of(call.func.value, names)))
            return _OF_FILES[call.func.attr] if receiver == {Opaque("file")} else None
        return None

    def _made(self, function: ast.Attribute, arguments: Sequence[ast.expr], names: Names) -> Type | None:
        """The type of an RDD that a method makes: ``sc.textFile("words.txt")``, ``words.map(clean)``."""
        match function, arguments:
            case ast.Attribute(context, "textFile" | "parallelize" as made), [given, *_]:
                if not self._is_context(context, names):
                    return None
                return _rdd(TEXT if made == "textFile" else gone_through(self.type_of(given, names)))
            case ast.Attribute(_, "cache" | "distinct" | "persist"), _:
                return _rdd(self._elements(function.value, names))
            case ast.Attribute(_, "map" | "filter" | "flatMap" as method), [called]:
                of = self._elements(function.value, names)
                if of is None:
                    return None
                found = self.apply(called, [of], names)
                return _rdd(
                    of if method == "filter" else gone_through(found) if method == "flatMap" else found
                )
        return None

    def _elements(self, node: ast.expr, names: Names) -> Type | None:
        """The type of an RDD's elements; None for anything else."""
        try:
            found = kinds_of(self.type_of(node, names))
        except Refusal:
            return None
        match [*found]:
            case [Dataset(of=of)]:
                return of
        return None

    def _is_context(self, node: ast.expr, names: Names) -> bool:
        """Whether an expression is the SparkContext: ``sc``, ``spark.sparkContext``."""
        if isinstance(node, ast.Attribute):
            return node.attr == "sparkContext"
        return self.type_of(node, names) == _CONTEXT

    def _is_of_text(self, call: ast.Call) -> bool:
        """Whether a file is read as text that UTF-8 can hold."""
        modes = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
        texts = all(isinstance(mode, ast.Constant) and "b" not in str(mode.value) for mode in modes)
        return texts and len(call.args) < 4 and all(keyword.arg != "errors" for keyword in call.keywords)


def _rdd(of: Type | None) -> Type | None:
    """The type of an RDD of such elements; None where they are not known."""
    return None if of is None else one(Dataset("RDD", of))
