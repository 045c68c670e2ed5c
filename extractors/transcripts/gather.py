"""Collects the transcripts of episodes: from the files of a folder and from addresses in a feed."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from ..errors import PodgraphError, SourceError
from ..printable import for_message, url_for_message
from ..sources.cache import default_cache
from ..sources.connection import LIMITS, WORLD, OverBudgetError, budget_beside
from ..sources.files import read_file
from ..sources.origin import Origin
from ..url import host_of, is_web
from .matching import Episodes, bare
from .read import read_transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ..model import Episode, Feed
    from ..sources.cache import Cache, Fetched
    from ..sources.connection import Budget, World
    from .cues import Transcript

# The forms of files by their endings, the best first: those with speakers and times go before a bare text.
_FORMS = (".json", ".json3", ".vtt", ".srt", ".tsv", ".srv1", ".srv2", ".srv3", ".xml", ".html", ".txt")
_LIMITS = replace(LIMITS, body=30_000_000, attempts=2)
_FRESH = timedelta(days=30)
_DEEPEST = 2  # folders within the folder
_LATE = 1.1  # times an episode's duration, plus a minute: a longer transcript belongs to another recording
_TOLD = 5  # lines of one kind
_KINDS = ("text", "chapters")  # the fields of `Transcript` that an episode can have


@dataclass(frozen=True, slots=True)
class Heard:
    """The requested files: those in ``folders``, and the transcripts (``fetch``) and ``chapters`` linked by feeds.

    A quote in the graph has at most ``words`` words of a transcript.
    """

    folders: tuple[Path, ...] = ()
    fetch: bool = False
    offline: bool = False
    words: int = 12
    chapters: bool = False


def gather_transcripts(
    feeds: Sequence[Feed],
    heard: Heard,
    *,
    cache: Cache | None = None,
    world: World = WORLD,
    home: tuple[str, int] | None = None,
    budget: Budget | None = None,
    notify: Callable[[str], None] = lambda _: None,
) -> dict[str, Transcript]:
    """Return the transcripts and chapters of the episodes of ``feeds``, by the episode's id.

    A file of a folder has priority over a feed's link. ``notify`` gets a line for each unreadable file, each file
    without an episode, and each file that matches two. Raises ``SourceError`` for a missing folder. ``home`` is a host
    and port of this machine that requests may use. The bytes of fetched files are taken from the ``budget``, which
    look-ups share; when it is used up, one line reports it.
    """
    found: dict[str, Transcript] = {}
    gathering = _Gathering({episode.id: episode for feed in feeds for episode in feed.episodes}, found)
    for folder in heard.folders:
        gathering.read_folder(folder, Episodes(feeds))
    kinds = [kind for kind, wanted in zip(_KINDS, (heard.fetch, heard.chapters), strict=True) if wanted]
    if kinds:
        budget = budget or budget_beside(world)
        gathering.fetch(
            kinds, (cache or default_cache()).share("transcripts"), world, home, budget, offline=heard.offline
        )
    for problems in gathering.problems.values():
        for problem in problems[:_TOLD]:
            notify(problem)
        if len(problems) > _TOLD:
            notify(f"transcripts: {len(problems) - _TOLD} more like the last")
    if gathering.over:
        notify(f"{gathering.over}; those after it are left out, too")
    texts, chapters = (sum(bool(getattr(one, kind)) for one in found.values()) for kind in _KINDS)
    more = f"; chapters of {chapters}" if chapters else ""
    notify(f"transcripts: {texts} read, of {len(gathering.episodes)} episodes{more}")
    return found


class _Gathering:
    """The transcripts found so far, and the lines to report, by their kind."""

    def __init__(self, episodes: Mapping[str, Episode], found: dict[str, Transcript]) -> None:
        self.episodes = episodes
        self.found = found
        self.problems: dict[str, list[str]] = {"unread": [], "nobody": [], "several": [], "second": []}
        self.over = ""  # the first error of a used-up budget

    def read_folder(self, folder: Path, episodes: Episodes) -> None:
        """Read the transcripts of a folder, each for the one episode that its name fits, and note the other files."""
        for path in _files(folder):
            name = for_message(os.path.relpath(path, folder))
            matches = episodes.of_file(path.name, path.parent.name)
            if not matches:
                remedy = "call it after its sound, title or number"
                self.problems["nobody"].append(f"{name}: is of no episode here; {remedy}")
            elif len(matches) > 1:
                titles = " or ".join(f"“{for_message(one.title)}”" for one in matches[:3])
                self.problems["several"].append(f"{name}: may be of {titles}; call it after its guid")
            else:
                self._take(matches[0], name, partial(read_file, path))

    def _take(self, episode: Episode, name: str, read: Callable[[], bytes]) -> None:
        """Read one transcript for an episode.

        The first text and the first chapters of an episode count; they may come from two files.
        """
        try:
            transcript = read_transcript(read(), name)
        except PodgraphError as error:
            self.problems["unread"].append(str(error))
            return
        if problem := _misfit(transcript, episode):
            self.problems["unread"].append(f"{name}: {problem}")
            return
        if transcript.warning:
            self.problems["unread"].append(f"{name}: {transcript.warning}")
        known = self.found.get(episode.id)
        if known is None:
            self.found[episode.id] = transcript
        elif transcript.chapters and not known.chapters:
            self.found[episode.id] = replace(known, chapters=transcript.chapters)
        elif transcript.text and not known.text:
            self.found[episode.id] = replace(transcript, chapters=known.chapters)
        elif bare(known.name) != bare(name):
            self.problems["second"].append(f"{name}: “{for_message(episode.title)}” has one already, {known.name}")

    def fetch(
        self,
        kinds: Sequence[str],
        cache: Cache,
        world: World,
        home: tuple[str, int] | None,
        budget: Budget,
        *,
        offline: bool,
    ) -> None:
        """Fetch the file of each kind for episodes that lack it: the best format first, the next after a failure."""
        addresses = {id_: _addresses(episode) for id_, episode in self.episodes.items()}
        waiting = {id_: {kind: of[kind] for kind in kinds} for id_, of in addresses.items()}
        if any(not is_web(url) for of in waiting.values() for urls in of.values() for url in urls):
            remedy = "save them in a folder and give it (--transcripts)"
            self.problems["unread"].append(f"transcripts and chapters of a private feed are not fetched; {remedy}")
            waiting = {id_: {kind: [*filter(is_web, urls)] for kind, urls in of.items()} for id_, of in waiting.items()}
        for kind in kinds:
            tasks = {id_: list(waiting[id_][kind]) for id_ in waiting if not self._has(id_, kind)}
            while asked := {id_: urls.pop(0) for id_, urls in tasks.items() if urls and not self._has(id_, kind)}:
                answers = _answers(list(dict.fromkeys(asked.values())), cache, world, home, budget, offline=offline)
                for id_, url in asked.items():
                    self._take_answer(self.episodes[id_], url, answers[url])

    def _has(self, id_: str, kind: str) -> bool:
        return bool(getattr(self.found.get(id_), kind, None))

    def _take_answer(self, episode: Episode, url: str, answer: Fetched | SourceError) -> None:
        if isinstance(answer, OverBudgetError):
            self.over = self.over or str(answer)
        elif isinstance(answer, SourceError):
            self.problems["unread"].append(str(answer))
        else:
            self._take(episode, url_for_message(url), lambda: answer.data)


def _answers(
    urls: Sequence[str], cache: Cache, world: World, home: tuple[str, int] | None, budget: Budget, *, offline: bool
) -> dict[str, Fetched | SourceError]:
    """Return the body of each address: the copy of the last month, else today's answer, else an older copy."""
    answers: dict[str, Fetched | SourceError] = {}
    for url in urls:
        copy = cache.newest(url)
        if copy and (offline or world.now() - copy.fetched_at < _FRESH):
            answers[url] = _counted(copy, url, budget)
    asked = [url for url in urls if url not in answers]
    if offline:
        answers |= {url: SourceError("is not in the cache", source=url_for_message(url)) for url in asked}
    else:
        from ..sources.fetch import fetch_url, run_side_by_side  # noqa: PLC0415 - these libraries are slow to load

        fetch = partial(fetch_url, cache=cache, origin=Origin(home=home), limits=_LIMITS, world=world, budget=budget)
        found = run_side_by_side(asked, fetch, party=host_of)
        for url, answer in zip(asked, found, strict=True):
            old = cache.newest(url) if isinstance(answer, SourceError) else None
            answers[url] = _counted(old, url, budget) if old else answer
    return answers


def _counted(copy: Fetched, url: str, budget: Budget) -> Fetched | SourceError:
    """Return a copy of the cache for which the budget has bytes, else the error."""
    try:
        budget.take(len(copy.data))
    except OverBudgetError as error:
        return OverBudgetError(error.problem, source=url_for_message(url), remedy=error.remedy)
    return copy


def _addresses(episode: Episode) -> dict[str, list[str]]:
    """Return the addresses of an episode's transcripts, the best form first, and of its chapters."""
    texts = sorted(dict.fromkeys(episode.transcripts), key=_form)
    return {"text": texts, "chapters": [episode.chapters] if episode.chapters else []}


def _form(name: str) -> int:
    ending = f".{name.partition('?')[0].rpartition('.')[2].lower()}"
    return _FORMS.index(ending) if ending in _FORMS else len(_FORMS)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that may be transcripts, the best forms of one name first."""
    if not folder.is_dir():
        raise SourceError("is not a folder", source=for_message(str(folder)), remedy="give a folder of transcripts")
    found = []
    for root, folders, names in os.walk(folder):
        here = os.path.relpath(root, folder)
        depth = 0 if here == "." else here.count(os.sep) + 1
        folders[:] = sorted(name for name in folders if not name.startswith(".")) if depth < _DEEPEST else []
        found += [folder / here / name for name in names if _form(name) < len(_FORMS) and not name.startswith(".")]
    yield from sorted(found, key=lambda path: (_form(path.name), path.as_posix()))


def _misfit(transcript: Transcript, episode: Episode) -> str:
    """Return why a transcript cannot be of an episode: it goes on after its end."""
    end = transcript.times[-1] if transcript.times else 0
    if episode.duration and end > _LATE * episode.duration + 60:
        return f"goes on to {_clock(end)}, and “{for_message(episode.title)}” is over at {_clock(episode.duration)}"
    return ""


def _clock(seconds: int) -> str:
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
