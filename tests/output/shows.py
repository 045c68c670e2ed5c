"""Shows that name each other, and what a build of them gives, however its work is shared."""

from podgraph.output import pipeline
from podgraph.output.formats.node_link import to_json

COUNT, EACH = 20, 3  # shows, items of each
ITEM = (
    "<item><title>{n}: On the weft with Ann Example{show}</title><guid>{show}-{n}</guid>"
    "<link>https://show{show}.example/{n}</link><pubDate>0{n} Nov 2021 06:00:00 +0000</pubDate><description><![CDATA["
    "<p>The weft again, after <a href='https://show{other}.example/1'>that show</a>: https://docs.example/sh... and "
    "https://docs.example/shed{n}… The whole: https://docs.example/shed{other}. Last time we talked of it. The guest "
    "wrote <a href='https://github.com/weavers/loom/pull/{n}'>a change{n}</a>, PRs from annex{other}, and commits "
    "https://github.com/weavers/loom/commit/0123456789{n}abcdef0123456789{n}abcdef0123 and "
    "https://github.com/weavers/loom/commit/0123456789{n}a; see torch.vmap and "
    "<a href='https://github.com/annex{show}'>Ann Example{show}</a>.</p><p>Subscribe, and rate us.</p>"
    "]]></description></item>"
)


def write_shows(folder):
    """Write their feeds into a folder, one of them twice, and one feed without items; return the folder's name."""
    for show in range(COUNT):
        items = "".join(ITEM.format(n=n, show=show, other=(show + 7) % COUNT) for n in range(1, EACH + 1))
        text = f'<rss version="2.0"><channel><title>Show {show}</title>{items}</channel></rss>'
        (folder / f"{show:02}.xml").write_text(text, "utf-8")
    (folder / f"{COUNT}.xml").write_bytes((folder / "07.xml").read_bytes())
    (folder / "none.xml").write_text("<rss version='2.0'><channel><title>Empty</title></channel></rss>")
    return str(folder)


def built(sources, **how):
    """Return the graph of a build, and as text: the graph, what failed, what was told."""
    told = []
    found = pipeline.build(sources, mapped=False, notify=told.append, **how)
    return found, (to_json(found.graph), [str(failure) for failure in found.failures], told)
