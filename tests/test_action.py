"""The action that comments on pull requests, against a stub of GitHub's API on loopback."""

import importlib.util
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.loopback import Loopback, reply

MARKER = "<!-- podgraph explain -->"  # with which `podgraph explain --markdown` begins

pytestmark = pytest.mark.checkout
HERE = Path(__file__).parent.parent / ".github/actions/review"
REPO = "weavers/loom"
FILES = ["torch/_inductor/ir.py", "setup.py", "$(touch no)`x`|y.py", "--graph=/etc/passwd"]


class Hub(Loopback):
    """What the stub holds and was told: files and comments of pull request 7."""

    def __init__(self, files, comments=()):
        super().__init__()
        self.written = []
        users = [{"id": n, "body": body, "user": {"login": who}} for n, (who, body) in enumerate(comments, 1)]
        self.lists = {"pulls/7/files": [{"filename": name} for name in files], "issues/7/comments": users}
        self.on("*", self.answer)

    def answer(self, call):
        parts = urlsplit(call.target.removeprefix(f"/repos/{REPO}/"))
        if call.method == "GET":
            size, page = (int(parse_qs(parts.query)[name][0]) for name in ("per_page", "page"))
            call.send(reply(200, json.dumps(self.lists[parts.path][size * (page - 1) : size * page]).encode()))
        else:
            self.written.append((call.method, parts.path, json.loads(call.body)["body"]))
            call.send(reply(201, b'{"id": 99}'))


@pytest.fixture
def comment(monkeypatch, sample_file, tmp_path):
    """The step of the action, with the environment that it has."""
    spec = importlib.util.spec_from_file_location("comment", HERE / "comment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "GITHUB_REPOSITORY": REPO, "GITHUB_TOKEN": "secret", "NUMBER": "7", "LIMIT": "5", "PODGRAPH_GRAPH": str(sample_file),
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)

    def run(hub):
        monkeypatch.setenv("GITHUB_API_URL", hub.url(""))
        module.main()

    run.module = module
    return run


def test_a_comment_is_written(comment, tmp_path):
    with Hub([*FILES, *(f"docs/page_{number}.md" for number in range(120))]) as hub:  # more than a page of them
        comment(hub)
    ((method, path, body),) = hub.written
    assert (method, path) == ("POST", "issues/7/comments")
    assert body.startswith(comment.module.MARKER)
    assert comment.module.MARKER == MARKER
    assert "no episode explains 2 of 124 files" in body
    assert "secret" not in body
    assert {call.headers["authorization"] for call in hub.calls} == {"Bearer secret"}
    assert not list(tmp_path.iterdir())


OTHERS = ("somebody", f"{MARKER}\nnot ours"), ("github-actions[bot]", "another bot's words")
EARLIER = ("github-actions[bot]", f"{MARKER}\nearlier")
# the files, the comments that are there, and what is asked of the API
WRITTEN = {
    "none of ours": (FILES[:1], OTHERS, [("POST", "issues/7/comments")]),
    "an earlier one": (FILES[:1], (*OTHERS, EARLIER), [("PATCH", "issues/comments/3")]),
    "nothing to say": (["no/such/thing"], OTHERS, []),
    "nothing to say any more": (["no/such/thing"], (EARLIER,), [("PATCH", "issues/comments/1")]),
}


@pytest.mark.parametrize(("files", "comments", "asked"), WRITTEN.values(), ids=WRITTEN)
def test_one_comment_is_kept_up_to_date(comment, files, comments, asked):
    with Hub(files, comments) as hub:
        comment(hub)
    assert [(method, path) for method, path, _ in hub.written] == asked


BAD = {"NUMBER": "7/../../issues/1", "LIMIT": "5 --json", "GITHUB_REPOSITORY": "a/b/../c"}


@pytest.mark.parametrize(("name", "value"), BAD.items())
def test_what_is_no_number_is_refused(comment, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with Hub(FILES) as hub, pytest.raises(SystemExit, match="not what it should be"):
        comment(hub)
    assert hub.written == []


def test_nothing_of_a_pull_request_is_checked_out_or_run():
    text = (HERE / "action.yml").read_text("utf-8")
    steps = text.partition("runs:")[2]
    assert "checkout" not in steps
    assert "${{" not in "\n".join(line for line in steps.splitlines() if ": ${{" not in line)  # values by env alone
    uses = [line.partition("uses:")[2].split()[0] for line in steps.splitlines() if "uses:" in line]
    assert uses
    assert all(len(used.partition("@")[2]) == 40 for used in uses)
