"""Marks of the steps that may raise in Python: Catalyst must not skip one of them in native code."""

from __future__ import annotations

import itertools

from migrate.columns import Element, Record, Refusal, Scalar, leaves
from migrate.syntax.copies import changed

_tokens = itertools.count(1_000_000)


def tokens_of(element: Element) -> frozenset[int]:
    """Marks of all raising steps that evaluating the element evaluates."""
    return frozenset().union(*(leaf.tokens for leaf in leaves(element)))


def renumbered(element: Element, known: frozenset[int]) -> Element:
    """The element with marks of its own for the raising steps that were compiled just now.

    Each compilation counts its marks from 0; `known` are those of before, which stay.
    """
    fresh = {token: next(_tokens) for token in sorted(tokens_of(element) - known)}

    def mark(part: Element) -> Element:
        if isinstance(part, Scalar):
            return changed(part, tokens=frozenset(fresh.get(token, token) for token in part.tokens))
        return changed(part, items=tuple(mark(item) for item in part.items))

    return mark(element)


def only_tokens(element: Element, known: frozenset[int]) -> Element:
    """The element of an aggregate without the marks of its own guard, which Python does not have.

    A sum beyond 64 bits raises in native code only: where nobody reads the sum, nothing is lost.
    """
    if isinstance(element, Scalar):
        return changed(element, tokens=element.tokens & known)
    return changed(element, items=tuple(only_tokens(item, known) for item in element.items))


def carry_tokens(before: Element, after: Element) -> Element:
    """`after` column by column with the marks of `before`: selecting a column evaluates nothing yet."""
    if isinstance(before, Scalar) and isinstance(after, Scalar):
        return changed(after, tokens=before.tokens, in_python=before.in_python)
    assert isinstance(before, Record) and isinstance(after, Record)
    items = zip(before.items, after.items, strict=True)
    return changed(after, items=tuple(carry_tokens(one, other) for one, other in items))


def check_kept(before: frozenset[int], after: frozenset[int], node: object, what: str) -> None:
    """Check that the next step reads each column that may raise in Python, so that Catalyst skips none.

    Raises:
        Refusal: it leaves one out.
    """
    if not before <= after:
        raise Refusal(f"{what} does not read a value whose computation may raise", node)  # type: ignore[arg-type]
