"""Pages of made shows on society (German), and sport: none of their texts is about code."""

import re

import pytest

from podgraph.extractors import parse_feed
from podgraph.output.pipeline import graph_of

ITEM = """<item><title>{title}</title><guid>{n}</guid><link>https://{site}/{n}</link><pubDate>0{n} Mar 2023 06:00:00 +0000
</pubDate><enclosure url="https://{site}/{n}.mp3" type="audio/mpeg"/><description><![CDATA[<p>{notes}</p>{tail}]]>
</description></item>"""
SHOWS = {
    "society": ("de", "Das Gemeinwesen", '<p>Unterstützt uns bei <a href="https://patreon.com/wesen">Patreon</a>.</p>', {
        "Die Mieten": 'Über den Mietendeckel in Berlin, zu Gast ist Anna Petrov. <a href="https://doi.org/10.1016/j.jue.2020.1">Studie</a>',
        "Der Mietendeckel": 'Wieder zum Mietendeckel, wie in der Folge Die Mieten. <a href="https://de.wikipedia.org/wiki/Miete">Miete</a>',
        "Die Wahl": 'Über die Wahlpflicht. <a href="https://de.wikipedia.org/wiki/Wahlpflicht">Wahlpflicht</a>',
    }),
    "sport": ("en", "Offside", '<p>Follow us on <a href="https://instagram.com/offsidepod">Instagram</a>.</p>', {
        "The final": 'Argentina and the World Cup, with guest Jonathan Wills. <a href="https://fifa.example/final">Report</a>',
        "Penalties": 'The psychology of penalties and the World Cup. <a href="https://doi.org/10.1080/026404106">A paper</a>',
        "The Tour": 'Cycling: the Tourmalet. <a href="https://en.wikipedia.org/wiki/Tour_de_France">Tour</a>',
    }),
}  # fmt: skip
CODE = re.compile(
    r"\b(PRs?|(pull )?requests?|merged|commits?|git\w*|repositor\w+|(source )?codes?|symbols?|functions?|files?|folders?|"
    r"issues?|docs|packages?|PyTorch|Dateie?n?|Ordner|Quelltext|Pakete?)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("name", SHOWS)
def test_no_text_of_the_page_is_about_code(open_page, name):
    language, title, tail, episodes = SHOWS[name]
    items = "".join(
        ITEM.format(title=episode, n=n, site=f"{name}.example", notes=notes, tail=tail)
        for n, (episode, notes) in enumerate(episodes.items(), 1)
    )
    feed = f'<rss version="2.0"><channel><title>{title}</title><language>{language}</language>{items}</channel></rss>'
    graph = graph_of([parse_feed(feed.encode(), source=name)])
    first = {kind: node for node, kind in reversed(list(graph.nodes(data="kind")))}
    assert {"episode", "topic", "person", "web"} <= first.keys()
    page = open_page(graph)
    for state in ("", "view=episodes", "view=timeline", *(f"n={node}" for node in first.values())):
        page.to(state)
        found = [text for text in page.page.evaluate("probes.allTexts()") if CODE.search(text)]
        assert found == [], state
