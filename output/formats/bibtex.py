"""BibTeX entries for the episodes, papers, posts, videos and other titled artifacts of a graph.

An episode without an author has the show's author, a post without an author or a blog those of its blog's feed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from podgraph.extractors import host_of, parse_people

from .rows import Attributes, Rows, find_name, get_text
from .shared.days import parse_day
from .shared.texts import slug, to_web_link

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_KINDS = ("episode", "paper", "blog", "video")
_KINDS_WITH_TITLE = ("pull", "issue", "discussion", "forum", "question", "tutorial")  # have an entry if titled
_STOPWORDS = frozenset("a an and as at by for from how in is it of on or the to what when where which why with".split())
# Braces count for BibTeX even behind a backslash: a lone one would swallow the rest of the file.
_LATEX = str.maketrans(
    {**{letter: f"\\{letter}" for letter in "$&#_%"}, "\\": r"\textbackslash{}", "{": r"\textbraceleft{}",
     "}": r"\textbraceright{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)  # fmt: skip
_IN_URL = str.maketrans({"\\": "%5C", "{": "%7B", "}": "%7D"})
# The ids of the nodes to which all edges are boilerplate.
_ONLY_BOILERPLATE_QUERY = (
    "SELECT t.id FROM edges e JOIN nodes t ON t.n = e.target GROUP BY t.n HAVING count(*) = sum(e.boilerplate = 1)"
)


def to_bibtex(rows: Rows) -> Iterator[str]:
    r"""Yield the entries of a graph's titled nodes, sorted by id, with keys such as ``yang2021vmap``.

    Artifacts that are only boilerplate (links that a show repeats in its notes) have no entry.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("episode:a/b", kind="episode", title="Strides & views", date="2024-08-04")
    >>> print("".join(to_bibtex(Rows(graph))), end="")
    @misc{2024strides,
      title = {{Strides \& views}},
      key = {{Strides \& views}},
      howpublished = {Podcast episode},
      year = {2024},
      month = aug,
    }
    """
    only_boilerplate = {rows.clean_id(id_) for (id_,) in rows.store.rows(_ONLY_BOILERPLATE_QUERY)}
    sources: Any = rows.store.about.get("sources")
    # The podcasts by id, and the blogs by host: the wholes that episodes and posts are from.
    wholes: dict[str, Attributes] = {id_: node for id_, node in rows.nodes() if node.get("kind") == "podcast"}
    for source in sources if isinstance(sources, list) else ():
        if isinstance(source, dict) and source.get("kind") == "blog" and _find_host(source):
            wholes[_find_host(source)] = source
    keys: set[str] = set()
    for id_, node in rows.nodes():
        kind = str(node.get("kind"))
        is_titled = kind in _KINDS or (kind in _KINDS_WITH_TITLE and _get_line(node, "title"))
        if not is_titled or (kind != "episode" and id_ in only_boilerplate):
            continue
        whole = wholes.get({"episode": str(node.get("podcast")), "blog": _find_host(node)}.get(kind, ""), {})
        author = _get_line(node, "author") or _get_line(whole, "author")
        fields = _build_fields(id_, node, whole, author, rows.store.kinds[kind].singular)
        key = _build_key(id_, node, author) or slug(id_)
        key = f"{key}-{slug(id_)[-8:]}" if key in keys else key  # the end of the slug is a digest
        lines = [f"  {name} = {value if name == 'month' else f'{{{value}}}'},\n" for name, value in fields if value]
        yield "\n" if keys else ""
        yield f"@misc{{{key},\n{''.join(lines)}}}\n"
        keys.add(key)


def _build_fields(id_: str, node: Attributes, whole: Attributes, author: str, word: str) -> Iterator[tuple[str, str]]:
    """Yield (name, value) for each field of a node's entry; "" for a field to leave out.

    ``whole`` are the attributes of its podcast or blog ({}: none), ``author`` is the author's text ("": unknown),
    ``word`` is the singular of its kind, such as "issue".
    """
    kind, title = node["kind"], escape_latex(" ".join(find_name(node, id_).split()))
    # A second pair of braces keeps capitals, and keeps the name of an organisation in one piece.
    yield "title", f"{{{title}}}"
    people = _find_people(author)
    if people and {*_split_words(author)} <= {*_split_words(" ".join(people)), "and"}:
        yield "author", " and ".join(map(escape_latex, people))
    else:  # styles sort and label by one of the two
        yield ("author", f"{{{escape_latex(author)}}}") if author else ("key", f"{{{title}}}")
    if kind != "paper":
        medium = "podcast episode" if kind == "episode" else word
        series = _get_line(whole, "title") or _get_line(whole, "label") or (_find_host(node) if kind == "blog" else "")
        series = _get_line(node, "repo") if kind in _KINDS_WITH_TITLE else series
        yield "howpublished", escape_latex(", ".join(filter(None, (medium[:1].upper() + medium[1:], series))))
    yield "note", escape_latex(_get_line(node, "state").capitalize())
    number, day = node.get("number"), parse_day(node.get("date"))
    yield "number", str(number) if kind == "episode" and type(number) is int else ""
    yield "year", str(day.year) if day else ""
    yield "month", _MONTHS[day.month - 1] if day else ""
    if id_.startswith("paper:arxiv/"):
        yield "eprint", escape_latex(id_.removeprefix("paper:arxiv/"))
        yield "archiveprefix", "arXiv"
    elif id_.startswith("paper:doi/"):
        yield "doi", escape_latex(id_.removeprefix("paper:doi/"))
    yield "url", to_web_link(node.get("url")).translate(_IN_URL)


def escape_latex(text: str) -> str:
    r"""Return a text with LaTeX's special characters escaped, so that LaTeX prints it unchanged.

    >>> print(escape_latex("50% of {x}"))
    50\% of \textbraceleft{}x\textbraceright{}
    """
    return text.translate(_LATEX)


def _build_key(id_: str, node: Attributes, author: str) -> str:
    """Return the key of an entry as people write it: author, year, first word; "" if neither author nor day is known.

    ``id_`` and ``node`` are those of the episode or artifact.

    >>> _build_key("", {"title": "vmap", "date": "2021-06-21"}, "Edward Yang")
    'yang2021vmap'
    >>> _build_key("", {"title": "The strides of views", "date": "2024-08-04"}, "")
    '2024strides'
    """
    day = parse_day(node.get("date"))
    # The last word of the first person's name, or of the whole text of the author.
    last = _split_words((*_find_people(author), author)[0])[-1:]
    first = next((word for word in _split_words(find_name(node, id_)) if word not in _STOPWORDS), "")
    return f"{''.join(last)}{day.year if day else ''}{first}" if first and (last or day) else ""


def _find_people(author: str) -> tuple[str, ...]:
    """Return the names of the people in an author's text; () if one of them does not look like a person's name.

    >>> _find_people("Ann Example, Bo Lind"), _find_people("Ann da Silva"), _find_people("Ann Maria da Silva")
    (('Ann Example', 'Bo Lind'), ('Ann da Silva',), ())
    """
    people = tuple(parse_people(author))
    return people if all(1 < len(name.split()) < 4 for name in people) else ()


def _split_words(text: str) -> list[str]:
    """Return the words of a text in small letters, without accents.

    >>> _split_words("Café au lait, no. 2")
    ['cafe', 'au', 'lait', 'no', '2']
    """
    return re.findall("[a-z0-9]+", unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower())


def _find_host(attributes: Attributes) -> str:
    """Return the host of the address of a node or feed, "" without an address."""
    return host_of(to_web_link(attributes.get("url"))).partition(":")[0]


def _get_line(attributes: Mapping[str, Any], name: str) -> str:
    """Return the attribute ``name`` as one line of text, "" if it is absent or not a text."""
    return " ".join((get_text(attributes, name) or "").split())
