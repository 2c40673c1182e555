"""Assigns lines to the cells of a grid, so that a look-up reads the lines of one cell only."""

import math
from array import array
from collections import defaultdict

from arcs import Arc, Point

# Cells are half a degree wide and high, numbered eastwards from −180 and northwards from −90.
PER_DEGREE = 2
COLUMNS, ROWS = 360 * PER_DEGREE, 180 * PER_DEGREE

# Positions in a cell are 16-bit numbers relative to its centre, in these units of a degree.
UNITS = 50_000

# A cell also contains the lines within this distance, so that its lines are sufficient to compute distances.
MARGIN_KM = 5.5
KM_PER_DEGREE = 111.195

# The record of a cell names the areas around a point slightly off its centre. No line ends at this point, because
# lines end at multiples of a coarser grid.
OFF_X, OFF_Y = 7, 11

Position = tuple[float, float]


class Cells:
    def __init__(self) -> None:
        self.pieces: dict[int, list[tuple[tuple[int, ...], list[int]]]] = defaultdict(list)
        # For each row, the crossings of lines with the latitude of its centres: longitude and areas.
        self.crossings: list[list[tuple[float, tuple[int, ...]]]] = [[] for _ in range(ROWS)]
        self.margins = [_margin(row) for row in range(ROWS)]

    def add(self, arc: Arc, per_degree: int) -> None:
        points = [(x / per_degree, y / per_degree) for x, y in arc.points]
        open_pieces: dict[int, tuple[int, list[int]]] = {}
        for place, (one, other) in enumerate(zip(points, points[1:])):
            self._cross(one, other, arc.areas)
            if abs(one[0]) == abs(other[0]) == 180 or abs(one[1]) == abs(other[1]) == 90:
                continue  # the edge of the map
            for turn in _turns(one, other):
                self._deal(
                    (one[0] + turn, one[1]), (other[0] + turn, other[1]), arc.areas, place,
                    open_pieces,
                )

    def _cross(self, one: Position, other: Position, areas: tuple[int, ...]) -> None:
        (ax, ay), (bx, by) = (one, other) if one[1] <= other[1] else (other, one)
        if ay == by:
            return
        first = max(0, math.ceil((ay - _middle(0)[1]) * PER_DEGREE))
        for row in range(first, ROWS):
            y = _middle(row)[1]
            if y >= by:
                break
            if y >= ay:
                self.crossings[row].append((ax + (bx - ax) * (y - ay) / (by - ay), areas))

    def _deal(self, one, other, areas, place, open_pieces) -> None:
        south, north = sorted((one[1], other[1]))
        west, east = sorted((one[0], other[0]))
        high = MARGIN_KM / KM_PER_DEGREE
        for row in range(_row(south - high), _row(north + high) + 1):
            wide = self.margins[row]
            for column in range(_column(west - wide), _column(east + wide) + 1):
                piece = _clipped(one, other, column, row, wide, high)
                if piece is None:
                    continue
                cell = row * COLUMNS + column
                (ax, ay), end = piece
                known = open_pieces.get(cell)
                if known and known[0] == place - 1 and known[1][-2:] == [ax, ay]:
                    numbers = known[1]
                else:
                    numbers = [ax, ay]
                    self.pieces[cell].append((areas, numbers))
                numbers += end
                open_pieces[cell] = (place, numbers)

    def packed(self) -> tuple[array, array]:
        """The offset of each cell's record, and the records. Equal records are stored once."""
        index, records, known = array("I"), array("h"), {}
        for row in range(ROWS):
            inside = self._inside(row)
            for column in range(COLUMNS):
                cell = row * COLUMNS + column
                record = _record(inside[column], self.pieces.get(cell, ()))
                place = known.get(record)
                if place is None:
                    place = known[record] = len(records)
                    records.frombytes(record)
                index.append(place)
        return index, records

    def _inside(self, row: int) -> list[tuple[int, ...]]:
        """The areas around the centre of each cell of a row."""
        crossings = sorted(self.crossings[row])
        within: set[int] = set()
        found, place = [], 0
        for column in range(COLUMNS):
            x = -180 + (column + 0.5) / PER_DEGREE + OFF_X / UNITS
            while place < len(crossings) and crossings[place][0] <= x:
                within ^= set(crossings[place][1])
                place += 1
            found.append(tuple(sorted(within)))
        return found


def _record(inside: tuple[int, ...], pieces) -> bytes:
    numbers = array("h", [len(inside), *inside, len(pieces)])
    for areas, points in pieces:
        numbers.extend([len(areas), *areas, len(points) // 2, *points])
    return numbers.tobytes()


def _middle(row: int) -> Position:
    return 0.0, -90 + (row + 0.5) / PER_DEGREE + OFF_Y / UNITS


def _margin(row: int) -> float:
    """The width of the margin in a row in degrees of longitude, limited to the range of 16 bits."""
    edge = max(abs(-90 + row / PER_DEGREE), abs(-90 + (row + 1) / PER_DEGREE))
    shrunk = max(math.cos(math.radians(edge)), 1e-9)
    return min(MARGIN_KM / KM_PER_DEGREE / shrunk, 0.4)


def _turns(one: Position, other: Position) -> tuple[int, ...]:
    """Adds lines near the antimeridian to the cells on its other side too."""
    if max(one[0], other[0]) > 179:
        return 0, -360
    if min(one[0], other[0]) < -179:
        return 0, 360
    return (0,)


def _row(y: float) -> int:
    return min(max(math.floor((y + 90) * PER_DEGREE), 0), ROWS - 1)


def _column(x: float) -> int:
    return min(max(math.floor((x + 180) * PER_DEGREE), 0), COLUMNS - 1)


def _clipped(one, other, column, row, wide, high) -> tuple[list[int], list[int]] | None:
    """The part of a line in a cell and its margin, relative to the centre, clipped by Liang and
    Barsky's algorithm. None if the line does not touch the cell."""
    mx, my = -180 + (column + 0.5) / PER_DEGREE, -90 + (row + 0.5) / PER_DEGREE
    half = 0.5 / PER_DEGREE
    x, y = one[0] - mx, one[1] - my
    dx, dy = other[0] - one[0], other[1] - one[1]
    start, end = 0.0, 1.0
    for step, room in (
        (-dx, x + half + wide), (dx, half + wide - x),
        (-dy, y + half + high), (dy, half + high - y),
    ):  # fmt: skip
        if step == 0:
            if room < 0:
                return None
        elif step < 0:
            start = max(start, room / step)
        else:
            end = min(end, room / step)
    if start > end:
        return None
    return (
        [round((x + start * dx) * UNITS), round((y + start * dy) * UNITS)],
        [round((x + end * dx) * UNITS), round((y + end * dy) * UNITS)],
    )
