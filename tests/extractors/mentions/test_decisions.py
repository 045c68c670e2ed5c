"""What `podgraph why` is told: the extractors' own decisions, kept and dropped, each with its reason."""

import pytest

from podgraph.extractors import EXTRACTORS, Episode, Feed, Link, decide, extract, known_subjects

# A show about nothing that anybody knows, and one that is PyTorch's.
STRANGER, OWN = "Bread and Water", "PyTorch Developer Podcast"
KEPT = ""  # it counts

# notes, what is asked about, extractor, a part of the reason (KEPT: it counts); of a show with the repository o/r
REFERENCES = [
    ("as in PR #99", "PR #99", "references", KEPT),
    ("as in #99", "#99", "references", "one or two digits"),
    ("as in #1234", "#1234", "references", KEPT),
    ("as in #0123", "#0123", "references", "begins with 0"),
    ("as in #1999", "#1999", "references", "reads as a year"),
    ("in PR 2024", "PR 2024", "references", "reads as a year"),
    ("in PR 12", "PR 12", "references", "one or two digits"),
    ("about #123% more", "#123", "references", "a quantity"),
    ("in PR 1.5", "PR 1", "references", "a quantity"),
    ("the colour #1234", "#1234", "references", "something else is counted"),
    ("ranked #123 last year", "#123", "references", "makes it a rank"),
    ("#123 in the charts", "#123", "references", "make it a rank"),
    ("fixes 1234", "fixes 1234", "references", "have a #"),
    ("issue 123 of the magazine", "issue 123", "references", "an issue of something"),
    ("issue123", "issue123", "references", "one word"),
    ("and/or #12", "and/or #12", "references", "no repository"),
    ("RFC 99999", "RFC 99999", "references", "no RFC of that number"),
    ("https://x.example/#1234", "#1234", "references", "stands in a link"),
]


def decisions(notes, title=STRANGER, *, repo="", links=(), name="One", extractors=EXTRACTORS):
    episode = Episode("episode:p/one", "episode", "podcast:p", name, notes, links, "https://p.example/one")
    other = Episode("episode:p/two", "episode", "podcast:p", "Sourdough starters", "")
    feed = Feed("f.xml", "podcast", "podcast:p", title, (episode, other))
    return episode, feed, decide([feed], episode, extractors, repo=repo)


def told(found, episode, quote, extractor):
    text = {"notes": episode.notes, "title": episode.title}
    return [one.reason for one in found if text[one.field][one.start : one.end] == quote and one.extractor == extractor]


def check(reasons, reason):
    assert len(reasons) == 1
    assert reason in reasons[0]
    assert bool(reason) == bool(reasons[0])


@pytest.mark.parametrize(("notes", "quote", "extractor", "reason"), REFERENCES)
def test_why_a_number_is_or_is_no_reference(notes, quote, extractor, reason):
    episode, _, found = decisions(notes, repo="o/r")
    check(told(found, episode, quote, extractor), reason)


@pytest.mark.parametrize("notes", ["PR #99", "#1234", "GH-4"])
def test_a_number_without_a_repository_says_what_it_lacks(notes):
    episode, _, found = decisions(notes)
    check(told(found, episode, notes, "references"), "--repo OWNER/NAME")


def test_a_number_at_the_head_of_a_title_is_the_episodes_own():
    episode, _, found = decisions("", name="#1234: bread", repo="o/r")
    check(told(found, episode, "#1234", "references"), "the episode's own")


def test_a_hyperlink_says_what_the_words_before_it_mean():
    link = Link("https://github.com/a/b/pull/1234", 4, 9, "href")
    episode, _, found = decisions("see #1234 now", repo="o/r", links=(link,))
    check(told(found, episode, "#1234", "references"), "a hyperlink stands behind")
    check(told(found, episode, "#1234", "github"), KEPT)


def test_words_that_are_a_url_of_their_own_are_told():
    words = "https://x.example/one"
    episode, _, found = decisions(f"see {words}", links=(Link("https://y.example/two", 4, 4 + len(words), "href"),))
    assert any("leads to another: both are cited" in reason for reason in told(found, episode, words, "urls"))
    same, _, found = decisions(f"see {words}", links=(Link(words, 4, 4 + len(words), "href"),))
    assert not any("leads to another" in reason for reason in told(found, same, words, "urls"))


OTHERS = [
    # title of the show, notes, what is asked about, extractor, reason
    (STRANGER, "read README.md", "README.md", "urls", "reads as no address"),
    (STRANGER, "https://x.example/a...", "https://x.example/a...", "urls", "was cut"),
    (STRANGER, "our https://p.example/one page", "https://p.example/one", "web", "this episode itself"),
    (STRANGER, "I like sourdough starters", "sourdough starters", "crosslinks", "no words such as"),
    (STRANGER, "related episodes on sourdough starters", "sourdough starters", "crosslinks", KEPT),
    (STRANGER, "Our guest is Bob.", "Bob", "people", "not a person's full name"),
    (STRANGER, "Our guest is Bob Baker.", "Bob Baker", "people", KEPT),
    (STRANGER, "a TensorIterator", "TensorIterator", "symbols", "none is looked for"),
    (STRANGER, "a TensorIterator", "TensorIterator", "topics", "neither podcast nor episode"),
    (OWN, "a Parameter of it", "Parameter", "symbols", "may mean torch.nn.Parameter"),
    (OWN, "call no_such_name_here()", "no_such_name_here", "symbols", "not in the index"),
    (OWN, "ask zdevito about it", "zdevito", "people", KEPT),
]


@pytest.mark.parametrize(("title", "notes", "quote", "extractor", "reason"), OTHERS)
def test_why_something_else_counts_or_not(title, notes, quote, extractor, reason):
    repo = "pytorch/pytorch" if title == OWN else ""
    episode = Episode("episode:p/one", "episode", "podcast:p", "One", notes, (), "https://p.example/one")
    other = Episode("episode:p/two", "episode", "podcast:p", "Sourdough starters", "")
    feed = Feed("f.xml", "podcast", "podcast:p", title, (episode, other), default_repo=repo)
    check(told(decide([feed], episode), episode, quote, extractor), reason)


@pytest.mark.parametrize("repo", ["", "o/r"])
def test_what_is_kept_is_what_a_build_finds(repo):
    notes = " ".join(notes for notes, *_ in REFERENCES) + "; ".join(notes for _, notes, *_ in OTHERS)
    _, feed, found = decisions(notes, OWN, repo=repo)
    built = extract([feed], repo=repo, subjects=known_subjects())[0]
    kept = [one.mention for one in found if one.mention]
    assert sorted(map(repr, kept)) == sorted(map(repr, dict.fromkeys(built.mentions)))
    assert len(kept) > 4


def test_a_build_tells_nobody():
    def spy(episode, corpus):
        assert corpus.drop is None
        return ()

    _, feed, _ = decisions("PR #99")
    extract([feed], [("spy", spy)])
