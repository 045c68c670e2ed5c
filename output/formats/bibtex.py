"""BibTeX entries for the episodes, papers, posts, videos and other titled artifacts of a graph.

An episode without an author has the show's author. A post without a blog has the blog of its feed; without an author
it has the blog's, else the one author of the other posts of its host.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

from podgraph.extractors import host_of, parse_people

from .rows import text_of
from .shared.days import day_of
from .shared.slug import slug
from .shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from .rows import Attributes, Rows

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_KINDS = ("episode", "paper", "blog", "video")
_KINDS_WITH_TITLE = ("pull", "issue", "discussion", "forum", "question", "tutorial")  # cited once it is known
_SMALL = frozenset("a an and as at by for from how in is it of on or the to what when where which why with".split())
# Braces count for BibTeX even behind a backslash: a lone one would swallow the rest of the file.
_LATEX = str.maketrans(
    {**{letter: f"\\{letter}" for letter in "$&#_%"}, "\\": r"\textbackslash{}", "{": r"\textbraceleft{}",
     "}": r"\textbraceright{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)  # fmt: skip
_IN_URL = str.maketrans({"\\": "%5C", "{": "%7B", "}": "%7D"})


def to_bibtex(rows: Rows) -> Iterator[str]:
    r"""Yield the entries, sorted by id, with keys such as ``yang2021vmap``; no artifacts that are only boilerplate.

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
    query = (
        "SELECT t.id FROM edges e JOIN nodes t ON t.n = e.target GROUP BY t.n HAVING count(*) = sum(e.boilerplate = 1)"
    )
    only_boilerplate = {id_ for (id_,) in rows.store.rows(query)}
    blogs, podcasts = _find_blogs(rows), _find_podcasts(rows)
    keys: set[str] = set()
    separator = ""
    for id_, node in rows.store.all_nodes():
        kind = str(node.get("kind"))
        is_titled = kind in _KINDS or (kind in _KINDS_WITH_TITLE and _line_of(node, "title"))
        if not is_titled or (kind != "episode" and id_ in only_boilerplate):
            continue
        podcast = podcasts.get(id_, {}) if kind == "episode" else {}
        blog = blogs.get(_host(node), {}) if kind == "blog" else {}
        name = rows.clean_id(id_)
        title, day = _line_of(node, "title") or _line_of(node, "label") or name, day_of(node.get("date"))
        author = _line_of(node, "author") or _line_of(podcast, "author") or _line_of(blog, "author")
        people = parse_people(author)
        people = people if people and all(1 < len(one.split()) < 4 for one in people) else ()
        key = _build_key(people[0] if people else author, day, title) or slug(name)
        key = f"{key}-{slug(name)[-8:]}" if key in keys else key
        keys.add(key)
        is_complete = {*_words(author)} <= {*_words(" ".join(people)), "and"}
        # A second pair of braces keeps capitals, and keeps the name of an organisation in one piece.
        fields = [("title", f"{{{latex(title)}}}")]
        if people and is_complete:
            fields.append(("author", " and ".join(map(latex, people))))
        else:  # styles sort and label by one of the two
            fields.append(("author", f"{{{latex(author)}}}") if author else ("key", f"{{{latex(title)}}}"))
        if kind != "paper":
            medium = "podcast episode" if kind == "episode" else rows.kinds[kind].singular
            series = _line_of(podcast, "title") or _line_of(podcast, "label")
            if kind == "blog":
                series = _line_of(blog, "title") or _host(node)
            elif kind in _KINDS_WITH_TITLE:
                series = _line_of(node, "repo")
            fields.append(("howpublished", latex(", ".join(filter(None, (medium[:1].upper() + medium[1:], series))))))
        number = node.get("number")
        fields += [
            ("note", latex(_line_of(node, "state").capitalize())),
            ("number", str(number) if kind == "episode" and type(number) is int else ""),
            ("year", str(day.year) if day else ""),
            ("month", _MONTHS[day.month - 1] if day else ""),
        ]
        for prefix, field in (("paper:arxiv/", "eprint"), ("paper:doi/", "doi")):
            if name.startswith(prefix):
                fields.append((field, latex(name.removeprefix(prefix))))
                fields += [("archiveprefix", "arXiv")] if field == "eprint" else []
        fields.append(("url", web_link(node.get("url")).translate(_IN_URL)))
        lines = [f"  {field} = {value if field == 'month' else f'{{{value}}}'},\n" for field, value in fields if value]
        yield f"{separator}@misc{{{key},\n{''.join(lines)}}}\n"
        separator = "\n"


def latex(text: str) -> str:
    r"""Return ``text`` as LaTeX shows it.

    >>> print(latex("50% of {x}"))
    50\% of \textbraceleft{}x\textbraceright{}
    """
    return text.translate(_LATEX)


def _build_key(author: str, day: date | None, title: str) -> str:
    """Return a key as people write it, "" where neither author nor day is known.

    >>> from datetime import date
    >>> _build_key("Edward Yang", date(2021, 6, 21), "vmap"), _build_key("", date(2024, 8, 4), "The strides of views")
    ('yang2021vmap', '2024strides')
    """
    last = _words(author)[-1:]
    first = next((word for word in _words(title) if word not in _SMALL), "")
    return f"{''.join(last)}{day.year if day else ''}{first}" if first and (last or day) else ""


def _words(text: str) -> list[str]:
    """Return the words of a text, without accents."""
    return re.findall("[a-z0-9]+", unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower())


def _find_blogs(rows: Rows) -> dict[str, dict[str, str]]:
    """Return title and author of the blogs by host: those of the sources, else the one author of a host's posts."""
    authors: dict[str, set[str]] = {}
    for _, node in rows.store.all_nodes():
        if node.get("kind") == "blog" and (author := _line_of(node, "author")):
            authors.setdefault(_host(node), set()).add(author)
    blogs = {host: {"author": min(names)} for host, names in authors.items() if len(names) == 1}
    sources: Any = rows.about.get("sources")
    for source in sources if isinstance(sources, list) else ():
        if isinstance(source, dict) and source.get("kind") == "blog":
            texts = {name: text for name in ("title", "author") if (text := _line_of(source, name))}
            blogs[_host(source)] = blogs.get(_host(source), {}) | texts
    blogs.pop("", None)
    return blogs


def _find_podcasts(rows: Rows) -> Mapping[str, Attributes]:
    """Return the attributes of the podcast of each episode; of several podcasts those of the first."""
    ends = "SELECT s.id, t.id FROM edges e JOIN nodes s ON s.n = e.source JOIN nodes t ON t.n = e.target"
    pairs = [*rows.store.rows(f"{ends} WHERE e.relation = 'part_of' ORDER BY e.id DESC")]
    ids = {podcast for _, podcast in pairs}
    podcasts = {id_: node for id_, node in rows.store.all_nodes() if id_ in ids}
    return {episode: podcasts[podcast] for episode, podcast in pairs}


def _host(attributes: Attributes) -> str:
    return host_of(web_link(attributes.get("url"))).partition(":")[0]


def _line_of(attributes: Attributes, name: str) -> str:
    return " ".join((text_of(attributes, name) or "").split())
