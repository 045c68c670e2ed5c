"""The whole program beside a slow, obvious one, on made feeds: each episode cites the same things, and `cites` says so."""

from html import escape

from hypothesis import example, given, settings
from hypothesis import strategies as st

from podgraph.extractors import parse_feed
from podgraph.graph import View, find_citations
from podgraph.output.pipeline import graph_of

# What notes cite, found the slow and obvious way: a letter at a time, without an expression, a library or our code.
# It knows less than podgraph (no links without a scheme, no numbers, no names), so what the tests give it has none.
ENDS = ' \t\r\n<>"“”«»「」、。|`\u3000'
CLOSING = {")": "(", "]": "[", "}": "{"}
TRAILING = ".,;:!?'’*"
BLOCKS = ("p", "br", "li", "ul", "div", "h2")
ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " "}


def unescaped(text: str) -> str:
    """Return text with its entities resolved, once."""
    found = ""
    while text:
        name = next((name for name in ENTITIES if text.startswith(name)), "")
        found += ENTITIES.get(name, text[0])
        text = text[len(name) or 1 :]
    return found


def urls_in(text: str) -> list[str]:
    """Return the addresses with a scheme in plain text, each as far as a reader would take it; cut ones not at all."""
    found = []
    place = 0
    while place < len(text):
        rest = text[place:]
        scheme = next((scheme for scheme in ("https://", "http://") if rest.lower().startswith(scheme)), "")
        if not scheme or (place and text[place - 1].isalnum()):
            place += 1
            continue
        end = place
        while end < len(text) and text[end] not in ENDS and text[end] != "…":
            end += 1
        url = text[place:end]
        cut = text[end : end + 1] == "…"
        place = max(end, place + 1)
        while url and (url[-1] in TRAILING or is_lone(url)):
            url = url[:-1]
        if not cut:
            found.append(url)
    return found


def is_lone(url: str) -> bool:
    """Tell whether an address ends with a bracket that it does not open."""
    opening = CLOSING.get(url[-1], "")
    return bool(opening) and url.count(url[-1]) > url.count(opening)


def urls_of_html(notes: str) -> list[str]:
    """Return the targets of hyperlinks, and the addresses in the text outside of them."""
    found, text, inside = [], "", False
    while notes:
        if notes[0] != "<":
            text += "" if inside else notes[0]
            notes = notes[1:]
            continue
        tag, _, notes = notes[1:].partition(">")
        name = tag.strip("/").partition(" ")[0].lower()
        if name == "a":
            inside = not tag.startswith("/")
            text += " "
            if inside:
                found.append(unescaped(tag.partition('href="')[2].partition('"')[0]))
        elif name in BLOCKS:
            text += "\n"
    return found + urls_in(unescaped(text))


def resolve(url: str) -> str:
    """Return the id of what an address leads to: GitHub's things, else a page of the web."""
    rest = url.partition("://")[2].partition("#")[0]
    rest, _, query = rest.partition("?")
    host, _, path = rest.partition("/")
    host = host.lower().removeprefix("www.")
    parts = [part for part in path.split("/") if part]
    if host == "github.com":
        home = f"github:{parts[0]}/{parts[1]}".lower()
        if len(parts) == 2:
            return home
        if parts[2] in ("pull", "issues"):
            return f"{home}#{parts[3]}"
        return f"{home}@{parts[3]}" if parts[2] == "commit" else f"{home}:{'/'.join(parts[4:])}"
    kept = sorted(pair for pair in query.split("&") if pair and not pair.startswith("utm_"))
    return f"web:{host}{''.join('/' + part for part in parts)}" + (f"?{'&'.join(kept)}" if kept else "")


WORDS = (
    "flour",
    "the mill",
    "of stone",
    "ground",
    "élan",
    "粉",
    "и мука",
    "he said",
    "see",
    "10:30",
    "- ",
    "*",
    "(",
    ") ",
)
HOMES = ("https://github.com/", "http://www.github.com/", "https://GitHub.com/")
REPOS = ("oven/bread", "Oven/Bread", "mill/stone-1")
PATHS = (
    "", "/", "/pull/12", "/pull/12/files", "/issues/12#issuecomment-5", "/issues/7/", "/commit/abcdef1234567890",
    "/blob/main/src/dough.py#L3-L9", "/tree/v1.2/src/mill", "/blob/master/src/dough.py", "/pull/12?diff=split",
)  # fmt: skip
PAGES = (
    "https://kiln.example.org/a/b", "http://www.kiln.example.org/a/b/?utm_source=feed", "https://Kiln.example.org/a/b#top",
    "https://kiln.example.org", "https://rye.example.com/loaf?id=7&b=2", "https://rye.example.com/loaf?b=2&id=7",
    "https://rye.example.com/Loaf_(bread)", "https://rye.example.com/a,b;c", "http://salt.example.net:8080/x.pdf",
    "https://salt.example.net/x_y-z~1",
)  # fmt: skip
urls = st.sampled_from(PAGES) | st.builds(
    lambda *parts: "".join(parts), st.sampled_from(HOMES), st.sampled_from(REPOS), st.sampled_from(PATHS)
)
# What may stand on both sides of an address in a text.
AROUND = (
    (" ", " "), (" (", ") "), (" [", "], "), (" <", "> "), (' "', '" '), (" “", "” "), (" ", ". "), (" ", ", "), (" ", "! "),
    ("\n", "\n"), ("：", "。"), ("「", "」"), (" *", "* "), (" ", ": "), (" ", "?) "), (" ((", ")), "),
)  # fmt: skip
# A cut address is none, and nobody else has it whole.
words = st.sampled_from((*WORDS, "https://cut.example.org/gone/some…"))
texts = st.lists(
    words | st.builds(lambda url, around: url.join(around), urls, st.sampled_from(AROUND)), min_size=1, max_size=6
).map(" ".join)
links = st.builds(lambda url, said: f'<a href="{escape(url)}">{escape(said)}</a>', urls, st.sampled_from(WORDS))
markup = st.lists(
    st.builds(lambda tag, part: f"<{tag}>{part}</{tag}>", st.sampled_from(("p", "li", "b", "div")), links | texts.map(escape))
    | texts.map(lambda text: f"{escape(text)}<br/>"),
    min_size=1, max_size=4,
).map("".join)  # fmt: skip
notes = st.tuples(st.just(False), texts) | st.tuples(st.just(True), markup)


def feed(items):
    """Return a feed of (whether the notes are HTML, notes)."""
    told = "".join(
        f"<item><title>Part {n}</title><guid>{n}</guid><itunes:duration>60</itunes:duration>"
        f"<content:encoded>{escape(text if html else f'<p>{escape(text)}</p>')}</content:encoded></item>"
        for n, (html, text) in enumerate(items)
    )
    return (
        '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
        f'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>show</title>{told}</channel></rss>'
    ).encode()


@settings(max_examples=25)
@given(st.lists(notes, min_size=1, max_size=5))
@example([(False, "see https://kiln.example.org/a/b.")])
def test_each_episode_cites_what_the_slow_reference_finds(items):
    graph = graph_of([parse_feed(feed(items), source="feed.xml")], mapped=False)
    view = View.from_networkx(graph)
    for n, (html, text) in enumerate(items):
        id_ = f"episode:show/part-{n}"
        found = urls_of_html(text) if html else urls_in(text)
        wanted = {resolve(url) for url in found}
        ours = [edge for edge in view.edges_from(id_) if edge.relation == "cites"]
        assert {edge.target for edge in ours} == wanted, text
        notes = graph.nodes[id_].get("summary", "")
        for edge in ours:
            for one in edge.attributes["evidence"]:
                assert notes[one["start"] : one["end"]] == one["quote"], text
        for url in found:
            assert id_ in [one.id for one in find_citations(view, [url])], url
