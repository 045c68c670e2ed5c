"""References without a URL, told from ranks, quantities, years, colours, versions and files."""

import pytest

from podgraph.extractors.mentions.corpus import Corpus
from podgraph.extractors.mentions.extraction import extract
from podgraph.extractors.mentions.references import find_reference, find_references
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes.text import to_text

PYTORCH = "pytorch/pytorch"


def found(notes, repo=PYTORCH, title=""):
    episode = Episode("episode:p/e", "episode", "podcast:p", title, *to_text(notes))
    return [(mention.quote, mention.ref.id) for mention in find_references(episode, Corpus({}, repo))]


@pytest.mark.parametrize(("notes", "expected"), [
    # numbers behind a word
    ("PR #12", ["#12"]), ("PR 123", ["#123"]), ("PR#12", ["#12"]), ("PR123", ["#123"]), ("PR-123 PR: #12", ["#12"]),
    ("pull request 123", ["#123"]), ("pull-request #12", ["#12"]),
    ("issue 123", ["#123"]), ("issue number 1234", ["#1234"]), ("bug #5", ["#5"]),
    ("GH-12", ["#12"]), ("GH#9", ["#9"]), ("fixes #1, closes #2, Resolved #3", ["#1", "#2", "#3"]),
    ("reverts #12", ["#12"]), ("part of #12", ["#12"]),
    # lists
    ("PRs #1, #2 and #3", ["#1", "#2", "#3"]), ("PRs 123, 456 and 789", ["#123", "#456", "#789"]),
    ("PRs #123 & #456, #7/#8", ["#123", "#456", "#7", "#8"]), ("issues 123, 3 people", ["#123"]), ("PR #123, 2021", ["#123"]),
    # a number alone
    ("#1234", ["#1234"]), ("see #1234.", ["#1234"]), ("#1234, #5678", ["#1234", "#5678"]), ("the #12345 PR", ["#12345"]),
    # commits
    ("commit de845020a0", ["@de845020a0"]), ("commit message", []), ("commit 12345678", []), ("commit defaced", []),
    # none
    ("#1 podcast", []), ("we're #1", []), ("top #100", []), ("#100 on the charts", []),
    ("episode #123", []), ("Season 3 #789", []), ("part #123", []), ("room #1234", []),
    ("#2021", []), ("PR 2020 budget", []), ("#100DaysOfCode", []), ("#123abc", []), ("#12-34", []), ("#1,000", []), ("#1.5", []),
    ("color: #123456", []), ('"#123456"', []), ("='#123456'", []), ("&#8217;", []), ("#0123", []),
    ("PR 5 stars", []), ("PR 24/7", []), ("PR 100%", []), ("PR 123rd", []), ("issues 3 and 4", []),
    ("issue 123 of the magazine", []), ("C#7", []), ("v1.0-rc#123", []), ("bug 12345", []), ("fixes 123 bugs", []),
    ("APR 123", []), ("tissue 123", []), ("PRs are 123", []),
])  # fmt: skip
def test_numbers(notes, expected):
    assert [id_.removeprefix("github:pytorch/pytorch") for _, id_ in found(notes)] == expected


FULL_NAMES = [
    ("owner/repo#12", ["github:owner/repo#12"]), ("(owner/my.repo#1)", ["github:owner/my.repo#1"]),
    ("client/server#4", []), ("UI/UX #5", []),
    ("vercel/next.js#12.", ["github:vercel/next.js#12"]), ("pytorch/rfcs #17", ["github:pytorch/rfcs#17"]),
    ("o/r1#12, #13 and #14", ["github:o/r1#12", "github:o/r1#13", "github:o/r1#14"]),
    ("o/r1/pull/12 o/r1/issues/13 o/r1/discussions/14", ["github:o/r1#12", "github:o/r1#13", "github:o/r1/discussions/14"]),
    ("owner/repo@de84502", ["github:owner/repo@de84502"]), ("owner/repo@" + "a1" * 20, ["github:owner/repo@" + "a1" * 20]),
    ("git@github.com:owner/repo.git", ["github:owner/repo"]), ("ssh://git@github.com/owner/repo.", ["github:owner/repo"]),
    ("git clone git@github.com:owner/repo.git.", ["github:owner/repo"]),
    ("owner/repo@v1.2 owner/repo@cafe owner/repo@example.org anna/b@cafe123.org", []), ("docs/README.md#3 src/a.py#12 a/b/c#5 /o/r1#3", []),
    ("C/C#7 and/or #123 TCP/IP #12 he/she #1234", []), ("features/pull#12", []), ("owner/repo#", []), ("owner/repo#012", []), ("o/r1#12th", []),
    ("https://example.org/o/r1#12 x.org/o/r1#3", []), ("--owner/repo#12", []),
]  # fmt: skip


@pytest.mark.parametrize(("notes", "repo", "expected"), [
    *((notes, "", expected) for notes, expected in FULL_NAMES),
    ("PEP 8 PEP-484 PEP484 PEP 0646", "", ["docs:peps/pep-0008", "docs:peps/pep-0484", "docs:peps/pep-0484", "docs:peps/pep-0646"]),
    ("PEPs 526, 561 and 604", "", ["docs:peps/pep-0526", "docs:peps/pep-0561", "docs:peps/pep-0604"]),
    ("pep8 Pep 8 PEP 12345 PEP 8.1 PEP", "", []),
    ("NEP 50 NEP-0018", "", ["docs:neps/nep-0050", "docs:neps/nep-0018"]), ("NEP 1234", "", []),
    ("RFC 2119 RFC2616 RFC-793 RFCs 7230 and 7231", "", [f"docs:ietf/rfc{n}" for n in (2119, 2616, 793, 7230, 7231)]),
    ("RFC 0822", "", ["docs:ietf/rfc822"]), ("RFC 12 RFC 12345", "", []),
    ("RFC-0005 RFC 0011", PYTORCH, ["docs:pytorch-rfcs/rfc-0005", "docs:pytorch-rfcs/rfc-0011"]),
    ("PyTorch's RFC-0005", "", ["docs:pytorch-rfcs/rfc-0005"]),
    ("RFC 2119", PYTORCH, ["docs:ietf/rfc2119"]), ("RFC 17", PYTORCH, []), ("RFC 793", PYTORCH, []),
    ("arXiv:1706.03762 arXiv 1706.03762v5 arxiv: 1706.03762. arXiv:hep-th/9901001", "", ["paper:arxiv/1706.03762"] * 3 + ["paper:arxiv/hep-th/9901001"]),
    ("arXiv paper 1706.03762, arXiv:17.03 xarXiv:1706.03762", "", []),
    ("doi:10.1145/3620665.3640366. (DOI: 10.1016/S0140-6736(05)66546-4)", "", ["paper:doi/10.1145/3620665.3640366", "paper:doi/10.1016/s0140-6736(05)66546-4"]),
    ("doi:11.1/2 and the ratio 10.1145/", "", []),
    ("Harrell, 10.1016/0021-9681(87)90171-8, and (10.1145/3292500.3330701)", "", ["paper:doi/10.1016/0021-9681(87)90171-8", "paper:doi/10.1145/3292500.3330701"]),
    ("doi:10.1002/(SICI)1<113::AID-CNE9>3.0.CO;2-6 is it", "", ["paper:doi/10.1002/(sici)1<113::aid-cne9>3.0.co;2-6"]),
    ("CVE-2022-45907 cve-2021-1234", "", ["web:cve.org/CVERecord?id=CVE-2022-45907", "web:cve.org/CVERecord?id=CVE-2021-1234"]),
    ("GHSA-47fc-vmwq-366v", "", ["web:github.com/advisories/GHSA-47fc-vmwq-366v"]), ("CVE-2022-1 CVE-1822-12345 GHSA-aaaa-bbbb-cccc", "", []),
])  # fmt: skip
def test_full_names_and_series(notes, repo, expected):
    assert [id_ for _, id_ in found(notes, repo)] == expected


@pytest.mark.parametrize(("notes", "expected"), [
    ("https://github.com/pytorch/vision/pull/1#2345 https://x.example/a#1234", []),
    ("<a href='https://github.com/pytorch/vision/pull/1234'>#1234</a>", []),
    ("<a href='https://github.com/pytorch/vision/pull/1234'>PR 1234</a> and #4321", [("#4321", "github:pytorch/vision#4321")]),
    ("https://github.com/pytorch/vision/pull/1234, #4321", [("#4321", "github:pytorch/vision#4321")]),
    ("https://github.com/pytorch/vision/pull/1234. See #4321", [("#4321", "github:pytorch/pytorch#4321")]),
    ("<a href='https://github.com/o/r1/pull/12'>o/r1#12</a>", []),
    ("<a href='https://x.example/'>o/r1#12</a>", [("o/r1#12", "github:o/r1#12")]),
    ("PRs #12, #345 by x", [("PRs #12", "github:pytorch/pytorch#12"), ("#345", "github:pytorch/pytorch#345")]),
    ("fixes #12", [("#12", "github:pytorch/pytorch#12")]),
])  # fmt: skip
def test_what_stands_with_a_link(notes, expected):
    assert found(notes) == expected


@pytest.mark.parametrize(
    ("title", "quotes"),
    [("#123: Guests", []), ("123 - Guests", []), ("#123 PR #456", ["PR #456"]), ("PEP 8", ["PEP 8"])],
)
def test_titles(title, quotes):
    assert [quote for quote, _ in found("", title=title)] == quotes


@pytest.mark.parametrize(("text", "repo", "id_"), [
    ("pytorch/rfcs#17", "", "github:pytorch/rfcs#17"), (" PR 5 ", "o/r", "github:o/r#5"), ("GH-3", "o/r", "github:o/r#3"), ("#2021", "o/r", "github:o/r#2021"),
    ("issue 7", "o/r", "github:o/r#7"), ("bug 77", "o/r", "github:o/r#77"), ("#123", "o/r", "github:o/r#123"), ("CVE-2022-45907", "", "web:cve.org/CVERecord?id=CVE-2022-45907"),
    ("PEP 8", "", "docs:peps/pep-0008"), ("arXiv:1706.03762", "", "paper:arxiv/1706.03762"), ("o/r1@de84502", "", "github:o/r1@de84502"),
    ("PR 5", "", None), ("PR 5 and more", "o/r", None), ("", "o/r", None), ("words", "o/r", None),
])  # fmt: skip
def test_find_reference(text, repo, id_):
    ref = find_reference(text, repo)
    assert (ref.id if ref else None) == id_


RUST = '<a href="https://github.com/rust-lang/rfcs/pull/1931">RFC 1931</a>'
PAGE = '<a href="https://rust-lang.github.io/rfcs/1931-kiln.html">RFC 1931</a>'
WEB = '<a href="https://datatracker.ietf.org/doc/html/rfc7230">RFC 7230</a>'


@pytest.mark.parametrize(("notes", "expected"), [
    (f"{PAGE}, RFC 2000", [("web:rust-lang.github.io/rfcs/1931-kiln.html", 1.0), ("github:rust-lang/rfcs#2000", 1.0)]),
    (RUST, [("github:rust-lang/rfcs#1931", 1.0)]), (f"{RUST} and RFC 1931", [("github:rust-lang/rfcs#1931", 1.0)] * 2),
    (f"{RUST}, RFC 2000", [("github:rust-lang/rfcs#1931", 1.0), ("github:rust-lang/rfcs#2000", 1.0)]),
    (f"{WEB}, RFC 2000", [("docs:ietf/rfc7230", 1.0), ("docs:ietf/rfc2000", 1.0)]), ("RFC 2000", [("docs:ietf/rfc2000", 0.6)]),
    (f"{RUST} {WEB} RFC 2000", [("github:rust-lang/rfcs#1931", 1.0), ("docs:ietf/rfc7230", 1.0), ("docs:ietf/rfc2000", 0.6)]),
])  # fmt: skip
def test_an_rfc_is_one_of_those_the_show_links_to(notes, expected):
    episode = Episode("episode:p/e", "episode", "podcast:p", "", *to_text(notes))
    (result,) = extract([Feed("f", "podcast", "podcast:p", "P", (episode,))])
    cited = [(one.ref.id, one.confidence) for one in result.mentions if one.relation == "cites"]
    assert cited == expected
