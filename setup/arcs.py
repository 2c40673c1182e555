"""Converts closed rings into the simplified lines between areas. Each line is stored once.

The points of rings are on a grid, so two neighbours share every edge of their common border. An edge between two
parts of one area is not a border and is dropped.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

Point = tuple[int, int]

METRES_PER_DEGREE = 111_195


class Arc(NamedTuple):
    areas: tuple[int, ...]  # the areas on either side of the line, seldom more than two
    points: list[Point]


def arcs(
    rings: Iterable[tuple[int, list[Point]]], tolerance: float, outer: float, per_degree: int
) -> list[Arc]:
    """The lines between the areas of `rings` (number, points in units of 1/`per_degree` degrees),
    simplified by at most `tolerance` metres, or `outer` metres where no area is beyond the line."""
    edges = _edges(rings)
    around = defaultdict(list)
    for (start, end), areas in edges.items():
        around[start].append((end, areas))
        around[end].append((start, areas))
    found = []
    waiting = set(edges)

    def is_end(point: Point) -> bool:
        ways = around[point]
        return len(ways) != 2 or ways[0][1] != ways[1][1]

    def walk(start: Point, end: Point) -> list[Point]:
        points = [start, end]
        waiting.discard(_key(start, end))
        while not is_end(end) and end != points[0]:
            further = [to for to, _ in around[end] if _key(end, to) in waiting]
            if not further:
                break
            waiting.discard(_key(end, further[0]))
            end = further[0]
            points.append(end)
        return points

    for start in around:
        if is_end(start):
            for end, areas in around[start]:
                if _key(start, end) in waiting:
                    found.append(Arc(areas, walk(start, end)))
    while waiting:  # closed lines
        start, end = next(iter(waiting))
        areas = edges[start, end]
        found.append(Arc(areas, walk(start, end)))
    limits = [metres / METRES_PER_DEGREE * per_degree for metres in (outer, tolerance)]
    return [
        Arc(arc.areas, simplified(arc.points, limits[len(arc.areas) > 1], per_degree))
        for arc in found
    ]


def _key(one: Point, other: Point) -> tuple[Point, Point]:
    return (one, other) if one < other else (other, one)


def _edges(rings: Iterable[tuple[int, list[Point]]]) -> dict[tuple[Point, Point], tuple[int, ...]]:
    edges: dict[tuple[Point, Point], tuple[int, ...]] = {}
    for area, ring in rings:
        single = (area,)
        last = ring[-1]
        for point in ring:
            if point != last:
                key = (point, last) if point < last else (last, point)
                known = edges.get(key)
                if known is None:
                    edges[key] = single
                elif area in known:
                    edges[key] = tuple(other for other in known if other != area)
                else:
                    edges[key] = tuple(sorted((*known, area)))
            last = point
    return {key: areas for key, areas in edges.items() if areas}


def simplified(points: list[Point], limit: float, per_degree: int) -> list[Point]:
    """Simplifies by Douglas and Peucker. A closed line is first split at the point farthest from its
    start."""
    if len(points) < 3:
        return points
    keep = {0, len(points) - 1}
    stack = [(0, len(points) - 1)]
    if points[0] == points[-1]:
        x, y = points[0]
        far = max(
            range(len(points)), key=lambda n: (points[n][0] - x) ** 2 + (points[n][1] - y) ** 2
        )
        keep.add(far)
        stack = [(0, far), (far, len(points) - 1)]
    while stack:
        first, last = stack.pop()
        if last - first < 2:
            continue
        (ax, ay), (bx, by) = points[first], points[last]
        scale = math.cos(math.radians(ay / per_degree))
        dx, dy = (bx - ax) * scale, by - ay
        length = dx * dx + dy * dy
        worst, place = -1.0, first
        for n in range(first + 1, last):
            px, py = points[n]
            x, y = (px - ax) * scale, py - ay
            if length:
                share = (x * dx + y * dy) / length
                share = 0.0 if share < 0 else 1.0 if share > 1 else share
                x -= share * dx
                y -= share * dy
            square = x * x + y * y
            if square > worst:
                worst, place = square, n
        if worst > limit * limit:
            keep.add(place)
            stack += [(first, place), (place, last)]
    return [points[n] for n in sorted(keep)]
