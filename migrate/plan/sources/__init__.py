"""Sources: the streaming DataFrames of a query, and the order in which they bring elements."""
