"""The page opens: from its file, offline, at once, and the three jobs are three actions each."""

import networkx
import pytest

EPISODE = "episode:pytorch-developer-podcast/compiler-collectives"
PULL = "github:pytorch/pytorch#130935"


@pytest.mark.everywhere
def test_what_nothing_matches_is_said_where_the_hits_would_be(open_page, sample_html):
    page = open_page(sample_html)
    page.page.fill("#search input", "999999")
    assert page.text("#search .nothing") == "Nothing matches 999999"
    assert page.page.get_attribute("#search input", "aria-expanded") == "false"
    page.page.press("#search input", "Enter")
    assert page.state()["node"] == ""
    page.page.fill("#search input", "130935")
    assert not page.page.is_visible("#search .nothing")


def test_a_related_episode_is_listed_with_its_reasons(open_page, synthetic, synthetic_html):
    source, target, reasons = next(
        (u, v, data["reasons"]) for u, v, key, data in synthetic.edges(keys=True, data=True) if key == "related"
    )
    page = open_page(synthetic_html, f"n={source}")
    related = page.page.locator("#details section", has_text="Related episodes").inner_text()
    assert synthetic.nodes[target]["title"] in related
    assert all(reason in related for reason in reasons)
    assert {source, target} <= page.lit() < page.shown()


def test_the_picture_does_not_move_by_itself(open_page, synthetic_html):
    page = open_page(synthetic_html, fresh=True).settled()
    before = page.js("JSON.stringify([map.view(), map.scene.places])")
    redraws = page.page.evaluate(
        """() => new Promise((done) => {
          let count = 0;
          const { clearRect } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.clearRect = function (...box) { count++; clearRect.apply(this, box); };
          let frames = 0;
          const wait = () => (++frames < 40 ? requestAnimationFrame(wait) : done(count));
          wait();
        })"""
    )
    assert redraws == 0
    assert page.js("JSON.stringify([map.view(), map.scene.places])") == before


@pytest.mark.everywhere
def test_back_and_forward(open_page, sample_html):
    page = open_page(sample_html, f"n={PULL}", fresh=True)
    assert page.lit() >= {PULL, EPISODE}
    page.page.click("#details a[data-node] >> text=Compiler collectives")
    assert page.text("#details h2") == "Compiler collectives"
    page.page.go_back()
    assert page.text("#details h2") == "pytorch/pytorch#130935"
    page.page.go_forward()
    assert page.text("#details h2") == "Compiler collectives"
    page.page.click("#details button >> text=Back")
    page.page.wait_for_function("() => document.querySelector('#details h2').textContent.includes('130935')")
    page.page.click("#filters summary >> text=Reading")
    box = page.page.locator("#filters label.check", has_text="Docs pages").locator("input")
    everything = page.shown()
    box.uncheck()
    fewer = page.shown()
    assert fewer < everything
    page.page.go_back()
    assert page.shown() == everything
    assert box.is_checked()
    page.page.go_forward()
    assert page.shown() == fewer


@pytest.mark.everywhere
def test_a_deep_link_sets_node_and_filters_at_once(open_page, synthetic_html):
    page = open_page(synthetic_html, "n=topic:tensor-1&off=pull&years=2021,2022&related=0", fresh=True)
    assert page.text("#details h2") == "tensor 1"
    checked = page.page.eval_on_selector_all(
        "#filters label.check",
        "labels => labels.map((label) => [label.innerText.split('\\n')[0], label.querySelector('input')?.checked])",
    )
    states = dict(checked)
    assert (states["Pull requests"], states["2021"], states["2022"], states["2023"]) == (False, True, True, False)
    assert states["related to"] is False


@pytest.mark.everywhere
def test_about_says_what_was_read_and_what_was_not(open_page, synthetic, synthetic_html):
    page = open_page(synthetic_html)
    page.page.click("#tools button >> text=About")
    facts = dict(
        zip(
            page.page.locator("#about dt").all_inner_texts(),
            page.page.locator("#about dd").all_inner_texts(),
            strict=True,
        )
    )
    cites = [data for *_, key, data in synthetic.edges(keys=True, data=True) if key == "cites"]
    web = sum(kind == "web" for _, kind in synthetic.nodes(data="kind"))
    assert facts["Read from"] == "synthetic (83 episodes)"
    assert facts["Nodes"].startswith("398: ")
    assert facts["Links found in the texts"] == str(len(cites))
    assert facts["Links cut short by the feed, not guessed"] == "0"
    assert facts["Links of no known kind, moved or gone"] == str(web)
    page.page.click("#about summary")
    listed = page.page.locator("#about li a.node")
    assert listed.count() == web > 0
    listed.first.click()
    assert synthetic.nodes[page.state()["node"]]["kind"] == "web"
    assert not page.page.is_visible("#about")


def test_posts_that_were_read_are_told_from_those_only_cited(open_page):
    feed = {"source": "sample", "kind": "feed", "title": "A podcast", "url": "https://podcast.example/", "episodes": 1}
    blog = {"source": "https://blog.example/index.xml", "kind": "blog", "title": "A blog", "episodes": 16}
    graph = networkx.MultiDiGraph(sources=[feed, blog])
    assert open_page(graph).text("#status") == "0 of 0 nodes shown"
    for name in ("read", "cited", "cited too"):
        graph.add_node(f"blog:b/{name}", kind="blog", label=name)
    graph.add_edge("blog:b/read", "blog:b/cited", key="cites")
    graph.add_edge("blog:b/read", "blog:b/cited too", key="cites")
    page = open_page(graph)
    assert page.page.get_attribute("#filters .name >> text=Blog posts", "title") == "3 blog posts: 1 read, 2 only cited"
    assert "3 blog posts: 1 read, 2 only cited." in page.text("#details")
    page.page.click("#tools button >> text=About")
    facts = page.page.locator("#about dd")
    assert facts.all_inner_texts()[:2] == ["A podcast (sample, 1 episode)", "A blog (16 posts)"]
    assert facts.nth(0).locator("a").get_attribute("href") == "https://podcast.example/"
    assert facts.nth(1).locator("a").get_attribute("href") == "https://blog.example/index.xml"
