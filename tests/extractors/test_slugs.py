"""Slugs, as a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors.slugs import slugify
from tests.tables import read_rows


@pytest.mark.parametrize(("text", "slug"), read_rows(__file__, "SLUGS"))
def test_slugify(text, slug):
    assert slugify(text) == slug


@given(st.text())
def test_a_slug_of_a_slug_is_itself(text):
    slug = slugify(text)
    assert slugify(slug) == slug
    assert len(slug) <= 120
    assert not slug.startswith("-")
    assert not slug.endswith("-")
