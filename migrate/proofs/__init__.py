"""What functions and names of a program do: one question a file."""
