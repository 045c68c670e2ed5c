"""The scanners of sources: snippets, and the names they define as ``name:line``."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.index.cpp_source import find_declarations
from tools.index.python_source import Package, scan_python


def read_cases(name):
    """Return (source, definitions) of a file of snippets, each followed by a line "=> kind name:line"."""
    text = (Path(__file__).parent / name).read_text("utf-8")
    return re.findall(r"((?:(?!=>).*\n)+)=>(.*)\n", text)


@pytest.mark.parametrize(("source", "expected"), read_cases("cpp.txt"))
def test_cpp(source, expected):
    found = [word for one in find_declarations(source) for word in (one.kind, f"{one.name}:{one.line}")]
    assert Counter(found) == Counter(expected.split())


@given(st.text(alphabet="{}()<>;:#\"'/*\\\n aclsnm=&,~_R1", max_size=200))
def test_cpp_takes_anything(source):
    for found in find_declarations(source):
        assert 1 <= found.line <= source.count("\n") + 1
        assert found.name.rpartition("::")[2] in source


@pytest.mark.parametrize(("source", "expected"), read_cases("python.txt"))
def test_python(source, expected):
    module = scan_python(source.encode(), name="p", path="p.py")
    assert " ".join(f"{one.name}:{one.line}" for one in module.definitions.values()) == expected.strip()


@pytest.mark.parametrize("source", [b"def f(:", b"\x00", b"\xff\xfe", b"x = " + b"-" * 99999 + b"1"])
def test_python_that_does_not_parse(source):
    assert scan_python(source, name="p", path="p.py") is None


PACKAGE = {
    "p": "from p.a import thing as shown\nfrom .b import *\nfrom p.c import same\nOther = Kind\nclass Kind: ...\n",
    "p.a": "def thing(): ...\n",
    "p.b": "class Base:\n  def m(self): ...\nclass Child(Base): ...\n",
    "p.c": "from p import same\n",
    "p.d": "from p.b import Child\nclass Grandchild(Child):\n  pass\n",
    "p.e": "from .e import e\n",
}


PLACES = {
    "p.shown": "p.a.thing", "p.Child": "p.b.Child", "p.Child.m": "p.b.Base.m", "p.d.Grandchild.m": "p.b.Base.m",
    "p.Other": "p.Kind", "p.same": "", "p.e.e.e": "", "p.a": "", "p.nothing": "", "q.x": "", "": "",
}  # fmt: skip


def test_resolving():
    paths = {name: "p/__init__.py" if name == "p" else f"{name.replace('.', '/')}.py" for name in PACKAGE}
    package = Package(scan_python(text.encode(), name=name, path=paths[name]) for name, text in PACKAGE.items())
    assert {name: found.name if (found := package.resolve(name)) else "" for name in PLACES} == PLACES
