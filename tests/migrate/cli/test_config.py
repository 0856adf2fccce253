from __future__ import annotations

import re
from pathlib import Path

import pytest

from migrate.config import ConfigError, settings
from tests.migrate.conftest import Cli


def configure(project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(text)


def test_the_nearest_file_decides(tmp_path: Path) -> None:
    configure(tmp_path, "[tool.dstream-migrate]\nunsafe = true\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert settings(inner) == {"unsafe": True}
    configure(tmp_path / "a", "[project]\nname = 'x'\n")
    assert settings(inner) == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "[tool.dstream-migrate]\ntarge = 'compat'\n",
            "no setting 'targe'; there are assume-compat, batch-time, bootstrap-servers",
        ),
        ("[tool.dstream-migrate]\nunsafe = 'yes'\n", "unsafe must be true or false"),
        ("[tool.dstream-migrate]\nselect = 'map'\n", "select must be a list of strings"),
        ("[tool.dstream-migrate]\nignore = [1]\n", "ignore must be a list of strings"),
        ("[tool]\ndstream-migrate = 1\n", "is not a table"),
        ("[tool", "pyproject.toml: "),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, sentence: str) -> None:
    configure(tmp_path, text)
    with pytest.raises(ConfigError, match=re.escape(sentence)):
        settings(tmp_path)


def test_the_command_line_goes_before_the_file(cli: Cli, project: Path) -> None:
    configure(project, "[tool.dstream-migrate]\ntarget = 'compat'\nfail-on = ['compat']\n")
    assert cli("rewrite", ".").code == 1
    assert cli("check", ".").code == 1
    assert cli("check", "--fail-on", "manual", ".").code == 0


def test_a_wrong_value_is_an_error_of_the_environment(cli: Cli, project: Path) -> None:
    configure(project, "[tool.dstream-migrate]\ntarget = 'flink'\n")
    done = cli("check", ".")
    assert done.code == 3
    assert "target is 'flink'; it can be native or compat" in done.err


def test_the_version_of_spark_is_asked_for_or_pinned(cli: Cli, project: Path) -> None:
    first = cli("check", ".").text.splitlines()[0]
    assert first.startswith("new code is for Spark ")
    (project / "requirements.txt").write_text("pyspark==3.5.4\n")
    first = cli("check", "job.py").text.splitlines()[0]
    assert first == "new code is for Spark 3.5.4 (pinned in requirements.txt)"
    configure(project, "[tool.dstream-migrate]\nspark = '4.0'\n")
    assert cli("check", ".").text.startswith("new code is for Spark 4.0 (as asked for)\n")
    assert '"spark": {\n    "version": "4.1.2"' in cli("report", "--json", "--spark", "4.1.2", ".").text
    assert "New code is for Spark 4.1" in cli("report", "--html", "--spark", "4.1", ".").text
    done = cli("check", "--spark", "3.1", ".")
    assert done.code == 3
    assert "spark is '3.1'; it must be 3.5 or later" in done.err
