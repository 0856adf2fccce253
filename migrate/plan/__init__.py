"""The plan of a graph: the native form of each line, or the reason why there is none.

`migrate.plan.native_graph` makes it. Each folder has one theme, and none imports itself by way of others.
"""
