"""Parameters of functions of DataFrames, beside what the program gives them: times, windows; annotations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from migrate.graph.blocked import Blocked
from migrate.graph.operations import Operation
from migrate.plan.draft.draft import Draft
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import Stage
from migrate.plan.new_code.inner import Inner, Parameters

_STREAM = re.compile(r"['\"]?(?:\w+\.)*(?:Transformed)?DStream(?:\[.*\])?['\"]?", re.DOTALL)
"""Annotations of streams."""
OF_BATCH = "it reads `{}` of the batch function, and its function has no place for another parameter"


class GivenVariables:
    """Hands variables of the batch function to the functions that read them: its time, what windows hold."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._given: dict[ast.FunctionDef, frozenset[str]] = {}

    def of(self, function: ast.FunctionDef) -> list[str]:
        """The variables that a function is given: they have the same names in it."""
        return sorted(self._given.get(function, ()))

    def give(self, functions: Iterable[ast.FunctionDef], read: frozenset[str], reader: Operation) -> None:
        """Give functions the variables that new code in the innermost one reads.

        Args:
            functions: the function of the new code, and those that call it.
            read: the variables.
            reader: the operator that it is for.

        Raises:
            Blocked: one of them has no place for another parameter.
        """
        for function in functions if read else ():
            known = self._given.get(function, frozenset())
            if read <= known:
                continue
            arguments, last = function.args, function.args.args[-1]
            if arguments.defaults or last.annotation is not None:
                raise Blocked(OF_BATCH.format("`, `".join(sorted(read))), reader.use)
            self._given[function] = known | read
            given = Parameters((last.arg, *self.of(function)))
            self.draft.need(inner=Inner(parameters=((last, given),)))


def annotate(draft: Draft, annotation: ast.expr | None, stage: Stage) -> None:
    """Say of a parameter or a result that was annotated as a stream what it is now."""
    if annotation is not None and _STREAM.fullmatch(ast.unparse(annotation)):
        name = "DataFrame" if isinstance(stage, Frame) else "RDD"
        draft.need(imports=frozenset({name}), inner=Inner(((annotation, name),)))


def annotation_of(function: ast.FunctionDef, name: str) -> ast.expr | None:
    """The annotation of a parameter; None without one."""
    parameters = (*function.args.posonlyargs, *function.args.args)
    return next((one.annotation for one in parameters if one.arg == name), None)
