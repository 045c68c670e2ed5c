"""Which episode a file is of: by guid, number, the file of the sound, slug, title; nothing is guessed."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from ..slugs import slugify
from ..url import split_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..model import Episode, Feed

# Additions to a file's own name: a language, its content, another file's suffix (`talk.mp3.en.vtt`).
_ADDITION = re.compile(
    r"\.(?:[a-z]{2}(?:-[A-Za-z]{2,4})?|transcript|transcription|captions?|subtitles?|chapters|whisper|json3|"
    r"mp3|m4a|mp4|ogg|opus|wav|flac|aac|webm|mkv)\Z",
    re.IGNORECASE,
)
# A name that is a number: `12`, `ep012`, `Episode 12`, `s02e12`.
_NUMBER = re.compile(r"(?:s(\d{1,3})[-_ ]?)?(?:e|ep|episode|#)?[-_ .#]?(\d{1,5})", re.IGNORECASE)
# A number, or a date and more numbers, before the title: `012 - title`, `ep12_title`, `2021-04-28-21-46-50-title`.
_PREFIXES = (re.compile(r"(?:(?:ep|episode|#)[-_ .]?)?\d+[\W_]+", re.IGNORECASE), re.compile(r"\d[\d\W_]*"))


class EpisodeNames:
    """The episodes of some feeds, by all that a file may be called after."""

    def __init__(self, feeds: Sequence[Feed]) -> None:
        """Index the episodes by four keys, the most reliable first: guid, audio file, title or slug, number."""
        self._episodes: defaultdict[tuple[str, int], list[tuple[str, Episode]]] = defaultdict(list)
        for feed in feeds:
            show = feed.id.partition(":")[2]
            for episode in feed.episodes:
                sound = split_url(episode.audio_url) if episode.audio_url else None
                sound_name = slugify(strip_suffixes(sound.segments[-1])) if sound and sound.segments else ""
                slugs = {slugify(episode.id.rpartition("/")[2]), slugify(episode.title)}
                numbers = (
                    {str(episode.number), f"{episode.season}/{episode.number}"} if episode.number is not None else ()
                )
                for rank, names in enumerate(({slugify(episode.guid)}, {sound_name}, slugs, numbers)):
                    for name in filter(None, names):
                        self._episodes[name, rank].append((show, episode))

    def find_episodes(self, name: str, folder: str = "") -> list[Episode]:
        """Return the episodes that a file may belong to, by its name; an empty list if none matches.

        Only the most reliable kind of name counts: guid, name of the audio file, title or slug (also behind a date or a
        number), number. Several episodes are returned if the name fits them all.

        Args:
            name: the file's name, with its suffixes
            folder: the name of its folder; if that is a show's, the show's episodes are preferred
        """
        for key in self._list_keys(strip_suffixes(name)):
            if matches := {episode.id: (show, episode) for show, episode in self._episodes.get(key, ())}:
                episodes_of_show = [episode for show, episode in matches.values() if show == slugify(folder)]
                return episodes_of_show or [episode for _, episode in matches.values()]
        return []

    @staticmethod
    def _list_keys(name: str) -> Iterator[tuple[str, int]]:
        """Yield the keys of a file's name in the index, the most reliable first: (name, rank of the kind of name).

        The ranks are 0 for a guid, 1 for an audio file, 2 for a title or slug, 3 for a number.
        """
        yield from ((slugify(name), rank) for rank in range(3))
        for prefix in filter(None, (pattern.match(name) for pattern in _PREFIXES)):
            yield slugify(name[prefix.end() :]), 2
        if number := _NUMBER.fullmatch(name.strip()):
            yield f"{int(number[1])}/{int(number[2])}" if number[1] else str(int(number[2])), 3


def strip_suffixes(name: str) -> str:
    """Return a file's name without its suffix, and without additions such as a language before it.

    >>> strip_suffixes("talk.mp3.en.vtt"), strip_suffixes("v1.5 is out.srt"), strip_suffixes("12.json")
    ('talk', 'v1.5 is out', '12')
    """
    stem = name.rpartition(".")[0] or name
    while (suffix := _ADDITION.search(stem)) and suffix.start():
        stem = stem[: suffix.start()]
    return stem
