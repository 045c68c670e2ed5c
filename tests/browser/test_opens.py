"""The page opens: from its file, offline, at once, and the three jobs are three actions each."""

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


def test_the_picture_does_not_move_by_itself(open_page, synthetic_html):
    page = open_page(synthetic_html, fresh=True).settled()
    before = page.js("JSON.stringify([map.view(), map.scene.places])")
    assert page.page.evaluate("probes.countPaintings()") == 0
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
def test_about_says_what_was_read(open_page, synthetic_html):
    page = open_page(synthetic_html)
    page.page.click("#tools button >> text=About")
    facts = dict(
        zip(
            page.page.locator("#about dt").all_inner_texts(),
            page.page.locator("#about dd").all_inner_texts(),
            strict=True,
        )
    )
    assert facts["Read from"] == "synthetic"
    assert facts["Nodes"] == "398"
