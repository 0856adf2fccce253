"""Branches on what may be something else in a later batch: their tests are made where the branches stood."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run, socket_program

PROGRAM = "import json\nsettings = json.load(open('settings.json'))\n"


def program(test: str, between: str = "settings['show'] = False\n") -> str:
    """A program that puts its lines out under a test, and changes its settings below."""
    return PROGRAM + socket_program(f"if {test}:\n    lines.pprint()\n{between}lines.count().pprint()")


@pytest.mark.parametrize(
    ("test", "held", "name"),
    [
        ("settings['show']", "show = bool(settings['show'])", "show"),
        ("settings.get('show') is not None", "has_show = settings.get('show') is not None", "has_show"),
        ("settings['mode'] == 'count'", "is_count = settings['mode'] == 'count'", "is_count"),
        ("not settings['show']", "no_show = not settings['show']", "no_show"),
        ("settings", "has_settings = bool(settings)", "has_settings"),
    ],
)
def test_a_test_is_made_once(test: str, held: str, name: str) -> None:
    result = run(program(test))
    new = result.files[0].new
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert new.index(held) < new.index("settings['show'] = False") < new.index("def process_batch")
    assert f"    if {name}:\n        batch.show(10, truncate=False)\n" in new


def test_where_it_does_not_hold_another_output_runs() -> None:
    body = (
        "if settings['show']:\n    lines.pprint()\nelse:\n    lines.count().pprint()\nsettings['show'] = 0\n"
    )
    new = (
        run(PROGRAM + socket_program(f"{body}lines.foreachRDD(lambda rdd: print(rdd.take(1)))")).files[0].new
    )
    assert "    if show:\n" in new and "    elif not batch.isEmpty():  # else DStreams gave no count\n" in new


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(program("settings.pop('show')"), id="a test that does something"),
        pytest.param(
            PROGRAM
            + socket_program(
                "if settings['show']:\n    if settings['all']:\n        lines.pprint()\n"
                "settings.clear()\nlines.count().pprint()"
            ),
            id="a test below another",
        ),
    ],
)
def test_other_tests_stay_on_compat(source: str) -> None:
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "may be something else in a later batch" in graph.reasons[0]


def test_comments_stay_with_the_branch() -> None:
    branch = "# for eyes\nif settings['show']:\n    # some\n    lines.pprint()\n"
    body = f"{branch}settings = {{}}\nlines.count().pprint()"
    new = run(PROGRAM + socket_program(body)).files[0].new
    assert "    # for eyes\n    if show:\n        # some\n        batch.show(" in new
    assert (new.count("# for eyes"), new.count("# some")) == (1, 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("wanted = [1]", "last = wanted.pop()"),
        ("wanted = []", "wanted.append(1)"),
        ("wanted = 0", "wanted = 1"),
    ],
)
def test_a_variable_that_changes_is_asked_where_the_branch_stood(before: str, after: str) -> None:
    new = run(socket_program(f"{before}\nif wanted:\n    lines.pprint()\n{after}")).files[0].new
    assert f"{before}\nhas_wanted = bool(wanted)\n" in new
    assert new.index("has_wanted = bool(wanted)") < new.index(after)
