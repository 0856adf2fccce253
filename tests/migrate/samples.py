"""Write ``samples/migrated`` anew: ``python -m tests.migrate.samples``."""

from __future__ import annotations

from migrate.demo.samples import directory
from migrate.model import Options
from migrate.run import run


def migrated() -> dict[str, str]:
    """What the codemod makes of each program of ``samples/legacy`` today."""
    return {file.path: file.new for file in run([directory() / "legacy"], Options()).result.files}


def main() -> None:
    """Replace what is there."""
    for name, text in migrated().items():
        (directory() / "migrated" / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
