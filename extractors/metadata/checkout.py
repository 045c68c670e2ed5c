"""Looks up cited numbers, commits and paths in a local clone of their repository, without the network."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import SourceError
from ..printable import for_message
from ..sites import identify
from .artifacts import Description, Metadata, clean_date, describe, find_artifact, find_file, make_fact, shorten_title
from .commit_message import parse_message
from .git import Git, GitError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from ..model import Fact
    from ..ref import Ref
    from .artifacts import RepositoryArtifacts

# Hash, date, name, mail address and message, with NULs between.
_COMMIT_FORMAT = "--format=%H%x00%cI%x00%an%x00%ae%x00%B"
# For each commit: the byte 1 and the hash, then a letter and one or two paths for each changed file.
_CHANGES = ("-z", "--format=%x01%H", "--name-status")
# Only the commits that are named on standard input.
_REQUESTED = ("log", "--no-walk=unsorted", "--stdin")
# A number that a message may be about, however it is written.
_NUMBER = re.compile(rb"(?:#|GH-|/pull/|/issues/)([1-9][0-9]{0,8})", re.IGNORECASE)
# `owner/name=DIR`, as a person writes it
_NAMED = re.compile(r"([A-Za-z0-9-]{1,39}/[\w.-]{1,100})=(.+)", re.DOTALL)
# the name and the number in the address of a private mail of GitHub's
_PRIVATE_MAIL = re.compile(r"(?:[0-9]+\+)?([a-z0-9-]{1,39})@users\.noreply\.github\.com")
_MAXIMUM_MOVES = 20  # of one path


@dataclass(frozen=True, slots=True)
class Checkout:
    """A local clone of a repository (``owner/name``)."""

    repo: str
    folder: str


class _PathState(NamedTuple):
    """The state of a cited path in a clone.

    ``now`` is its present path ("": it is gone), ``was_there`` is true if any commit had the path.
    """

    now: str
    is_folder: bool = False
    was_there: bool = True


class _Change(NamedTuple):
    """A change of a file in a commit: its path before and behind the commit, which differ for a rename."""

    old: str
    new: str


def find_checkout(text: str) -> Checkout:
    """Return the clone that a user's ``text`` means: ``DIR`` or ``owner/name=DIR``.

    Without a name the repository is that of the clone's remote ``origin``. Raises ``SourceError`` for a folder that is
    not a clone, and for a clone without a name whose origin is not on GitHub.
    """
    match = None if Path(text).is_dir() else _NAMED.fullmatch(text)  # a folder's name may contain "="
    repo, folder = (match[1].lower(), match[2]) if match else ("", text)
    if not Path(folder).is_dir():
        raise SourceError("there is no such folder", source=for_message(folder), remedy="name the folder of a clone")
    git = Git(folder)
    git.check()
    if not repo:
        origin = identify(git.read_line("config", "--get", "remote.origin.url"))
        if origin is None or origin.ref.kind != "repo":
            remedy = "say whose clone it is: --checkout owner/name=DIR"
            raise SourceError("its origin is not a repository on GitHub", source=for_message(folder), remedy=remedy)
        repo = origin.ref.label
    return Checkout(repo, folder)


def read_checkout(
    checkout: Checkout, artifacts: RepositoryArtifacts, *, people: Mapping[str, Ref], notify: Callable[[str], None]
) -> Metadata:
    """Return titles, states, authors and files of the cited artifacts of a repository, from its local clone.

    Args:
        checkout: the clone
        artifacts: the cited artifacts of its repository
        people: the persons of the graph by case-folded name: authors are looked up here
        notify: is called with a line about the result, and one for each missing part of the clone
    """
    where = for_message(checkout.folder)
    git = Git(checkout.folder)
    head = git.read_line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if not head:
        notify(f"{where} has no commit yet")
        return Metadata()
    is_shallow = git.read_line("rev-parse", "--is-shallow-repository") == "true"
    if is_shallow:
        notify(f"{where} is a shallow clone: what is older is not in it; `git fetch --unshallow` gets it")
    is_partial = bool(git.read_line("config", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$"))
    if is_partial:
        notify(f"{where} is a partial clone: what it lacks is not fetched, so files that moved may count as gone")
    history = _History(git, checkout.repo, head, is_partial=is_partial)
    pulls = history.find_pulls(artifacts.numbers)
    commits = history.find_commits(artifacts.commits)
    states = history.find_paths(artifacts.paths)
    try:
        history.add_files([*pulls.values(), *commits.values()])
        states |= history.follow_paths([path for path in artifacts.paths if path not in states])
    except GitError as error:
        notify(f"{where} does not say which files changed ({error.problem})")
    if is_shallow:  # a partial history cannot show that a path never existed
        states = {path: state for path, state in states.items() if state.was_there}
    pull_count = sum(number in pulls for number in artifacts.numbers)
    path_count = sum(bool(state.now) for state in states.values())
    notify(
        f"looked into {where} ({checkout.repo}): {pull_count} of {len(artifacts.numbers)} numbers landed, "
        f"{len(commits)} of {len(artifacts.commits)} commits, {path_count} of {len(artifacts.paths)} files and folders"
    )
    looked_up = (f"clone of {checkout.repo}", history.date)
    results = _describe_commits(artifacts, pulls, commits, people, looked_up)
    results.facts += [
        _make_path_fact(checkout.repo, ref, path, states[path], looked_up)
        for path, ref in artifacts.paths.items()
        if path in states
    ]
    return results


def _describe_commits(
    artifacts: RepositoryArtifacts, pulls: Mapping[int, Description], commits: Mapping[str, Description],
    people: Mapping[str, Ref], looked_up: tuple[str, str],
) -> Metadata:  # fmt: skip
    """Return the facts and edges of pull requests and commits that a clone has.

    Args:
        artifacts: the cited artifacts of the clone's repository
        pulls: the commits that landed pull requests, by the number of the pull request
        commits: the cited commits, by their hash as cited
        people: the persons of the graph by case-folded name
        looked_up: the source of the facts, and the date of the clone's last commit in ISO 8601
    """
    results, numbers = Metadata(), artifacts.numbers
    more = partial(describe, repo=artifacts.repo, paths=artifacts.paths, looked_up=looked_up, people=people)
    for number, commit in sorted(pulls.items()):
        pull = find_artifact(artifacts.repo, f"pull/{number}")
        # An issue that an uncited pull request closes counts only if the issue is cited.
        issues = [(home, issue) for home, issue in commit.closes if number in numbers or issue in numbers]
        if ref := numbers.get(number, pull):
            results += more(ref.id, pull, replace(commit, state="merged", closes=issues))
    for sha, commit in sorted(commits.items()):
        present = find_artifact(artifacts.repo, f"commit/{commit.sha}")
        results += more(artifacts.commits[sha].id, present, replace(commit, sha="", closes=[]))
    return results


class _History:
    """The history of a clone up to its commit ``head``. ``date`` is that commit's date, in ISO 8601."""

    def __init__(self, git: Git, repo: str, head: str, *, is_partial: bool) -> None:
        self._git, self._repo, self._head = git, repo, head
        # Without contents, only unchanged files can be followed.
        self._renames = ("-M100%" if is_partial else "-M", "-l2000")
        self.date = clean_date(git.read_line("show", "--no-patch", "--format=%cI", head)) or "1970-01-01T00:00:00+00:00"

    def find_pulls(self, numbers: Collection[int]) -> dict[int, Description]:
        """Return the commits of cited pull requests and issues, by the number of the pull request.

        Such a commit landed a cited pull request, or closed a cited issue; its message names the numbers. Of several
        commits for one pull request the newest counts, with the issues of all of them.

        ``numbers`` are those of the cited pull requests and issues.
        """
        number_texts = frozenset(b"%d" % number for number in numbers)
        pulls: dict[int, Description] = {}
        for commit, text in self._read_commits("log", self._head) if number_texts else ():
            if number_texts.isdisjoint(_NUMBER.findall(text)):
                continue
            message = parse_message(text.decode("utf-8", "replace"), self._repo)
            if message.number and not {message.number, *message.closes}.isdisjoint(numbers):
                commit.title, commit.login = message.title, message.login or commit.login
                pull = pulls.setdefault(message.number, commit)
                pull.closes = sorted({*pull.closes, *((self._repo, issue) for issue in message.closes)})
        return pulls

    def find_commits(self, shas: Collection[str]) -> dict[str, Description]:
        """Return {hash as given: commit} for ``shas``: full hashes or their beginnings, on any branch of the clone.

        Those that the clone does not have, or that are ambiguous, are left out.
        """
        try:
            names = self._read_property("objectname", (f"{sha}^{{commit}}" for sha in shas)) if shas else []
        except GitError:
            return {}
        # Full hash -> hash as given; the line of a missing commit is not a hash.
        sha_of = {name: sha for sha, name in zip(shas, names, strict=False) if re.fullmatch(r"[0-9a-f]{40,64}", name)}
        commits = self._read_commits(*_REQUESTED, stdin=_join_lines(sha_of)) if sha_of else ()
        return {sha_of[commit.sha]: commit for commit, _ in commits if commit.sha in sha_of}

    def add_files(self, commits: Iterable[Description]) -> None:
        """Set ``files`` and ``file_count`` of each commit to the files that it changed.

        For a merge these are the differences to its first parent. Raises ``GitError``.
        """
        by_sha: dict[str, list[Description]] = {}
        for commit in commits:
            by_sha.setdefault(commit.sha, []).append(commit)
        words = (*_REQUESTED, *_CHANGES, *self._renames, "--diff-merges=first-parent", "--root")
        for sha, changes in self._read_changes(*words, stdin=_join_lines(by_sha)) if by_sha else ():
            for commit in by_sha.get(sha, ()):
                commit.files = sorted({change.new for change in changes})
                commit.file_count = len(commit.files)

    def find_paths(self, paths: Iterable[str]) -> dict[str, _PathState]:
        """Return the states of those of ``paths`` that the clone's commit ``head`` has, each as a file or a folder."""
        names = [path for path in paths if path and "\n" not in path]
        try:
            kinds = self._read_property("objecttype", (f"{self._head}:{path}" for path in names)) if names else []
        except GitError:
            return {}
        return {
            path: _PathState(path, kind == "tree")
            for path, kind in zip(names, kinds, strict=False)
            if kind in {"blob", "tree"}
        }

    def follow_paths(self, missing: Collection[str]) -> dict[str, _PathState]:
        """Return the states of the ``missing`` paths: renamed, gone or never there.

        These are paths that the clone's commit ``head`` does not have. Each is followed through at most 20 renames: the
        newest commit that removed it may have renamed it, a later commit may have renamed the new path, and so on.
        Raises ``GitError``.
        """
        states = {path: _PathState("", was_there=False) for path in missing}
        removals = self._find_removals() if missing else {}
        names = {path: path for path in missing}  # cited path -> its latest name so far
        for _ in range(_MAXIMUM_MOVES):
            names = {path: name for path, name in names.items() if name in removals}
            if not names:
                break
            commits = dict.fromkeys(removals[name] for name in names.values())
            words = (*_REQUESTED, *_CHANGES, *self._renames, "--diff-filter=R")
            renames = dict(self._read_changes(*words, stdin=_join_lines(commits)))
            for path, name in names.items():
                states[path] = _PathState("")
                names[path] = _find_new_path(name, renames.get(removals[name], ()))
            present = self.find_paths(set(names.values()))
            states |= {path: present[name] for path, name in names.items() if name in present}
            names = {path: name for path, name in names.items() if name not in present}
        return states

    def _find_removals(self) -> dict[str, str]:
        """Return {path: hash of the newest commit that removed it} for all paths that were removed up to ``head``.

        For a folder this is the newest commit that removed any file in it.
        """
        removals: dict[str, str] = {}
        words = ("log", *_CHANGES, "--no-renames", "--diff-filter=D", self._head)
        for sha, changes in self._read_changes(*words):
            for change in changes:
                path = change.old
                while path and path not in removals:  # the file, then the folders around it
                    removals[path] = sha
                    path = path.rpartition("/")[0]
        return removals

    def _read_property(self, field: str, names: Iterable[str]) -> list[str]:
        """Return one property of each of some objects of git, in their order; `<name> missing` for a missing one.

        Args:
            field: the property, as ``git cat-file --batch-check`` names it: ``objectname``, ``objecttype``
            names: the objects: hashes, or ``commit:path``
        """
        words = ("cat-file", f"--batch-check=%({field})")
        lines = self._git.read_records(*words, stdin=_join_lines(names), separator=b"\n")
        return [line.decode("utf-8", "replace") for line in lines]

    def _read_commits(self, *words: str, stdin: bytes = b"") -> Iterator[tuple[Description, bytes]]:
        """Yield (commit, its whole message) for the commits that ``git WORDS`` lists, in git's order.

        ``stdin`` is the input of the command, such as the hashes of the commits.
        """
        records = self._git.read_records(*words, "-z", _COMMIT_FORMAT, "--encoding=UTF-8", stdin=stdin)
        for sha, date, author, mail, message in zip(*[records] * 5, strict=False):  # five records in turn
            subject = message.lstrip(b"\n").partition(b"\n")[0]
            name, title = (shorten_title(text.decode("utf-8", "replace")) for text in (author, subject))
            private = _PRIVATE_MAIL.fullmatch(mail.decode("utf-8", "replace").strip().lower())
            day = clean_date(date.decode("ascii", "replace"))
            yield Description(title, "", name, private[1] if private else "", day, sha.decode()), message

    def _read_changes(self, *words: str, stdin: bytes = b"") -> Iterator[tuple[str, list[_Change]]]:
        """Yield (hash of a commit, its changes) from the output of ``git WORDS``; ``words`` include ``_CHANGES``.

        ``stdin`` is the input of the command, such as the hashes of the commits.
        """
        sha, changes = "", list[_Change]()
        records = self._git.read_records(*words, stdin=stdin)
        for record in records:
            if record.startswith(b"\x01"):  # the next commit: the byte 1 and its hash
                if sha:
                    yield sha, changes
                sha, changes = record[1:].decode("ascii", "replace"), []
            elif letter := record.strip(b"\n")[:1]:  # the kind of change; R and C have two paths, others one
                old = next(records, b"").decode("utf-8", "surrogateescape")
                new = next(records, b"").decode("utf-8", "surrogateescape") if letter in b"RC" else old
                changes.append(_Change(old, new))
        if sha:
            yield sha, changes


def _make_path_fact(repo: str, ref: Ref, path: str, state: _PathState, looked_up: tuple[str, str]) -> Fact:
    """Return the fact on a cited file or folder: whether it is still there, and its present address if it moved.

    A reference to a folder may turn out to be a file, and the reverse: then the fact has the right identity, too.

    Args:
        repo: the repository (``owner/name``)
        ref: the artifact as cited
        path: its cited path
        state: the state of the path in the clone
        looked_up: the source of the fact, and its time in ISO 8601
    """
    present = find_file(repo, state.now or path, is_folder=state.is_folder)
    about = Description(status="ok" if state.now == path else "moved" if state.now else "gone")
    if about.status == "moved" and present:
        about.current_url = present.url
    is_other_kind = state.now == path and ref.kind != ("folder" if state.is_folder else "file")
    return make_fact(ref.id, about, present if is_other_kind else None, looked_up=looked_up)


def _find_new_path(name: str, renames: Iterable[_Change]) -> str:
    """Return the new path of a file or folder by the renames of a commit, "" if the commit did not rename it.

    A file went where its own rename leads. A folder went where most of its files went under their names.

    Args:
        name: the path of the file or folder
        renames: the renames of the commit
    """
    folders: Counter[str] = Counter()
    for old, new in renames:
        if old == name:
            return new
        tail = old.removeprefix(name)  # of a file in the folder: /a.py
        if tail.startswith("/") and old.startswith(name) and new.endswith(tail):
            folders[new.removesuffix(tail)] += 1
    return min(folders, key=lambda folder: (-folders[folder], folder), default="")


def _join_lines(names: Iterable[str]) -> bytes:
    """Return names as lines, each with its line end, in the bytes that git expects."""
    return "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
