"""The types of elements that nobody wrote down: seen in a run, kept in a file that a person reviews."""
