"""What is known of Spark's and Python's names: one table each, asked by every other package."""
