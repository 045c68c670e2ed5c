"""Names of artifacts: the words of the links to them, or before bare addresses, where these words name something."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from ..languages.trigger_phrases import phrases
from ..notes.links import find_links
from ..url import split_url
from .patterns import read_patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model import Mention
    from .corpus import Extraction

_PATTERNS = read_patterns("names")
_EMPTY, _SITES = phrases("empty", of="links"), phrases("sites", of="links")
_MAXIMUM_LENGTH = 100  # characters: longer text is a sentence about the artifact, not its name
_PREFERRED_LENGTH = 60  # characters: of equally frequent names, the longest up to this length goes first
_MAXIMUM_ARTIFACTS = 3  # with one name: "chat log" names more artifacts, and so none
_MAXIMUM_NAMES = 8  # of an artifact
_LINE_REACH = 300  # characters before an address that are searched for the beginning of its line
_TRIM = " \t\u00a0\u3000-\u2013\u2014\u2022\u00b7*>|:;,.\u3002\u3001\uff1a=<\u2192\u00bb~/"


class ArtifactNames(NamedTuple):
    """The names of an artifact, the commonest first; ``is_link_text`` is false for words in front of addresses."""

    names: tuple[str, ...]
    is_link_text: bool


def collect_names(extractions: Iterable[Extraction]) -> dict[str, ArtifactNames]:
    """Return the names of linked artifacts in the texts, by the artifact's id.

    Names are the words of hyperlinks, and the words before an address at the end of its line. Words without a meaning
    are left out: "here", addresses, numbers, sentences, and names of many artifacts. A name counts once an episode; of
    equally frequent names the longest goes first, up to ``_PREFERRED_LENGTH`` characters.
    """
    uses: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)  # episodes by artifact and kind, then by name
    for extraction in extractions:
        for id_, name, is_link_text in set(_find_names(extraction)):
            uses[id_, is_link_text][name] += 1
    names_of = {id_: names for (id_, _), names in sorted(uses.items())}  # link text (True) replaces other words (False)
    artifact_counts = Counter(name for names in names_of.values() for name in {*map(str.casefold, names)})
    results: dict[str, ArtifactNames] = {}
    for id_, names in names_of.items():
        spellings: dict[str, Counter[str]] = defaultdict(Counter)
        for name, count in names.items():
            if artifact_counts[name.casefold()] <= _MAXIMUM_ARTIFACTS:
                spellings[name.casefold()][name] = count
        counts = {min(group, key=lambda name: (-group[name], name)): group.total() for group in spellings.values()}
        order = sorted(counts, key=lambda name: (-counts[name], -len(name) * (len(name) <= _PREFERRED_LENGTH), name))
        if order:
            results[id_] = ArtifactNames(tuple(order[:_MAXIMUM_NAMES]), (id_, True) in uses)
    return results


def _find_names(extraction: Extraction) -> Iterator[tuple[str, str, bool]]:
    """Yield (id of an artifact, name, whether it is the link's own text) for the links of the notes.

    For a bare address, the name is the words before it.
    """
    notes, last_end = extraction.episode.notes, 0
    for mention in extraction.mentions:
        if mention.field == "notes" and mention.url:
            is_link_text = mention.method in {"href", "crosslink"} and "://" not in mention.quote
            words = mention.quote if is_link_text else _find_words_before(notes, mention, last_end)
            last_end = mention.end
            if name := clean_name(words, mention.url):
                yield mention.ref.id, name, is_link_text


def _find_words_before(notes: str, mention: Mention, last_end: int) -> str:
    """Return the words before an address that ends its line, or the line over one alone on its line.

    ``last_end`` is the end of the link before. A sentence is no name: the result is then empty, as without words.
    """
    begin = max(last_end, mention.start - _LINE_REACH, 0)
    lines = notes[begin : mention.start].split("\n")
    if begin and notes[begin - 1] != "\n":
        lines[0] = ""  # not the whole line
    if notes[mention.end : mention.end + 2].strip(" .)").partition("\n")[0]:
        return ""  # the line goes on behind the address
    words = lines[-1].strip(_TRIM)
    is_name = words.count(" ") < 8 and not _PATTERNS["unfinished"].search(words)
    if not words:
        # An empty line over the address is skipped, unless the line above it is the heading of a list of addresses.
        is_skipped = lines[-2:-1] == [""] and not _PATTERNS["address"].match(notes, mention.end)
        words = "".join(lines[-3:-2] if is_skipped else lines[-2:-1]).strip()
        is_name = not words.endswith((":", "\uff1a"))
    return words if is_name and not _PATTERNS["sentence end"].search(words) else ""


def clean_name(words: str, url: str = "") -> str:
    """Return the words of a link as the name of the page at ``url``, or an empty text where they are not a name.

    >>> [clean_name(words) for words in ("\u201cThe Art of Kilns\u201d:", "(here)", "a paper on arXiv", "PR #12")]
    ['The Art of Kilns', '', '', '']
    """
    name = _PATTERNS["time"].sub("", " ".join(words.split()).strip(_TRIM)).strip(_TRIM)
    name = _PATTERNS["in brackets"].sub(r"\1", name).strip(_TRIM)
    plain = " ".join(_PATTERNS["punctuation"].sub(" ", name).casefold().split())
    place, _, site = plain.rpartition(" on ")
    parts = split_url(url) if plain in _SITES else None  # "GitHub" is the name of the site's home only
    is_empty = plain in _EMPTY or (site in _SITES and place in _EMPTY) or (parts is not None and bool(parts.segments))
    is_number = not _PATTERNS["letters"].search(name) or _PATTERNS["number"].fullmatch(name)
    is_address = "://" in name or any(len(name) == link.end - link.start for link in find_links(name))
    return "" if len(name) > _MAXIMUM_LENGTH or is_empty or is_number or is_address else name
