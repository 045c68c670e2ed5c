"""One id for every spelling: the tables under ``spellings/``, a file for each family of sites.

A group is an id with the URLs that spell it, one a line and indented; ``@90`` behind a URL is the time it
points to; the group ``none`` holds what the module leaves to others. ``{pypi}`` and ``{old-pypi}`` stand for
PyPI's hosts.
"""

from pathlib import Path

import pytest

from podgraph.extractors.sites.registry import FAMILIES, find_parser
from podgraph.extractors.sites.tables import read_table as read_sections
from tests.tables import read_rows

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


@pytest.mark.parametrize(("name", "url", "label"), read_rows(__file__, "test_a_thing_is_called_by_its_title_else_by_its_number"))  # fmt: skip
def test_a_thing_is_called_by_its_title_else_by_its_number(name, url, label):
    assert PARSERS[name](url).label == label


@pytest.mark.parametrize(("name", "url", "link"), read_rows(__file__, "test_a_link_leads_to_the_page_of_today"))  # fmt: skip
def test_a_link_leads_to_the_page_of_today(name, url, link):
    assert PARSERS[name](url).url == link


@pytest.mark.parametrize(("url", "link"), read_rows(__file__, "test_the_key_of_an_unlisted_video_stays_in_its_link"))  # fmt: skip
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


FILLED = dict(read_rows(__file__, "FILLED"))
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
