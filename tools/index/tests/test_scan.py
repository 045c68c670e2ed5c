"""The scanners of sources: snippets, and the names they define as ``name:line``."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.index.cpp_source import find_declarations
from tools.index.python_source import Package, scan_python

CPP = [
    ("class A {};", "class A:1"), ("class A;", ""), ("struct API_X A final : public B<int> { int x; };", "class A:1"),
    ("enum class E : uint8_t { X, Y };", "class E:1"),
    ("namespace a::b {\nclass C {\n class Inner {};\n void f() {}\n};\nint g(int x);\n}", "namespace a::b:1 class a::b::C:2 function a::b::g:6"),
    ("namespace a { inline namespace v1 { struct B { }; } }", "namespace a:1 class a::B:1"),
    ("namespace a { namespace {\nstruct B { };\n} }\nstruct C { };", "namespace a:1 class a::B:2 class C:4"),
    ('extern "C" {\nint f(void);\n}', "function f:2"), ("// class A {};\n/* class B {}; */ class C { };", "class C:2"),
    ('const char* s = "class A { };"; class B { };', "class B:1"), ("char c = '{'; class B { };", "class B:1"),
    ('auto r = R"x({ class A { }; )x"; class B { };', "class B:1"), ("#if 0\nclass A { };\n#else\nclass B { };\n#endif", "class B:4"),
    ("#ifdef X\nclass A {\n#else\nclass B {\n#endif\n};\nclass C { };", "class A:2 class C:7"),
    ("#define M(x) \\\n  class x { };\nclass A { };", "macro M:1 class A:3"), ("#define TMP 1\n#undef TMP\n#define KEPT 2", "macro KEPT:3"),
    ("template <typename T, size_t N = (1 > 0)>\nclass A { };", "class A:2"), ("template <> struct hash<A> { };", "specialisation hash:1"),
    ("using X = a::Y;", "class X:1"), ("using X = a::X;", "alias X:1"), ("typedef int number_t;", "class number_t:1"),
    ("int f() { if (x) { class L {}; } return 0; }\nclass A { };", "function f:1 class A:2"), ("void A::method() { }\nclass B { };", "class B:2"),
    ("A::A() : x{1}, y(2) { }\nclass B { };", "class B:2"), ("bool operator==(A a, B b);\nA operator+(A a);", ""),
    ("REGISTER(a, b);\nint x = f(1);\nstatic_assert(sizeof(int) == 4);", ""),
    ('PUSH_IGNORED("-W")\n\nnamespace c10 {\nclass A { };\n}', "namespace c10:3 class c10::A:4"),
    ("C10_DEFINE_DEPRECATED_USING(Old, New)\ntemplate <class T>\nusing Next = int;", "class Old:1 class Next:3"),
    ("DECLARE_DISPATCH(fn_type, my_stub)\nclass A { };", "function my_stub:1 class A:2"),
    ("[[nodiscard]] API int f(std::function<void(int)> g = [](int) {});\nclass A { };", "function f:1 class A:2"),
    ('class __attribute__((visibility("default"))) A { };', "class A:1"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), CPP)
def test_cpp(source, expected):
    found = [word for one in find_declarations(source) for word in (one.kind, f"{one.name}:{one.line}")]
    assert Counter(found) == Counter(expected.split())


@given(st.text(alphabet="{}()<>;:#\"'/*\\\n aclsnm=&,~_R1", max_size=200))
def test_cpp_takes_anything(source):
    for found in find_declarations(source):
        assert 1 <= found.line <= source.count("\n") + 1
        assert found.name.rpartition("::")[2] in source


PYTHON = [
    ("def f(): ...\nclass A:\n  def m(self): ...\n  x: int = 1", "p.f:1 p.A:2 p.A.m:3 p.A.x:4"), ("@deco\ndef f(): ...", "p.f:2"),
    ("if x:\n  def f(): ...\nelse:\n  def f(): ...", "p.f:2"), ("try:\n  import a\nexcept ImportError:\n  class A: ...", "p.A:4"),
    ("x = 1\ny: int = 2\na.b = 3", "p.x:1 p.y:2"), ("f = None\ndef f(): ...", "p.f:2"),
    ("@overload\ndef f(x): ...\n@typing.overload\ndef f(y): ...\ndef f(z): ...", "p.f:5"), ("def f():\n  class Inner: ...", "p.f:1"),
    ("def f(): return 1or 2", "p.f:1"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), PYTHON)
def test_python(source, expected):
    module = scan_python(source.encode(), name="p", path="p.py")
    assert " ".join(f"{one.name}:{one.line}" for one in module.definitions.values()) == expected


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
