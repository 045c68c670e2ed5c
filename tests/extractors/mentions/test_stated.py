"""Spoken references to other episodes, and facts of the snapshot for its show. All speech here is made up."""

from datetime import UTC, datetime

import pytest

from podgraph.extractors import Episode, Feed, add_snapshot_facts, extract, parse_feed
from podgraph.extractors.transcripts.cues import Cue, join_cues
from tests.tables import read_rows

TITLES = ("Glazes", "Wood firing at night", "Clay bodies", "Kiln shelves", "Questions about clay", "Today")
EPISODES = tuple(
    Episode(f"episode:kiln/{number}", "episode", "podcast:kiln", title, date=datetime(2024, 1, 1 + number, tzinfo=UTC))
    for number, title in enumerate(TITLES)
)
# spoken words of the last episode -> the episodes that they refer to, with the relation
SAID = dict(read_rows(__file__, "SAID"))


@pytest.mark.parametrize("words", SAID)
def test_spoken_references(words):
    feed = Feed("kiln.xml", "podcast", "podcast:kiln", "The Kiln", episodes=EPISODES)
    transcript = join_cues("today.vtt", [Cue(0, "Hello."), Cue(75, words)])
    found = extract([feed], transcripts={"episode:kiln/5": transcript})[-1]
    stated = [mention for mention in found.mentions if mention.extractor == "stated"]
    assert {(mention.ref.label, mention.relation) for mention in stated} == SAID[words]
    assert all(mention.time == 75 and mention.method == "transcript" for mention in stated)


@pytest.mark.parametrize(
    ("title", "source", "more"), [("PyTorch Developer Podcast", "live.xml", True), ("Another show", "live.xml", False)]
)
def test_snapshot_facts(title, source, more):
    item = (
        "<item><title>vmap</title><link>https://a.example/vmap</link><enclosure url='https://a.example/1.mp3'/></item>"
    )
    feed = parse_feed(f"<rss><channel><title>{title}</title>{item}</channel></rss>".encode(), source=source)
    before = extract([feed])
    (one,) = add_snapshot_facts([feed], before)
    added = one.mentions[len(before[0].mentions) :]
    assert {mention.method for mention in added} == ({"snapshot"} if more else set())
    assert ("docs:jax/autodidax" in {mention.ref.id for mention in added}) == more
    assert ("episode:pytorch-developer-podcast/functionalization" in {mention.ref.id for mention in added}) == more
