"""Shows built one by one lack only the edges that need facts from another show."""

from podgraph.output import pipeline

from .shows import write_shows

CITING = ("00", "07", "14", "01", "15")  # the first three cite the next one, the last completes a link of the others
COMPLETED = "web:docs.example/shed2"  # truncated in every show, whole in show 15


def edges_of(sources):
    graph = pipeline.build(sources, mapped=False, jobs=1).graph
    edges = graph.edges(keys=True, data=True)
    return {(source, target, relation): data.get("evidence") for source, target, relation, data in edges}


def test_separate_builds_differ_only_by_facts_from_another_show(tmp_path):
    write_shows(tmp_path)
    feeds = [str(tmp_path / f"{show}.xml") for show in CITING]
    joint = edges_of(feeds)
    separate = {edge: evidence for feed in feeds for edge, evidence in edges_of([feed]).items()}

    def is_between_shows(source, target, relation):
        posts = source.startswith("blog:show") and target.startswith(("blog:show", "web:show"))
        person = relation == "mentions" and target.startswith("person:")
        account = target.startswith("web:github.com/annex")  # of a person whom another show confirms
        return posts or person or account or target == COMPLETED

    differing = {edge for edge in joint.keys() | separate.keys() if joint.get(edge, ()) != separate.get(edge, ())}
    assert {"cites", "mentions", "related"} == {relation for _, _, relation in differing}
    assert all(is_between_shows(*edge) for edge in differing)
    same = joint.keys() & separate.keys()
    assert len(same) > 90
    completed = [{source for source, target, _ in found if target == COMPLETED} for found in (joint, separate)]
    assert (
        {source.partition("/")[0] for source in completed[1]}
        == {"blog:show15.example"}
        < {source.partition("/")[0] for source in completed[0]}
    )
    assert all(joint[edge] == separate[edge] for edge in same)
