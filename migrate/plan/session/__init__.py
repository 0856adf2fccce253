"""The SparkSession that takes the place of the contexts, with their settings."""
