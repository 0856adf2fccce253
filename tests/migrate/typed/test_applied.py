"""What a function returns is found once for the same arguments, and once more where its names mean more."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from migrate.columns.element import Refusal, Scope
from migrate.typed import applied as module
from migrate.typed.applied import applied
from migrate.typed.types import TEXT, WHOLE


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[ast.AST]:
    """The functions whose results are worked out."""
    found: list[ast.AST] = []
    work_out = module._found

    def noted(function: ast.AST, *rest: object) -> object:
        found.append(function)
        return work_out(function, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_found", noted)
    return found


def function(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def test_scopes_that_were_copied_from_one_share_what_was_found(asked: list[ast.AST]) -> None:
    same, scope = function("lambda x: x"), Scope()
    first = applied(same, [TEXT], scope)
    second = applied(same, [TEXT], replace(scope, readable=frozenset({"LIMIT"})))
    assert first is second
    assert (first.type, first.prints, first.reads_clock) == (TEXT, False, False)
    assert asked == [same]


def test_other_arguments_and_other_scopes_are_asked_for(asked: list[ast.AST]) -> None:
    same, scope = function("lambda x: x"), Scope()
    assert applied(same, [TEXT], scope).type == TEXT
    assert applied(same, [WHOLE], scope).type == WHOLE
    assert applied(same, [TEXT], Scope()).type == TEXT
    assert applied(same, [TEXT], replace(scope, settled=lambda name: None)).type == TEXT
    assert asked == [same] * 4


def test_a_refusal_is_kept(asked: list[ast.AST]) -> None:
    unknown, scope = function("lambda x: look_up(x)"), Scope()
    reasons = []
    for _ in range(2):
        with pytest.raises(Refusal) as caught:
            applied(unknown, [TEXT], scope)
        reasons.append(caught.value.reason)
    assert reasons[0] == reasons[1] != ""
    assert asked == [unknown]
