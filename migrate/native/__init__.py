"""The outcome native: a graph becomes DataFrame code that needs nothing from us at run time.

straight reads the graph in the order in which it is built (calls, reading), carrying and placing say what its
functions hand on afterwards and where the batch function stands, planner carries each stream through the
rules, write turns the plan into edits. Whatever is unclear on the way is `Blocked`, with its reason, and the
graph goes to compat.
"""
