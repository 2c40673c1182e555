"""Joins the pieces of one name to streets: pieces of one town that lie next to each other."""

from collections.abc import Iterator
from typing import NamedTuple

SIZE = 10_000  # of a cell, in 10⁻⁶ degree: about a kilometre
BITS = 24  # of each coordinate on the curve


class Piece(NamedTuple):
    label: str  # the town of an address; empty if it is not known
    x: int
    y: int
    number: str | None
    postcode: str | None
    city: str


Node = tuple[int, int, str]


def cell_of(x: int, y: int, size: int = SIZE) -> tuple[int, int]:
    return x // size, y // size


def morton(x: int, y: int) -> int:
    """The place of a position (10⁻⁶ degree) on the curve: the bits of both coordinates in turn, x first.

    >>> morton(-180_000_000, -90_000_000), morton(180_000_000, 90_000_000) == 4**24 - 1
    (0, True)
    """
    most = (1 << BITS) - 1
    across = min(most, (x + 180_000_000 << BITS) // 360_000_000)
    up = min(most, (y + 90_000_000 << BITS) // 180_000_000)
    return _spread(across) << 1 | _spread(up)


def _spread(number: int) -> int:
    """Puts a zero bit before each bit."""
    found = 0
    for bit in range(BITS):
        found |= (number >> bit & 1) << 2 * bit
    return found


def areas(pieces: list[Piece], size: int = SIZE) -> list[list[Piece]]:
    """The streets of pieces with one name. A piece without a town joins the next pieces of a town."""
    of_node: dict[Node, list[Piece]] = {}
    for piece in pieces:
        of_node.setdefault((*cell_of(piece.x, piece.y, size), piece.label), []).append(piece)
    if len(of_node) == 1:
        return [pieces]
    street = _labelled(of_node)
    _spread_labels(of_node, street)
    found: dict[int, list[Piece]] = {}
    for node, own in of_node.items():
        found.setdefault(street[node], []).extend(own)
    return list(found.values())


def _labelled(of_node: dict[Node, list[Piece]]) -> dict[Node, int]:
    """Numbers the connected parts of each town."""
    street: dict[Node, int] = {}
    for start in of_node:
        if start[2] and start not in street:
            _fill(start, of_node, street)
    return street


def _fill(start: Node, of_node: dict[Node, list[Piece]], street: dict[Node, int]) -> None:
    number = len(street)
    street[start] = number
    waiting = [start]
    while waiting:
        x, y, label = waiting.pop()
        for cell in _around(x, y):
            node = (*cell, label)
            if node in of_node and node not in street:
                street[node] = number
                waiting.append(node)


def _spread_labels(of_node: dict[Node, list[Piece]], street: dict[Node, int]) -> None:
    """Adds the pieces without a town: to the town whose pieces are next to them, otherwise to a street of their own."""
    of_cell: dict[tuple[int, int], int] = {}
    for node in sorted(street, key=lambda node: -len(of_node[node])):
        of_cell.setdefault(node[:2], street[node])
    waiting = list(of_cell)
    while waiting:
        reached = []
        for cell in waiting:
            for next_cell in _around(*cell):
                node = (*next_cell, "")
                if node in of_node and node not in street:
                    street[node] = of_cell[cell]
                    if next_cell not in of_cell:
                        of_cell[next_cell] = of_cell[cell]
                        reached.append(next_cell)
        waiting = reached
    for node in of_node:
        if node not in street:
            _fill(node, of_node, street)


def _around(x: int, y: int) -> Iterator[tuple[int, int]]:
    yield from ((x + across, y + up) for across in (-1, 0, 1) for up in (-1, 0, 1))
