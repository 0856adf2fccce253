"""Packages that a run does without."""

from __future__ import annotations

import sys

import pytest

from migrate.verify.child.stand_ins import NAMES, stand_in


@pytest.fixture(autouse=True)
def imports(monkeypatch):
    """Take back all that a test imports."""
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setenv(NAMES, "")
    stand_in(["nowhere"], print)
    yield
    stand_in(["nowhere"], None)
    for name in [name for name in sys.modules if name.split(".")[0] == "nowhere"]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (
            "from nowhere.cluster import Cluster\nsession = Cluster(['a']).connect('k')\n"
            "session.execute('INSERT', (1, 2.5, None), timeout=3)",
            "nowhere.cluster.Cluster(['a'])\n"
            "nowhere.cluster.Cluster(['a']).connect('k')\n"
            "nowhere.cluster.Cluster(['a']).connect('k').execute('INSERT', (1, 2.5, None), timeout=3)\n",
        ),
        ("import nowhere.a as a\na.b['k']['n'] = 1", "nowhere.a.b['k']['n'] = 1\n"),
        (
            "import nowhere\nnowhere.point.value = 1.5\nassert nowhere.point.value == 1.5",
            "nowhere.point.value = 1.5\n",
        ),
        (
            "import nowhere\nwith nowhere.opened('a') as one:\n    assert 'k' not in one\n    list(one)",
            "nowhere.opened('a')\n",
        ),
        (
            "import nowhere\ntry:\n    raise nowhere.errors.KafkaError('x')\n"
            "except Exception as error:\n    print(type(error).__name__, error)",
            "KafkaError x\n",
        ),
        (
            "from nowhere.errors import KafkaError\ntry:\n    raise KafkaError('x')\n"
            "except KafkaError as error:\n    print(error)",
            "x\n",
        ),
        (
            "import nowhere\nclass C(nowhere.A, nowhere.B):\n    def n(self):\n        return self.b.get(1)\n"
            "print(C('key', n=1).n())",
            "nowhere.A.b.get(1)\nnowhere.A.b.get(1)\n",
        ),
        ("import nowhere, pickle\nprint(pickle.loads(pickle.dumps(nowhere.a.b)))", "nowhere.a.b\n"),
        ("import nowhere, pickle\nprint(pickle.loads(pickle.dumps(nowhere)) is nowhere)", "True\n"),
    ],
)
def test_what_it_is(code, output, capsys):
    exec(code, {"__name__": "program"})
    assert capsys.readouterr().out == output


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("int(nowhere.a)", r"int\(\) argument must be"),
        ("nowhere.a + 1", r"unsupported operand type\(s\) for \+: 'StandIn' and 'int'"),
        ("nowhere.a > 1", "'>' not supported"),
        ("json.dumps(nowhere.a)", "Object of type StandIn is not JSON serializable"),
    ],
)
def test_nothing_computes_with_it(code, error):
    with pytest.raises(TypeError, match=error):
        exec(f"import json, nowhere\n{code}", {"__name__": "program"})


def test_other_packages_are_what_they_are():
    with pytest.raises(ModuleNotFoundError, match="nowhereelse"):
        exec("import nowhereelse", {"__name__": "program"})


def test_objects_are_told_by_their_class(capsys):
    code = "import nowhere\nclass A: pass\nnowhere.f(A(), [A()], {'k': {2, 1}}, lambda: 1)"
    exec(code, {"__name__": "program"})
    assert capsys.readouterr().out == "nowhere.f(<A>, [<A>], {'k': {1, 2}}, <function>)\n"
