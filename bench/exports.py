"""Measures exports of all devices, and the same rows read without output."""

import http.client
import os
import time

from processes import Failure

FORMATS = ("csv", "geojsonl", "gpkg")


def take(port, format):
    """Devices, bytes and seconds of one export. The content is discarded."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    try:
        started = time.monotonic()
        connection.request("GET", f"/api/exports/devices.{format}")
        response = connection.getresponse()
        if response.status != 200:
            raise Failure(f"the export as {format} returned {response.status}")
        devices = int(response.headers["OGC-NumberMatched"])
        size = 0
        while piece := response.read(1 << 20):
            size += len(piece)
        return devices, size, time.monotonic() - started
    finally:
        connection.close()


def measure(farol, floor, folder, rounds):
    """The best run of each format. `floor` steps the same SELECT without output."""
    os.makedirs(folder, exist_ok=True)
    targets = os.path.join(folder, "exports.floor")
    with open(targets, "w") as file:
        file.write("/api/exports/devices.csv\n")
    rows = {}
    for format in FORMATS:
        runs = []
        for _ in range(rounds):
            before = farol.cpu()
            devices, size, seconds = take(farol.port, format)
            runs.append({
                "devices": devices, "bytes": size / max(1, devices), "rate": devices / seconds,
                "cpu": (farol.cpu() - before) / max(1, devices) * 1e6,
                "floor": floor.measure(targets, 1, 1) * devices, "memory": farol.memory()[1],
            })
        rows[format] = max(runs, key=lambda run: run["rate"])
    return rows
