"""Building an index, from a wheel that is made here."""

import re
import zipfile
from pathlib import Path

import pytest

from podgraph.extractors import SourceError
from podgraph.extractors.subjects.default import default_subject
from podgraph.extractors.subjects.index.container import Sections
from podgraph.extractors.subjects.index.index import Index, read_index
from tools.index.__main__ import main
from tools.index.build import build_index
from tools.index.facts import DocNames, Facts
from tools.index.wheel import repository_path

COMMIT = "0123456789abcdef0123456789abcdef01234567"
# the files of a made-up wheel: "== path", then the source
PARTS = re.split(r"^== (.*)\n", (Path(__file__).parent / "wheel.txt").read_text("utf-8"), flags=re.MULTILINE)
FILES = dict(zip(PARTS[1::2], PARTS[2::2], strict=True))
NAMES = {
    "symbols": [
        {"name": "torch.made_up", "kind": "variable", "path": "torch/nn/modules.py", "find": "made_up", "docs": "nn.html"}
    ],
    "variables": [], "docs": {"c10::intrusive_ptr": "notes/pointers.html"}, "dtypes": {}, "words": {}, "dunders": {},
    "phrases": {"pointer": ["c10::intrusive_ptr"], "ghost": ["c10::ghost"], "mapping": ["torch.func.vmap"]},
    "prefixes": {"nn": "torch.nn"}, "renamed": {"torch.old": "torch.abs", "torch.older": ""},
    "moved": {"torch/old/": "torch/nn/"},
}  # fmt: skip
PAGES = {
    "docs": {"nn.html": "torch.nn"}, "docs_moves": {"old.html": "nn.html"}, "tutorials": {"a.html": "A"},
    "tutorials_past": {}, "tutorials_moves": {},
}  # fmt: skip
DOCUMENTED = DocNames(
    pages={
        "torch.func.vmap": "generated/torch.func.vmap.html", "torch.nn.Module": "generated/torch.nn.Module.html",
        "torch.abs": "generated/torch.abs.html", "torch.special_c": "generated/torch.special_c.html",
    },
    modules={"torch.nn": "nn.html"},
    spellings={"torch.vmap": "torch.func.vmap"},
    removed={"torch.gone": "generated/torch.gone.html"},
)  # fmt: skip
CONCEPTS = [{"id": "ptr", "label": "Pointers", "paths": ["c10/util/ptr.h"]}]
FACTS = Facts(NAMES, CONCEPTS, PAGES, DOCUMENTED, frozenset({"c10/util/ptr.cpp", "tools/x.py"}), "9.0.0")


@pytest.fixture
def wheel(tmp_path):
    return make_wheel(tmp_path / "torch-9.1.0-py3-none-any.whl", FILES)


def make_wheel(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def read(data):
    return Index(Sections(data, source="test"), default_subject())


@pytest.fixture
def index(wheel):
    return read(build_index(wheel, FACTS)[0])


PLACES = {
    "torch.vmap": "torch/_apis.py:8", "torch.compile": "torch/__init__.py:4", "torch.nn.Module": "torch/nn/modules.py:1",
    "torch.nn.Module.forward": "torch/nn/modules.py:2", "torch.nn.Module._apply": "torch/nn/modules.py:3",
    "torch.nn.modules.Linear": "torch/nn/modules.py:5", "torch.nn.Parameter": "torch/nn/parameter.py:1",
    "torch.special_c": "torch/_torch_docs.py:2", "torch.abs": "aten/src/ATen/native/native_functions.yaml:1",
    "aten::add": "aten/src/ATen/native/native_functions.yaml:3", "torch._dynamo.config.verbose": "torch/_dynamo/config.py:2",
    "TORCHX_VERBOSE": "torch/_dynamo/config.py:2", "c10::intrusive_ptr": "c10/util/ptr.h:4",
    "at::dim": "aten/src/ATen/core/Tensor.h:3", "TORCH_THING": "aten/src/ATen/core/Tensor.h:5",
    "torch.nn": "torch/nn/__init__.py:1", "torch.made_up": "torch/nn/modules.py:8",
}  # fmt: skip
ABSENT = ["at::Generated", "at::Op", "Foreign", "c10::ghost", "torch._apis._private", "torch.broken.f"]


def test_places(index):
    assert (index.version, index.commit) == ("9.1.0", COMMIT)
    assert {name: f"{index.source(name).path}:{index.source(name).line}" for name in PLACES} == PLACES
    assert [name for name in ABSENT if index.symbol(name)] == []


def test_a_line_of_a_private_function_is_not_the_one_before(index):
    assert index.find_symbol_at("torch/_apis.py", 9).name == "torch.vmap"
    assert index.find_symbol_at("torch/_apis.py", 12).name == "torch._apis"


def test_documented_names_have_their_own_pages(index):
    assert index.symbol("torch.func.vmap").name == "torch.vmap"
    assert index.docs_url("torch.func.vmap").endswith("/generated/torch.func.vmap.html")
    assert index.docs_url("torch.vmap").endswith("/generated/torch.func.vmap.html")
    assert index.docs_url("torch.nn").endswith("/nn.html#module-torch.nn")
    assert index.docs_url("c10::intrusive_ptr").endswith("/notes/pointers.html")


def test_curated_names(index):
    assert index.spellings["phrases"] == {"pointer": ["c10::intrusive_ptr"], "mapping": ["torch.vmap"]}
    assert index.symbol("torch.old").current == "torch.abs"
    assert index.symbol("torch.older").kind == index.symbol("torch.gone").kind == "removed"
    assert index.concepts[0].paths == ("c10/util/ptr.h",)


def test_files(index):
    assert index.file_status("c10/util/ptr.cpp").version == "9.0.0"
    assert index.file_status("torch/old/parameter.py").path == "torch/nn/parameter.py"
    assert index.docs_status("old.html").page == "nn.html"
    assert index.docs_status("generated/torch.gone.html").status == "gone"


def test_bytes_that_are_no_text_are_passed_over(tmp_path):
    spoilt = {path: text.encode() + b"\xff\n" for path, text in FILES.items()}
    index = read(build_index(make_wheel(tmp_path / "torch-9.1.0-py3-none-any.whl", spoilt), FACTS)[0])
    assert index.source("torch.abs").line == 1


def test_the_same_input_gives_the_same_bytes_and_warnings(wheel):
    assert build_index(wheel, FACTS) == build_index(wheel, FACTS)
    assert build_index(wheel, FACTS)[1] == ["ghost: no c10::ghost in the wheel"]


def test_the_command(wheel, tmp_path, capsys):
    assert main([str(wheel), "-o", str(tmp_path / "made.idx")]) == 0
    assert read_index(tmp_path / "made.idx").symbol("torch.compile").path == "torch/__init__.py"
    assert "places left out" in capsys.readouterr().err
    assert main([str(tmp_path / "made.idx"), "-o", str(tmp_path / "other.idx")]) == 2
    assert "is not a wheel" in capsys.readouterr().err
    assert not (tmp_path / "other.idx").exists()


def test_another_file_is_not_a_wheel(tmp_path):
    make_wheel(tmp_path / "other.whl", {"other/version.py": ""})
    (tmp_path / "text.whl").write_bytes(b"no zip")
    for name in ("other", "text", "missing"):
        with pytest.raises(SourceError, match=rf"{name}\.whl: is not a wheel.*torch-\*\.whl"):
            build_index(tmp_path / f"{name}.whl", FACTS)


ODD_SOURCES = {
    "dots without end": ("torch/a.py", "a" + ".a" * 300_000),
    "namespaces in each other": ("torch/include/c10/a.h", "namespace a {\n" * 60_000),
}


@pytest.mark.parametrize(("path", "text"), ODD_SOURCES.values(), ids=ODD_SOURCES)
def test_an_odd_source_is_read_as_far_as_it_goes(tmp_path, path, text):
    wheel = make_wheel(tmp_path / "x.whl", {"torch/version.py": "", "torch/b.py": "def f(): pass", path: text})
    (tmp_path / "x.idx").write_bytes(build_index(wheel, FACTS)[0])
    assert read_index(tmp_path / "x.idx").source("torch.b.f").path == "torch/b.py"


def test_a_damaged_member_is_one_line(tmp_path):
    path = make_wheel(tmp_path / "x.whl", {"torch/version.py": "", "torch/a.py": "a = 1  # here"})
    path.write_bytes(path.read_bytes().replace(b"# here", b"# gone"))
    with pytest.raises(SourceError, match=r"is damaged: torch/a\.py cannot be unpacked"):
        build_index(path, FACTS)


MEMBERS = {
    "torch/include/c10/core/Device.h": "c10/core/Device.h", "torch/_tensor.py": "torch/_tensor.py",
    "torch/include/torch/csrc/autograd/engine.h": "torch/csrc/autograd/engine.h",
    "torchgen/packaged/ATen/native/tags.yaml": "aten/src/ATen/native/tags.yaml", "torch/lib/libtorch.so": "",
    "torch/include/google/protobuf/any.h": "", "torch-2.13.0.dist-info/METADATA": "",
}  # fmt: skip


def test_places_of_members():
    assert {member: repository_path(member) for member in MEMBERS} == MEMBERS


MESSAGES = {
    "E: box 7 must be closed before it opens in": [("torch/box.py", "must be closed before it opens in")],
    "c10: The hinge of this lid was never made": [("c10/util/lid.h", "The hinge of this lid was never")],
    "must be closed before noon": [],
    "the box must be closed before anybody opens it again": [],
    "every other box is as good as this one here": [],
    "a box of a test must not be found by anybody at all": [],
}


def test_messages(index):
    for text, found in MESSAGES.items():
        assert [(one.path, text[one.start : one.end]) for one in index.messages.find_sources(text)] == found
