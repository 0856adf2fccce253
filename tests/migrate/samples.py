"""Write ``samples/migrated`` anew: ``python -m tests.migrate.samples``."""

from __future__ import annotations

from functools import cache

from migrate.demo.samples import directory
from migrate.facts.file import NAME, by_place
from migrate.model import Options
from migrate.run import run


def options() -> Options:
    """The options of the samples: with what was learnt of those whose rewrite rests on it."""
    return Options(facts=by_place(directory() / "legacy" / NAME))


@cache
def migrated() -> dict[str, str]:
    """What the codemod makes of each program of ``samples/legacy`` today."""
    return {file.path: file.new for file in run([directory() / "legacy"], options()).result.files}


def main() -> None:
    """Replace what is there."""
    for name, text in migrated().items():
        (directory() / "migrated" / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
