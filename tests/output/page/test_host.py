"""What the host of a site says of the page: checked before anything is made, legible, and in the file as data."""

import base64
import json
import re

import networkx
import pytest

from podgraph.extractors import OutputError
from podgraph.output.cli import main
from podgraph.output.page import page
from podgraph.output.page.host import GROUNDS, LEGIBLE, compute_contrast, make_legible, read_host
from tests.tables import read_rows

NO_PICTURES = [b"", b"GIF89a....", b"<html><svg></svg></html>", b"RIFF....WAVE", b"<svgx>", b"%PDF-1.7"]
BAD = read_rows(__file__, "BAD")
OPTIONS = {"title": "Map & more", "description": 'Bread "and" <salt>', "site_url": "https://bread.example/map?a=1&b=2"}


@pytest.fixture
def show():
    graph = networkx.MultiDiGraph()
    graph.add_node(
        "podcast:bread", kind="podcast", label="Bread", description="All  about\nbread.",
        image="https://bread.example/a.png", x=0.0, y=0.0,
    )  # fmt: skip
    return graph


def metas(html):
    return dict(re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)">', html))


@pytest.mark.parametrize(("data", "kind"), read_rows(__file__, "PICTURES"))
def test_a_logo_is_inlined(tmp_path, data, kind, show):
    path = tmp_path / "logo"
    path.write_bytes(data)
    address = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    assert read_host({"logo": str(path)}).logo == address
    assert f'<img class="logo" src="{address.replace("+", "&#43;")}" alt="">' in page.to_html(
        show, logo=str(path)
    ).replace("+", "&#43;")


@pytest.mark.parametrize("data", [*NO_PICTURES, b"\x89PNG\r\n\x1a\n" + bytes(100_000)])
def test_what_is_none_is_refused(tmp_path, data):
    path = tmp_path / "logo.png"
    path.write_bytes(data)
    with pytest.raises(OutputError, match=r"^logo: .*logo\.png' is (not a PNG|larger)"):
        read_host({"logo": str(path)})


@pytest.mark.parametrize(("options", "told"), BAD)
def test_bad_input_is_one_line_before_anything_is_written(options, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = (f"{name} = {json.dumps(value)}\n" for name, value in options.items())
    (tmp_path / "podgraph.toml").write_text("".join(lines), "utf-8")
    assert main(["export", "page.html"]) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if "built-in snapshot" not in line]
    assert len(lines) == 1
    assert lines[0].startswith(f"podgraph: {told}")
    assert [path.name for path in tmp_path.iterdir()] == ["podgraph.toml"]


def test_the_grounds_are_those_of_the_style():
    css = page.style()
    for name, (light, dark) in zip(("ground", "panel", "soft"), zip(*GROUNDS, strict=True), strict=True):
        assert re.findall(rf"--{name}: (#\w+);", css) == [light, dark, dark]


@pytest.mark.parametrize("colour", ["#0a66c2", "#ffffff", "#000000", "#ffff00", "#808080", "#b3261e"])
@pytest.mark.parametrize("theme", [0, 1])
def test_an_accent_is_legible_in_both_themes(colour, theme):
    found = make_legible(colour, theme)
    assert min(compute_contrast(found, ground) for ground in GROUNDS[theme]) >= LEGIBLE


def test_the_accent_colours_links_in_a_style_of_its_own_digest(show):
    html = page.to_html(show, accent="#0a66c2")
    assert html.count("--link: #0a66c2;") == 1
    assert html.count(f"--link: {make_legible('#0a66c2', 1)};") == 2
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    assert page._compute_digest(style).strip("'") in html
    assert "#0a66c2" not in page.to_html(show)


def test_the_head_tells_what_the_page_is(show):
    html = page.to_html(show, **OPTIONS)
    told = metas(html)
    assert told["og:title"] == "Map &amp; more"
    assert told["description"] == told["og:description"] == "Bread &#34;and&#34; &lt;salt&gt;"
    assert told["og:url"] == "https://bread.example/map?a=1&amp;b=2"
    assert told["og:image"] == "https://bread.example/a.png"
    assert told["twitter:card"] == "summary"
    assert '<link rel="canonical" href="https://bread.example/map?a=1&amp;b=2">' in html


def test_what_no_host_says_is_the_feeds(show):
    html = page.to_html(show)
    assert metas(html)["description"] == "All about bread."
    assert "canonical" not in html
    assert "og:url" not in html
    linked = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', html)[1])
    assert (linked["description"], linked["image"]) == ("All about bread.", "https://bread.example/a.png")
    show.nodes["podcast:bread"]["image"] = "javascript:alert(1)"
    show.nodes["podcast:bread"]["description"] = "word " * 100
    html = page.to_html(show)
    assert "og:image" not in html
    assert len(metas(html)["description"]) <= 300
