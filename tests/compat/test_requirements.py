"""What is said of versions that this package cannot run with."""

from __future__ import annotations

import pytest

from compat.requirements import check, check_installed


def test_what_is_installed_is_enough() -> None:
    check_installed()


@pytest.mark.parametrize(
    ("spark", "python", "has_distutils"),
    [
        ("3.5.0", (3, 10), True),
        ("3.5.9", (3, 12), True),
        ("4.0.0", (3, 12), False),
        ("4.3.0.dev1", (3, 13), False),
        ("10.0rc1", (3, 14), False),
    ],
)
def test_versions_that_do(spark: str, python: tuple[int, int], has_distutils: bool) -> None:
    check(spark, python, has_distutils=has_distutils)


@pytest.mark.parametrize(
    ("spark", "python", "has_distutils", "message"),
    [
        ("3.4.4", (3, 10), True, r"needs PySpark 3\.5 or later; this is 3\.4\.4"),
        ("2.4.8", (3, 10), True, r"needs PySpark 3\.5"),
        ("4.0.0", (3, 9), True, r"needs Python 3\.10 or later; this is 3\.9"),
        (
            "3.5.9",
            (3, 12),
            False,
            r"needs distutils, which Python 3\.12 does not have: PySpark 4\.0 does without",
        ),
    ],
)
def test_versions_that_do_not(spark: str, python: tuple[int, int], has_distutils: bool, message: str) -> None:
    with pytest.raises(ImportError, match=message):
        check(spark, python, has_distutils=has_distutils)
