"""Presenters and topics that most episodes of a show share are no reason why two of them are related."""

import podgraph

SUBJECTS = ["Sourdough", "Sourdough", "Kettles", "Spoons", "Teapots", "Butter", "Cider", "Salt", "Vinegar", "Rice"]
# Every note shares these words, so that all pairs score well enough to be related if there is a reason.
WORDS = "{0} and flour, {0} and ovens, {0} in baskets, {0} among crusts and crumbs, {0} in cold rooms"


def test_what_most_episodes_share_is_no_reason(tmp_path):
    (tmp_path / "topics.toml").write_text(
        "".join(f'[[topic]]\nlabel = "{label}"\n' for label in ("Ovens", "Sourdough")), "utf-8"
    )
    items = "".join(
        f"<item><title>{subject} {n:b}</title><guid>{n}</guid>"
        f"<enclosure url='https://media.example/{n}.mp3' type='audio/mpeg'/><description><![CDATA[<p>{WORDS.format(subject)}.</p>"
        "<p>Hosts: <a href='https://github.com/annexample'>Ann Example</a> and "
        f"<a href='https://github.com/boexample'>Bo Example</a></p>]]></description></item>"
        for n, subject in enumerate(SUBJECTS)
    )
    feed = tmp_path / "bread.xml"
    feed.write_text(f"<rss version='2.0'><channel><title>Bread</title>{items}</channel></rss>", "utf-8")
    graph = podgraph.build(feed, offline=True, vocabulary=tmp_path / "topics.toml").networkx()
    assert {"person:annexample", "person:boexample", "topic:ovens", "topic:sourdough"} <= {*graph}
    edges = [data for *_, relation, data in graph.edges(keys=True, data=True) if relation == "related"]
    reasons = {reason for data in edges for reason in data["reasons"]}
    assert reasons
    assert not [reason for reason in reasons if "Example" in reason or "Ovens" in reason]
    related = {(source, target) for source, target, relation in graph.edges(keys=True) if relation == "related"}
    assert {node.partition("/")[2][:9] for pair in related for node in pair} == {"sourdough"}
