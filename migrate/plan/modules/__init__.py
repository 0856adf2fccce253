"""The new code of each module, put together from the plan of all lines."""
