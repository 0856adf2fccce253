"""One graph as a program: its operations and lines, in the order in which the program makes them."""
