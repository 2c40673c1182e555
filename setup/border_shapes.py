"""Polygons of whole numbers: which positions they contain, how they are drawn and stored."""

import struct
from collections.abc import Iterable, Iterator

from arcs import simplified

# Corners are integers of 10⁻⁷ degree.
SCALE = 10_000_000

# The zooms of drawings, and how far a simplified line may be from the border: three quarters of a pixel of a map whose
# world is 512 · 2^zoom pixels wide.
ZOOMS = (3, 6, 9, 12)
TOLERANCES = {zoom: 0.75 * 360 / (512 << zoom) * SCALE for zoom in ZOOMS}
# Rings that a drawing shows smaller than this, in pixels, are left out.
SMALLEST = 3

Ring = list[tuple[int, int]]
Polygons = list[list[Ring]]


def whole(rings: Iterable[Iterable[tuple[float, float]]]) -> list[Ring]:
    """Rings of whole numbers, without the repetition of the first corner. Neighbours keep their common corners."""
    found = []
    for ring in rings:
        points = [(round(x * SCALE), round(y * SCALE)) for x, y, *_ in ring]
        points = [b for a, b in zip([points[-1], *points], points) if a != b]
        if len(points) > 2:
            found.append(points)
        elif not found:
            return []  # without its outer ring a polygon is nothing
    return found


def area(ring: Ring) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, [*ring[1:], ring[0]]))) / 2


def contains(polygons: Polygons, x: int, y: int) -> bool:
    """Whether a position is inside, by the rule of `Region` in Farol."""
    inside = False
    for rings in polygons:
        for ring in rings:
            for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]]):
                if (ay <= y) != (by <= y):
                    if ay > by:
                        ax, ay, bx, by = bx, by, ax, ay
                    inside ^= (x - ax) * (by - ay) < (y - ay) * (bx - ax)
    return inside


def inner_point(polygons: Polygons) -> tuple[int, int]:
    """The middle of the widest section of the largest polygon near half its height."""
    rings = max(polygons, key=lambda rings: area(rings[0]))
    south, north = min(y for _, y in rings[0]), max(y for _, y in rings[0])
    best = (-1, rings[0][0])
    for share in (45, 50, 55):
        y = south + (north - south) * share // 100
        crossings = sorted(
            ax + (y - ay) * (bx - ax) // (by - ay)
            for ring in rings
            for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]])
            if (ay <= y) != (by <= y)
        )
        for west, east in zip(crossings[::2], crossings[1::2]):
            best = max(best, (east - west, ((west + east) // 2, y)))
    return best[1]


def drawings(exact: Polygons) -> Iterator[tuple[int, Polygons]]:
    """The simplified polygons of each zoom, from the finest. One that would hardly be smaller is left out."""
    polygons, corners = exact, _corners(exact)
    for zoom in reversed(ZOOMS):
        polygons = _simplified(polygons, TOLERANCES[zoom])
        if _corners(polygons) < 0.8 * corners:
            corners = _corners(polygons)
            yield zoom, polygons


def _corners(polygons: Polygons) -> int:
    return sum(len(ring) for rings in polygons for ring in rings)


def _simplified(polygons: Polygons, tolerance: float) -> Polygons:
    largest = max(polygons, key=lambda rings: area(rings[0]))
    kept = []
    for rings in polygons:
        if rings is not largest and area(rings[0]) < (SMALLEST * tolerance) ** 2:
            continue
        found = []
        for ring in rings:
            if found and area(ring) < (SMALLEST * tolerance) ** 2:
                continue
            points = simplified([*ring, ring[0]], tolerance, SCALE)[:-1]
            if len(points) > 2:
                found.append(points)
            elif not found:
                found.append(ring)
        kept.append(found)
    return kept


def packed(polygons: Polygons) -> bytes:
    """The form of `RegionShape` in Farol."""
    parts = [struct.pack("<I", len(polygons))]
    for rings in polygons:
        parts.append(struct.pack("<I", len(rings)))
        for ring in rings:
            parts.append(struct.pack(f"<I{2 * len(ring)}i", len(ring), *(value for point in ring for value in point)))
    return b"".join(parts)
