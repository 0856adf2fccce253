"""Comments and docstrings: what they say of the new code, where they stand, and which of them go."""
