"""Notebooks: the code of their cells as one module, and new code back into the cells."""

from migrate.read.notebook.cells import Cells, NotebookError
from migrate.read.notebook.databricks import databricks, is_databricks
from migrate.read.notebook.jupyter import file_line, jupyter
from migrate.read.notebook.kernels import PYTHON_2

__all__ = ["PYTHON_2", "Cells", "NotebookError", "databricks", "file_line", "is_databricks", "jupyter"]
