"""The file of facts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.facts.file import NAME, Fact, FactsError, nearest, read, text_of
from migrate.facts.types import Part
from tests.migrate.facts.values import TYPES, type_of

NAMES = st.one_of(st.sampled_from(["events", "main.events", 'events.map(lambda e: e["n"])']), st.text())


@given(st.dictionaries(st.tuples(NAMES, NAMES), TYPES, max_size=3), st.integers(0, 10**12))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, types: dict[tuple[str, str], dict[str, Part]], records: int
) -> None:
    file = tmp_path_factory.mktemp("facts") / NAME
    facts = {
        key: Fact(type_, records, dict.fromkeys(type_, "3 seen; like 'x'")) for key, type_ in types.items()
    }
    file.write_text(text_of(facts), encoding="utf-8")
    assert read(file) == facts


def test_a_person_can_read_and_edit_it() -> None:
    fact = Fact(type_of([{"n": 1}, {"n": 2, "who": "me"}]), 2, {"element": "2 seen"})
    table = text_of({("jobs/count.py", "events"): fact}).partition("\n\n")[2]
    assert table == (
        '["jobs/count.py".events]\n'
        "records = 2\n"
        'element = "dict"        # 2 seen\n'
        '"element.n" = "int53"   # not seen in the last run\n'
        '"element.who?" = "str"  # not seen in the last run\n'
    )


def test_a_second_run_widens_and_never_narrows() -> None:
    known = Fact(type_of([{"n": 1, "s": "x"}]), 5)
    wider = known.widened(Fact(type_of([{"n": 1.5}]), 3))
    assert wider.records == 8
    assert {path: (str(part), part.optional) for path, part in wider.type.items()} == {
        "element": ("dict", False),
        "element.n": ("float | int53", False),
        "element.s": ("str", True),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "Invalid value"),
        ("[a.b]\nrecords = 1\n", "no line for the whole `element`"),
        ('[a.b]\nelement = "int53"\nrecords = "many"\n', "records is not a number"),
        ('[a.b]\nelement = "int53"\nelemental = "str"\n', "'elemental' is not a part"),
        ('[a.b]\nelement = "int53 |"\n', "'' is no type"),
        ("a = 1\n", "no table of a stream"),
    ],
)
def test_what_is_no_fact_is_said(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / NAME
    file.write_text(text)
    with pytest.raises(FactsError, match=said) as raised:
        read(file)
    assert str(file) in str(raised.value)


def test_without_a_file_there_are_no_facts(tmp_path: Path) -> None:
    assert read(tmp_path / NAME) == {}


def test_it_is_beside_the_nearest_pyproject(tmp_path: Path) -> None:
    inner = tmp_path / "jobs" / "daily"
    inner.mkdir(parents=True)
    assert nearest(inner) == inner / NAME
    (tmp_path / "pyproject.toml").touch()
    assert nearest(inner) == tmp_path / NAME


def test_comments_of_programs_that_did_not_run_again_stay(tmp_path: Path) -> None:
    path = tmp_path / NAME
    first = {
        ("a.py", "main.events: x"): Fact(
            {"element": Part.parse("dict"), 'element["k k"]': Part.parse("str")}, 3
        )
    }
    first = {
        key: replace(fact, remarks={"element": "3 seen", 'element["k k"]': "like 'a # b'"})
        for key, fact in first.items()
    }
    path.write_text(text_of(first))
    again = read(path)
    assert again[("a.py", "main.events: x")].remarks == {
        "element": "3 seen",
        'element["k k"]': "like 'a # b'",
    }
    more = {**again, ("b.py", "lines"): Fact({"element": Part.parse("str")}, 1, {"element": "1 seen"})}
    assert text_of(more).startswith(path.read_text())
