"""Looks up cited numbers, commits and paths in a local clone of their repository, without the network.

The history is read as a stream, and only cited parts are kept: a million commits cost time, not memory. Results are
cached with the clone's commit, so the next build reads only newer commits.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import SourceError
from ..model import Fact, KnownEdge
from ..printable import for_message
from ..sites import identify
from ..sources.cache import Fetched
from .asked import Found, chosen_files, commit_of, file_of, issue_of, login_of, person_of, pull_of
from .git import Git, GitError
from .messages import read_message, title_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from ..ref import Ref
    from ..sources.cache import Cache
    from .asked import OfRepo

_FORM = 1  # version of the cached data; other versions are ignored
_FIELDS = "%H%x00%cI%x00%an%x00%ae%x00%B"
# A number that a message may be about, however it is written.
_NUMBER = re.compile(rb"(?:#|GH-|/pull/|/issues/)([1-9][0-9]{0,8})", re.IGNORECASE)
# `owner/name=DIR`, as a person writes it
_NAMED = re.compile(r"([A-Za-z0-9-]{1,39}/[\w.-]{1,100})=(.+)", re.DOTALL)
# the beginning of a commit's name
_SHA = re.compile(r"[0-9a-f]{4,64}")
_ROUNDS = 2  # of following single paths, before all renames are read at once
_RENAMES = "-l2000"  # new files of one commit that are compared with the old ones
_MOST_LISTED = 3000  # files of one commit that are kept
_FEW = 100  # paths that are followed one by one; git compares each with every file of every commit


@dataclass(frozen=True, slots=True)
class Checkout:
    """A local clone of a repository (``owner/name``)."""

    repo: str
    folder: str

    @property
    def source(self) -> str:
        """The source of its facts, for the graph."""
        return f"clone of {self.repo}"


@dataclass(slots=True)
class Landed:
    """A commit: its name, title, author (and login, where known), day; the files it changed, and how many."""

    sha: str
    title: str
    author: str
    login: str
    date: str
    closes: list[int] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    count: int = 0


@dataclass(slots=True)
class Place:
    """The state of a path: its present path ("": gone), whether it is a folder, and the last commit that has it."""

    now: str
    folder: bool
    at: str


@dataclass(slots=True)
class Known:
    """The results of a clone at its commit ``head``, and the requests."""

    head: str
    date: str
    pulls: dict[int, Landed] = field(default_factory=dict)
    commits: dict[str, Landed] = field(default_factory=dict)
    paths: dict[str, Place] = field(default_factory=dict)
    numbers: set[int] = field(default_factory=set)


def find_checkout(given: str) -> Checkout:
    """Return the clone that ``DIR`` or ``owner/name=DIR`` means.

    Raises ``SourceError`` for a folder that is not a clone, and for a clone whose origin is not on GitHub.
    """
    named = None if Path(given).is_dir() else _NAMED.fullmatch(given)
    repo, folder = (named[1].lower(), named[2]) if named else ("", given)
    path = Path(folder)
    if not path.is_dir():
        raise SourceError("there is no such folder", source=for_message(folder), remedy="name the folder of a clone")
    git = Git(str(path))
    try:
        git.text("rev-parse", "--git-dir", brief=True)
    except GitError as error:
        remedy = error.remedy or "name the folder of a clone"
        raise SourceError(error.problem, source=for_message(folder), remedy=remedy) from error
    if not repo:
        known = identify(git.line("config", "--get", "remote.origin.url"))
        if known is None or known[1].kind != "repo":
            remedy = "say whose clone it is: --checkout owner/name=DIR"
            raise SourceError("its origin is not a repository on GitHub", source=for_message(folder), remedy=remedy)
        repo = known[1].label
    return Checkout(repo, str(path))


def look_into(
    checkout: Checkout, asked: OfRepo, *, cache: Cache, people: Mapping[str, Ref], notify: Callable[[str], None]
) -> Found:
    """Return the results of a clone for the requested artifacts of its repository.

    ``people`` are the persons of the graph by case-folded name. ``notify`` gets a line for missing parts of the clone.
    """
    clone = _Clone(checkout, notify)
    head = clone.head()
    if not head:
        return Found()
    key = f"checkout:{checkout.repo}:{Path(checkout.folder).resolve()}"
    known = clone.answer(asked, head, _restored(cache, key))
    kept = {**asdict(known), "numbers": sorted(known.numbers), "form": _FORM}
    data = json.dumps(kept, sort_keys=True, separators=(",", ":")).encode()
    cache.store(key, Fetched(data, key, fetched_at=datetime.fromisoformat(known.date).astimezone(UTC)))
    _tell_missing(checkout, asked, known, notify)
    return _collect_facts(checkout, asked, known, people)


def _restored(cache: Cache, key: str) -> Known | None:
    """Return the cached results of the last run, if they are complete and of this version."""
    copy = cache.newest(key)
    try:
        data = json.loads(copy.data) if copy else {}
        if data.pop("form", 0) != _FORM:
            return None
        return Known(
            data["head"], data["date"],
            {int(number): Landed(**one) for number, one in data["pulls"].items()},
            {sha: Landed(**one) for sha, one in data["commits"].items()},
            {path: Place(**one) for path, one in data["paths"].items()},
            set(data["numbers"]),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


class _Clone:
    """A clone; each missing part is reported once, and the rest is used."""

    def __init__(self, checkout: Checkout, notify: Callable[[str], None]) -> None:
        self.repo = checkout.repo
        self.git = Git(checkout.folder)
        self._where = for_message(checkout.folder)
        self._notify = notify
        self._renames = "-M"
        self._whole = True

    def head(self) -> str:
        """Return the clone's commit ("" without one), and find out the kind of clone."""
        head = self.git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        if not head:
            self._report("has no commit yet")
            return ""
        if self.git.line("rev-parse", "--is-bare-repository") == "true":
            self._report("is a bare clone: read as it is, at its HEAD")
        if self.git.line("rev-parse", "--is-shallow-repository") == "true":
            self._whole = False
            self._report("is a shallow clone: what is older is not in it; `git fetch --unshallow` gets it")
        if self.git.line("config", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$"):
            self._renames = "-M100%"  # without contents, only unchanged files can be followed
            self._report("is a partial clone: what it lacks is not fetched, so files that moved may count as gone")
        return head

    def answer(self, asked: OfRepo, head: str, before: Known | None) -> Known:
        """Return the requested results, from ``before`` where that is still valid."""
        date = self.git.line("show", "--no-patch", "--format=%cI", head)
        date = date if _is_date(date) else "1970-01-01T00:00:00+00:00"
        known = Known(head, date, numbers=set(asked.numbers))
        since = before.head if before is not None and self._is_ancestor(before.head, head) else ""
        kept = before if before is not None and since else None
        news = f"{since}..{head}" if since else head
        if kept is not None and known.numbers <= kept.numbers:
            known.pulls = dict(kept.pulls)
            known.numbers = kept.numbers
            if since != head:
                self._read_log(known, news)
        else:
            self._read_log(known, head)
        known.commits = {sha: kept.commits[sha] for sha in asked.commits if kept and sha in kept.commits}
        self._find_commits(known, [sha for sha in asked.commits if sha not in known.commits])
        self._list_files(known)
        old = {path: kept.paths[path] for path in asked.paths if kept and path in kept.paths}
        if since == head and len(old) == len(asked.paths):
            known.paths = old
        else:
            self._find_paths(known, asked.paths, old, news)
        if kept is not None and since == head:  # the results of other requests stay
            known.commits, known.paths = kept.commits | known.commits, kept.paths | known.paths
        return known

    def _report(self, what: str) -> None:
        self._notify(f"{self._where} {what}")

    def _is_ancestor(self, old: str, new: str) -> bool:
        """Return whether the history of ``new`` contains the commit ``old``: rewritten histories do not."""
        if old == new:
            return True
        try:
            self.git.text("merge-base", "--is-ancestor", old, new)
        except GitError:
            return False
        return True

    # Numbers and commits

    def _read_log(self, known: Known, revisions: str) -> None:
        """Find the commits that landed or closed the requested numbers in a log; the newest wins."""
        wanted = frozenset(b"%d" % number for number in known.numbers)
        older, known.pulls = known.pulls, {}
        commits = _commits(self.git, revisions) if wanted else ()
        for sha, date, author, mail, text in commits:
            if wanted.isdisjoint(_NUMBER.findall(text)):
                continue
            message = read_message(text.decode("utf-8", "replace"), self.repo)
            if not message.number or (message.number not in known.numbers and known.numbers.isdisjoint(message.closes)):
                continue
            fresh = _make_landed(sha, date, author, mail, message.title, message.login)
            landed = known.pulls.setdefault(message.number, fresh)
            landed.closes = sorted({*landed.closes, *message.closes})
        for number, landed in older.items():
            before = known.pulls.setdefault(number, landed)
            before.closes = sorted({*before.closes, *landed.closes})

    def _find_commits(self, known: Known, shas: Sequence[str]) -> None:
        """Find cited commits, on any branch, by the full hash or its beginning."""
        given = "".join(f"{sha}^{{commit}}\n" for sha in shas).encode()
        try:
            lines = self.git.text("cat-file", "--batch-check=%(objectname)", given=given).splitlines() if shas else []
        except GitError:
            return
        whole = {sha: line for sha, line in zip(shas, lines, strict=False) if _SHA.fullmatch(line)}
        read = _commits(self.git, *_THESE, given=_lines(whole.values())) if whole else ()
        found = {name.decode(): (name, date, author, mail, message) for name, date, author, mail, message in read}
        for sha, name in whole.items():
            if name in found:
                commit, date, author, mail, message = found[name]
                title = title_line(message.decode("utf-8", "replace").lstrip("\n").partition("\n")[0])
                known.commits[sha] = _make_landed(commit, date, author, mail, title, "")

    def _list_files(self, known: Known) -> None:
        """List the files that the found commits changed; for a merge, the difference to its first parent."""
        waiting: dict[str, list[Landed]] = {}
        for landed in (*known.pulls.values(), *known.commits.values()):
            if not landed.count:
                waiting.setdefault(landed.sha, []).append(landed)
        words = (*_THESE, "-z", "--format=%x01%H", "--name-status", self._renames, _RENAMES, *_FIRST_PARENT)
        try:
            for sha, changes in _changes(self.git.records(*words, given=_lines(waiting)) if waiting else iter(())):
                paths = list(dict.fromkeys(new for _, _, new in changes))
                for landed in waiting.get(sha, ()):
                    landed.files, landed.count = sorted(paths)[:_MOST_LISTED], len(paths)
        except GitError as error:
            self._report(f"does not say which files changed ({error.problem})")

    # Paths

    def _find_paths(self, known: Known, asked: Iterable[str], old: Mapping[str, Place], news: str) -> None:
        """Find the present cited paths; for those known at an earlier commit, only newer commits are read."""
        paths = [path for path in asked if "\n" not in path]
        here = self._types(known.head, {*paths, *(old[path].now for path in old if old[path].now)})
        fresh: list[str] = []
        moved: dict[str, str] = {}
        for path in paths:
            before = old.get(path)
            now = path if path in here else before.now if before is not None else ""
            if now in here:
                known.paths[path] = Place(now, here[now], known.head)
            elif before is None:
                fresh.append(path)
            elif before.now:
                moved[path] = before.now
            else:
                known.paths[path] = before
        for group, revisions in (({path: path for path in fresh}, known.head), (moved, news)):
            for path, place in self._follow(group, known.head, revisions).items():
                if place.now or place.at or self._whole:  # a partial history cannot show that a path never existed
                    known.paths[path] = place

    def _types(self, head: str, paths: Collection[str]) -> dict[str, bool]:
        """Return those of some paths that are there, each with whether it is a folder."""
        names = sorted(path for path in paths if path)
        given = "".join(f"{head}:{path}\n" for path in names).encode("utf-8", "surrogateescape")
        try:
            text = self.git.text("cat-file", "--batch-check=%(objecttype)", given=given) if names else ""
        except GitError:
            return {}
        lines = text.splitlines()
        return {path: line == "tree" for path, line in zip(names, lines, strict=False) if line in ("blob", "tree")}

    def _follow(self, waiting: Mapping[str, str], head: str, revisions: str) -> dict[str, Place]:
        """Return the state of missing paths; ``waiting`` maps each to its last known name."""
        found = {path: Place("", folder=False, at="") for path in waiting}
        current = dict(waiting)
        try:
            for _ in range(_ROUNDS if len(current) <= _FEW else 0):
                last, renamed = self._last_seen(set(current.values()), revisions)
                for path, name in current.items():
                    found[path].at = last.get(name, found[path].at)
                current = {path: renamed[name] for path, name in current.items() if name in renamed}
                here = self._types(head, set(current.values()))
                for path in [path for path, name in current.items() if name in here]:
                    name = current.pop(path)
                    found[path] = Place(name, here[name], head)
                if not current:
                    break
            if current:
                self._follow_long(current, found, head, revisions)
        except GitError as error:
            self._report(f"does not say what became of {len(waiting)} paths ({error.problem})")
        return found

    def _last_seen(self, names: Collection[str], revisions: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return, for missing paths, the last commit with each, and its new path."""
        removed: dict[str, tuple[str, str]] = {}
        left = set(names)
        words = (*_LOG, "--no-renames", "--diff-filter=D", revisions)
        with closing(self.git.records(*words, "--", *(f":(top,literal){name}" for name in sorted(left)))) as records:
            for commit, changes in _changes(records):
                sha, _, parents = commit.partition(" ")
                gone = {path for _, path, _ in changes}
                for name in [name for name in left if name in gone or _is_under(name, gone)]:
                    removed[name] = sha, parents.partition(" ")[0]
                    left.discard(name)
                if not left:
                    break
        renamed: dict[str, str] = {}
        these = (*_THESE, "-z", "--format=%x01%H", "--name-status", self._renames, _RENAMES, "--diff-filter=R")
        shas = dict.fromkeys(sha for sha, _ in removed.values())
        for commit, changes in _changes(self.git.records(*these, given=_lines(shas)) if shas else iter(())):
            for name in [name for name, (sha, _) in removed.items() if sha == commit]:
                if target := _target(name, changes):
                    renamed[name] = target
        return {name: parent for name, (_, parent) in removed.items()}, renamed

    def _follow_long(self, current: Mapping[str, str], found: dict[str, Place], head: str, revisions: str) -> None:
        """Follow many paths, or paths that moved often: reads all renames of the history once, the newest first."""
        final: dict[str, str] = {}
        last = dict.fromkeys(current.values(), "")
        for commit, changes in _changes(
            self.git.records(*_LOG, self._renames, _RENAMES, "--diff-filter=DR", revisions)
        ):
            for letter, old, new in changes:
                if letter == "R":
                    final.setdefault(old, final.get(new, new))
                if last.get(old) == "":
                    last[old] = commit.partition(" ")[2].partition(" ")[0]
        here = self._types(head, {final.get(name, "") for name in current.values()})
        for path, name in current.items():
            if (end := final.get(name, "")) in here:
                found[path] = Place(end, here[end], head)
            else:
                found[path].at = last[name] or found[path].at


_LOG = ("log", "-z", "--format=%x01%H %P", "--name-status")
_THESE = ("log", "--no-walk=unsorted", "--stdin")
_FIRST_PARENT = ("--diff-merges=first-parent", "--root")


def _commits(git: Git, *words: str, given: bytes = b"") -> Iterator[tuple[bytes, bytes, bytes, bytes, bytes]]:
    """Yield (name, day, author, mail, message) of commits, the newest first."""
    if words[0] != "log":
        words = ("log", *words)
    with closing(git.records(*words, "-z", f"--format={_FIELDS}", "--encoding=UTF-8", given=given)) as records:
        yield from zip(*[records] * 5, strict=False)


def _changes(records: Iterator[bytes]) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Yield (line of the commit, [(letter, old path, new path)]) from the output of ``--name-status -z``."""
    commit, changes = "", list[tuple[str, str, str]]()
    for record in records:
        if record.startswith(b"\x01"):
            if commit:
                yield commit, changes
            commit, changes = record[1:].decode("ascii", "replace").strip(), []
            continue
        letter = record.strip(b"\n").decode("ascii", "replace")[:1]
        if not letter:
            continue
        old = _path(next(records, b""))
        changes.append((letter, old, _path(next(records, b"")) if letter in "RC" else old))
    if commit:
        yield commit, changes


def _path(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()


def _is_under(folder: str, paths: Iterable[str]) -> bool:
    return any(path.startswith(f"{folder}/") for path in paths)


def _target(name: str, changes: Iterable[tuple[str, str, str]]) -> str:
    """Return where a path went: a file by its rename, a folder where most of its files went under their names."""
    folders: Counter[str] = Counter()
    for _, old, new in changes:
        if old == name:
            return new
        tail = old.removeprefix(name)
        if tail.startswith("/") and old.startswith(name) and new.endswith(tail):
            folders[new.removesuffix(tail)] += 1
    return min(folders, key=lambda folder: (-folders[folder], folder), default="")


def _make_landed(sha: bytes, date: bytes, author: bytes, mail: bytes, title: str, login: str) -> Landed:
    """Return a commit from the fields of git's log, without its files."""
    day = date.decode("ascii", "replace")
    return Landed(
        sha.decode(), title, title_line(author.decode("utf-8", "replace")),
        login or login_of(mail.decode("utf-8", "replace")), day if _is_date(day) else "",
    )  # fmt: skip


def _is_date(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _tell_missing(checkout: Checkout, asked: OfRepo, known: Known, notify: Callable[[str], None]) -> None:
    """Report the share of requested artifacts that was found."""
    pulls = sum(number in known.pulls for number in asked.numbers)
    there = sum(bool(known.paths[path].now) for path in asked.paths if path in known.paths)
    counts = (
        (pulls, len(asked.numbers), "numbers landed"),
        (len(known.commits), len(asked.commits), "commits"),
        (there, len(asked.paths), "files and folders"),
    )
    said = ", ".join(f"{count} of {total} {what}" for count, total, what in counts if total)
    notify(f"looked into {for_message(checkout.folder)} ({checkout.repo}): {said or 'nothing of it is cited'}")


def _collect_facts(checkout: Checkout, asked: OfRepo, known: Known, people: Mapping[str, Ref]) -> Found:
    """Return the results for the requested artifacts as facts and edges.

    The cache may also hold the results of other builds; these are left out. ``people`` are the persons of the graph by
    case-folded name.
    """
    found = Found()
    signed = (checkout.source, known.date)
    numbers = set(asked.numbers)
    for number, landed in sorted(known.pulls.items()):
        if number not in numbers and numbers.isdisjoint(landed.closes):
            continue  # asked for by another build
        pull = pull_of(checkout.repo, number)
        cited = asked.numbers.get(number)
        found.facts.append(Fact(cited.id if cited else pull.id, _attributes(landed, "merged"), pull, looked_up=signed))
        found.edges += _of_commit(checkout, pull, landed, asked, people, signed)
        commit = commit_of(checkout.repo, landed.sha)
        found.edges.append(KnownEdge(pull, commit, "landed_as", (), ("the commit says so",), signed))
        found.edges += (
            KnownEdge(pull, issue_of(checkout.repo, issue), "closes", (), ("its message says so",), signed)
            for issue in landed.closes
            if issue in numbers or number in numbers
        )
    for sha, landed in sorted((sha, known.commits[sha]) for sha in asked.commits if sha in known.commits):
        commit = commit_of(checkout.repo, landed.sha)
        found.facts.append(Fact(asked.commits[sha].id, _attributes(landed, ""), commit, looked_up=signed))
        found.edges += _of_commit(checkout, commit, landed, asked, people, signed)
    found.facts += (_make_path_fact(checkout, ref, known.paths[path], signed)
                    for path, ref in asked.paths.items() if path in known.paths)  # fmt: skip
    return found


def _attributes(landed: Landed, state: str) -> tuple[tuple[str, str | int], ...]:
    values: tuple[tuple[str, str | int], ...] = (
        ("title", landed.title), ("state", state), ("author", landed.author), ("date", landed.date),
        ("files", landed.count),
    )  # fmt: skip
    return tuple((name, value) for name, value in values if value)


def _of_commit(
    checkout: Checkout, ref: Ref, landed: Landed, asked: OfRepo, people: Mapping[str, Ref], signed: tuple[str, str]
) -> Iterator[KnownEdge]:
    """Yield the edges from a pull request or commit to the files it changed and to its author."""
    for path in chosen_files(landed.files, asked.paths):
        if (file := file_of(checkout.repo, path)) is not None:
            yield KnownEdge(ref, file, "touches", (), ("it changed this file",), signed)
    author = person_of(landed.login) or people.get(landed.author.casefold())
    if author is not None:
        yield KnownEdge(ref, author, "authored_by", (), ("its commit names the author",), signed)


def _make_path_fact(checkout: Checkout, ref: Ref, place: Place, signed: tuple[str, str]) -> Fact:
    """Return the fact on a cited file or folder: its state, its present path, and a permanent link to its last version.

    A reference to a folder may turn out to be a file, and the reverse: then the fact has the right identity, too.
    """
    path = dict(ref.attrs).get("path", "")
    now = file_of(checkout.repo, place.now or str(path), folder=place.folder)
    head = now.url if now else ""
    status = "moved" if place.now != path else "ok"
    attrs = [("status", status if place.now else "gone")]
    if place.now and place.now != path:
        attrs += [("current_path", place.now), ("current_url", head)]
    if head and place.at:
        attrs.append(("permalink", head.replace("/HEAD/", f"/{place.at}/", 1)))
    kind = "folder" if place.folder else "file"
    own = file_of(checkout.repo, str(path), folder=place.folder) if place.now == path and kind != ref.kind else None
    return Fact(ref.id, tuple(attr for attr in attrs if attr[1]), own, looked_up=signed)
