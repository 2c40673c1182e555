"""Groups of script modules: which modules that several pages need become one file together."""

import collections
import functools
import graphlib

REQUEST = 20_000  # the cost of a request in bytes of a source


def grouped(needs, weights, sizes, imports, first):
    """The modules that several users need, in groups that become a file each: `(name, modules)`, dependencies first.

    Modules with the same users are a part, and each part begins as a group. First those groups are joined that save most.
    Then parts move to other groups, alone, with all others that a user needs, or as a whole group, as long as that lowers
    the cost of all files: for each user a request and the bytes of the file, also those of modules that it does not need.

    - needs: the modules that each user (a page, or a module that is imported later) needs
    - weights: how often each user is opened, compared with others
    - sizes, imports: of each module
    - first: modules that are a group of their own, before all others
    """
    used = collections.defaultdict(int)
    for place, paths in enumerate(needs):
        for path in paths - first:
            used[path] |= 1 << place
    modules = collections.defaultdict(set)
    for path, mask in used.items():
        if mask.bit_count() > 1:
            modules[mask].add(path)
    costs = Costs(weights, {mask: sum(sizes[path] for path in paths) for mask, paths in modules.items()})

    def in_order(groups):
        return ordered([first, *(set().union(*(modules[part] for part in group)) for group in groups if group)], imports)

    def best(groups, moves):
        """The groups after the move that saves most and leaves an order of files; none if nothing saves."""
        for won, moved, place, far in sorted(moves, key=lambda move: -move[0]):
            if won < 1:
                return None
            changed = list(groups)
            changed[place], changed[far] = groups[place] - moved, groups[far] | moved
            if in_order(changed):
                return changed
        return None

    groups = [frozenset([part]) for part in sorted(modules)]
    while joint := best(groups, [move for place, group in enumerate(groups) for move in costs.moves(groups, place, {group})]):
        groups = [group for group in joint if group]
    groups.append(frozenset())
    is_better = True
    while is_better:
        is_better = False
        for place in range(len(groups)):
            if changed := best(groups, costs.moves(groups, place, parts_to_move(groups[place], len(needs)))):
                groups, is_better = changed, True
    return in_order(groups)


class Costs:
    """What files cost all users. A part is a number with a bit for each user."""

    def __init__(self, weights, sizes):
        self.sizes = sizes
        self.weight = functools.cache(lambda users: sum(one for place, one in enumerate(weights) if users >> place & 1))

    def users_and_size(self, parts):
        return functools.reduce(int.__or__, parts, 0), sum(self.sizes[part] for part in parts)

    def of_file(self, users, size):
        return self.weight(users) * (REQUEST + size) if users else 0

    def moves(self, groups, place, choices):
        """How much less all files cost after parts of a group move to another one, these parts, and both places."""
        before = self.of_file(*self.users_and_size(groups[place]))
        others = [(far, *self.users_and_size(group)) for far, group in enumerate(groups) if far != place]
        now = {far: self.of_file(users, size) for far, users, size in others}
        for moved in choices:
            won = before - self.of_file(*self.users_and_size(groups[place] - moved))
            users, size = self.users_and_size(moved)
            for far, of_other, size_of_other in others:
                yield won + now[far] - self.of_file(of_other | users, size_of_other + size), moved, place, far


def parts_to_move(group, count):
    """A group, each of its parts, and the parts that each of `count` users needs."""
    needed = {frozenset(part for part in group if part >> user & 1) for user in range(count)}
    return {group, *(frozenset([part]) for part in group), *needed} - {frozenset()}


def ordered(groups, imports):
    """The groups with names, each after those that it imports; none if that is impossible."""
    place_of = {path: place for place, modules in enumerate(groups) for path in modules}
    sorter = graphlib.TopologicalSorter({
        place: {place_of[name] for path in modules for name in imports[path] if name in place_of} - {place}
        for place, modules in enumerate(groups)})
    try:
        order = list(sorter.static_order())
    except graphlib.CycleError:
        return []
    return [(f"shared{place}" if place else "ahead", groups[place]) for place in order]
