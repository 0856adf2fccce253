"""Notebooks as Jupyter writes them, and what becomes of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from migrate.migration import migrate
from migrate.model import Module, Options, Result
from migrate.read.parse import parse_bytes

CELLS = [
    "%pip install kafka-python\nfrom pyspark.streaming import StreamingContext",
    "ssc = StreamingContext(sc, 1)\nlines = ssc.socketTextStream('localhost', 9999)\nfiles = !ls\n",
    "counts = lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)",
    "counts.pprint()",
    "%%bash\nls",
    "# now\n!date\nssc.start()",
]


def notebook(codes: Sequence[str], *, one_text: bool = False, shown: bool = True, **metadata: Any) -> str:
    """A notebook as Jupyter writes it: a cell of prose, then code, which ran if outputs are shown."""
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": ["# Söme prose"]}]
    for code in codes:
        source: Any = code if one_text else code.splitlines(keepends=True)
        outputs = [{"output_type": "stream", "text": ["StreamingContext \u2028\n"]}] if shown else []
        number = len(cells) if shown else None
        cells.append({"cell_type": "code", "metadata": {}, "source": source, "outputs": outputs})
        cells[-1]["execution_count"] = number
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def module(text: str) -> Module:
    return parse_bytes(text.encode(), Path("/nowhere/a.ipynb"), "a.ipynb")


def run(text: str, options: Options | None = None) -> Result:
    result = migrate([module(text)], options or Options())
    new = result.files[0].new
    json.loads(new)
    assert not migrate([module(new)], options or Options()).files[0].changed, "twice changes something"
    return result


def codes(text: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
