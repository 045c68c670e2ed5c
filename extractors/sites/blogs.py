"""Posts of blogs: a table of addresses, the blog platforms, and the usual names of blog folders."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from .table import Row, Table, read_rows
from .tables import read_table

if TYPE_CHECKING:
    from ..ref import Ref


def parse(url: str) -> Ref | None:
    """Return the blog post at ``url``; ``None`` for other pages, also for home pages, lists, tags and feeds of blogs.

    The scheme, a trailing slash, ``index.html`` and the query are not part of the identity, except WordPress'
    ``?p=<number>``. A post on Medium is identified by its number alone.

    >>> parse("http://blog.ezyang.com/2019/05/pytorch-internals/").id
    'blog:blog.ezyang.com/2019/05/pytorch-internals'
    >>> parse("https://medium.com/pytorch/a-title-0a1b2c3d4e5f?source=rss").id
    'blog:medium.com/p/0a1b2c3d4e5f'
    >>> parse("https://blog.ezyang.com/category/pytorch/") is None
    True
    """
    return _load_blogs().parse(url)


@cache
def _load_blogs() -> Table:
    """Return the table of blogs.

    First come the blogs of ``blog_addresses.txt``, those with the longest address first, then the blog platforms and
    other forms of ``blogs.txt``. A blog that has moved keeps its posts under today's address.
    """
    rows, names = read_rows("blogs")
    addresses = read_table("blog_addresses")
    # A blog that moved, and its address of today.
    places = [*addresses["moved"], *((address, "") for (address,) in addresses["blogs"])]
    blogs = []
    for address, today in sorted(places, key=lambda place: -place[0].count("/")):
        host, *steps = address.split("/")
        # A * in the address is any step of a path, but none of the pages that list posts.
        any_step = rf"(?!(?i:{names['LISTS']})/)[^/]+"
        base = "".join(f"/{any_step if step == '*' else re.escape(step)}" for step in steps)
        name, site = (f"{today}/{{path}}", today.partition("/")[0]) if today else ("{host}{base?}/{path}", "{host}")
        label = f"{site}: {names['TITLE']} | {name}"
        page = f"https://{name}{{slash?}}"
        blogs.append(Row(host, f"[^/]+(?P<base>{base}){names['POST']}", "blog", name, label, page))
        if not steps and not today:  # WordPress may have a post at ?p=12, too
            blogs.append(Row(host, f"/{names['BEHIND_P'].partition('  ')[0]}", "blog", "{host}/?p={n}",
                              "{host}: post {n}", "https://{host}/?p={n}"))  # fmt: skip
    return Table([*blogs, *rows])
