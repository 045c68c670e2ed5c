"""Slugs, as a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors.slugs import slugify

SLUGS = [
    ("C++ frontend", "c-frontend"),
    ("__torch_function__", "torch-function"),
    ("native_functions.yaml", "native-functions-yaml"),
    ("torch.use_deterministic_algorithms", "torch-use-deterministic-algorithms"),
    ("PyTorch 2.0", "pytorch-20"),
    ("Inductor - Define-by-run IR", "inductor-define-by-run-ir"),
    ("What's new?", "whats-new"),
    ("What\u2019s new?", "whats-new"),
    ("Straße & Œuvre", "strasse-oeuvre"),
    ("Việt Nam", "viet-nam"),
    ("İstanbul", "istanbul"),
    ("深層学習 入門", "深層学習-入門"),
    ("パイトーチ", "パイトーチ"),
    ("हिन्दी", "हिन्दी"),
    ("ёлка", "ёлка"),
    ("한국어!", "한국어"),
    ("ﬁne", "fine"),
    ("x²", "x2"),
    ("🎉", ""),
    ("  ", ""),
    ("\ud800a", "a"),
]


@pytest.mark.parametrize(("text", "slug"), SLUGS)
def test_slugify(text, slug):
    assert slugify(text) == slug


@given(st.text())
def test_a_slug_of_a_slug_is_itself(text):
    slug = slugify(text)
    assert slugify(slug) == slug
    assert len(slug) <= 120
    assert not slug.startswith("-")
    assert not slug.endswith("-")
