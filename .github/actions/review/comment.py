"""Post the comment of ``podgraph explain`` on a pull request, or update it: the step of the action beside this file.

It asks the API for the names of the changed files, hands them to ``podgraph explain --markdown`` on standard input, and
writes the one comment that begins with its marker. Names are data: they reach no shell, no option and no file system.
Reads $GITHUB_REPOSITORY, $GITHUB_API_URL, $GITHUB_TOKEN, $NUMBER, $LIMIT and $PODGRAPH_GRAPH.
"""

import json
import os
import re
import subprocess
import sys
import urllib.request

MARKER = "<!-- podgraph explain -->"  # as in output/cli.py
AUTHOR = "github-actions[bot]"  # whose comments may be ours: what a job's own token writes
PAGE = 100
MOST_PAGES = 30  # the API lists 3,000 files at most


class Api:
    """The part of GitHub's REST API that is needed; errors are those of ``urllib``."""

    def __init__(self, environment):
        self._base = environment.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
        self._repo = matching(r"[\w.-]+/[\w.-]+", environment["GITHUB_REPOSITORY"])
        self._token = environment["GITHUB_TOKEN"]

    def ask(self, method, path, body=None):
        """Return the JSON of an answer to ``path`` under the repository."""
        request = urllib.request.Request(  # noqa: S310 - the base is the runner's own
            f"{self._base}/repos/{self._repo}/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self._token}",
                "Content-Type": "application/json",
                "User-Agent": "podgraph-review",
                "X-GitHub-Api-Version": "2022-11-28",
            },
        )
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            return json.load(answer)

    def pages(self, path):
        """Yield the items of a list, page after page."""
        for page in range(1, MOST_PAGES + 1):
            items = self.ask("GET", f"{path}?per_page={PAGE}&page={page}")
            yield from items
            if len(items) < PAGE:
                return


def matching(pattern, text):
    """Return ``text`` if it is what it should be, so that it is no other part of an address."""
    if not re.fullmatch(pattern, text):
        raise SystemExit(f"{text!r} is not what it should be ({pattern})")
    return text


def changed(api, number):
    """Return the names of the changed files, by NUL as ``git diff --name-only -z`` gives them."""
    return "".join(f"{file['filename']}\0" for file in api.pages(f"pulls/{number}/files"))


def comment_on(names, limit):
    """Return what ``podgraph explain`` says of the files, and whether it knows any episode."""
    command = [sys.executable, "-P", "-m", "podgraph", "explain", "-", "-q", "--markdown", "-n", limit]
    answer = subprocess.run(  # noqa: S603 - its words are ours, the limit a number
        command, input=names.encode("utf-8", "replace"), stdout=subprocess.PIPE, check=True
    )
    text = answer.stdout.decode("utf-8")
    return text, "| --- |" in text


def ours(api, number):
    """Return the id of the comment that an earlier run wrote; ``None`` for none, and for another's with the marker."""
    for comment in api.pages(f"issues/{number}/comments"):
        if comment["body"].startswith(MARKER) and comment["user"]["login"] == AUTHOR:
            return comment["id"]
    return None


def main():
    """Ask, and write the comment; where no episode explains anything, none is begun."""
    api = Api(os.environ)
    number = matching(r"[1-9]\d{0,9}", os.environ["NUMBER"])
    if not os.environ.get("PODGRAPH_GRAPH"):
        os.environ.pop("PODGRAPH_GRAPH", None)
    text, found = comment_on(changed(api, number), matching(r"\d{1,3}", os.environ.get("LIMIT", "8")))
    known = ours(api, number)
    if known is not None:
        api.ask("PATCH", f"issues/comments/{int(known)}", {"body": text})
        print("updated the comment")
    elif found:
        api.ask("POST", f"issues/{number}/comments", {"body": text})
        print("wrote a comment")
    else:
        print("no episode explains what this changes: no comment")


if __name__ == "__main__":
    main()
