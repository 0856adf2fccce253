"""When a fact that grows makes another round necessary: only if somebody has asked for it."""

from __future__ import annotations

import ast

from migrate.trace.findings import Findings
from migrate.trace.scopes import Known
from migrate.trace.values import NOTHING, Bag, Values

ONE: Values = frozenset({Bag(ast.List([], ast.Load()))})
OTHER: Values = frozenset({Bag(ast.List([], ast.Load()))})


def grows(table: Known[str], value: Values) -> bool:
    """Whether the facts have changed for those who asked, after `name` can be a value as well."""
    findings = Findings([])
    findings.grow(table, "name", value)
    return findings.changed


def test_what_nobody_has_asked_for_may_grow() -> None:
    table = Known[str]()
    table.ask("another name")
    assert not grows(table, ONE)
    assert table["name"] == ONE


def test_who_has_asked_must_ask_again() -> None:
    table = Known[str]()
    assert table.ask("name") == NOTHING
    assert grows(table, ONE)
    assert grows(table, OTHER)
    assert table.ask("name") == ONE | OTHER


def test_what_is_known_already_is_no_growth() -> None:
    table = Known[str]()
    grows(table, ONE | OTHER)
    table.ask("name")
    table.ask_all()
    assert not grows(table, ONE)
    assert table["name"] == ONE | OTHER


def test_a_name_of_unknown_value_is_news_only_to_who_asked_for_all_names() -> None:
    """A star import brings the name in, and it hides one of the module's own."""
    table = Known[str]()
    table.ask("name")
    assert not grows(table, NOTHING)
    assert table.ask_all() == [("name", NOTHING)]
    assert not grows(table, NOTHING)
    table = Known[str]()
    table.ask_all()
    assert grows(table, NOTHING)


def test_who_has_asked_for_all_must_ask_again_for_any() -> None:
    table = Known[str]()
    assert table.ask_all() == []
    assert grows(table, ONE)
