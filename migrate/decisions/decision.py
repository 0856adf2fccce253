"""What is decided: on one graph, and on all graphs of some modules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from migrate.codemod.changes import Changes
from migrate.frozen import dataclass
from migrate.graph.program import Program
from migrate.model import Callers, Outcome, Tier
from migrate.plan.choices import Choices
from migrate.trace import Graph, Trace, Use

_PLACE = re.compile(r"^(?:cell \d+, )?line \d+: ")
_SENTENCE = re.compile(r"[;:] ")
_LONG = 100
"""The letters of a reason that is too long for a comment of one line."""


@dataclass(frozen=True)
class Decision:
    """The decision on one graph."""

    graph: Graph
    outcome: Outcome
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    must_change: tuple[str, ...] = ()
    """What callers and deployments must change."""
    requires: tuple[str, ...] = ()
    """Packages of ours that native code imports."""
    callers: Callers | None = None
    """What callers pass no more; None where the report does not look for them."""
    why: dict[Use, str] = field(default_factory=dict)
    """The reasons of single calls."""
    marked: bool = True
    """Whether a comment in the code says why the graph is left for a person."""
    ignored: bool = False
    """Whether a comment asked for it."""
    tiers: dict[Use, Tier] = field(default_factory=dict)
    """The tier of each call of a native graph."""
    unsafe: frozenset[Use] = frozenset()
    learnt: frozenset[Use] = frozenset()
    """Calls whose new form may give something else, which the user allowed."""
    changes: Mapping[str, Changes] = field(default_factory=dict)
    """The changes of each file of a native graph."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The new text of files that had to be written to decide: new code must fit into notebook cells."""
    uncalled: tuple[str, ...] = ()
    """Functions of streams that are left out because nothing calls them, as a note says."""
    connect: str | None = None
    """Whether a native graph runs on Spark Connect: ``ready``, or why not."""
    fixtures: frozenset[str] | None = None
    """Where only contexts that functions are given keep a graph: those that tests get as fixtures."""
    program: Program | None = None
    """The program of a native graph."""
    choices: Choices | None = None
    """The choices that the plan of a native graph needed."""
    helpers: tuple[str, ...] = ()
    """Files that the graph's files import and that change with them: in Python 2, or using a connector."""

    @property
    def files(self) -> tuple[str, ...]:
        """All files that change with the graph."""
        return (*self.graph.files, *self.helpers)

    @property
    def marker(self) -> str:
        """The reason for the comment in the code: the first one without its line, which changes.

        Of a long one it is the first sentence.
        """
        first = _PLACE.sub("", self.reasons[0])
        short = first if len(first) <= _LONG else _SENTENCE.split(first)[0]
        return first if short == first and len(self.reasons) == 1 else f"{short} (see the report)"


@dataclass(frozen=True)
class Decided:
    """The decisions on all graphs of some modules."""

    trace: Trace
    decisions: tuple[Decision, ...]
    changes: Mapping[str, Changes]
    """The changes of each file that has some."""
    texts: Mapping[str, str]
    """The new text of files that had to be written to decide."""

    def of(self, path: str) -> list[Decision]:
        """The decisions on the graphs that a file changes with."""
        return [decision for decision in self.decisions if path in decision.files]
