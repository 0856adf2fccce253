"""Running states: the aggregate of a query, or DataFrames that the batch function keeps."""
