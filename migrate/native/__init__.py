"""The outcome native: a graph becomes DataFrame code that needs nothing from us at run time.

linear reads the program's statements, plan carries each stream through the rules, write turns the plan into
edits. Whatever is unclear on the way is `Blocked`, with its reason, and the graph goes to compat.
"""
