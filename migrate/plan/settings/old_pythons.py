"""Pythons that a program names, and that the Spark of the new code does not run on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Module
from migrate.read.notebook import PYTHON_2
from migrate.syntax.nodes import of_kinds

TEXT = "name Python {} or later in the place of `{}`: {} does not run on that one"
KERNEL = "choose a kernel with Python {} or later for {}: {} does not run on that of its kernel, `{}`"
_SETTINGS = re.compile(r"PYSPARK(?:_DRIVER)?_PYTHON|spark\.pyspark\.(?:driver\.)?python")
"""What says which Python a program runs on."""
_PYTHON = re.compile(r"(?:[^\s'\"]*/)?python(?:(2)(?:\.\d+)?|(3)\.(\d+)(?:\.\d+)?)(?:\.exe)?")


def old_pythons(module: Module, spark: SparkVersion) -> Iterator[str]:
    """What must change where a module names the Python that it runs on, and that is too old."""
    needed = ".".join(map(str, spark.python))
    kernel = module.form.kernel_of_2
    if kernel and (module.python == 3 or kernel != PYTHON_2):  # else it is one of Python 3 now
        yield KERNEL.format(needed, module.relative, f"Spark {spark.text}", kernel)
    if "_PYTHON" not in module.source and ".python" not in module.source:
        return
    if not _SETTINGS.search(module.source):
        return
    for node in of_kinds(module.tree, ast.Constant):
        match = _PYTHON.fullmatch(node.value) if isinstance(node.value, str) else None
        if match is not None and (int(match[1] or 3), int(match[3] or 0)) < spark.python:
            yield TEXT.format(needed, node.value, f"Spark {spark.text}")
