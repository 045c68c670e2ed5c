"""Looks up cited numbers, commits and paths in a local clone of their repository, without the network."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
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

_COMMIT_FORMAT = "--format=%H%x00%cI%x00%an%x00%ae%x00%B"
_CHANGES = ("-z", "--format=%x01%H", "--name-status")
_REQUESTED = ("log", "--no-walk=unsorted", "--stdin")
# A number that a message may be about, however it is written.
_NUMBER = re.compile(rb"(?:#|GH-|/pull/|/issues/)([1-9][0-9]{0,8})", re.IGNORECASE)
# `owner/name=DIR`, as a person writes it
_NAMED = re.compile(r"([A-Za-z0-9-]{1,39}/[\w.-]{1,100})=(.+)", re.DOTALL)
# the name and the number in the address of a private mail of GitHub's
_PRIVATE_MAIL = re.compile(r"(?:[0-9]+\+)?([a-z0-9-]{1,39})@users\.noreply\.github\.com")
_MOST_MOVES = 20  # of one path


@dataclass(frozen=True, slots=True)
class Checkout:
    """A local clone of a repository (``owner/name``)."""

    repo: str
    folder: str


class _PathState(NamedTuple):
    """The state of a path: its present path ("": none), whether it is a folder, and whether a commit had it."""

    now: str
    is_folder: bool = False
    was_there: bool = True


class _Change(NamedTuple):
    """A change of a file in a commit; ``new`` is its path afterwards."""

    old: str
    new: str


def find_checkout(text: str) -> Checkout:
    """Return the clone that ``DIR`` or ``owner/name=DIR`` means.

    Raises ``SourceError`` for a folder that is not a clone, and for a clone whose origin is not on GitHub.
    """
    match = None if Path(text).is_dir() else _NAMED.fullmatch(text)
    repo, folder = (match[1].lower(), match[2]) if match else ("", text)
    if not Path(folder).is_dir():
        raise SourceError("there is no such folder", source=for_message(folder), remedy="name the folder of a clone")
    git = Git(folder)
    git.check()
    if not repo:
        origin = identify(git.line("config", "--get", "remote.origin.url"))
        if origin is None or origin[1].kind != "repo":
            remedy = "say whose clone it is: --checkout owner/name=DIR"
            raise SourceError("its origin is not a repository on GitHub", source=for_message(folder), remedy=remedy)
        repo = origin[1].label
    return Checkout(repo, folder)


def look_into(
    checkout: Checkout, artifacts: RepositoryArtifacts, *, people: Mapping[str, Ref], notify: Callable[[str], None]
) -> Metadata:
    """Return the results of a clone for the cited artifacts of its repository.

    ``people`` are the persons of the graph by case-folded name. ``notify`` gets a line for missing parts of the clone.
    """
    where = for_message(checkout.folder)
    git = Git(checkout.folder)
    head = git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if not head:
        notify(f"{where} has no commit yet")
        return Metadata()
    is_shallow = git.line("rev-parse", "--is-shallow-repository") == "true"
    if is_shallow:
        notify(f"{where} is a shallow clone: what is older is not in it; `git fetch --unshallow` gets it")
    is_partial = bool(git.line("config", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$"))
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
    pull_count, path_count = (
        sum(number in pulls for number in artifacts.numbers),
        sum(bool(state.now) for state in states.values()),
    )
    notify(
        f"looked into {where} ({checkout.repo}): {pull_count} of {len(artifacts.numbers)} numbers landed, "
        f"{len(commits)} of {len(artifacts.commits)} commits, {path_count} of {len(artifacts.paths)} files and folders"
    )
    results, repo, looked_up = Metadata(), checkout.repo, (f"clone of {checkout.repo}", history.date)
    for number, commit in sorted(pulls.items()):
        pull = find_artifact(repo, f"pull/{number}")
        ref = artifacts.numbers.get(number, pull)
        issues = [issue for issue in commit.closes if number in artifacts.numbers or issue[1] in artifacts.numbers]
        about = replace(commit, state="merged", closes=issues)
        if ref is not None:
            results += describe(
                ref.id, pull, about, repo=repo, paths=artifacts.paths, looked_up=looked_up, people=people
            )
    for sha, commit in sorted(commits.items()):
        present, about = find_artifact(repo, f"commit/{commit.sha}"), replace(commit, sha="", closes=[])
        id_ = artifacts.commits[sha].id
        results += describe(id_, present, about, repo=repo, paths=artifacts.paths, looked_up=looked_up, people=people)
    results.facts += [
        _make_path_fact(repo, ref, path, states[path], looked_up)
        for path, ref in artifacts.paths.items()
        if path in states
    ]
    return results


class _History:
    """The history of a clone up to its commit ``head``."""

    def __init__(self, git: Git, repo: str, head: str, *, is_partial: bool) -> None:
        self._git, self._repo, self._head = git, repo, head
        # Without contents, only unchanged files can be followed.
        self._renames = ("-M100%" if is_partial else "-M", "-l2000")
        self.date = clean_date(git.line("show", "--no-patch", "--format=%cI", head)) or "1970-01-01T00:00:00+00:00"

    def find_pulls(self, numbers: Collection[int]) -> dict[int, Description]:
        """Return the commits that landed a requested pull request, or closed a requested issue; the newest wins."""
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
        """Return the cited commits, on any branch, by their full hash or its beginning."""
        try:
            names = self._run_batch("objectname", (f"{sha}^{{commit}}" for sha in shas)) if shas else []
        except GitError:
            return {}
        full = {name: sha for sha, name in zip(shas, names, strict=False) if re.fullmatch(r"[0-9a-f]{40,64}", name)}
        read = self._read_commits(*_REQUESTED, stdin=_join_lines(full)) if full else ()
        return {full[commit.sha]: commit for commit, _ in read if commit.sha in full}

    def add_files(self, commits: Iterable[Description]) -> None:
        """List the files that commits changed; for a merge, the difference to its first parent. Raises ``GitError``."""
        waiting: dict[str, list[Description]] = {}
        for commit in commits:
            waiting.setdefault(commit.sha, []).append(commit)
        words = (*_REQUESTED, *_CHANGES, *self._renames, "--diff-merges=first-parent", "--root")
        for sha, changes in self._read_changes(*words, stdin=_join_lines(waiting)) if waiting else ():
            for commit in waiting.get(sha, ()):
                commit.files = sorted({change.new for change in changes})
                commit.file_count = len(commit.files)

    def find_paths(self, paths: Iterable[str]) -> dict[str, _PathState]:
        """Return the states of the paths that are in the clone's commit."""
        names = [path for path in paths if path and "\n" not in path]
        try:
            kinds = self._run_batch("objecttype", (f"{self._head}:{path}" for path in names)) if names else []
        except GitError:
            return {}
        return {
            path: _PathState(path, kind == "tree")
            for path, kind in zip(names, kinds, strict=False)
            if kind in {"blob", "tree"}
        }

    def follow_paths(self, missing: Collection[str]) -> dict[str, _PathState]:
        """Return the states of missing paths, through the renames in the commits that removed them.

        Raises ``GitError``.
        """
        states = {path: _PathState("", was_there=False) for path in missing}
        removals = self._find_removals() if missing else {}
        current = {path: path for path in missing}
        for _ in range(_MOST_MOVES):
            current = {path: name for path, name in current.items() if name in removals}
            if not current:
                break
            commits = dict.fromkeys(removals[name] for name in current.values())
            words = (*_REQUESTED, *_CHANGES, *self._renames, "--diff-filter=R")
            renames = dict(self._read_changes(*words, stdin=_join_lines(commits)))
            for path, name in current.items():
                states[path] = _PathState("")
                current[path] = _find_target(name, renames.get(removals[name], ()))
            here = self.find_paths(set(current.values()))
            states |= {path: here[name] for path, name in current.items() if name in here}
            current = {path: name for path, name in current.items() if name not in here}
        return states

    def _find_removals(self) -> dict[str, str]:
        """Return the newest commit that removed each file, or a file of each folder."""
        removals: dict[str, str] = {}
        words = ("log", *_CHANGES, "--no-renames", "--diff-filter=D", self._head)
        for sha, changes in self._read_changes(*words):
            for change in changes:
                path = change.old
                while path and path not in removals:
                    removals[path] = sha
                    path = path.rpartition("/")[0]
        return removals

    def _run_batch(self, what: str, names: Iterable[str]) -> list[str]:
        """Return what git knows of each object, a line each."""
        words = ("cat-file", f"--batch-check=%({what})")
        lines = self._git.records(*words, stdin=_join_lines(names), separator=b"\n")
        return [line.decode("utf-8", "replace") for line in lines]

    def _read_commits(self, *words: str, stdin: bytes = b"") -> Iterator[tuple[Description, bytes]]:
        """Yield commits and their messages, the newest first."""
        records = self._git.records(*words, "-z", _COMMIT_FORMAT, "--encoding=UTF-8", stdin=stdin)
        for sha, date, author, mail, message in zip(*[records] * 5, strict=False):
            subject = message.lstrip(b"\n").partition(b"\n")[0]
            name, title = (shorten_title(text.decode("utf-8", "replace")) for text in (author, subject))
            private = _PRIVATE_MAIL.fullmatch(mail.decode("utf-8", "replace").strip().lower())
            day = clean_date(date.decode("ascii", "replace"))
            yield Description(title, "", name, private[1] if private else "", day, sha.decode()), message

    def _read_changes(self, *words: str, stdin: bytes = b"") -> Iterator[tuple[str, list[_Change]]]:
        """Yield (commit, changes) from the output of ``--name-status -z``."""
        sha, changes = "", list[_Change]()
        records = self._git.records(*words, stdin=stdin)
        for record in records:
            if record.startswith(b"\x01"):
                if sha:
                    yield sha, changes
                sha, changes = record[1:].decode("ascii", "replace"), []
            elif letter := record.strip(b"\n")[:1]:
                old = next(records, b"").decode("utf-8", "surrogateescape")
                new = next(records, b"").decode("utf-8", "surrogateescape") if letter in b"RC" else old
                changes.append(_Change(old, new))
        if sha:
            yield sha, changes


def _make_path_fact(repo: str, ref: Ref, path: str, state: _PathState, looked_up: tuple[str, str]) -> Fact:
    """Return the fact on a cited file or folder: its state, and its present address.

    A reference to a folder may turn out to be a file, and the reverse: then the fact has the right identity, too.
    """
    present = find_file(repo, state.now or path, is_folder=state.is_folder)
    about = Description(status="ok" if state.now == path else "moved" if state.now else "gone")
    if about.status == "moved" and present:
        about.current_url = present.url
    is_other_kind = state.now == path and ref.kind != ("folder" if state.is_folder else "file")
    return make_fact(ref.id, about, present if is_other_kind else None, looked_up=looked_up)


def _find_target(name: str, renames: Iterable[_Change]) -> str:
    """Return where a path went: a file by its rename, a folder where most of its files went under their names."""
    folders: Counter[str] = Counter()
    for old, new in renames:
        if old == name:
            return new
        tail = old.removeprefix(name)
        if tail.startswith("/") and old.startswith(name) and new.endswith(tail):
            folders[new.removesuffix(tail)] += 1
    return min(folders, key=lambda folder: (-folders[folder], folder), default="")


def _join_lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
