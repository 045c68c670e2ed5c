"""What a GitHub reference carries beside its id; which URL shows what is in ``tables/github.txt``."""

import pytest

from podgraph.extractors.sites.github import parse
from podgraph.extractors.sites.tables.github_names import ORGANISATIONS, RESERVED
from tests.tables import read_rows

SHA = "de845020a0da39e621db984515bc1cce03f526ea"


@pytest.mark.parametrize(("url", "label", "link", "attrs"), read_rows(__file__, "test_label_link_and_attributes"))  # fmt: skip
def test_label_link_and_attributes(url, label, link, attrs):
    ref = parse(url)
    assert (ref.label, ref.url, ref.attrs) == (label, link, attrs)


@pytest.mark.parametrize(("segments", "ref", "path"), read_rows(__file__, "test_where_a_ref_ends"))  # fmt: skip
def test_where_a_ref_ends(segments, ref, path):
    found = parse(f"https://github.com/o/r/tree/{segments}")
    assert (found.rev, dict(found.attrs).get("path", "")) == (ref, path)


@pytest.mark.parametrize(("segments", "ref"), read_rows(__file__, "test_known_folders_end_a_branch_of_pytorch"))  # fmt: skip
def test_known_folders_end_a_branch_of_pytorch(segments, ref):
    assert parse(f"https://github.com/pytorch/pytorch/blob/{segments}").rev == ref


@pytest.mark.parametrize("login", ["ezyang", "a", "a-b-c", "1a", "a" * 39])
def test_login(login):
    assert parse(f"https://github.com/{login}").id == f"person:{login}"


@pytest.mark.parametrize("login", ["a" * 40, "-a", "a-", "a--b", "a_b", "a.b", "é", "Settings"])
def test_no_login(login):
    assert parse(f"https://github.com/{login}") is None


@pytest.mark.parametrize("name", ["r", ".github", "a_b-c.d"])
def test_repository(name):
    assert parse(f"https://github.com/o/{name}").id == f"github:o/{name}"


@pytest.mark.parametrize("name", ["a b", "a" * 101, ".git"])
def test_no_repository(name):
    assert parse(f"https://github.com/o/{name}") is None


def test_an_organisation_is_no_page_of_the_site():
    assert not ORGANISATIONS & RESERVED


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_no_reserved_name_is_an_owner(name):
    assert parse(f"https://github.com/{name}") is None
    assert parse(f"https://github.com/{name}/r") is None
    assert parse(f"https://github.com/{name}/r/issues/1") is None
