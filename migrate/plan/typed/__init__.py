"""Functions that stay Python, as typed functions of columns, and several of them as one."""
