"""An installed package adds a rule for a site by an entry point; builds load it, and it never hides one of ours."""

import pytest

from podgraph.extractors.errors import PodgraphError
from podgraph.extractors.sites import identify
from podgraph.extractors.sites.registry import load_sites
from tests.tables import read_rows

SOURCE = '''
from urllib.parse import urlsplit
from podgraph.extractors import Ref

def parse(url):
    """Identify a talk at talks.example."""
    parts = urlsplit(url)
    if parts.hostname == "talks.example":
        return Ref("talk", f"talk:{parts.path.strip('/')}", "a talk", url)
'''
POINT = "talks = podgraph_talks:parse"
TALK = "https://talks.example/2021/back-to-basics"


def install_site(install, source=SOURCE, point=POINT):
    install("podgraph_talks", source, point, "podgraph.sites")
    load_sites()


def test_a_package_adds_a_site(install):
    assert identify(TALK)[0] == "web"
    install_site(install)
    name, ref = identify(TALK)
    assert (name, ref.kind, ref.id) == ("talks", "talk", "talk:2021/back-to-basics")
    assert identify("https://elsewhere.example/a")[0] == "web"


def test_ours_are_asked_first(install):
    install_site(install, "from podgraph.extractors import Ref\ndef parse(url): return Ref('mine', 'mine:1', 'x')\n")
    assert identify("https://github.com/o/r/pull/1")[1].id == "github:o/r#1"
    assert identify("https://elsewhere.example/a")[1].id == "mine:1"


def test_it_is_not_loaded_until_a_build_asks(install):
    install("podgraph_talks", SOURCE, POINT, "podgraph.sites")
    assert identify(TALK)[0] == "web"


@pytest.mark.parametrize(("source", "problem"), read_rows(__file__, "test_one_that_cannot_be_loaded_is_named"))
def test_one_that_cannot_be_loaded_is_named(install, source, problem):
    with pytest.raises(PodgraphError, match=problem) as caught:
        install_site(install, source)
    assert caught.value.source == "podgraph_talks:parse (podgraph_talks 1.0)"


@pytest.mark.parametrize(("source", "message"), read_rows(__file__, "test_one_that_fails_is_named"))  # fmt: skip
def test_one_that_fails_is_named(install, source, message):
    install_site(install, source)
    with pytest.raises(PodgraphError, match=message):
        identify("https://x.example/")
