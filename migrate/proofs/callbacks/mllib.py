"""Calls of MLlib's models in callbacks: ``model.predict(rdd)`` makes an RDD, each element of one alone."""

from __future__ import annotations

import ast

from migrate.knowledge import models
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback

_MLLIB = "pyspark.mllib."


def calls_of_models(callback: Callback, facts: Facts) -> set[ast.AST]:
    """The calls of a callback that make an RDD of another one by a model of MLlib."""
    return {
        node
        for node in callback.walk()
        if isinstance(node, ast.Call) and len(node.args) == 1 and only_predicts(node, facts)
    }


def only_predicts(call: ast.Call, facts: Facts) -> bool:
    """Whether a call makes something by a model of MLlib, which stays as it is."""
    match call.func:
        case ast.Attribute(owner, method) if method in models.OF_RDDS:
            return _made_of(owner, facts).startswith(_MLLIB)
    return False


def only_counts(call: ast.Call, facts: Facts) -> bool:
    """Whether a call fits a model that the order of an RDD's elements does not change: ``IDF().fit(rdd)``."""
    match call.func:
        case ast.Attribute(owner, "fit"):
            return _made_of(owner, facts) in models.FITS_COUNTS
    return False


def _made_of(node: ast.expr, facts: Facts) -> str:
    """The qualified name of what makes an object, ``HashingTF(9)`` or ``NaiveBayesModel.load(sc, path)``."""
    if isinstance(node, ast.Name):
        value = facts.value_of(facts.only_binding(node.id))
        return "" if value is None or isinstance(value, ast.Name) else _made_of(value, facts)
    if not isinstance(node, ast.Call):
        return ""
    name = facts.qualified(node.func)
    if name is None and isinstance(node.func, ast.Attribute):
        return _made_of(node.func.value, facts)
    return name or ""
