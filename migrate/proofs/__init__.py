"""Proofs about functions and names of a program: one question a file."""
