"""Whether Spark can run here."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from migrate.errors import EnvironmentProblemError

HOW_TO_INSTALL = (
    "install Java 17 (Debian and Ubuntu: sudo apt-get install openjdk-17-jre-headless; "
    "macOS: brew install openjdk@17) and set JAVA_HOME, or put java on the PATH"
)


class JavaError(EnvironmentProblemError):
    """There is no Java that starts."""


def java() -> str:
    """The Java that PySpark would start.

    Raises:
        JavaError: there is none.
    """
    home = os.environ.get("JAVA_HOME")
    found = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if found is None:
        raise JavaError(f"Spark needs Java and there is none here: {HOW_TO_INSTALL}")
    return found


def require_java() -> None:
    """Make sure that Spark will find a Java that starts, in the places where PySpark looks for it.

    Raises:
        JavaError: it will not; the text says how to install one.
    """
    found = java()
    try:
        done = subprocess.run([found, "-version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        done = None
    if done is None or done.returncode:
        home = os.environ.get("JAVA_HOME")
        where = f"JAVA_HOME is {home}" if home else f"found {found}"
        raise JavaError(f"Spark needs Java and it does not start ({where}): {HOW_TO_INSTALL}")
