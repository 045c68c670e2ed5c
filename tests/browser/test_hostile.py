"""Whatever the feed says is text: nothing of it runs, nothing of it is fetched, all of it is shown."""

from itertools import pairwise

import networkx
import pytest

from tests.browser.conftest import placed
from tests.tables import read_rows

EVIL = {**dict(read_rows(__file__, "EVIL")), "very long": "long " * 2000}
BAD_URLS = read_rows(__file__, "BAD_URLS")


def hostile_graph():
    graph = networkx.MultiDiGraph(
        schema=1, generator=EVIL["close the script"], sources=[{"source": EVIL["close the data"], "episodes": 1}]
    )
    graph.add_node("podcast:evil", kind="podcast", label=EVIL["close the script"], url=BAD_URLS[0])
    for number, (name, text) in enumerate(EVIL.items()):
        episode, artifact, topic = f"episode:evil/{number}{text[:40]}", f"web:{text}{number}", f"topic:{text}{number}"
        url = BAD_URLS[number % len(BAD_URLS)]
        graph.add_node(
            episode, kind="episode", label=f"{name}: {text}", title=f"{name}: {text}", summary=f"{text}\n{text}",
            date=f"2024-01-{number + 1:02}T00:00:00+00:00", url=url, audio_url=BAD_URLS[(number + 1) % len(BAD_URLS)],
            truncated_links=[text], author=text, podcast="podcast:evil",
        )  # fmt: skip
        graph.add_node(artifact, kind=f"odd{text[:20]}" if number % 2 else "web", label=text, url=url)
        graph.add_node(topic, kind="topic", label=text, area=text)
        graph.add_edge(episode, "podcast:evil", key="part_of")
        graph.add_edge(episode, "podcast:evil", key=f"odd {text[:30]}", reasons=[text])
        quote = {"field": "notes", "start": 0, "end": len(text), "quote": text, "method": text, "url": url}
        graph.add_edge(episode, artifact, key="cites", weight=1, evidence=[quote])
        graph.add_edge(episode, topic, key="about", evidence=[{**quote, "field": "title", "end": 3}])
    names = [node for node in graph if node.startswith("episode:")]
    for one, other in pairwise(names):
        graph.add_edge(one, other, key="related", weight=2.5, reasons=list(EVIL.values()))
        nowhere = {"field": "notes", "start": 50_000, "end": 50_002, "quote": "nowhere"}
        graph.add_edge(one, other, key="listen_first", evidence=[nowhere])
    return placed(graph)


@pytest.fixture(scope="module")
def hostile():
    return hostile_graph()


@pytest.mark.everywhere
def test_nothing_runs_and_everything_can_be_opened(open_page, hostile):
    page = open_page(hostile)
    links = set()
    for key in page.js("graph.nodes.map(({ key }) => key)"):
        page.js("(document.querySelector('#details').replaceChildren(), history.replaceState(null, '', '#'), 0)")
        page.page.evaluate("(key) => { location.hash = '#n=' + encodeURIComponent(key); }", key)
        page.page.wait_for_function("(key) => main_module.page.state().node === key", arg=key)
        page.settled()
        assert page.page.locator("#details h2").count() == 1
        pairs = "links => links.map((link) => [link.getAttribute('href'), link.rel])"
        links |= {tuple(pair) for pair in page.page.eval_on_selector_all("a[href]", pairs)}
    assert {href.split(":")[0].split("#")[0] for href, _ in links} <= {"", "https", "http"}
    assert all("noopener" in rel and "noreferrer" in rel for href, rel in links if not href.startswith("#"))
    page.page.evaluate("document.querySelector('#text').open = true")
    page.page.mouse.move(700, 450)
    page.page.click("#tools button >> text=About")
    assert page.page.evaluate("window.hacked") is None


def test_the_text_is_shown_as_text(open_page, hostile):
    page = open_page(hostile)
    for name, text in EVIL.items():
        page.page.fill("#search input", f"{name}:")
        page.page.press("#search input", "Enter")
        visible = page.page.text_content("#details h2")
        assert visible.startswith(f"{name}: ")
        pictures = {c: chr(0x2400 + ord(c)) for c in "\x00\x07\x1b"} | {"\ud800": "\ufffd"}
        clean = "".join(pictures.get(c, c) for c in text)
        assert visible == f"{name}: {clean}"
        assert clean in page.page.text_content("#details .notes")


@pytest.mark.everywhere
def test_the_policy_forbids_what_is_not_ours(open_page, sample_html):
    page = open_page(sample_html, fresh=True)
    policy = page.page.get_attribute("meta[http-equiv='Content-Security-Policy']", "content")
    for rule in ("default-src 'none'", "base-uri 'none'", "form-action 'none'", "img-src data: blob:"):
        assert rule in policy.split("; "), policy
    page.page.evaluate(
        """() => { const script = document.createElement("script"); script.textContent = "window.hacked = 1";
                   document.body.append(script); }"""
    )
    assert page.page.evaluate("window.hacked") is None
    assert [complaint for complaint in page.complaints if "script-src" in complaint]
    page.complaints.clear()


@pytest.mark.everywhere
def test_a_hostile_address_does_nothing(open_page, sample_html):
    page = open_page(sample_html, "n=<script>alert(1)</script>", fresh=True)
    for state in read_rows(__file__, "STATES"):
        page.to(state)
        assert page.page.evaluate("window.hacked") is None
        assert page.state()["detail"] == ""
        assert page.state()["view"] in ("episodes", "everything")
