"""The start of the page: keys pressed before there is a script count.

``GATES`` holds the page's data and script back until the test opens their gates: so nothing depends on how fast
anything is.
"""

import json

import pytest

PULL = "github:pytorch/pytorch#130935"
GATES = """
window.gates = [];
const text = Response.prototype.text;
Response.prototype.text = async function () {
  await new Promise((open) => gates.push(open));
  return text.call(this);
};
"""
HITS = "#search [role=option] .name"


@pytest.fixture
def held(chromium, tmp_path, sample_html):
    """Return the snapshot's page before any of its scripts, and a function that lets the next one run."""
    path = tmp_path / "page.html"
    path.write_text(sample_html, "utf-8", newline="\n")
    with chromium.new_context(viewport={"width": 1400, "height": 900}, offline=True) as context:
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.add_init_script(GATES)
        page.goto(path.as_uri())

        def go(number):
            page.wait_for_function("(number) => gates[number]", arg=number)
            page.evaluate("(number) => gates[number]()", number)

        yield page, go


def test_what_is_typed_before_any_script_is_there_counts(held):
    page, go = held
    page.focus("#search input")
    page.keyboard.type("130935")
    assert page.locator(HITS).count() == 0
    for number in range(4):
        go(number)
    page.wait_for_function("() => window.podgraph?.ready")
    page.locator(HITS).first.wait_for()
    assert page.input_value("#search input") == "130935"
    page.wait_for_function("() => location.hash === '#q=130935'")
    page.keyboard.press("Enter")
    assert page.evaluate("main_module.page.state().node") == PULL


def test_without_scripts_the_text_version_stands_open_and_nothing_blank_before_it(open_page, sample_html):
    page = open_page(sample_html, ready=False, java_script_enabled=False).page
    assert page.get_attribute("#text", "open") is not None
    assert page.locator("noscript .notice").is_visible()
    for part in ("main", "#stage", "#search input", "#tools"):
        assert not page.locator(part).is_visible(), part
    assert page.locator("#text summary").bounding_box()["y"] < 450
    assert page.locator("#text li", has_text="Compiler collectives").first.is_visible()
    assert page.locator("#text a[href='https://github.com/pytorch/pytorch/pull/130935']").is_visible()


@pytest.mark.everywhere
def test_with_scripts_the_text_version_is_folded_and_comes_into_view_when_it_is_opened(open_page, sample_html):
    page = open_page(sample_html, fresh=True).page
    data = json.loads(page.locator("script[type='application/ld+json']").text_content())
    assert (data["@type"], len(data["hasPart"])) == ("PodcastSeries", 83)
    assert [part["@type"] for part in data["hasPart"] if part["name"] == "Compiler collectives"] == ["PodcastEpisode"]
    assert page.get_attribute("#text", "open") is None
    assert not page.locator("noscript .notice").is_visible()
    page.click("#text > summary")
    page.wait_for_function("() => Math.abs(document.querySelector('#text').getBoundingClientRect().top) < 2")


def test_a_browser_that_cannot_unpack_the_script_has_the_text_version(chromium, tmp_path, sample_html):
    path = tmp_path / "page.html"
    path.write_text(sample_html, "utf-8", newline="\n")
    with chromium.new_context(offline=True) as context:
        page = context.new_page()
        page.add_init_script("delete window.DecompressionStream")
        page.goto(path.as_uri())
        page.wait_for_function("() => document.querySelector('#text').open")
        assert "text version beneath" in page.inner_text("#status")
