"""The vault of notes: updated in place, and what the user wrote is the user's."""

from contextlib import nullcontext

import pytest
from markdown_it import MarkdownIt

from podgraph.extractors import OutputError
from podgraph.output.formats import Rows
from podgraph.output.formats import vault as vaults
from podgraph.output.formats.vault import MARKER
from tests.output.formats.test_formats_text import Seen
from tests.output.graphs import contract_graph, hostile_graph

VMAP = "topics/vmap (topic).md"
# Attributes that a note must not take from a graph: they would make it another's, or steer the program that reads it.
HIDDEN = "podgraph_id tags cssclasses publish permalink rank x y".split()
PROPERTIES = "aliases area kind label note podgraph_id subtopic_of tags title".split()


def to_notes(graph):
    return {path: text for _, path, text in vaults.to_notes(Rows(graph))}


def write_vault(graph, path):
    vaults.write_vault(Rows(graph), path)


@pytest.fixture
def vault(tmp_path):
    write_vault(contract_graph(), tmp_path / "vault")
    return tmp_path / "vault"


def rename_area():
    """Return the graph with another area of the topic."""
    graph = contract_graph()
    graph.nodes["topic:vmap"]["area"] = "A new name"
    return graph


def notes(vault):
    return {path.relative_to(vault).as_posix(): path.read_text("utf-8") for path in vault.rglob("*.md")}


def without(*nodes):
    graph = contract_graph()
    graph.remove_nodes_from(nodes)
    return graph


def test_a_second_export_touches_nothing(vault):
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in vault.rglob("*.md")}
    write_vault(contract_graph(), vault)
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in vault.rglob("*.md")} == before


@pytest.mark.parametrize(
    "mine", ["My thoughts.\n", "no line end", "ends\r\nof lines\r\n", f"\n{MARKER}\nagain", "\udcff bytes"]
)
def test_what_stands_below_the_marker_is_kept(vault, mine):
    note = vault / VMAP
    note.write_bytes(note.read_bytes() + mine.encode("utf-8", "surrogateescape"))
    write_vault(rename_area(), vault)
    text = to_notes(rename_area())[VMAP]
    assert note.read_bytes() == text.encode() + mine.encode("utf-8", "surrogateescape")
    assert "A new name" in text


def test_a_note_whose_node_is_gone_is_removed(vault):
    write_vault(without("topic:vmap", "topic:functorch"), vault)
    assert notes(vault) == to_notes(without("topic:vmap", "topic:functorch"))
    assert not (vault / "topics").exists()


def test_a_note_with_the_users_text_stays_when_its_node_is_gone(vault):
    note = vault / VMAP
    note.write_text(note.read_text("utf-8") + "mine\n", "utf-8")
    before = note.read_bytes()
    write_vault(without("topic:vmap"), vault)
    assert note.read_bytes() == before
    write_vault(contract_graph(), vault)
    assert note.read_text("utf-8") == to_notes(contract_graph())[VMAP] + "mine\n"


def test_the_users_own_notes_are_left_alone(vault):
    mine = {"Diary.md": "---\ntags: [x]\n---\n# Diary", "topic/My.md": f"text\n{MARKER}\n", ".obsidian/app.json": "{}"}
    for name, text in mine.items():
        (vault / name).parent.mkdir(exist_ok=True)
        (vault / name).write_text(text, "utf-8")
    write_vault(without("topic:vmap", "topic:functorch"), vault)
    for name, text in mine.items():
        assert (vault / name).read_text("utf-8") == text


@pytest.mark.parametrize("take", [("podgraph_id", "not_podgraph_id"), (MARKER, "")], ids=["the id", "the marker"])
def test_a_note_that_the_user_took_over_is_left_alone(vault, take):
    note = vault / VMAP
    note.write_text(note.read_text("utf-8").replace(*take) + "mine\n", "utf-8")
    before = note.read_bytes()
    write_vault(rename_area(), vault)
    assert note.read_bytes() == before


def test_a_strangers_file_in_the_way_is_not_written_over(vault):
    (vault / VMAP).write_text("something else", "utf-8")
    write_vault(rename_area(), vault)
    assert notes(vault)[VMAP] == "something else"
    assert notes(vault)["topics/vmap (topic-vmap).md"].startswith('---\npodgraph_id: "topic:vmap"\n')


def test_a_note_keeps_its_name_when_its_node_gets_another(vault):
    """Links of the user's lead to it; so does a vault of earlier days, whose notes were called by ids."""
    (vault / "topic").mkdir()
    (vault / VMAP).rename(vault / "topic" / "topic-vmap.md")
    graph = contract_graph()
    graph.nodes["topic:vmap"]["label"] = "Batching"
    write_vault(graph, vault)
    texts = notes(vault)
    assert 'label: "Batching"' in texts["topic/topic-vmap.md"]
    assert "[[topic-vmap|Batching]]" in texts["episodes/Strides.md"]
    assert len(texts) == len(to_notes(graph))


def test_what_several_name_has_a_note():
    graph = contract_graph()
    graph.add_edge("episode:p/vmap", "github:o/r#7", "cites", evidence=[])
    assert "pull requests/o-r 7.md" in to_notes(graph)


def test_what_is_related_stands_under_one_heading_each_once_best_first():
    graph = contract_graph()
    for source, target, weight in (("vmap", "strides", 0.4), ("no-date", "strides", 0.9), ("strides", "no-date", 0.9)):
        graph.add_edge(f"episode:p/{source}", f"episode:p/{target}", "related", weight=weight, reasons=["of the test"])
    head, _, body = to_notes(graph)["episodes/Strides.md"].partition("\n---\n")
    assert [line.partition(" —")[0] for line in body.split("## Related to\n\n")[1].split("\n\n")[0].split("\n")] == [
        "- [[No-Date]]", "- [[Vmap]]",
    ]  # fmt: skip
    assert body.count("## Related to") == 1
    assert '\nrelated: ["[[No-Date]]","[[Vmap]]"]' in head


def test_boilerplate_is_left_out():
    graph = contract_graph()
    graph.add_node("web:oak.example", kind="web", label="Oak bank", url="https://oak.example/")
    for name in ("strides", "vmap"):
        graph.add_edge(f"episode:p/{name}", "web:oak.example", "cites", weight=1, reasons=["of all"], boilerplate=True)
    texts = to_notes(graph)
    assert "web pages/Oak bank.md" not in texts
    assert "Oak bank" not in texts["episodes/Strides.md"]


@pytest.mark.parametrize("where", ["note", "folder"])
def test_links_out_of_the_vault_are_not_followed(vault, tmp_path, where):
    outside = tmp_path / "outside"
    outside.mkdir()
    place = vault / VMAP if where == "note" else vault / "topics"
    place.rename(tmp_path / "gone")
    (outside / "victim").write_text("old", "utf-8")
    place.symlink_to(outside / "victim" if where == "note" else outside)
    before = {path.name: path.read_bytes() for path in outside.iterdir()}
    with pytest.raises(OutputError) if where == "folder" else nullcontext():
        write_vault(contract_graph(), vault)
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == before


def test_a_feed_cannot_forge_the_marker_or_the_id(vault):
    graph = contract_graph()
    text = f'---\npodgraph_id: "episode:p/strides"\n---\n{MARKER}\nforged'
    graph.nodes["topic:vmap"].update(summary=text, label=text, title=text, aliases=[text], note=text)
    graph.nodes["topic:vmap"].update(dict.fromkeys(HIDDEN, text))
    texts = set()
    for _ in range(3):
        write_vault(graph, vault)
        texts.add(notes(vault)[VMAP])
    assert [note.startswith('---\npodgraph_id: "topic:vmap"\n') for note in texts] == [True]
    assert notes(vault)[VMAP].count(f"\n{MARKER}") == 1
    properties = notes(vault)[VMAP].partition("\n---\n")[0].split("\n")[1:]
    assert sorted(line.partition(":")[0] for line in properties) == PROPERTIES


def test_no_note_of_a_hostile_graph_runs_anything():
    for path, text in to_notes(hostile_graph()).items():
        assert text.startswith("---\npodgraph_id: ")
        head, _, body = text.removeprefix("---\n").partition("\n---\n")
        assert all(": " in line for line in head.split("\n")), path
        assert "<%" not in body
        assert "```" not in body
        assert body.rstrip().endswith(MARKER)
        page = Seen(MarkdownIt("commonmark", {"html": True}).enable(["table"]).render(body.replace(MARKER, "")))
        assert set(page.tags) <= {"h1", "h2", "p", "ul", "li", "a"}, path
        assert all(link.startswith("http") for link in page.links)
