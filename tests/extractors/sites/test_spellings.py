"""One id for every spelling: the tables under ``spellings/``, a file for each family of sites.

A group is an id with the URLs that spell it, one a line and indented; ``@90`` behind a URL is the time it
points to; the group ``none`` holds what the module leaves to others. ``{pypi}`` and ``{old-pypi}`` stand for
PyPI's hosts.
"""

from pathlib import Path

import pytest

from podgraph.extractors.sites.registry import FAMILIES, find_parser
from podgraph.extractors.sites.tables import read_table as read_sections

TABLES = Path(__file__).parent / "spellings"
NAMES = sorted(table.stem for table in TABLES.glob("*.txt"))
FAMILY = {"pytorch": "docs"}  # a table of its own, for its length
PARSERS = {name: find_parser(FAMILY.get(name, name)) for name in NAMES}
PYPI = ("pypi", "org")  # the project does not write out the hosts of package indexes
HOSTS_OF_PYPI = {"{pypi}": ".".join(PYPI), "{old-pypi}": ".python.".join(PYPI)}


def read_table(name):
    group = None
    for line in (TABLES / f"{name}.txt").read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            url, _, time = line.strip().partition(" @")
            for name_of_host, host in HOSTS_OF_PYPI.items():
                url = url.replace(name_of_host, host)
            yield name, group, url, time
        else:
            group = line.strip()


ROWS = [row for name in NAMES for row in read_table(name)]
KNOWN = [row for row in ROWS if row[1] != "none"]


def known(name):
    return [url for site, _, url, _ in KNOWN if site == name]


@pytest.mark.parametrize(("name", "group", "url", "time"), ROWS)
def test_spelling(name, group, url, time):
    ref = PARSERS[name](url)
    found = ("none", "none", "") if ref is None else (ref.kind, ref.id, ref.time)
    assert found == (group.partition(":")[0], group, time)


@pytest.mark.parametrize("name", NAMES)
def test_the_canonical_url_is_the_same_thing(name):
    for url in known(name):
        ref = PARSERS[name](url)
        again = PARSERS[name](ref.url)
        assert again is not None, (url, ref.url)
        assert (again.id, again.url) == (ref.id, ref.url), url
        assert ref.label == ref.label.strip() != "", url


@pytest.mark.parametrize(("name", "url", "label"), [
    ("papers", "https://arxiv.org/pdf/1905.12322", "arXiv:1905.12322"),
    ("papers", "https://openreview.net/pdf?id=BJJsrmfCZ", "OpenReview BJJsrmfCZ"),
    ("papers", "https://openreview.net/pdf/25b8eee6c373d48b84e5e9c6e10e7cbbbce4ac73.pdf", "OpenReview 25b8eee6"),
    ("papers", "https://aclanthology.org/P18-1001.pdf", "ACL Anthology P18-1001"),
    ("papers", "https://papers.nips.cc/paper/7181-attention-is-all-you-need", "NeurIPS 7181"),
    ("papers", "https://papers.neurips.cc/paper/7181-attention-is-all-you-need", "NeurIPS 7181"),
    ("papers", "https://proceedings.neurips.cc/paper/7181-attention-is-all-you-need.pdf", "NeurIPS 7181"),
    ("papers", "https://proceedings.iclr.cc/paper_files/paper/2024/hash/67d57c32e20fd0a7a302cb81d36e40d5.html", "ICLR 67d57c32"),
    ("papers", "https://proceedings.mlsys.org/paper/2021/hash/67d57c32e20fd0a7a302cb81d36e40d5.html", "MLSys 67d57c32"),
    ("papers", "https://proceedings.mlr.press/v139/radford21a.html", "PMLR v139/radford21a"),
    ("papers", "https://jmlr.org/proceedings/papers/v37/ioffe15.html", "PMLR v37/ioffe15"),
    ("papers", "https://jmlr.org/papers/v21/20-074.html", "JMLR v21/20-074"),
    ("papers", "https://www.semanticscholar.org/reader/204e3073870fae3d05bcbc2f6a8e263d9b72e776", "Semantic Scholar 204e3073"),
    ("papers", "https://openaccess.thecvf.com/content_x/html/A_B_paper.html", "CVF A_B_paper"),
    ("papers", "https://www.usenix.org/conference/osdi20/presentation/ma", "USENIX osdi20/ma"),
    ("papers", "https://ieeexplore.ieee.org/document/8642642", "IEEE Xplore 8642642"),
    ("papers", "https://eprint.iacr.org/2020/1.pdf", "IACR ePrint 2020/001"),
    ("videos", "https://slideslive.com/38923178", "SlidesLive: 38923178"),
    ("videos", "https://slideslive.com/38923178/a-title", "SlidesLive: a title"),
])  # fmt: skip
def test_a_thing_is_called_by_its_title_else_by_its_number(name, url, label):
    assert PARSERS[name](url).label == label


@pytest.mark.parametrize(("name", "url", "link"), [
    ("docs", "https://kiln.readthedocs.io/en/v1.2/a.html", "https://kiln.readthedocs.io/en/latest/a.html"),
    ("docs", "https://kiln.readthedocs.io/en/stable/a.html", "https://kiln.readthedocs.io/en/stable/a.html"),
    ("docs", "https://docs.kiln.example/en/v1.2/a.html", "https://docs.kiln.example/en/v1.2/a.html"),
    ("papers", "https://openaccess.thecvf.com/content_x/papers/A_B_paper.pdf", "https://openaccess.thecvf.com/content_x/html/A_B_paper.html"),
    ("papers", "https://papers.nips.cc/paper/7181-a-title.pdf", "https://proceedings.neurips.cc/paper/7181-a-title"),
])  # fmt: skip
def test_a_link_leads_to_the_page_of_today(name, url, link):
    assert PARSERS[name](url).url == link


@pytest.mark.parametrize(("url", "link"), [
    ("https://player.vimeo.com/video/123456789?h=0123456789", "https://vimeo.com/123456789/0123456789"),
    ("https://vimeo.com/123456789/0123456789", "https://vimeo.com/123456789/0123456789"),
    ("https://vimeo.com/123456789?h=x", "https://vimeo.com/123456789"),
])  # fmt: skip
def test_the_key_of_an_unlisted_video_stays_in_its_link(url, link):
    assert PARSERS["videos"](url).url == link


@pytest.mark.parametrize("name", NAMES)
def test_no_other_site_claims_it(name):
    claims = {url: [other for other in FAMILIES[:-1] if find_parser(other)(url)] for url in known(name)}
    assert claims == {url: [FAMILY.get(name, name)] for url in claims}


@pytest.mark.parametrize("name", NAMES)
def test_scheme_trackers_and_case_of_the_host_do_not_count(name):
    for url in known(name):
        host, slash, path = url.partition("//")[2].partition("/")
        path, mark, fragment = path.partition("#")
        tracked = f"{path}{'&' if '?' in path else '?'}utm_source=podcast&fbclid=x"
        ids = {
            PARSERS[name](url).id,
            PARSERS[name](f"http://{host.upper()}{slash}{path}{mark}{fragment}").id,
            PARSERS[name](f"https://{host}/{tracked}{mark}{fragment}").id,
        }
        assert len(ids) == 1, url


FILLED = {
    "{version}": "1.2",
    "{language}": "en",
    "{2}": "2.7",
    "{any}": "1.0",
    "{rtd}": "en/1.2",
    "{same}": "",
    "{end}": "",
}
FILLED |= {"{branch}": "main", "{pytorch}": "pytorch.org"}


@pytest.mark.parametrize("row", read_sections("docs")["pages"], ids=lambda row: row[0])
def test_every_row_of_the_docs_is_reached(row):
    address, *place = row
    steps = [FILLED.get(step.replace("!", ""), step.replace("*", "starry")) for step in address.split("/")]
    steps = [step if step.startswith("~") else step.rstrip("~") for step in steps if step]
    file, page = ("", "index") if "{end}" in address else ("some/page.html", "some/page")
    ref = PARSERS["docs"](f"https://{'/'.join(steps)}/{file}".replace("https://.", "https://"))
    kind, _, project = place[0].rpartition(":") if place else ("", "", "")
    assert (ref and ref.id) == (f"{kind or 'docs'}:{project.replace('*', 'starry')}/{page}" if place else None)
    assert not place or place[1].endswith("/")
