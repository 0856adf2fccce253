from __future__ import annotations

from pathlib import Path

import pytest

from migrate.knowledge import spark_version
from migrate.knowledge.spark_version import SparkVersion
from migrate.pins import pinned_or_installed

INSTALLED = SparkVersion("4.3.0", "the installed one")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("migrate.pins.installed", lambda: INSTALLED)


def test_what_a_version_does() -> None:
    old, first, new = (SparkVersion(text) for text in ("3.5.9", "4.0.1", "4.1"))
    assert [version.has_ansi for version in (old, first, new)] == [False, True, True]
    assert [version.aqe_in_stateless_batches for version in (old, first, new)] == [False, False, True]
    assert [version.scala for version in (old, first, new)] == ["2.12", "2.13", "2.13"]


@pytest.mark.parametrize("text", ["3.4", "2.4.8", "four", "2", ""])
def test_only_supported_versions_are_taken(text: str) -> None:
    with pytest.raises(ValueError, match=r"it must be 3\.5 or later"):
        SparkVersion.parse(text)


def test_a_major_version_is_its_newest_release() -> None:
    assert SparkVersion.parse("4").text == "4.3"
    assert SparkVersion.parse("3").text == "3.5"


def test_a_version_of_tomorrow_is_taken() -> None:
    assert SparkVersion.parse("5.1.0.dev2").text == "5.1.0"


def test_without_pyspark_the_newest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_version, "version", lambda name: "2.4.8")
    found = spark_version.installed.__wrapped__()
    assert found == SparkVersion("4.3", "the newest that is known")


def test_a_project_that_pins_nothing_gets_the_installed_one(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("numpy==1.26\npyspark\n-r other.txt\n")
    (tmp_path / "pyproject.toml").write_text("[project\n")
    assert pinned_or_installed(tmp_path) == INSTALLED


@pytest.mark.parametrize(
    ("file", "text", "version"),
    [
        ("requirements.txt", "numpy\npyspark[sql]==4.0.1 ; python_version > '3.8'  # for now\n", "4.0.1"),
        ("requirements-dev.txt", "pyspark==3.5.1 \\\n    --hash=sha256:00\n", "3.5.1"),
        ("requirements/base.txt", "PySpark~=4.0.0\n", "4.0.0"),
        ("pyproject.toml", "[project]\ndependencies = ['pyspark>=3.5,<5']\n", "3.5.0"),
        ("pyproject.toml", "[project.optional-dependencies]\nspark = ['pyspark-client==4.1.*']\n", "4.1.0"),
        ("pyproject.toml", "[dependency-groups]\ndev = [{include-group = 'x'}, 'pyspark==4.2.0']\n", "4.2.0"),
        ("pyproject.toml", "[tool.poetry.dependencies]\npyspark = '^3.5.2'\n", "3.5.2"),
        ("pyproject.toml", "[tool.poetry.group.dev.dependencies]\npyspark = {version = '~4.0'}\n", "4.0"),
        ("pyproject.toml", "[tool.poetry.dependencies]\npyspark = '4.0.1'\n", "4.0.1"),
        ("Pipfile", "[packages]\npyspark = '==3.5.5'\n", "3.5.5"),
        ("setup.cfg", "[options]\ninstall_requires =\n    click\n    pyspark==3.5.3\n", "3.5.3"),
        ("setup.cfg", "[options.extras_require]\nspark = pyspark==3.5.3\n", "3.5.3"),
        ("uv.lock", "[[package]]\nname = 'pyspark'\nversion = '4.0.0'\n", "4.0.0"),
        ("poetry.lock", "[[package]]\nname = 'pyspark'\nversion = '3.5.6'\n", "3.5.6"),
        ("Pipfile.lock", '{"default": {"pyspark": {"version": "==3.5.4"}}}', "3.5.4"),
        ("requirements.txt", "pyspark>=3.0,<4\n", "3.5.0"),
        ("requirements.txt", "pyspark==5.0.0\n", "5.0.0"),
    ],
)
def test_what_a_project_pins(tmp_path: Path, file: str, text: str, version: str) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text)
    found = pinned_or_installed(tmp_path)
    assert found.text in (version, f"{version}.0")
    assert found.origin == f"pinned in {Path(file).name}"


def test_a_lock_file_goes_before_what_is_required(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = ['pyspark>=3.5']\n")
    (tmp_path / "uv.lock").write_text("[[package]]\nname = 'pyspark'\nversion = '4.0.0'\n")
    assert pinned_or_installed(tmp_path) == SparkVersion("4.0.0", "pinned in uv.lock")


@pytest.mark.parametrize("old", ["==2.4.0", "==1.6.2", "<3", "~=3.4.0"])
def test_an_old_pin_is_the_old_programs(tmp_path: Path, old: str) -> None:
    (tmp_path / "requirements.txt").write_text(f"pyspark{old}\n")
    found = pinned_or_installed(tmp_path)
    assert found.text == "4.3.0"
    assert found.origin == f"the installed one; {old} in requirements.txt is the old program's"


@pytest.mark.parametrize(
    ("pin", "before"),
    [
        ("==2.4.0", (2, 4)),
        ("==3.0.1", (3, 0)),
        ("==3.5.*", (3, 5)),
        ("~=3.4.0", (3, 4)),
        ("==3.*", None),
        ("<3", None),
    ],
)
def test_the_release_of_the_old_program(tmp_path: Path, pin: str, before: tuple[int, int] | None) -> None:
    (tmp_path / "requirements.txt").write_text(f"pyspark{pin}\n")
    assert pinned_or_installed(tmp_path).before == before


def test_a_bound_that_old_versions_keep_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("pyspark>=2.4\n")
    assert pinned_or_installed(tmp_path) == INSTALLED


def test_the_directories_up_to_the_projects_root_are_asked(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("pyspark==3.5.1\n")
    jobs = tmp_path / "jobs" / "daily"
    jobs.mkdir(parents=True)
    (tmp_path / "setup.py").write_text("")
    assert pinned_or_installed(jobs).text == "3.5.1"
    (jobs / ".git").mkdir()
    assert pinned_or_installed(jobs) == INSTALLED
