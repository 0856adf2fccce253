"""Notebooks: the code of their cells as one module, and new code back into the cells."""

from migrate.notebook.cells import Cells, NotebookError
from migrate.notebook.databricks import databricks, is_databricks
from migrate.notebook.jupyter import file_line, jupyter

__all__ = ["Cells", "NotebookError", "databricks", "file_line", "is_databricks", "jupyter"]
