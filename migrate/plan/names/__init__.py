"""Names of the program: what they stand for in new code, and what they are called there."""
