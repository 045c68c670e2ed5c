"""Which topics the code speaks of together: counted in paragraphs of docstrings and comments."""

from types import SimpleNamespace

import pytest

from podgraph.extractors import parse_vocabulary, read_index
from tools.index.together import pack_together

VOCABULARY = parse_vocabulary(
    """
[[topic]]
label = "Warp threads"
[[topic]]
label = "Weft"
[[topic]]
label = "Shuttle"
part_of = ["weft"]
[[topic]]
label = "RAM"
""",
    source="loom.toml",
)


def pairs(files):
    wheel = SimpleNamespace(texts=lambda _suffix: files.items())
    return [
        line.split(" ")[:2] + line.split(" ")[3:] for line in pack_together(wheel, VOCABULARY).decode().splitlines()
    ]


DOC = '"""A warp thread meets the weft."""\n'
APART = '"""Only the weft."""\n"""Only a RAM."""\n' * 4
# a source, and the pairs that it speaks of
SPOKEN = {
    "docstrings": ({"a.py": DOC * 3, "b.py": APART}, [["warp-threads", "weft", "a.py"]]),
    "comments": (
        {"a.h": "// a warp thread\n// and its weft\nint x;\n" * 3, "b.py": APART},
        [["warp-threads", "weft", "a.h"]],
    ),
    "the file where most often": ({"a.py": DOC, "b.py": DOC * 3, "c.py": APART}, [["warp-threads", "weft", "b.py"]]),
    "too seldom": ({"a.py": DOC * 2, "b.py": APART}, []),
    "in two paragraphs": ({"a.py": '"""Warp threads.\n\nThe weft."""\n' * 3, "b.py": APART}, []),
    "in code, which is no speech": ({"a.py": "warp_threads = weft\n" * 3, "b.py": APART}, []),
    "a part and its whole": ({"a.py": '"""The shuttle of the weft."""\n' * 3, "b.py": APART}, []),
    "an acronym in small letters": ({"a.py": '"""The ram on a warp thread."""\n' * 3, "b.py": APART}, []),
    "an acronym": ({"a.py": '"""The RAM of a warp thread."""\n' * 3, "b.py": APART}, [["ram", "warp-threads", "a.py"]]),
}


@pytest.mark.parametrize(("files", "found"), SPOKEN.values(), ids=SPOKEN)
def test_pairs(files, found):
    assert pairs(files) == found


def test_the_shipped_index_says_it():
    value, path = read_index().together["amp", "half"]
    assert 0.15 <= value <= 1
    assert path in read_index().paths.files
