"""Work in the browser grows with what the page holds: V8 counts each run of each block of the script, in one run a size.

Counted and not timed, so that no load of the machine matters. A graph of 1, 2 and 4 times the size: the second step is
twice as long as the first, and so is the work of it; work that grows like the square of the size makes it four times.
"""

import networkx
import pytest

from podgraph.output.page.page import to_html
from tests.browser.conftest import READY

MOST = 2.7  # times the work of the first step; 2 is in proportion, 4 the square
WHOLE = 3.8  # times the work of a page of a quarter of the size; 4 is in proportion, and 16 the square
ROW = 40  # nodes


def graph_of(episodes, links):
    """Return episodes that cite ``links`` things each, tied in a chain, everything placed."""
    graph = networkx.MultiDiGraph(schema=1, generator="podgraph 0", sources=[])
    graph.add_node("podcast:p", kind="podcast", label="P", x=-100.0, y=-100.0)
    for i in range(episodes):
        node, place = f"episode:p/{i}", (60.0 * (i % ROW), 60.0 * (i // ROW))
        text, spans = "", []
        for link in range(links):
            url = f"https://a.example/{i}/{link}"
            spans.append((url, len(text), len(text) + len(url)))
            text += f"{url} \U0001f399\n"
        graph.add_node(
            node, kind="episode", label=f"Episode {i}", summary=text, date=f"20{10 + i % 15}-01-01", podcast="podcast:p",
            x=place[0], y=place[1], x_wide=place[0], y_wide=place[1], x_tall=place[0], y_tall=place[1],
            community=f"Area {i % 7}", number=i,
        )  # fmt: skip
        graph.add_edge(node, "podcast:p", key="part_of")
        if i:
            graph.add_edge(node, f"episode:p/{i - 1}", key="related", weight=0.5, reasons=["both are"])
        for link, (url, start, end) in enumerate(spans):
            other = f"web:a.example/{i}/{link}"
            graph.add_node(other, kind="web", label=other, url=url, x=place[0] + link / links, y=place[1] + 9.0)
            proof = {"field": "notes", "start": start, "end": end, "quote": url, "method": "url", "confidence": 1.0}
            graph.add_edge(node, other, key="cites", evidence=[proof])
    return graph


# What is made so many times bigger, and the state it is opened in.
CASES = {
    "links of notes with emoji": (lambda times: graph_of(1, 400 * times), "view=everything&n=episode:p/0"),
    "episodes of the start": (lambda times: graph_of(200 * times, 1), "view=episodes"),
    "nodes of the whole map": (lambda times: graph_of(50 * times, 5), "view=everything"),
    "episodes of the timeline": (lambda times: graph_of(200 * times, 1), "view=timeline"),
    "hits of a search": (lambda times: graph_of(50 * times, 5), "view=everything&q=episode"),
}


def work(chromium, html, state, folder):
    """Return how often any block of any script of the page was run, from its opening until it was panned."""
    path = folder / "page.html"
    path.write_text(html, "utf-8")
    with chromium.new_context(
        offline=True, viewport={"width": 1400, "height": 900}, reduced_motion="reduce"
    ) as context:
        page = context.new_page()
        page.set_default_timeout(60_000)
        session = context.new_cdp_session(page)
        session.send("Profiler.enable")
        session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
        page.goto(f"{path.as_uri()}#{state}")
        page.wait_for_function(READY)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.evaluate(
            "const { network } = main_module.page.map(); network.moveTo({ position: { x: 30, y: 20 } }); network.redraw()"
        )
        found = session.send("Profiler.takePreciseCoverage")["result"]
    return sum(block["count"] for script in found for function in script["functions"] for block in function["ranges"])


@pytest.mark.parametrize("name", CASES)
def test_work_grows_with_the_page(chromium, tmp_path, name):
    make, state = CASES[name]
    one, two, four = (work(chromium, to_html(make(times)), state, tmp_path) for times in (1, 2, 4))
    assert one > 10_000
    # In steps; or as a whole, where one page in between was cheap because a name found its place at once.
    assert (four - two) / (two - one) < MOST or four / one < WHOLE, (one, two, four)
