"""New code as a plan holds it: statements, calls, and changes inside code of the program."""
