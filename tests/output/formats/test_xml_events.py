"""XML element by element: what made documents yield, and what is refused."""

import gzip

import pytest

from podgraph.extractors import SourceError
from podgraph.output import bounded
from podgraph.output.formats.shared import xml_events

EVENTS = [
    (b"<a/>", [("start", "a", {}), ("end", "a", "")]),
    (b'<a x="1" y="&lt;&#10;"/>', [("start", "a", {"x": "1", "y": "<\n"}), ("end", "a", "")]),
    (b"<a>b &amp; <!-- none -->c</a>", [("start", "a", {}), ("end", "a", "b & c")]),
    # what stands ahead of an inner element belongs to nothing
    (b"<a>1<b>2</b>3</a>", [("start", "a", {}), ("start", "b", {}), ("end", "b", "2"), ("end", "a", "3")]),
    (b"<a><b/><b/></a>", [("start", "a", {}), *[("start", "b", {}), ("end", "b", "")] * 2, ("end", "a", "")]),
    (b'<a xmlns="urn:x">1</a>', [("start", "a", {}), ("end", "a", "1")]),
    (b'<v:a xmlns:v="urn:x" v:b="1"/>', [("start", "a", {"urn:x}b": "1"}), ("end", "a", "")]),
    ("<ä>é</ä>".encode(), [("start", "ä", {}), ("end", "ä", "é")]),
    (
        b"<a>" + b"<b/>" * 60 + b"</a>",
        [("start", "a", {}), *[("start", "b", {}), ("end", "b", "")] * 60, ("end", "a", "")],
    ),
    (b"<a>" * 50 + b"</a>" * 50, [("start", "a", {})] * 50 + [("end", "a", "")] * 50),
]


@pytest.mark.parametrize(("data", "events"), EVENTS)
@pytest.mark.parametrize("chunk", [1, 1 << 18])
@pytest.mark.parametrize("name", ["g.graphml", "g.gexf.gz", "G.GEXF.GZ"])
def test_each_element_begins_and_ends(data, events, chunk, name, tmp_path, monkeypatch):
    monkeypatch.setattr(xml_events, "_CHUNK", chunk)
    (tmp_path / name).write_bytes(gzip.compress(data, mtime=0) if name.lower().endswith(".gz") else data)
    assert list(xml_events.xml_events(tmp_path / name)) == events
    assert list(xml_events.xml_events(str(tmp_path / name))) == events


REFUSED = [
    ("g.xml", b"<a>" * 51 + b"</a>" * 51, "its elements are nested"),
    ("g.xml", b"<a>" + b"<b/>" * 60 + b"<a>" * 50, "its elements are nested"),
    ("g.xml", b"<!DOCTYPE a><a/>", "declares a document type"),
    ("g.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "declares a document type"),
    ("g.xml", b"", "is damaged: no element found"),
    ("g.xml", b"<a>", "is damaged: no element found"),
    ("g.xml", b"<a></b>", "is damaged: mismatched tag"),
    ("g.xml", b"<a>&b;</a>", "is damaged: undefined entity"),
    ("g.xml", b'<?xml version="1.0" encoding="UTFF-8"?><a/>', "is damaged: unknown encoding"),
    ("g.xml", gzip.compress(b"<a/>", mtime=0), "is damaged: "),
    ("g.xml.gz", b"<a/>", "is damaged: "),
    ("g.xml.gz", gzip.compress(b"<a/>", mtime=0)[:-9], "is damaged: "),
    ("g.xml", None, "does not exist"),
    ("folder", None, "cannot be read: "),
]


@pytest.mark.parametrize(("name", "data", "problem"), REFUSED)
def test_what_is_no_graph_is_refused(name, data, problem, tmp_path):
    (tmp_path / "folder").mkdir()
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(SourceError) as refused:
        list(xml_events.xml_events(tmp_path / name))
    assert problem in str(refused.value)
    assert str(tmp_path / name) in str(refused.value)


@pytest.mark.parametrize(("name", "limit"), [("g.xml", "_MOST"), ("g.xml.gz", "_UNPACKED")])
def test_as_many_bytes_as_a_graph_has_are_read_and_not_one_more(name, limit, tmp_path, monkeypatch):
    monkeypatch.setattr(bounded, "_TIMES", 0)
    data = b"<a>" + b" " * 93 + b"</a>"
    (tmp_path / name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
    monkeypatch.setattr(bounded, limit, len(data))
    assert len(list(xml_events.xml_events(tmp_path / name))) == 2
    monkeypatch.setattr(bounded, limit, len(data) - 1)
    with pytest.raises(SourceError, match="is larger than a graph that is read so"):
        list(xml_events.xml_events(tmp_path / name))
