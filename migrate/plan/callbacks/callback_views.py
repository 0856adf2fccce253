"""Temp views that a callback makes in the batch's session, and what it reads of the session."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from migrate.cached import cached_property
from migrate.columns import Refusal
from migrate.graph.operations import upstream
from migrate.graph.session_expressions import Is, SessionExpressions, named
from migrate.knowledge.rdd import FOLLOWED
from migrate.knowledge.sessions import (
    CHANGES_VIEWS,
    DEPRECATED,
    GLOBAL_DATABASE,
    GLOBAL_VIEWS,
    READS_VIEWS,
    SHOWS_SCHEMA,
)
from migrate.knowledge.streaming import WINDOWS
from migrate.plan.callbacks.conversion import Conversion
from migrate.plan.choices import Choices, RatherError
from migrate.plan.new_code.inner import Inner
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.callbacks.session_changes import later, session_changes
from migrate.syntax.quoting import quoted
from migrate.syntax.sql import global_names
from migrate.syntax.wording import Words, other_words

SHARED = (
    "batches run in a session of their own: a temp view that they make for other code is a global one now, {}"
)
EMPTIED = (
    "a {} without rows empties {}, which kept the rows of the one before: createDataFrame failed for it on"
    " DStreams; a return where there are no rows keeps them"
)
READERS = "code elsewhere that reads the temp views of the batches must name their database: {}"

_NAMES = frozenset({"fieldNames", "names"})
"""What gives the names of the columns in a schema."""


def of_today(callback: Callback) -> Inner:
    """The names of today for deprecated methods of DataFrames that a callback calls."""
    calls = (node.func for node in callback.walk() if isinstance(node, ast.Call) and len(node.args) == 1)
    methods = (method for method in calls if isinstance(method, ast.Attribute))
    return Inner(renamed=tuple((one, DEPRECATED[one.attr]) for one in methods if one.attr in DEPRECATED))


def is_registered(call: ast.Call) -> bool:
    """``sqlContext.registerDataFrameAsTable(df, "words")``, which a DataFrame's own method does."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return method == "registerDataFrameAsTable" and len(call.args) == 2 and not call.keywords


class Views:
    """Lets code outside of a callback, in the program or not, read the temp views that it makes."""

    def __init__(self, conversion: Conversion) -> None:
        self.to = conversion
        self.callback = conversion.callback
        self.step = conversion.step

    def check(self) -> None:
        """Make views global that code outside of the callback reads, or that nobody reads here.

        Raises:
            Refusal: it is not certain what reads them.
            RatherError: they are of windows that the query keeps.
        """
        views: set[str] = set()
        makes: list[ast.Call] = []
        for node in self.callback.walk():
            if isinstance(node, ast.Attribute) and self._shows_schema(node):
                raise Refusal(f"`{node.attr}` shows how the DataFrame was made", node)
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in CHANGES_VIEWS
            ):
                argument = next(iter(node.args[is_registered(node) :]), None)
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise Refusal("the name of the temp view is not written out", node)
                views.add(argument.value)
                makes.append(node)
        calls = list(self.step.program.tree.of_kinds(ast.Call))
        reads = [call for call in calls if _reads_view(call, views) and not self._is_of_other(call)]
        inside = set(self.callback.walk())
        self.to.renamed.update(of_today(self.callback).renamed)
        if makes and not (reads and inside.issuperset(reads)) and not self._misses(reads, inside):
            self._share(makes, reads, views)
        self._check_outer_session(views)

    def _shows_schema(self, node: ast.Attribute) -> bool:
        """Whether a plan is read, or more of a schema than names: not ``df.schema.names``.

        A method of ``df.rdd`` whose result depends on no partitions only reads the rows.
        """
        above = self.to.parents.get(node)
        names = node.attr == "schema" and isinstance(above, ast.Attribute) and above.attr in _NAMES
        rows = node.attr == "rdd" and isinstance(above, ast.Attribute) and above.attr in FOLLOWED
        return node.attr in SHOWS_SCHEMA and not (names or rows)

    def _misses(self, reads: Sequence[ast.Call], inside: Collection[ast.AST]) -> bool:
        """Whether nothing reads the views, as the callback itself has another name in its query.

        In a notebook somebody may read them in a cell that is not there any more.
        """
        queries = (node for node in inside if isinstance(node, ast.Call) and _is_read(node))
        cells = any(module.form.has_cells for module in self.step.program.modules)
        return not reads and not cells and any(not self._is_of_other(query) for query in queries)

    def _share(self, makes: Sequence[ast.Call], reads: Sequence[ast.Call], views: Collection[str]) -> None:
        """Make views global, and let what reads them name their database."""
        program = self.step.program
        first = reads[0] if reads else makes[0]
        if self.step.basis.state is not None and self.step.basis.event_time is not None:
            raise RatherError(Choices(keeps_states=True))  # a batch has the windows alone that it changed
        # what the query keeps is only there in its batch
        self.step.need(outlives_batch=self.step.basis.state is not None)
        for call in program.tree.of_kinds(ast.Call):
            if isinstance(call.func, ast.Attribute) and call.func.attr in ("newSession", "tableExists"):
                raise Refusal(f"`{call.func.attr}` tells the temp views of sessions apart", call)
        for make in makes:
            assert isinstance(make.func, ast.Attribute)
            if is_registered(make) and make in self.to.replaced:
                method = GLOBAL_VIEWS["createOrReplaceTempView"]
                self.to.replaced[make] = f"{quoted(make.args[0])}.{method}({quoted(make.args[1])})"
                continue
            if make.func.attr not in GLOBAL_VIEWS:
                raise Refusal("a temp view of the callback is read elsewhere", first)
            self.to.renamed[make.func] = GLOBAL_VIEWS[make.func.attr]
        for read in reads:
            words = self._global_names(read, views)
            if words is None:
                raise Refusal("what is read here may be a temp view of the callback, or not", read)
            if words:
                self.to.reworded[read.args[0]] = words
        names = ", ".join(f"`{GLOBAL_DATABASE}.{view}`" for view in sorted(views))
        if self.to.emptied:
            is_window = any(one.operator in WINDOWS for one in upstream(self.step.operation))
            self.step.note(EMPTIED.format("window" if is_window else "batch", names))
        if reads:
            self.step.note(SHARED.format(names))
        else:
            self.step.must_change(READERS.format(names))

    def _is_of_other(self, call: ast.Call) -> bool:
        """Whether a method is one of a library's object: ``happybase.Connection().table(name)``."""
        if not isinstance(call.func, ast.Attribute):
            return False
        owner, trace = call.func.value, self.step.trace
        is_sparks = any(name.startswith("pyspark.") for name in named(owner, trace))
        return not is_sparks and self._sessions.is_session(owner) is Is.NO

    @cached_property
    def _sessions(self) -> SessionExpressions:
        return SessionExpressions(self.step.program.tree, self.step.trace)

    def _global_names(self, read: ast.Call, views: Collection[str]) -> Words | None:
        """The words of a query, or the name of a table, that name views, and what they must be now."""
        assert isinstance(read.func, ast.Attribute)
        text = read.args[0]
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
            return None
        if read.func.attr == "table":
            known = text.value.lower() in {view.lower() for view in views}
            return ((text.value, f"{GLOBAL_DATABASE}.{text.value}"),) if known else ()
        if read.func.attr != "sql":
            return None
        words = global_names(text.value, views, GLOBAL_DATABASE)
        source = ast.get_source_segment(self.step.program.module_of(text).source, text) or ""
        if words is None or not _is_written_out(text.value, source, words):
            return None
        return words

    def _check_outer_session(self, own: set[str]) -> None:
        """Refuse views of the outer session: the batch's session is a clone from when the query started."""
        program = self.step.program
        if not self.to.used_session:
            return
        inside = set(self.callback.walk())
        callbacks = [one for one in program.operations if one.operator in ("foreachRDD", "transform")]
        for call in session_changes(program.tree):
            is_view = isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES_VIEWS
            if call in inside and not is_view and len(callbacks) > 1:
                raise Refusal("what it changes in its session may be read by another callback", call)
        read = [node for node in inside if isinstance(node, ast.Call)]
        start = program.start.node if program.start is not None else None
        for call in later(program.tree, start):
            if call in inside:
                continue
            named = call.args[-1] if call.args else None
            view = named.value if isinstance(named, ast.Constant) else None
            is_view = isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES_VIEWS
            known = is_view and isinstance(view, str)
            is_own = str(view).lower() in {one.lower() for one in own}
            if known and (is_own or not any(_reads_view(node, {str(view)}) for node in read)):
                continue
            raise Refusal("the session that it reads may change while the query runs", call)


def _is_written_out(text: str, source: str, words: Words) -> bool:
    """Whether words of a text stand in its source as they are, and only they change there."""
    try:
        written = ast.literal_eval(f"({other_words(source, words)})")  # on several lines, it may be
        return bool(written == other_words(text, words))
    except (SyntaxError, ValueError):
        return False


def _reads_view(node: ast.Call, views: set[str]) -> bool:
    """``spark.sql("... words ...")`` or ``spark.table("Words")``: names of views have no case.

    A query that is not written out may read any.
    """
    if not _is_read(node):
        return False
    query = node.args[0]
    if isinstance(query, ast.Constant) and isinstance(query.value, str):
        return any(view.lower() in query.value.lower() for view in views)
    return bool(views)


def _is_read(node: ast.Call) -> bool:
    """``spark.sql("...")`` or ``spark.table("words")``."""
    return isinstance(node.func, ast.Attribute) and node.func.attr in READS_VIEWS and bool(node.args)
