"""Slugs and the ids made of them, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors.feeds.ids import Identity, episode_ids, feed_slug, own_pages, post_ids
from podgraph.extractors.sites.episode_pages import page_slug
from podgraph.extractors.slugs import post_id, slugify

if TYPE_CHECKING:
    import random

SLUGS = [
    ("C++ frontend", "c-frontend"),
    ("__torch_function__", "torch-function"),
    ("native_functions.yaml", "native-functions-yaml"),
    ("torch.use_deterministic_algorithms", "torch-use-deterministic-algorithms"),
    ("PyTorch 2.0", "pytorch-20"),
    ("Inductor - Define-by-run IR", "inductor-define-by-run-ir"),
    ("What's new?", "whats-new"),
    ("What\u2019s new?", "whats-new"),
    ("Straße & Œuvre", "strasse-oeuvre"),
    ("Việt Nam", "viet-nam"),
    ("İstanbul", "istanbul"),
    ("深層学習 入門", "深層学習-入門"),
    ("パイトーチ", "パイトーチ"),
    ("हिन्दी", "हिन्दी"),
    ("ёлка", "ёлка"),
    ("한국어!", "한국어"),
    ("ﬁne", "fine"),
    ("x²", "x2"),
    ("🎉", ""),
    ("  ", ""),
    ("\ud800a", "a"),
]

SIMPLECAST = "https://pytorch-dev-podcast.simplecast.com/episodes/"
PAGES = [
    (SIMPLECAST + "xla-PZxcTtCL", "", "xla"),
    (SIMPLECAST + "functionalization-t_HiJlOu", "", "functionalization"),
    (SIMPLECAST + "automatic-mixed-precision-L2wJSVA_", "", "automatic-mixed-precision"),
    (SIMPLECAST + "pyobject-preservation-q6sE1n7z", "", "pyobject-preservation"),
    (SIMPLECAST + "pyobject-preservation-q6se1n7z", "", "pyobject-preservation"),
    (SIMPLECAST + "batching-aB3-_xYz", "", "batching"),
    (SIMPLECAST + "zero-one-specialization", "", "zero-one-specialization"),
    (SIMPLECAST + "reference-counting", "", "reference-counting"),
    (SIMPLECAST + "pytorch-20", "", "pytorch-20"),
    (SIMPLECAST + "ep-20210504", "", "ep-20210504"),
    (SIMPLECAST + "intro-to-python39", "", "intro-to-python39"),
    (SIMPLECAST + "vmap", "", "vmap"),
    # The title decides: eight letters may be a word or a hash.
    (SIMPLECAST + "xla-abcdefgh", "", "xla-abcdefgh"),
    (SIMPLECAST + "xla-abcdefgh", "XLA", "xla"),
    (SIMPLECAST + "all-about-web3apps", "All about web3apps", "all-about-web3apps"),
    # Other hosts keep theirs, but for those whose habit is known.
    ("https://example.org/episodes/xla-PZxcTtCL", "", "xla-pzxcttcl"),
    ("https://anchor.fm/show/episodes/Title-of-it-e1abc2d", "", "title-of-it"),
    ("https://podcasters.spotify.com/pod/show/x/episodes/Title-of-it-e1abc2d/a-a5abcd1", "", "title-of-it"),
    ("https://anchor.fm/show/episodes/Title-of-elephants", "", "title-of-elephants"),
    ("https://example.org/C%2B%2B-frontend.html", "", "c-frontend"),
    # What says nothing about the episode.
    ("https://example.org/2024/05/06/", "", ""),
    ("https://example.org/podcast/index.html", "", ""),
    ("https://example.org/", "", ""),
    ("https://example.org/?p=12", "", ""),
    ("https://example.org/player?id=12", "", ""),
    ("https://example.org/episodes/12", "", ""),
    ("https://podcasts.apple.com/us/podcast/x/id1234?i=10", "", ""),
    ("https://open.spotify.com/episode/4rOoJ6Egrf8K2IrywzOMk", "", ""),
    ("https://example.org/b0c2d7f4-1111-2222-3333-444455556666", "", ""),
    ("mailto:someone@example.org", "", ""),
    ("", "", ""),
]

POSTS = [
    ("https://www.blog.example.org/2024/05/A-post/", "blog:blog.example.org/2024/05/A-post"),
    ("http://blog.example.org/2024/05/A-post/index.html#c1", "blog:blog.example.org/2024/05/A-post"),
    ("https://blog.example.org/?p=12&utm_source=rss", "blog:blog.example.org/?p=12"),
    ("https://blog.example.org/post.html", "blog:blog.example.org/post.html"),
    ("https://blog.example.org/", ""),
    ("urn:uuid:1", ""),
]


@pytest.mark.parametrize(("text", "slug"), SLUGS)
def test_slugify(text, slug):
    assert slugify(text) == slug


@pytest.mark.parametrize(("url", "title", "slug"), PAGES)
def test_page_slug(url, title, slug):
    assert page_slug(url, title) == slug


@pytest.mark.parametrize(("url", "node"), POSTS)
def test_post_id(url, node):
    assert post_id(url) == node


@given(st.text())
def test_a_slug_of_a_slug_is_itself(text):
    slug = slugify(text)
    assert slugify(slug) == slug
    assert len(slug) <= 120
    assert not slug.startswith("-")
    assert not slug.endswith("-")


@pytest.mark.parametrize(
    ("title", "urls", "source", "slug"),
    [
        ("PyTorch Developer Podcast", (), "", "pytorch-developer-podcast"),
        ("", ("", "https://www.pod.example.org/feed.xml"), "x.xml", "pod-example-org"),
        ("🎉", (), "/some/where/my_feed.xml", "my-feed"),
        ("", (), "C:\\feeds\\mine.rss", "mine"),
        ("", (), "-", "feed"),
    ],
)
def test_feed_slug(title, urls, source, slug):
    assert feed_slug(title, *urls, source=source) == slug


def test_shared_pages_and_the_home_page_are_nobodys():
    pages = ["https://x.org/a", "http://www.x.org/a/?utm_source=b", "https://x.org", "https://x.org/c", "", ""]
    assert own_pages(pages, "https://x.org/") == ["", "", "", "https://x.org/c", "", ""]


def item(title="", page="", guid="", date="", number=None):
    return Identity(title, page, guid, date, number)


def test_the_earliest_keeps_the_plain_id():
    items = [item("Batching", date="2024-02-02"), item("batching!", date="2024-01-01"), item("BATCHING")]
    ids = episode_ids("p", items)
    assert ids[1] == "episode:p/batching"
    assert len(set(ids)) == 3
    assert all(len(told) == len("episode:p/batching-") + 6 for told in (ids[0], ids[2]))


def test_what_is_known_of_an_item_makes_its_slug():
    items = [item(number=65), item(guid="Some GUID"), item()]
    assert episode_ids("p", items) == ["episode:p/episode-65", "episode:p/some-guid", "episode:p/untitled"]


def test_a_post_without_a_page_is_called_by_its_title():
    assert post_ids("x.org", [item("A Post"), item(guid="g")]) == ["blog:x.org/a-post", "blog:x.org/g"]


identities = st.builds(
    Identity,
    title=st.sampled_from(["", "A", "a!", "B"]),
    page=st.sampled_from(["", "https://x.org/a", "https://x.org/b-c"]),
    guid=st.text("gh", max_size=2),
    date=st.sampled_from(["", "2024-01-01", "2024-01-02"]),
    number=st.sampled_from([None, 1]),
)


@given(st.lists(identities, max_size=12, unique=True), st.randoms(use_true_random=False))
def test_ids_are_unique_and_independent_of_the_order(items: list[Identity], order: random.Random):
    ids = dict(zip(items, episode_ids("p", items), strict=True))
    assert len(set(ids.values())) == len(items)
    order.shuffle(items)
    assert dict(zip(items, episode_ids("p", items), strict=True)) == ids
