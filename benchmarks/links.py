"""Links found in notes, side by side with linkify-it-py, urlextract and the regular expression ``https?://\\S+``.

    python benchmarks/links.py [--wrong]

Three tables: plain text, a row for each family of behaviour in tests/extractors/fixtures/links.txt; the hard
snippets of fixtures/notes; feeds made here, with known truth, as HTML and as plain text.
``--wrong`` prints every case that we miss.

"Exact" is the share of texts in which all links are found and nothing else; precision and recall count links, in
the feeds pairs of episode and URL. For HTML the peers are given what a careful script would: the ``href`` values
and the text between tags, from ``html.parser``. Needs the extra ``bench`` for the peers.
"""

import argparse
import random
import re
import sys
import time
from collections import defaultdict
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.sax.saxutils import escape as xml_escape

sys.path.insert(0, str(Path(__file__).parent.parent))

from podgraph.extractors import extract, find_links, identify, parse_feed, with_scheme
from tests.extractors import link_tables

DATA = Path(__file__).parent / "data"
EPISODES = 400
BLOCKS = ("p", "li", "div", "br", "ul", "td", "tr", "h2")
WORDS = "tensor autograd kernel dispatch stride storage graph lowering fusion backend export guard".split()


class Peer(HTMLParser):
    """What a careful script takes from HTML: the targets of links, and the text with line ends at blocks."""

    def __init__(self, markup):
        super().__init__()
        self.hrefs, self.text = [], []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.hrefs += [value.strip() for name, value in attrs if name == "href" and value]
        if tag in BLOCKS:
            self.text.append("\n")

    def handle_endtag(self, tag):
        if tag in BLOCKS:
            self.text.append("\n")

    def handle_data(self, data):
        self.text.append(data)


def ours(text):
    return [link.url for link in find_links(text) if not link.truncated]


def tools():
    """Yield (name, function from a text to the URLs in it)."""
    yield "podgraph", ours
    try:
        from linkify_it import LinkifyIt
        from urlextract import URLExtract
    except ImportError:
        print("the extra `bench` is not installed: no peers but the regular expression", file=sys.stderr)
    else:
        linkify, extractor = LinkifyIt(), URLExtract()
        yield "linkify-it", lambda text: [m.text for m in linkify.match(text) or () if m.schema != "mailto:"]
        yield "urlextract", extractor.find_urls
    yield "regex", lambda text: re.findall(r"https?://\S+", text)


class Score:
    """Exact texts, precision and recall over several texts."""

    def __init__(self):
        self.texts = self.exact = self.right = self.found = self.wanted = 0

    def add(self, found, wanted):
        hits = len(set(found) & set(wanted))
        self.texts += 1
        self.exact += list(found) == list(wanted)
        self.right, self.found, self.wanted = (
            self.right + hits,
            self.found + len(set(found)),
            self.wanted + len(set(wanted)),
        )

    def __str__(self):
        def share(part, whole):
            return f"{100 * part / whole:5.1f}" if whole else "    -"

        return f"{share(self.exact, self.texts)}  {share(self.right, self.found)} /{share(self.right, self.wanted)}"


def table(title, rows, names):
    print(f"\n{title}\n{'':24}" + "".join(f"{name:>24}" for name in names))
    print(f"{'':24}" + "".join(f"{'exact   prec / recall':>24}" for _ in names))
    for label, scores in rows.items():
        print(f"{label:24}" + "".join(f"{scores[name]!s:>24}" for name in names))


def families(peers, *, wrong):
    rows = defaultdict(lambda: {name: Score() for name in peers})
    cases = [*link_tables.links(), *(("no links", text, [], []) for text in link_tables.not_links())]
    for family, text, whole, _ in cases:
        label = f"{family} ({sum(case[0] == family for case in cases)})"
        for name, find in peers.items():
            found = find(text)
            rows[label][name].add(found, whole)
            if wrong and name == "podgraph" and found != whole:
                print(f"{family}: {text!r}\n  wanted {whole}\n  found  {found}")
    table("Plain text, by family", rows, peers)


def canonical(urls):
    known = (identify(with_scheme(url.replace("&amp;", "&"))) for url in urls)
    return {found[1].id for found in known if found}


def snippets(peers, *, wrong):
    """Hard notes: the set of things cited, references without a URL included, and cut URLs that became things."""
    rows = defaultdict(lambda: {name: Score() for name in peers})
    artifacts, cuts = dict.fromkeys(peers, 0), 0
    for family, notes, links, cut, refs in link_tables.snippets():
        wanted = sorted(canonical(links) | set(refs))
        cuts += len(cut)
        for name, find in peers.items():
            if name == "podgraph":
                result = extracted(notes)
                found = {mention.ref.id for mention in result.mentions if mention.relation == "cites"}
            else:
                peer = Peer(notes)
                found = canonical([*(href for href in peer.hrefs if "://" in href), *find("".join(peer.text))])
            stems = canonical([re.split(r"[\[(]?(?:…|\.{3})|<", url)[0] for url in cut]) | canonical(cut)
            artifacts[name] += len((found & stems) - set(wanted))
            for label in (family, "all"):
                rows[label][name].add(sorted(found), wanted)
            if wrong and name == "podgraph" and sorted(found) != wanted:
                print(f"{family}: {notes!r}\n  wanted {wanted}\n  found  {sorted(found)}")
    rows["all"] = rows.pop("all")
    table("Hard snippets of notes", rows, peers)
    print(f"{f'cut URLs cited, of {cuts}':24}" + "".join(f"{count:24}" for count in artifacts.values()))


def extracted(notes):
    xml = (
        '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>P</title>'
        f"<itunes:author>A</itunes:author><item><title>E</title><description>{xml_escape(notes)}</description></item>"
        "</channel></rss>"
    )
    (result,) = extract([parse_feed(xml.encode(), source="case.xml")], repo="pytorch/pytorch")
    return result


def lines(name):
    text = (DATA / name).read_text("utf-8")
    unescaped = re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)
    return [line for line in unescaped.splitlines() if line and not line.startswith("#")]


def made_feed(html, seed):
    """Return a feed of realistic notes, and the (guid, URL) pairs in it."""
    chance = random.Random(seed)
    urls, sentences = lines("urls.txt"), lines("sentences.txt")
    items, truth = [], set()
    for number in range(EPISODES):
        parts = []
        for sentence in chance.sample(sentences, chance.randint(2, 6)):
            url = re.sub(
                r"\{(w|n)\}",
                lambda m: chance.choice(WORDS) if m[1] == "w" else str(chance.randint(1000, 99999)),
                chance.choice(urls),
            )
            truth.add((f"e{number}", url))
            before, _, behind = sentence.replace("{n}", str(chance.randint(2, 900))).partition("{u}")
            if not html:
                parts.append(
                    escape(before + url + behind, quote=False) if chance.random() < 0.3 else before + url + behind
                )
                continue
            shown = chance.choice((url, url, "these notes", "the <b>paper</b>", ""))
            link = f'<a href="{escape(url)}">{escape(shown) if shown == url else shown}</a>' if shown else escape(url)
            parts.append(f"{escape(before)}{link}{escape(behind)}")
        if html:
            chance.shuffle(parts)
            block = chance.choice(("<p>{}</p>", "<li>{}</li>", "<div>{}</div>", "{}<br>"))
            notes = "<p>Notes.</p>" + "".join(block.format(part) for part in parts)
        else:
            notes = "\n".join(parts)
        body = f"<![CDATA[{notes}]]>" if html and chance.random() < 0.5 else xml_escape(notes)
        items.append(f"<item><title>Episode</title><guid>e{number}</guid><description>{body}</description></item>")
    head = '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>P</title><itunes:author>A</itunes:author>'
    return f"{head}{''.join(items)}</channel></rss>", truth


def feeds(peers, *, wrong):
    rows = defaultdict(lambda: {name: Score() for name in peers})
    seconds = defaultdict(float)
    for label, html in (("HTML", True), ("plain text", False)):
        xml, truth = made_feed(html, seed=7)
        for name, find in peers.items():
            start = time.process_time()
            if name == "podgraph":
                feed = parse_feed(xml.encode(), source="made.xml")
                found = {
                    (result.episode.guid, mention.url)
                    for result in extract([feed])
                    for mention in result.mentions
                    if mention.url
                }
            else:
                found = set()
                for guid, markup in peer_items(xml):
                    peer = Peer(markup) if html else None
                    text = "".join(peer.text) if peer else unescape(markup)
                    found |= {(guid, url) for url in (*(peer.hrefs if peer else ()), *find(text))}
            seconds[name] += time.process_time() - start
            for episode in sorted({guid for guid, _ in truth}):
                rows[label][name].add(
                    *(sorted(url for guid, url in pairs if guid == episode) for pairs in (found, truth))
                )
            if wrong and name == "podgraph":
                for pair in sorted(found ^ truth):
                    print(label, "not there" if pair in found else "missed", pair)
    table(f"Made feeds of {EPISODES} episodes", rows, peers)
    print(f"{'seconds, parsing included':24}" + "".join(f"{seconds[name]:24.2f}" for name in peers))


def peer_items(xml):
    from xml.etree import ElementTree

    for item in ElementTree.fromstring(xml).iter("item"):
        yield item.findtext("guid"), item.findtext("description")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--wrong", action="store_true", help="print every case that podgraph misses")
    options = parser.parse_args()
    peers = dict(tools())
    families(peers, wrong=options.wrong)
    snippets(peers, wrong=options.wrong)
    feeds(peers, wrong=options.wrong)


if __name__ == "__main__":
    main()
