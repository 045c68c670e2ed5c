"""Parts and their merge make the graph of one build in memory, but for edges that need all texts at once."""

import errno
import io
import json
import os
import pickle
import shutil
import signal
from pathlib import Path

import pytest

from podgraph.extractors import Named, OutputError, PodgraphError, list_sources, read_sources
from podgraph.output import pipeline
from podgraph.output.formats.sqlite import read_sqlite
from podgraph.output.large import cluster, parts
from podgraph.output.large.parts import BuildOptions, build_parts

from .running import run
from .shows import COUNT, built, write_shows

pytest.importorskip("duckdb", reason="the extra scale")
pytest.importorskip("pyarrow", reason="the extra scale")
from podgraph.output.large.merge import merge_parts


def write_parts(folder, target, **how):
    named = list_sources([Named(str(folder))])
    return build_parts(named, target, BuildOptions(digest=b"1"), **how)


@pytest.fixture(scope="module")
def shows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shows")
    write_shows(folder)
    return folder


@pytest.fixture(scope="module")
def whole(shows, tmp_path_factory):
    """A folder of parts of all shows, not to be changed."""
    target = tmp_path_factory.mktemp("whole") / "all.parts"
    made = write_parts(shows, target)
    assert (made.shows, made.kept) == (COUNT + 1, 0)  # one show is there twice
    assert "has no items" in str(made.failures[0])
    return target


@pytest.fixture
def copied(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "all.parts"))


def edges_of(graph):
    edges = graph.edges(keys=True, data=True)
    return {(source, target, relation): data.get("evidence") for source, target, relation, data in edges}


def test_parts_and_merge_give_the_ids_edges_and_evidence_of_one_build(shows, whole, tmp_path):
    counts = merge_parts(whole, tmp_path / "all.sqlite")
    merged, joint = read_sqlite(tmp_path / "all.sqlite"), built([str(shows)])[0].graph
    assert counts == (len(merged), merged.number_of_edges())
    assert {*merged} == {*joint}
    found, expected = edges_of(merged), edges_of(joint)
    differing = {edge for edge in found.keys() | expected.keys() if found.get(edge, 0) != expected.get(edge, 0)}
    # A link that the feed cut off needs its whole form in the same show.
    assert {relation for _, _, relation in differing} == {"related", "cites"}
    cited = {target for _, target, relation in differing if relation == "cites"}
    assert cited == {"web:docs.example/shed2", "web:docs.example/shed3"}
    shown = {name for node in merged for name in ("kind", "label", "url", "count") if name in merged.nodes[node]}
    for node in merged:
        one, other = merged.nodes[node], joint.nodes[node]
        assert {name: one.get(name) for name in shown} == {name: other.get(name) for name in shown}, node
        assert ("community" in one, "rank" in one) == ("community" in other, "rank" in other)


def test_related_episodes_of_different_shows_are_those_of_one_build_that_name_the_same_rare_thing(
    shows, whole, tmp_path
):
    merge_parts(whole, tmp_path / "all.sqlite")
    merged, joint = (
        {(source, target): data for source, target, relation, data in graph.edges(keys=True, data=True)
         if relation == "related" and source.partition("/")[0] != target.partition("/")[0]}
        for graph in (read_sqlite(tmp_path / "all.sqlite"), built([str(shows)])[0].graph)
    )  # fmt: skip
    assert len(merged) == 120
    assert merged == joint


def test_a_second_build_keeps_what_is_done_and_does_the_rest(shows, copied):
    done = sorted((copied / "nodes").iterdir())
    before = {path.name: path.read_bytes() for path in done}
    for part in done[:5]:
        part.unlink()
    (copied / "edges" / done[5].name).write_bytes(b"PAR1 of another program")
    made = write_parts(shows, copied)
    assert made.kept == COUNT + 1 - 6
    assert {path.name: path.read_bytes() for path in (copied / "nodes").iterdir()} == before


def test_a_changed_show_changes_all_parts_that_may_depend_on_it(shows, whole, tmp_path):
    changed = Path(shutil.copytree(shows, tmp_path / "shows"))
    target = tmp_path / "all.parts"
    assert write_parts(changed, target).kept == 0
    feed = changed / "03.xml"
    feed.write_text(feed.read_text("utf-8").replace("The weft again", "The warp again"), "utf-8")
    assert write_parts(changed, target).kept == 0
    assert write_parts(changed, target).kept == COUNT + 1


def test_several_processes_write_the_same_parts(shows, whole, tmp_path):
    with cluster.sharing(2) as share:
        write_parts(shows, tmp_path / "all.parts", share=share)
    for kind in ("nodes", "edges"):
        for path in (whole / kind).iterdir():
            assert (tmp_path / "all.parts" / kind / path.name).read_bytes() == path.read_bytes()


def killed_once(named, group, folder, how):
    """Read a show; the first process at work on the fourth one ends as the system ends it."""
    if named.text.endswith("03.xml"):
        try:
            Path(folder, "killed").touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return parts.read_show(named, group, folder, how)


def test_the_show_of_a_killed_worker_is_read_again(shows, whole, tmp_path):
    pytest.importorskip("distributed", reason="the extra dask")
    target = tmp_path / "all.parts"
    with cluster.sharing(2, "local") as share:

        def sharing(work, *rows):
            return share(killed_once if work is parts.read_show else work, *rows)

        made = write_parts(shows, target, share=sharing)
    assert (target / "killed").exists()
    assert made.shows == COUNT + 1
    assert {path.name for path in (target / "nodes").iterdir()} == {path.name for path in (whole / "nodes").iterdir()}


def test_a_full_disk_leaves_whole_parts_alone(shows, tmp_path, monkeypatch):
    written = parts._write

    def full(table, stream, about):
        if stream.name and "number" in full.__dict__ and full.number > 6:
            raise OSError(errno.ENOSPC, "No space left on device")
        full.number = full.__dict__.get("number", 0) + 1
        written(table, stream, about)

    monkeypatch.setattr(parts, "_write", full)
    target = tmp_path / "all.parts"
    with pytest.raises(OutputError, match="the disk is full"):
        write_parts(shows, target)
    assert len([*(target / "nodes").iterdir()]) == len([*(target / "edges").iterdir()]) == 3
    monkeypatch.undo()
    assert write_parts(shows, target).kept == 3


def test_a_part_of_another_version_is_one_line(copied, tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "VERSION", 99)
    monkeypatch.setattr("podgraph.output.large.merge.VERSION", 99)
    with pytest.raises(PodgraphError, match=r"is damaged, or a part of another version; build the parts again$"):
        merge_parts(copied, tmp_path / "all.sqlite")
    assert not (tmp_path / "all.sqlite").exists()


def delete_part(folder, place):
    name = sorted((folder / "nodes").iterdir())[place].name
    for kind in ("nodes", "edges"):
        (folder / kind / name).unlink()


@pytest.mark.parametrize(("spoil", "line"), [
    (lambda folder: shutil.rmtree(folder / "nodes"), "has no parts; write them: podgraph build LIST -o "),
    (lambda folder: next((folder / "edges").iterdir()).unlink(), "has no edges beside it; build the parts again"),
    (lambda folder: next((folder / "edges").iterdir()).write_bytes(b"x"), "is damaged; delete it, and build the parts"),
    (lambda folder: [delete_part(folder, place) for place in (0, 0)], "has no part of 2 of its shows, such as "),
    (lambda folder: next((folder / "nodes").iterdir()).write_bytes(b"x"), "is damaged, or a part of another version"),
])  # fmt: skip
def test_a_damaged_folder_is_one_line(copied, tmp_path, spoil, line, capsys):
    spoil(copied)
    status, out, err = run(capsys, "merge", str(copied), "-o", str(tmp_path / "all.sqlite"))
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert line in err
    assert [*tmp_path.iterdir()] == [copied]


def test_a_strangers_folder_runs_no_code(shows, copied):
    class Harmful:
        def __reduce__(self):
            return os.mkdir, (str(copied / "reached"),)

    for path in (copied / "read").iterdir():
        path.write_bytes(parts.zlib.compress(pickle.dumps((Harmful(), []))))
    write_parts(shows, copied)
    assert not (copied / "reached").exists()


def test_a_class_that_our_modules_only_import_is_not_loaded():
    harmful = b"\x80\x04cpodgraph.output.files\nPath\n."
    with pytest.raises(pickle.UnpicklingError, match="is not expected here"):
        parts._Unpickler(io.BytesIO(harmful)).load()


def test_parts_and_merge_of_the_snapshot_give_its_graph(tmp_path, capsys):
    assert run(capsys, "build", "sample", "-o", str(tmp_path / "s.parts"), "--jobs", "1")[0] == 0
    merge_parts(tmp_path / "s.parts", tmp_path / "s.sqlite")
    merged, joint = read_sqlite(tmp_path / "s.sqlite"), pipeline.snapshot_graph()
    assert {*merged} == {*joint}
    assert edges_of(merged) == edges_of(joint)


def test_the_commands(shows, tmp_path, capsys):
    target = tmp_path / "all.parts"
    status, _, err = run(capsys, "build", str(shows), "-o", str(target), "--jobs", "1")
    assert status == 2  # one source has no items
    assert err.splitlines()[-1].endswith(
        f"21 parts, 63 episodes and posts; next: podgraph merge {target} -o all.sqlite"
    )
    status, _, err = run(
        capsys, "merge", str(target), "-o", str(tmp_path / "all.sqlite"), "-o", str(tmp_path / "all.json")
    )
    assert status == 0
    document = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert f"{len(document['nodes'])} nodes" in err
    status, out, _ = run(capsys, "cites", "weavers/loom#1", "-g", str(tmp_path / "all.sqlite"), "--json", "-n", "0")
    assert (status, len(json.loads(out)["episodes"])) == (0, COUNT)


@pytest.mark.parametrize(("words", "line"), [
    (["--scheduler", "local"], "--scheduler: is for builds of parts; write parts, -o all.parts/, then podgraph merge"),
    (["-o", "a.parts", "-o", "a.json"], "a.parts: is written alone; write the other files by podgraph merge"),
    (["-o", "a.parts/", "--titles"], "--titles: is not for parts; look up after the merge: podgraph look-up"),
    (["-o", "a.parts", "--since", "2024"], "--since: is not for parts; narrow and export after the merge"),
])  # fmt: skip
def test_options_that_do_not_fit_are_one_line(words, line, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, err = run(capsys, "build", "sample", *words)
    assert status == 2
    assert line in err
    assert not [*tmp_path.iterdir()]


def test_a_private_feed_is_refused_before_anything_of_it_is_written(tmp_path, capsys):
    feed = tmp_path / "feed.xml"
    feed.write_text(
        '<rss version="2.0" xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Kiln</title>'
        "<i:block>Yes</i:block><item><title>One</title><guid>1</guid></item></channel></rss>"
    )
    target = tmp_path / "all.parts"
    status, _, err = run(capsys, "build", str(feed), "-o", str(target), "--refuse-private", "--jobs", "1")
    assert (status, "Kiln: is private, and --refuse-private was given" in err) == (2, True)
    assert not [path for path in target.rglob("*") if path.is_file()]


def test_lists_and_folders_are_read_one_by_one(tmp_path):
    for name in ("a.xml", "b.xml"):
        (tmp_path / name).write_text("<rss version='2.0'><channel><title>x</title></channel></rss>")
    (tmp_path / "list.opml").write_text(
        "<opml><outline text='G'><outline xmlUrl='https://a.example/f'/></outline></opml>"
    )
    (tmp_path / "list.txt").write_text("https://b.example/f\na.xml  # ours\n")
    names = [Named(str(tmp_path / name)) for name in ("list.opml", "list.txt", "b.xml")]
    found = [(one.text, group) for one, group in list_sources([*names, Named("https://c.example/list.opml")])]
    assert found == [
        ("https://a.example/f", "G"),
        ("https://b.example/f", ""),
        (str(tmp_path / "a.xml"), ""),
        (str(tmp_path / "b.xml"), ""),
        ("https://c.example/list.opml", ""),
    ]
    (tmp_path / "shows").mkdir()
    shutil.copy(tmp_path / "a.xml", tmp_path / "shows" / "a.xml")
    assert [one.text for one, _ in list_sources([Named(str(tmp_path / "shows"))])] == [
        str(tmp_path / "shows" / "a.xml")
    ]
    assert len(read_sources([str(tmp_path / "shows")]).read) == 1
