"""Extends the parts of a country to the whole world, so that each position belongs to exactly one of them."""

import math
from collections import defaultdict

import shapely
from border_shapes import SCALE, Polygons
from shapely import MultiPoint, MultiPolygon, Polygon
from shapely.affinity import scale as scaled

WORLD = shapely.box(-180 * SCALE, -90 * SCALE, 180 * SCALE, 90 * SCALE)
# A long side of a border has further points at this distance, between which the nearest part is the exact one.
STEP = SCALE // 5
GRID = 1  # corners are whole numbers


def nearest_parts(parts: list[Polygons]) -> list[Polygons]:
    """For each part, the positions inside it, and those outside all parts to which it is the nearest.

    The results share their corners, so that `Region` in Farol finds each position in one of them.
    """
    if len(parts) == 1:
        return [_polygons(WORLD)]
    shapes = [shapely.make_valid(MultiPolygon([Polygon(rings[0], rings[1:]) for rings in part])) for part in parts]
    covered = shapely.unary_union(shapes, grid_size=GRID)
    outside = shapely.difference(WORLD, covered, grid_size=GRID)
    beyond = [shapely.intersection(cell, outside, grid_size=GRID) for cell in _cells(shapes, covered)]
    lines = [shapely.boundary(shape) for shape in [*shapes, *beyond, WORLD]]
    faces = shapely.get_parts(shapely.polygonize([shapely.unary_union(lines, grid_size=GRID)]))
    inside = shapely.STRtree(shapes)
    around = shapely.STRtree(beyond)
    owned = defaultdict(list)
    for face in faces:
        point = shapely.point_on_surface(face)
        # Two parts may overlap by a little; the first part gets it.
        found = sorted(inside.query(point, "within")) or sorted(around.query(point, "within"))
        owned[int(found[0] if found else around.nearest(point))].append(face)
    return [_polygons(shapely.coverage_union_all(owned[place])) for place in range(len(parts))]


def _cells(shapes: list, covered) -> list:
    """For each part, the positions that are nearer to its outer border than to those of the others."""
    _, south, _, north = covered.bounds
    wide = math.cos(math.radians((south + north) / 2 / SCALE))
    edge = shapely.boundary(covered)
    owners: dict[tuple[float, float], int] = {}
    for place, shape in enumerate(shapes):
        own = shapely.intersection(shapely.boundary(shape), edge, grid_size=GRID)
        for x, y in shapely.get_coordinates(shapely.segmentize(own, STEP)):
            owners.setdefault((round(x), round(y)), place)
    # Degrees of longitude are shorter than degrees of latitude.
    points = {(x * wide, y): place for (x, y), place in owners.items()}
    tree = shapely.STRtree([shapely.Point(point) for point in points])
    places = list(points.values())
    found = shapely.voronoi_polygons(MultiPoint(list(points)), extend_to=scaled(WORLD, wide, 1, origin=(0, 0)))
    cells = defaultdict(list)
    for cell in shapely.get_parts(found):
        for number in tree.query(cell, "contains"):
            cells[places[number]].append(cell)
    return [
        scaled(shapely.unary_union(cells[place]), 1 / wide, 1, origin=(0, 0)) for place in range(len(shapes))
    ]  # fmt: skip


def _polygons(shape) -> Polygons:
    found = []
    for polygon in shapely.get_parts(shape):
        rings = [polygon.exterior, *polygon.interiors]
        found.append([[(int(x), int(y)) for x, y in shapely.get_coordinates(ring)[:-1]] for ring in rings])
    return found
