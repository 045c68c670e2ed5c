"""Episodes that the reader has heard: kept in the browser, and left out on request."""

DISPATCHER = "n=topic:dispatcher&view=episodes"
FIRST = "episode:pytorch-developer-podcast/history-and-constraints-of-the-dispatcher"
SHOW = "podgraph podcast:pytorch-developer-podcast heard"


def mark(page, node=FIRST):
    """Open an episode and mark it as heard."""
    page.go(f"n={node}&view=episodes")
    page.page.click("#details .hear")
    return page


def route(page):
    return page.js(
        "[...document.querySelectorAll('.route a.node')].map(({ dataset }) => graph.nodes[dataset.node].key)"
    )


def test_a_mark_is_kept_for_the_show_and_taken_off(open_page, sample_html):
    page = open_page(sample_html, fresh=True)
    page.page.evaluate("(key) => localStorage.setItem(key, 'episode:pytorch-developer-podcast/of-a-longer-page')", SHOW)
    mark(page).page.reload()
    button = page.page.locator("#details .hear")
    assert button.get_attribute("aria-pressed") == "true"
    stored = page.page.evaluate("(key) => localStorage.getItem(key).split('\\n')", SHOW)
    assert stored == ["episode:pytorch-developer-podcast/of-a-longer-page", FIRST]
    button.click()
    assert page.page.evaluate("(key) => localStorage.getItem(key)", SHOW) == stored[0]
    assert page.page.evaluate("document.activeElement.className") == "hear"


def test_heard_episodes_are_marked_in_lists_and_left_out_on_request(open_page, sample_html):
    page = mark(open_page(sample_html, fresh=True))
    page.to(DISPATCHER)
    whole = route(page)
    assert whole[0] == FIRST
    assert "♪" in page.page.evaluate(
        "getComputedStyle(document.querySelector('.route a.node span'), '::after').content"
    )
    page.page.click("#filters >> text=Only unheard")
    assert "unheard=1" in page.url()
    assert route(page) == whole[1:]
    assert "1 heard, left out" in page.text(".route")
    assert page.page.locator(f"#details a[href*='{FIRST.split('/')[1]}']").count() == 0
    assert FIRST not in page.shown()
    page.page.click(".route button >> text=Show on the map")
    assert FIRST not in page.lit()
    page.page.click("#filters >> text=Reset filters")
    assert route(page) == whole
    mark(page, "episode:pytorch-developer-podcast/dispatcher-questions-with-sherlock")
    assert len(page.js("[...graph.heard]")) == 2


def test_an_episode_that_was_played_to_its_end_is_heard(open_page, synthetic_html):
    page = open_page(synthetic_html, "", fresh=True)
    page.js("main_module.page.graph.nodes.forEach((node) => (node.audio_url = 'https://example.org/a.mp3'))")
    page.to(f"n={page.js('graph.nodes.find(({ kind }) => kind === `episode`).key')}")
    page.page.evaluate("HTMLMediaElement.prototype.play = async () => {}; HTMLMediaElement.prototype.load = () => {}")
    page.page.click("#details [data-play]")
    page.page.evaluate("document.querySelector('audio').dispatchEvent(new Event('ended'))")
    assert page.page.get_attribute("#details .hear", "aria-pressed") == "true"
    page.complaints.clear()
    page.requests.clear()
