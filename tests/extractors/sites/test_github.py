"""What a GitHub reference carries beside its id; which URL shows what is in ``tables/github.txt``."""

import pytest

from podgraph.extractors.sites.github import parse
from podgraph.extractors.sites.tables.github_names import ORGANISATIONS, RESERVED

SHA = "de845020a0da39e621db984515bc1cce03f526ea"


@pytest.mark.parametrize(("url", "label", "link", "attrs"), [
    ("http://www.github.com/PyTorch/pytorch/pull/130935/files#r1", "pytorch/pytorch#130935", "https://github.com/pytorch/pytorch/pull/130935", (("repo", "pytorch/pytorch"), ("number", 130935))),
    ("https://github.com/zdevito/ATen/issues/27", "zdevito/aten#27", "https://github.com/zdevito/aten/issues/27", (("repo", "zdevito/aten"), ("number", 27))),
    ("https://github.com/jax-ml/jax/discussions/5199#discussioncomment-1", "jax-ml/jax/discussions/5199", "https://github.com/jax-ml/jax/discussions/5199", (("repo", "jax-ml/jax"), ("number", 5199))),
    (f"https://github.com/o/r/commit/{SHA.upper()}?w=1", "o/r@de845020a0", f"https://github.com/o/r/commit/{SHA}", (("repo", "o/r"),)),
    ("https://github.com/pytorch/pytorch/blob/master/c10/core/thread_pool.h#L5", "pytorch/pytorch:c10/core/thread_pool.h", "https://github.com/pytorch/pytorch/blob/HEAD/c10/core/thread_pool.h", (("repo", "pytorch/pytorch"), ("path", "c10/core/thread_pool.h"))),
    (f"https://raw.githubusercontent.com/o/r/{SHA}/a%20b.py", "o/r:a b.py", f"https://github.com/o/r/blob/{SHA}/a%20b.py", (("repo", "o/r"), ("path", "a b.py"))),
    ("https://github.com/o/r/tree/v1/docs/", "o/r:docs", "https://github.com/o/r/tree/v1/docs", (("repo", "o/r"), ("path", "docs"))),
    ("git@github.com:O/R.git", "o/r", "https://github.com/o/r", ()),
    ("https://github.com/o/r/releases/download/v1/a.zip", "o/r v1", "https://github.com/o/r/releases/tag/v1", (("repo", "o/r"),)),
    ("https://github.com/o/r/wiki/A-Page", "o/r wiki: A Page", "https://github.com/o/r/wiki/A-Page", (("repo", "o/r"),)),
    ("https://github.com/o/r/wiki/Home", "o/r wiki: Home", "https://github.com/o/r/wiki", (("repo", "o/r"),)),
    ("https://github.com/o/r/issues?page=2&q=is%3Aopen%20vmap", "o/r/issues?q=is:open+vmap", "https://github.com/o/r/issues?q=is:open+vmap", (("repo", "o/r"),)),
    ("https://github.com/Ezyang?tab=stars", "ezyang", "https://github.com/ezyang", ()),
    (f"https://gist.github.com/ezyang/{SHA[:32]}#x", "gist de845020", f"https://gist.github.com/{SHA[:32]}", ()),
])  # fmt: skip
def test_label_link_and_attributes(url, label, link, attrs):
    ref = parse(url)
    assert (ref.label, ref.url, ref.attrs) == (label, link, attrs)


@pytest.mark.parametrize(("segments", "ref", "path"), [
    ("main/a/b.py", "main", "a/b.py"), ("v1.9.0/a", "v1.9.0", "a"),
    (f"{SHA}/gh/someone/1/head/a", SHA, "gh/someone/1/head/a"), ("refs/heads/main/a", "main", "a"),
    ("refs/heads/feature/x/a", "feature/x", "a"), ("refs/tags/v1/a", "v1", "a"),
    ("refs/remotes/origin/main/a", "main", "a"), ("refs/pull/12/merge/a", "refs/pull/12/merge", "a"),
    ("gh/someone/12/orig/a/b", "gh/someone/12/orig", "a/b"), ("gh/someone/a", "gh", "someone/a"),
    ("release/1.9/a", "release/1.9", "a"), ("releases/1.9/a", "releases/1.9", "a"), ("hotfix/x/a", "hotfix/x", "a"),
    ("viable/strict/a", "viable/strict", "a"), ("users/someone/x/a", "users/someone/x", "a"), ("main", "main", ""),
    ("release/1.9", "release/1.9", ""), ("someone/topic/torch/a.py", "someone", "topic/torch/a.py"),
])  # fmt: skip
def test_where_a_ref_ends(segments, ref, path):
    found = parse(f"https://github.com/o/r/tree/{segments}")
    assert (found.rev, dict(found.attrs).get("path", "")) == (ref, path)


@pytest.mark.parametrize(("segments", "ref"), [
    ("someone/topic/torch/a.py", "someone/topic"), ("someone/topic/2/aten/src/a.h", "someone/topic/2"),
    ("topic/torch/a.py", "topic"), ("main/docs/source/torch/a.md", "main"), ("topic/docs/torch/a.md", "topic"),
    ("docs/notes/torch/a.md", "docs"), ("a/b/c/d/e/torch/a.py", "a"),
])  # fmt: skip
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
