"""The tests on the versions of PySpark and Python that are supported, each in an environment of its own.

nox                                 # the oldest and the newest of both
nox -s "tests(python='3.12', pyspark='4.0')" -- tests/compat
nox -s tests                        # all of them: an hour each
nox -s forms                        # what the codemod writes, run on each PySpark: ten minutes each
"""

from __future__ import annotations

import nox

PYTHONS = {"3.5": ("3.10", "3.11"), "4.0": ("3.10", "3.11", "3.12", "3.13"), "4.3": ("3.11", "3.12", "3.13")}
"""By the release of PySpark, the Python versions that it runs on. 3.5 needs `distutils`, gone since 3.12."""

FORMS = (
    "tests/migrate/rules",
    "tests/migrate/columns",
    "tests/migrate/typed",
    "tests/migrate/codemod/test_sessions_running.py",
    "tests/e2e/test_connect.py",
)
"""The tests that run new code: rules and whole programs, columns, typed functions, Spark Connect."""

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["tests(python='3.10', pyspark='3.5')", "tests(python='3.13', pyspark='4.3')"]


@nox.session
@nox.parametrize(
    ("python", "pyspark"), [(python, pyspark) for pyspark, pythons in PYTHONS.items() for python in pythons]
)
def tests(session: nox.Session, pyspark: str) -> None:
    """The test suite; arguments are pytest's."""
    session.install("-e", ".[test]", f"pyspark=={pyspark}.*")
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
@nox.parametrize("pyspark", list(PYTHONS))
def forms(session: nox.Session, pyspark: str) -> None:
    """Run what the codemod writes on each PySpark; arguments are pytest's."""
    session.install("-e", ".[test]", f"pyspark=={pyspark}.*")
    session.run("python", "-m", "pytest", *FORMS, *session.posargs)
