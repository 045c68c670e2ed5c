"""Colours of the areas: 14 hues. Neighbours have different hues, also for people with a colour vision deficiency."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..kinds import HUES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_NEIGHBOUR_COUNT = 6  # an area and the five nearest others
# Normal sight, protanopia, deuteranopia and tritanopia as matrices on linear RGB (Machado, Oliveira, Fernandes 2009).
_KINDS_OF_SIGHT = (
    ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
)
_TO_XYZ = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0178, 0.1095, 0.8728))  # of the D65 white


def choose_hues(areas: Sequence[Sequence[int]], points: Floats, former: Sequence[int]) -> list[int]:
    """Return the number of a hue (an index of ``HUES``) for each area, which is a group of related episodes.

    ``areas`` have the numbers of their members; the largest area comes first. ``points`` (n, 2) are the members'
    positions. ``former`` are the members' hues in an earlier layout (negative: none). An area keeps the hue of most of
    its members, unless a neighbour has it. The others get the least used hue; of several, the one that differs most
    from its neighbours'.
    """
    middles = np.array([points[list(area)].mean(axis=0) for area in areas]).reshape(-1, 2)
    gaps = ((middles[:, None] - middles) ** 2).sum(axis=2)  # the squares of the distances
    # A neighbour is one of the nearest of an area, or has the area among its own nearest.
    is_near = gaps <= np.sort(gaps, axis=1)[:, :_NEIGHBOUR_COUNT][:, -1:]
    near = [np.flatnonzero(row).tolist() for row in (is_near | is_near.T) & (gaps > 0)]
    hues = [-1] * len(areas)
    for number, area in enumerate(areas):
        hue, count = Counter(former[index] for index in area).most_common(1)[0]
        if 0 <= hue < len(HUES) and 2 * count > len(area) and all(hues[other] != hue for other in near[number]):
            hues[number] = hue
    used = Counter(hues)
    for number in range(len(areas)):
        if hues[number] < 0:
            near_hues = [hues[other] for other in near[number] if hues[other] >= 0]
            apart = measure_hue_differences()[:, near_hues].min(axis=1, initial=100.0).round(1)
            # A difference below 4 in CIELAB is hard to see.
            hues[number] = min(range(len(HUES)), key=lambda hue: (apart[hue] < 4, used[hue], -apart[hue], hue))
            used[hues[number]] += 1
    return hues


@cache
def measure_hue_differences() -> Floats:
    """Return how different each pair of ``HUES`` looks: an array (hues, hues) of distances in CIELAB.

    A distance is the smallest for any kind of sight, in the light or the dark theme.
    """
    minimum = np.full((len(HUES), len(HUES)), np.inf)
    for theme in (0, 1):
        channels = np.array([[int(hue[theme][at : at + 2], 16) / 255 for at in (1, 3, 5)] for hue in HUES])  # "#rrggbb"
        # From sRGB to linear RGB: https://www.w3.org/TR/css-color-4/#color-conversion-code
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        for eyes in _KINDS_OF_SIGHT:
            xyz = np.clip(linear @ np.array(eyes).T, 0, 1) @ np.array(_TO_XYZ).T
            roots = np.cbrt(np.maximum(xyz, 1e-6))
            lab = np.stack([116 * roots[:, 1], 500 * (roots[:, 0] - roots[:, 1]), 200 * (roots[:, 1] - roots[:, 2])], 1)
            minimum = np.minimum(minimum, np.sqrt(((lab[:, None] - lab) ** 2).sum(axis=2)))
    return minimum
