"""Syntax trees of Python's own parser: their nodes, where each stands, and its place in the text."""
