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

# The suffixes of transcripts, the best first: those with times come before a bare text.
_SUFFIXES = (".json", ".json3", ".vtt", ".srt", ".tsv", ".html", ".txt")
_MAXIMUM_LINES = 5  # for the user, of one kind of problem


@dataclass(frozen=True, slots=True)
class TranscriptSources:
    """The requested files: those in ``folders``, and with ``fetch`` the transcripts and chapters linked by feeds."""

    folders: tuple[Path, ...] = ()
    fetch: bool = False
    offline: bool = False


def gather_transcripts(
    feeds: Sequence[Feed], sources: TranscriptSources, *, cache: Cache | None = None, world: World = WORLD,
    home: tuple[str, int] | None = None, budget: Budget | None = None, notify: Callable[[str], None] = lambda _: None,
) -> dict[str, Transcript]:  # fmt: skip
    """Return the transcripts and chapters of the episodes of ``feeds``, by the episode's id.

    A file of a folder has priority over a feed's link. Unreadable files, files without an episode and files that match
    two are reported, and left out.

    Args:
        feeds: the parsed feeds
        sources: the folders with files, and whether linked files are fetched
        cache: keeps fetched files; ``None``: the user's cache
        world: clocks, sleep, chance and names
        home: a host and port inside the user's network that requests may use; ``None``: none
        budget: the bytes of fetched files are taken from it; ``None``: a new one
        notify: is called with lines for the user, the last one with the numbers of transcripts and chapters

    Raises:
        SourceError: a folder is missing
    """
    cache = (cache or default_cache()).share("transcripts")
    budget, limits = budget or make_budget_of_extras(world), replace(LIMITS, body=30_000_000, attempts=2)
    fetch = partial(fetch_url, cache=cache, origin=Origin(home=home), limits=limits, world=world, budget=budget)
    gathering = _Gathering(cache, world, fetch, budget, sources.offline)
    for folder in sources.folders:
        gathering.read_folder(folder, EpisodeNames(feeds))
    episodes = {episode.id: episode for feed in feeds for episode in feed.episodes}
    for kind in ("text", "chapters") if sources.fetch else ():  # the fields of a transcript to fill
        gathering.read_links(list(episodes.values()), kind)
    for lines in gathering.problems.values():
        for line in lines[:_MAXIMUM_LINES]:
            notify(line)
        if len(lines) > _MAXIMUM_LINES:
            notify(f"transcripts: {len(lines) - _MAXIMUM_LINES} more like the last")
    transcripts = gathering.transcripts
    text_count = sum(bool(transcript.text) for transcript in transcripts.values())
    chapters_count = sum(bool(transcript.chapters) for transcript in transcripts.values())
    more = f"; chapters of {chapters_count}" if chapters_count else ""
    notify(f"transcripts: {text_count} read, of {len(episodes)} episodes{more}")
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
        """Add the transcripts in the files of a folder, each to the one episode that its name fits.

        A file that fits no episode, or several, adds a line to the problems.
        """
        for path in _list_files(folder):
            name = for_message(os.path.relpath(path, folder))
            episodes = names.find_episodes(path.name, path.parent.name)
            titles = " or ".join(f"“{for_message(episode.title)}”" for episode in episodes[:3])
            if len(episodes) == 1:
                self._add(episodes[0], self._try_to_read(episodes[0], name, partial(read_file, path)))
            elif episodes:
                self.problems["several"].append(f"{name}: may be of {titles}; call it after its guid")
            else:
                line = f"{name}: is of no episode here; call it after its sound, title or number"
                self.problems["none"].append(line)

    def read_links(self, episodes: Sequence[Episode], kind: str) -> None:
        """Fetch and add the transcripts that episodes link to, or with the ``kind`` "chapters" their chapters.

        Of several links of an episode the best format is read, else the next one. An episode that has one already is
        left out.
        """
        tasks = []
        for episode in episodes:
            urls = sorted(
                dict.fromkeys(episode.transcripts if kind == "text" else filter(None, [episode.chapters])),
                key=_rank_suffix,
            )
            web_urls = [*filter(is_web, urls)]
            if web_urls != urls:
                remedy = "save them in a folder and give it (--transcripts)"
                self.problems["private"] = [f"transcripts and chapters of a private feed are not fetched; {remedy}"]
            if web_urls and not getattr(self.transcripts.get(episode.id), kind, None):
                tasks.append((episode, web_urls))
        # A task's server is that of its best address.
        results = run_side_by_side(tasks, self._read_best, get_host=lambda task: host_of(task[1][0]))
        for (episode, _), transcript in zip(tasks, results, strict=True):
            self._add(episode, transcript)
        self.problems["unreadable"].sort()

    def _read_best(self, task: tuple[Episode, list[str]]) -> Transcript | None:
        """Return the first readable transcript at some addresses; ``None`` without one.

        ``task`` is (episode, addresses of its transcripts, the best first).
        """
        episode, urls = task
        transcripts = (self._try_to_read(episode, url_for_message(url), partial(self._fetch, url)) for url in urls)
        return next(filter(None, transcripts), None)

    def _fetch(self, url: str) -> bytes:
        """Return the body at an address: a copy of the last month, else the server's answer, else an older copy.

        Without a network only a copy serves. Raises ``SourceError`` if there is neither an answer nor a copy.
        """
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

    def _try_to_read(self, episode: Episode, name: str, read: Callable[[], bytes]) -> Transcript | None:
        """Return the transcript in a file or at an address; ``None``, and a line among the problems, if it is unusable.

        A transcript that goes on long after the end of the episode is of another recording, and unusable.

        Args:
            episode: the episode that it may belong to
            name: the name of the file or address in messages
            read: returns the bytes
        """
        try:
            transcript = read_transcript(read(), name)
        except OverBudgetError as error:
            line = str(OverBudgetError(error.problem, source=name, remedy=error.remedy))
            self.problems["budget"] = [f"{line}; those after it are left out, too"]
            return None
        except PodgraphError as error:
            self.problems["unreadable"].append(str(error))
            return None
        end, duration = transcript.times[-1] if transcript.times else 0, episode.duration or 0  # seconds
        is_longer = bool(duration) and end > 1.1 * duration + 60  # a tenth and a minute are allowed
        problem = transcript.warning
        if is_longer:
            last, whole = timedelta(seconds=end), timedelta(seconds=duration)
            problem = f"goes on to {last}, and “{for_message(episode.title)}” is over at {whole}"
        if problem:
            self.problems["unreadable"].append(f"{name}: {problem}")
        return None if is_longer else transcript

    def _add(self, episode: Episode, transcript: Transcript | SourceError | None) -> None:
        """Store a transcript or chapters of an episode; ``transcript`` may be an error or ``None``, which is ignored.

        An episode has one text and one list of chapters, maybe from two files: the first of each counts. A second text
        adds a line to the problems.
        """
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


def _rank_suffix(name: str) -> int:
    """Return the rank of a file or address by its suffix: 0 for the best one, 7 for one that is not a transcript's.

    A query behind the suffix is ignored.
    """
    suffix = f".{name.partition('?')[0].rpartition('.')[2].lower()}"
    return _SUFFIXES.index(suffix) if suffix in _SUFFIXES else len(_SUFFIXES)


def _list_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may be transcripts, those with the best suffix first.

    Files are searched down to two folders below it, without hidden ones. Raises ``SourceError`` if it is not a folder.
    """
    if not folder.is_dir():
        raise SourceError("is not a folder", source=for_message(str(folder)), remedy="give a folder of transcripts")
    # The patterns are *, */* and */*/*.
    paths = [path for depth in range(3) for path in folder.glob("*/" * depth + "*") if path.is_file()]
    paths = [path for path in paths if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    paths.sort(key=lambda path: (_rank_suffix(path.name), path.as_posix()))
    return [path for path in paths if _rank_suffix(path.name) < len(_SUFFIXES)]
