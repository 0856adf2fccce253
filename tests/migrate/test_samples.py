from __future__ import annotations

import pytest

from migrate.demo.samples import directory, samples
from migrate.model import Options, Outcome
from migrate.run import run
from tests.migrate.samples import migrated, options

NAMES = [sample.name for sample in samples()]


def test_every_program_is_in_the_table() -> None:
    assert sorted(NAMES) == sorted(path.name for path in (directory() / "legacy").glob("*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_the_migrated_form_is_current(name: str) -> None:
    """If the codemod got better, run ``python -m tests.migrate.samples`` and read the diff."""
    assert migrated()[name] == (directory() / "migrated" / name).read_text(encoding="utf-8")


ON_COMPAT = {"offset_keeper.py": "offsets of its own"}


def test_what_has_no_native_form_goes_to_compat_and_everything_else_becomes_native() -> None:
    graphs = run([directory() / "legacy"], options()).result.graphs
    assert {graph.files: graph.outcome for graph in graphs} == {
        (name,): Outcome.COMPAT if name in ON_COMPAT else Outcome.NATIVE for name in NAMES
    }


def test_what_is_migrated_stays_as_it_is() -> None:
    assert not any(file.changed for file in run([directory() / "migrated"], Options()).result.files)
