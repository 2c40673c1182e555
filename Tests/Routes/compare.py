"""Compares the search for ways with RoutingKit, and the lengths of shortest ways with OSRM.

    data/.routes/bin/python Tests/Routes/compare.py .build/debug/farol harrisburg

RoutingKit customizes the same order and must find the same costs for every mode. OSRM reads the same extract with its own
rules about access: 95 % of the shortest ways must have the same length within 2 %.
"""

import argparse
import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import routingkit_cch as routingkit

ROOT = Path(__file__).resolve().parents[2]
OSRM = ROOT / "data/.routes/osrm"
PROFILES = {"walking": "foot", "cycling": "bicycle", "driving": "car"}
UNREACHABLE = 2_147_483_647  # RoutingKit's weight of an arc that cannot be used
SNAP = 3  # metres: OSRM has another street next to the place if it is farther away
TOLERANCE, SHARE = 0.02, 0.95


def read(farol, extract, pairs, folder):
    """The graph of an extract and random ways on it."""
    graph = folder / f"{extract}.graph"
    source = ROOT / f"seed/streets/{extract}.osm.pbf"
    subprocess.run([farol, "streets", source, "--output", graph], check=True, stdout=subprocess.DEVNULL)
    export = ["node", ROOT / "Tests/Routes/export.js", graph, str(pairs)]
    return json.loads(subprocess.run(export, check=True, capture_output=True).stdout)


def count_arcs(order, tails, heads):
    """The arcs of the hierarchy of an order: the node that is removed first comes first."""
    rank = [0] * len(order)
    for place, node in enumerate(order):
        rank[node] = place
    higher = [set() for _ in order]
    for tail, head in zip(tails, heads):
        one, other = sorted((rank[tail], rank[head]))
        higher[one].add(other)
    for place, targets in enumerate(higher):
        if targets:
            parent = min(targets)
            higher[parent] |= targets - {parent}
    return sum(map(len, higher))


def compare_routingkit(graph):
    """Whether all costs are those of RoutingKit with the order of the file."""
    order = list(range(graph["nodes"]))
    tails, heads = graph["tails"], graph["heads"]
    cch = routingkit.CCH(order, tails + heads, heads + tails, False)
    is_equal = True
    for mode, ways in graph["ways"].items():
        bits = graph["bits"][mode]
        for name, values in (("length", graph["lengths"]), ("cost", graph["costs"])):
            weights = [
                value if flags & bits[direction] else UNREACHABLE
                for direction in ("forward", "backward")
                for value, flags in zip(values, graph["flags"])
            ]
            query = routingkit.CCHQuery(routingkit.CCHMetric(cch, weights))
            different = 0
            for way in ways:
                sources, targets = ([tuple(end) for end in ends] for ends in way[f"{name}Ends"])
                found = query.run_multi(sources, targets).distance
                different += found != way[name]
            print(f"  RoutingKit, {mode}, {name}: {len(ways) - different} of {len(ways)} equal")
            is_equal &= different == 0
    inertial = routingkit.compute_order_inertial(
        graph["nodes"], tails, heads, graph["latitudes"], graph["longitudes"])
    arcs = count_arcs(inertial, tails, heads)
    assert count_arcs(order, tails, heads) == graph["arcs"]
    print(f"  order: {graph['arcs']} arcs, {arcs} with the order of RoutingKit ({graph['arcs'] / arcs:.2f} of them)")
    return is_equal and graph["arcs"] <= 1.1 * arcs


class Router:
    """OSRM with one profile that finds shortest ways."""

    def __init__(self, extract, profile, folder):
        folder = folder / f"{extract}-{profile}"
        folder.mkdir()
        profiles = folder / "profiles"
        shutil.copytree(OSRM / "share/profiles", profiles)
        script = profiles / f"{profile}.lua"
        lines = script.read_text().splitlines()
        at = next(place for place, line in enumerate(lines) if line.strip().startswith("weight_name"))
        before, comma = lines[at].split("=")[0], "," if lines[at].rstrip().endswith(",") else ""
        lines[at] = f"{before}= 'distance'{comma}"
        # Pushed bicycles may use footways and one-way streets backward, at no cost if only the length counts.
        lines = [line for line in lines if not line.strip().startswith("bike_push_handler(")]
        # Farol lets people walk on cycleways, as Valhalla does; the profile for walking lacks them.
        if profile == "foot":
            track = next(place for place, line in enumerate(lines) if line.strip().startswith("track "))
            lines.insert(track, lines[track].replace("track ", "cycleway "))
        script.write_text("\n".join(lines))
        data = folder / "map.osm.pbf"
        shutil.copy(ROOT / f"seed/streets/{extract}.osm.pbf", data)
        self.run("osrm-extract", "--threads", "2", "--profile", script, data)
        self.run("osrm-contract", "--threads", "2", folder / "map.osrm")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [OSRM / "bin/osrm-routed", "--ip", "127.0.0.1", "--port", str(self.port), folder / "map.osrm"],
            stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("osrm-routed does not answer")

    @staticmethod
    def run(program, *arguments):
        done = subprocess.run([OSRM / "bin" / program, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{program} failed: {done.stdout[-1000:]}{done.stderr[-1000:]}")

    def length(self, way):
        """Metres, or None without a way; and how far the ends are from OSRM's streets."""
        ends = ";".join(f"{longitude:.6f},{latitude:.6f}" for longitude, latitude in (way["from"], way["to"]))
        url = f"http://127.0.0.1:{self.port}/route/v1/x/{ends}?overview=false&continue_straight=false"
        try:
            with urllib.request.urlopen(url) as answer:
                found = json.load(answer)
        except urllib.error.HTTPError:
            return None, 0
        return found["routes"][0]["distance"], max(point["distance"] for point in found["waypoints"])

    def stop(self):
        self.process.terminate()
        self.process.wait()


def compare_osrm(graph, extract, folder):
    """Whether enough of the shortest ways have the length that OSRM finds."""
    is_near = True
    for mode, profile in PROFILES.items():
        router = Router(extract, profile, folder)
        counts = dict.fromkeys(
            ("near", "longer", "shorter", "another street", "no way of OSRM", "no way of Farol", "none"), 0)
        ratios = []
        try:
            for way in graph["ways"][mode]:
                theirs, snapped = router.length(way)
                ours = None if way["length"] is None else way["length"] / 10
                if theirs is None or ours is None:
                    counts["none" if theirs == ours else "no way of OSRM" if theirs is None else "no way of Farol"] += 1
                elif snapped > SNAP:
                    counts["another street"] += 1
                else:
                    ratios.append(ours / max(theirs, 0.1))
                    is_same = abs(ours - theirs) <= max(TOLERANCE * theirs, 1)
                    counts["near" if is_same else "longer" if ours > theirs else "shorter"] += 1
        finally:
            router.stop()
        compared = counts["near"] + counts["longer"] + counts["shorter"]
        share = counts["near"] / compared if compared else 0
        detail = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
        ratio = statistics.median(ratios)
        print(f"  OSRM, {mode}: {share:.1%} of {compared} within 2 %, median ratio {ratio:.4f} ({detail})")
        is_near &= share >= SHARE
    return is_near


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("farol")
    parser.add_argument("extracts", nargs="+")
    parser.add_argument("--pairs", type=int, default=1_000)
    options = parser.parse_args()
    is_good = True
    with tempfile.TemporaryDirectory(prefix="farol-routes-") as name:
        for extract in options.extracts:
            graph = read(options.farol, extract, options.pairs, Path(name))
            print(f"{extract}: {len(graph['tails'])} edges, {graph['nodes']} nodes")
            is_good &= compare_routingkit(graph)
            is_good &= compare_osrm(graph, extract, Path(name))
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
