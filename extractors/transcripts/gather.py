"""Collects the transcripts of episodes: from the files of a folder and from addresses in a feed."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from ..errors import PodgraphError, SourceError
from ..printable import for_message, url_for_message
from ..sources.cache import default_cache
from ..sources.connection import LIMITS, WORLD, OverBudgetError, make_budget_of_extras
from ..sources.documents import read_file
from ..sources.fetch import fetch_url, run_side_by_side
from ..sources.origin import Origin
from ..url import host_of, is_web
from .cues import Transcript
from .matching import EpisodeNames, strip_suffixes
from .read import read_transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ..model import Episode, Feed
    from ..sources.cache import Cache, Fetched
    from ..sources.connection import Budget, World

# The forms of files by their endings, the best first: those with times go before a bare text.
_FORMS = (".json", ".json3", ".vtt", ".srt", ".tsv", ".html", ".txt")
_MOST_LINES = 5  # of one kind


@dataclass(frozen=True, slots=True)
class TranscriptSources:
    """The requested files: those in ``folders``, and with ``fetch`` the transcripts and chapters linked by feeds."""

    folders: tuple[Path, ...] = ()
    fetch: bool = False
    offline: bool = False


def gather_transcripts(
    feeds: Sequence[Feed],
    sources: TranscriptSources,
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
    cache = (cache or default_cache()).share("transcripts")
    budget, limits = budget or make_budget_of_extras(world), replace(LIMITS, body=30_000_000, attempts=2)
    fetch = partial(fetch_url, cache=cache, origin=Origin(home=home), limits=limits, world=world, budget=budget)
    gathering = _Gathering(cache, world, fetch, budget, sources.offline)
    for folder in sources.folders:
        gathering.read_folder(folder, EpisodeNames(feeds))
    episodes = {episode.id: episode for feed in feeds for episode in feed.episodes}
    for kind in ("text", "chapters") if sources.fetch else ():
        gathering.read_links(list(episodes.values()), kind)
    for lines in gathering.problems.values():
        for line in lines[:_MOST_LINES]:
            notify(line)
        if len(lines) > _MOST_LINES:
            notify(f"transcripts: {len(lines) - _MOST_LINES} more like the last")
    transcripts = gathering.transcripts
    texts, chapters = (sum(bool(getattr(one, kind)) for one in transcripts.values()) for kind in ("text", "chapters"))
    more = f"; chapters of {chapters}" if chapters else ""
    notify(f"transcripts: {texts} read, of {len(episodes)} episodes{more}")
    return transcripts


@dataclass(slots=True)
class _Gathering:
    """The transcripts by the episode's id, and the lines about files that are left out, by the kind of problem."""

    cache: Cache
    world: World
    fetch: Callable[[str], Fetched]
    budget: Budget
    offline: bool
    transcripts: dict[str, Transcript] = field(default_factory=dict)
    problems: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def read_folder(self, folder: Path, names: EpisodeNames) -> None:
        """Read the files of a folder, each for the one episode that its name fits."""
        for path in _list_files(folder):
            name = for_message(os.path.relpath(path, folder))
            episodes = names.find_episodes(path.name, path.parent.name)
            titles = " or ".join(f"“{for_message(one.title)}”" for one in episodes[:3])
            if len(episodes) == 1:
                self._add(episodes[0], self._read(episodes[0], name, partial(read_file, path)))
            elif episodes:
                self.problems["several"].append(f"{name}: may be of {titles}; call it after its guid")
            else:
                line = f"{name}: is of no episode here; call it after its sound, title or number"
                self.problems["none"].append(line)

    def read_links(self, episodes: Sequence[Episode], kind: str) -> None:
        """Read the transcripts, or the ``chapters``, that episodes link: the best form, else the next."""
        tasks = []
        for episode in episodes:
            urls = sorted(
                dict.fromkeys(episode.transcripts if kind == "text" else filter(None, [episode.chapters])),
                key=_find_form,
            )
            web_urls = [*filter(is_web, urls)]
            if web_urls != urls:
                remedy = "save them in a folder and give it (--transcripts)"
                self.problems["private"] = [f"transcripts and chapters of a private feed are not fetched; {remedy}"]
            if web_urls and not getattr(self.transcripts.get(episode.id), kind, None):
                tasks.append((episode, web_urls))
        results = run_side_by_side(tasks, self._read_best, get_host=lambda task: host_of(task[1][0]))
        for (episode, _), transcript in zip(tasks, results, strict=True):
            self._add(episode, transcript)
        self.problems["unreadable"].sort()

    def _read_best(self, task: tuple[Episode, list[str]]) -> Transcript | None:
        """Return the first readable transcript at the addresses of an episode."""
        episode, urls = task
        transcripts = (self._read(episode, url_for_message(url), partial(self._fetch, url)) for url in urls)
        return next(filter(None, transcripts), None)

    def _fetch(self, url: str) -> bytes:
        """Return the body at an address: the copy of the last month, else today's answer, else an older copy."""
        copy = self.cache.read_copy(url)
        if copy is None or not (self.offline or self.world.now() - copy.fetched_at < timedelta(days=30)):
            if self.offline:
                raise SourceError("is not in the cache", source=url_for_message(url))
            try:
                return self.fetch(url).data
            except SourceError:
                if copy is None:
                    raise
        self.budget.take(len(copy.data))
        return copy.data

    def _read(self, episode: Episode, name: str, read: Callable[[], bytes]) -> Transcript | None:
        """Return the transcript of an episode in a file; ``None``, and a line, if it has none, or a longer one."""
        try:
            transcript = read_transcript(read(), name)
        except OverBudgetError as error:
            line = str(OverBudgetError(error.problem, source=name, remedy=error.remedy))
            self.problems["budget"] = [f"{line}; those after it are left out, too"]
            return None
        except PodgraphError as error:
            self.problems["unreadable"].append(str(error))
            return None
        end, duration = transcript.times[-1] if transcript.times else 0, episode.duration or 0
        is_longer = bool(duration) and end > 1.1 * duration + 60  # it belongs to another recording
        problem = transcript.warning
        if is_longer:
            last, whole = timedelta(seconds=end), timedelta(seconds=duration)
            problem = f"goes on to {last}, and “{for_message(episode.title)}” is over at {whole}"
        if problem:
            self.problems["unreadable"].append(f"{name}: {problem}")
        return None if is_longer else transcript

    def _add(self, episode: Episode, transcript: Transcript | SourceError | None) -> None:
        """Add a transcript. The first text and the first chapters of an episode count, maybe from two files."""
        if not isinstance(transcript, Transcript):
            return
        before = self.transcripts.setdefault(episode.id, transcript)
        if transcript.chapters and not before.chapters:
            self.transcripts[episode.id] = replace(before, chapters=transcript.chapters)
        elif transcript.text and not before.text:
            self.transcripts[episode.id] = replace(transcript, chapters=before.chapters)
        elif strip_suffixes(before.name) != strip_suffixes(transcript.name):
            title = for_message(episode.title)
            self.problems["second"].append(f"{transcript.name}: “{title}” has one already, {before.name}")


def _find_form(name: str) -> int:
    """Return the place of a file's form among the forms, the best first."""
    ending = f".{name.partition('?')[0].rpartition('.')[2].lower()}"
    return _FORMS.index(ending) if ending in _FORMS else len(_FORMS)


def _list_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may be transcripts, the best forms of one name first."""
    if not folder.is_dir():
        raise SourceError("is not a folder", source=for_message(str(folder)), remedy="give a folder of transcripts")
    paths = [path for depth in range(3) for path in folder.glob("*/" * depth + "*") if path.is_file()]
    paths = [path for path in paths if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    paths.sort(key=lambda path: (_find_form(path.name), path.as_posix()))
    return [path for path in paths if _find_form(path.name) < len(_FORMS)]
