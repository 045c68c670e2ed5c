"""The panel: what is known of a node, and where it was said."""

import re

import networkx
import pytest

from tests.browser.conftest import placed
from tests.tables import read_rows

TALK = "https://podcast.example/audio/talk.mp3"


def proof(**more):
    return {"field": "notes", "start": 0, "end": 4, "quote": "What", "extractor": "any", "confidence": 1.0, **more}


@pytest.fixture(scope="module")
def two_podcasts():
    """Two podcasts whose episodes share a page, point to each other, and to moments of recordings."""
    graph = networkx.MultiDiGraph()
    for name in ("one", "two"):
        graph.add_node(f"podcast:{name}", kind="podcast", label=f"Podcast {name}")
        for number in range(3):
            episode = f"episode:{name}/{number}"
            graph.add_node(
                episode, kind="episode", label=f"{name} {number}", podcast=f"podcast:{name}", summary="What was said.",
                date=f"2024-0{number + 1}-01", duration=780, number=number, url=f"https://podcast.example/{name}/{number}",
            )  # fmt: skip
            graph.add_edge(episode, f"podcast:{name}", key="part_of")
            graph.add_edge(episode, "web:example.org/", key="cites", evidence=[proof(method="url")])
    graph.add_node("web:example.org/", kind="web", label="example.org", url="https://example.org/")
    graph.add_node("video:youtube/1", kind="video", label="A video", url="https://www.youtube.com/watch?v=1")
    graph.nodes["web:example.org/"].update(status="gone")
    graph.nodes["episode:one/0"]["audio_url"] = TALK
    graph.add_edge("episode:one/1", "episode:one/0", key="see_also", evidence=[proof(method="crosslink", time="75")])
    graph.add_edge("episode:one/0", "video:youtube/1", key="cites", evidence=[proof(method="url", time="3600")])
    graph.add_edge(
        "episode:one/0",
        "topic:said",
        key="about",
        evidence=[proof(method="transcript", time=12, moments=[12, 75, 130])],
    )
    graph.add_node("topic:said", kind="topic", label="What is said")
    graph.add_edge("episode:two/2", "episode:two/1", key="listen_first", evidence=[proof(method="crosslink")])
    graph.add_edge("episode:two/1", "episode:two/0", key="listen_first", evidence=[proof(method="crosslink")])
    return placed(graph)


def test_listen_leads_to_the_recording_and_to_the_moment(open_page, two_podcasts):
    page = open_page(two_podcasts, "n=episode:one/0")
    assert page.page.get_attribute("#details header a >> text=Listen", "href") == TALK
    page.to("n=episode:one/1")
    assert page.page.get_attribute("#details a >> text=listen from 1:15", "href") == f"{TALK}#t=75"
    page.to("n=topic:said")
    assert page.page.get_attribute("#details a >> text=listen from 0:12", "href") == f"{TALK}#t=12"
    moments = page.page.locator("#details a.moment")
    assert [one.get_attribute("href") for one in moments.all()] == [f"{TALK}#t=75", f"{TALK}#t=130"]
    assert moments.first.get_attribute("data-from") == "75"
    page.to("n=video:youtube/1")  # the moment is one of the video, not of the episode that cites it
    assert "from 1:00:00" in page.text("#details blockquote")
    assert page.page.locator("#details a[href*='#t=']").count() == 0


def test_an_episode_says_its_podcast_what_to_hear_before_it_and_copies_its_link(open_page, two_podcasts):
    page = open_page(two_podcasts, "n=episode:two/1")
    assert page.text("#details header .facts") == "Podcast two · No. 1 · 2024-02-01 · 13 min"
    page.to("n=web:example.org/")
    assert page.page.locator("#details section", has_text="Cited by episodes").locator("a.node").count() == 6
    page.to("")
    podcasts = page.page.locator("#filters fieldset", has_text="Only these podcasts")
    podcasts.locator("label", has_text="Podcast two").click()
    shown = page.shown()
    assert {node for node in shown if node.startswith("episode:")} == {f"episode:two/{number}" for number in range(3)}
    assert "web:example.org/" in shown
    assert page.url().endswith("#podcasts=podcast:two&view=everything")
    page = open_page(two_podcasts, "n=episode:two/2", fresh=True)
    first = page.page.locator("#details section", has_text="Listen first, in this order")
    assert first.locator("li a.node").all_inner_texts() == ["two 0", "two 1"]
    assert first.locator("li").first.inner_text().endswith("listen to it before two 1")
    page.page.click("#details .more > summary")
    page.page.click("#details button >> text=Copy link")
    copied = page.page.locator("#details .actions").locator("input[readonly], button:text-is('Copied')")
    copied.wait_for()
    if copied.get_attribute("readonly") is not None:  # the browser keeps its clipboard from this page
        assert copied.input_value() == page.url()


JOINTS = read_rows(__file__, "JOINTS")


def test_paths_and_addresses_break_at_their_joints(open_page):
    graph = networkx.MultiDiGraph()
    for number, marked in enumerate(JOINTS):
        text = marked.replace("|", "")
        graph.add_node(f"episode:p/{number}", kind="episode", label=text, summary=text)
    page = open_page(placed(graph))
    for number, marked in enumerate(JOINTS):
        page.to(f"n=episode:p/{number}")
        assert page.page.inner_html("#details .notes") == marked.replace("|", "<wbr>")
        assert page.page.inner_html("#details h2") == marked.replace("|", "<wbr>")
        assert page.text("#details h2") == marked.replace("|", "")


def test_what_is_related_stands_once_the_strongest_first(open_page):
    """Own proposals come with those of others; a post says its date and is not called an episode."""
    graph = networkx.MultiDiGraph()
    for name in "abcdef":
        graph.add_node(f"episode:p/{name}", kind="episode", label=name, date="2024-02-03")
    graph.add_node("blog:b/post", kind="blog", label="post", date="2023-04-05")
    graph.add_edge("blog:b/post", "web:x", key="cites")
    ties = [("ab", 3), ("ba", 9), ("ac", 5), ("ca", 5), ("da", 4), ("ea", 1), ("fa", 2)]
    for (one, other), weight in ties:
        graph.add_edge(f"episode:p/{one}", f"episode:p/{other}", key="related", weight=weight, reasons=["why"])
    graph.add_edge("blog:b/post", "episode:p/a", key="related", weight=6, reasons=["both"])
    graph.add_node("web:x", kind="web", label="x")
    page = open_page(placed(graph), "n=episode:p/a")
    related = page.page.locator("#details section", has_text="Related")
    assert related.locator("h3").inner_text() == "Related episodes and posts 6"
    assert related.locator(".row").all_inner_texts() == [
        "post\n2023-04-05", "c\n2024-02-03", "d\n2024-02-03", "b\n2024-02-03", "f\n2024-02-03",
        "e\n2024-02-03",
    ]  # fmt: skip
    page.to("n=episode:p/c")
    assert page.page.locator("#details section h3").all_inner_texts() == ["Related episodes 1"]


def test_a_topic_has_a_route_that_can_be_drawn_and_shared(open_page, sample_html):
    page = open_page(sample_html, "")
    page.page.fill("#search input", "a way into autograd")
    assert "Autograd" in page.page.locator("#search [role=option]").first.inner_text()
    page.page.press("#search input", "Enter")
    page.page.wait_for_selector("#details .route")
    assert "route=autograd" in page.url()
    route = page.page.locator("#details .route")
    assert route.locator("h3").inner_text() == "A way into Autograd"
    steps = route.locator("li a.node").all_inner_texts()
    assert steps[0] == "Why is autograd so complicated"
    assert 3 <= len(steps) <= 7
    assert page.js("map.scene.lit.route.map((node) => graph.nodes[node].name)") == steps
    route.get_by_role("button", name="Show on the map").click()
    assert "#n=topic:autograd" in page.url()
    assert page.js("map.scene.lit.route") is None
    route.get_by_role("button", name="+ My list").click()
    assert "My list" in page.page.locator("#tools").inner_text()


@pytest.mark.parametrize(("question", "first", "hint"), read_rows(__file__, "SEARCHES"))
def test_the_search_field_answers_questions(open_page, sample_html, question, first, hint):
    page = open_page(sample_html, "")
    page.page.locator("#search input").fill(question)
    option = page.page.locator("#search [role=option]").first
    assert first in option.inner_text()
    assert hint in option.inner_text()


def test_a_comparison_has_common_and_own_columns(open_page, sample_html):
    page = open_page(sample_html, "")
    field = page.page.locator("#search input")
    field.fill("vmap and Batching")
    field.press("Enter")
    page.page.wait_for_selector("#details .sides")
    details = page.page.locator("#details")
    assert "to=episode:pytorch-developer-podcast/batching" in page.url()
    assert details.locator("h4").all_inner_texts()[0] == "In common 2"
    assert details.locator(".sides h4").all_inner_texts()[0].startswith("Only vmap")
    assert "First: vmap · “Batching” refers to it" in " ".join(details.inner_text().split())
    assert "pytorch/pytorch#42368" in details.locator(".sides > div").first.inner_text()
    assert details.locator(".sides a[href$=batching]", has_text="Batching").count() == 1  # the topic, not the episode


def test_a_long_text_points_to_the_command(open_page, sample_html):
    page = open_page(sample_html, "q=" + "File%20torch/_dynamo/guards.py%20" * 4)
    assert "podgraph explain -" in page.text("#details header")
    assert "podgraph explain" not in page.to("q=vmap").text("#details")
    page.to("q=zxqvbnwq")
    assert "who cites X" in page.text("#details header")
    page.page.click("#details >> text=Clear the search")
    assert page.state()["query"] == ""


@pytest.mark.parametrize(("node", "commands"), read_rows(__file__, "MISTAKES"))
def test_a_mistake_has_the_commands_that_correct_it(open_page, two_podcasts, node, commands):
    graph = two_podcasts.copy()
    graph.add_node("person:o", kind="person", label="Ann O'Neil")
    graph.add_node("web:mill.example/", kind="web", label="What is said", url="https://mill.example/")
    graph.add_edge("episode:one/0", "web:mill.example/", key="cites", boilerplate=True, evidence=[proof(method="url")])
    graph.add_edge("episode:one/0", "person:o", key="mentions", evidence=[proof(method="cue")])
    graph.add_edge("episode:one/0", "episode:one/2", key="related", weight=1.0, reasons=["a topic"])
    page = open_page(placed(graph), f"n={node}")
    shown = page.page.locator("#details .wrong code")
    assert shown.all_text_contents() == [f"podgraph correct {command}" for command in commands]
    if commands:
        assert not shown.first.is_visible()
        page.page.locator("#details summary", has_text="Wrong?").click()
        assert shown.first.is_visible()


def test_an_episode_names_its_routes_with_the_steps_beside_it(open_page, sample_html):
    page = open_page(sample_html, "n=episode:pytorch-developer-podcast/aotautograd")
    folded = page.page.locator(
        "#details details", has=page.page.locator("summary", has_text="Related by similar words")
    )
    assert folded.get_attribute("open") is None
    assert folded.locator("a.node").count() >= 1
    assert page.page.locator("#details section", has_text="Related episodes").first.locator("a.node").count() >= 1
    box = page.page.locator("#details details.section", has=page.page.locator("summary", has_text="On routes"))
    box.locator("summary").click()
    row = box.locator("li", has=page.page.locator("> a.node", has_text=re.compile("^AOTAutograd$"))).first
    assert "before: PyTorch 2.0 then: Min-cut partitioner" in " ".join(row.inner_text().split())
