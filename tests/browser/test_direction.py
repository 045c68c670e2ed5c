"""Shows in Hebrew and in Arabic: whatever is theirs on the page reads from right to left, on the map too."""

from html import escape

import pytest

import podgraph
from podgraph.output.formats import write_graph
from podgraph.output.page.page import to_html
from tests.tables import read_rows

# Made-up words: of titles, categories, and sentences.
SPEECH = {
    "he": ("לחם", "שאור", "קמח", "תנור", "מלח", "בצק", "חיטה", "שמרים", "אנחנו מדברים על", "הלחם הטוב"),
    "ar": ("خبز", "خميرة", "دقيق", "فرن", "ملح", "عجين", "قمح", "طحين", "نتحدث اليوم عن", "الخبز الجيد"),
}


def feed(language):
    """Return a feed of twelve episodes with categories, notes, links and a guest, all in a language."""
    *words, about, good = SPEECH[language]
    items = []
    for i in range(12):
        one, two, three = words[i % 8], words[(i * 3 + 1) % 8], words[(i // 3) % 8]
        notes = f"<p>{about} {one}, {two}! {about} <a href='https://bread.example/{i % 3}'>{good} {i % 3}</a>.</p>"
        categories = "".join(f"<category>{word}</category>" for word in (one, three))
        items.append(
            f"<item><title>{one} {two}: {good}!</title><guid>{i}</guid><pubDate>{i + 1} May 20{i + 10} 10:00:00 GMT</pubDate>"
            f"<link>https://show.example/{i}</link><description>{escape(notes)}</description>{categories}"
            f"<enclosure url='https://show.example/{i}.mp3' type='audio/mpeg' length='1'/></item>"
        )
    return (
        f"<rss version='2.0'><channel><title>{good}</title><language>{language}</language>"
        f"<description>{about} {good}.</description>{''.join(items)}</channel></rss>"
    )


@pytest.fixture(scope="module", params=SPEECH)
def show(request, tmp_path_factory):
    """A show's page, and one of its words."""
    path = tmp_path_factory.mktemp("show") / "feed.xml"
    path.write_text(feed(request.param), "utf-8")
    graph = podgraph.build(str(path))
    return graph.networkx(), SPEECH[request.param]


@pytest.fixture(scope="module")
def html(show):
    return to_html(show[0])


def nodes(graph, kind):
    return [node for node, attributes in graph.nodes(data=True) if attributes["kind"] == kind]


def test_texts_read_from_right_to_left_in_every_state(open_page, show, html, tmp_path):
    graph, words = show
    episodes, topics = nodes(graph, "episode"), nodes(graph, "topic")
    assert len(topics) >= 4
    page = open_page(html, "view=episodes")
    look = page.page.evaluate
    wrong = {"start": look("probes.wrongDirections()")}
    look("for (const one of document.querySelectorAll('details')) one.setAttribute('open', '')")
    wrong["all unfolded"] = look("probes.wrongDirections()")
    shown = {"episodes": episodes, "topic": topics[0], "podcast": nodes(graph, "podcast")[0], "word": words[0]}
    for name, state in read_rows(__file__, "STATES"):
        page.to(state.format(**shown))
        look("for (const one of document.querySelectorAll('details')) one.setAttribute('open', '')")
        wrong[name] = look("probes.wrongDirections()")
    page.to("view=episodes")
    field = page.page.locator("#search [role=combobox]")
    field.fill(words[0])
    assert field.evaluate("(one) => getComputedStyle(one).direction") == "rtl"
    page.page.locator("[role=option]").first.wait_for()
    assert page.page.locator("[role=option]").count() > 1
    wrong["search"] = look("probes.wrongDirections()")
    field.fill(f"{words[1]}{words[2]}{words[3]}")
    wrong["nothing found"] = look("probes.wrongDirections()")
    page.page.get_by_role("button", name=look("strings_module.phrase('about')")).click()
    wrong["about"] = look("probes.wrongDirections()")
    assert {name: texts for name, texts in wrong.items() if texts} == {}
    write_graph(graph, tmp_path / "map.svg")
    assert 'direction="rtl"' in (tmp_path / "map.svg").read_text("utf-8")


@pytest.mark.parametrize("view", ["episodes", "everything", "timeline"])
def test_names_on_the_map_are_drawn_from_right_to_left(open_page, html, view):
    page = open_page(html, f"view={view}", fresh=True).page
    drawn = page.evaluate("probes.drawnTexts()")
    read = [page.evaluate("(text) => probes.isRightToLeft(text)", text) for text, *_ in drawn]
    assert any(read)
    assert [one for one, right in zip(drawn, read, strict=True) if one[1:] != ["rtl" if right else "ltr", "left"]] == []
