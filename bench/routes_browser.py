#!/usr/bin/env python3
"""Measures the search for ways in a page of Chromium whose processor is four times slower; bench/routes starts it.

The slowdown is that of the developer tools (`Emulation.setCPUThrottlingRate`), which holds for the page, so the search runs
in the page and not in a worker.
"""

import functools
import http.server
import json
import os
import sys
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SLOWER = 4
PAGE = """<!doctype html><meta charset="utf-8"><title>Routes</title><script type="module">
import { decodePiece } from '/public/js/routes/piece.js';
import { joinPieces } from '/public/js/routes/graph.js';
import { Hierarchy } from '/public/js/routes/hierarchy.js';
import { Snapper } from '/public/js/routes/snap.js';
import { randomNumbers, randomPlaces } from '/Tests/Front/routes/pieces.js';
const median = (values) => values.sort((one, other) => one - other)[values.length >> 1];
const timed = (count, work) => Array.from({ length: count }, (_, round) => {
  const start = performance.now();
  work(round);
  return performance.now() - start;
});
globalThis.measure = async (path) => {
  const bytes = new Uint8Array(await (await fetch(path)).arrayBuffer());
  const parts = [];
  for (let place = 0; place < bytes.length;) {
    const length = new DataView(bytes.buffer).getUint32(place, true);
    parts.push(bytes.slice(place + 4, place + 4 + length));
    place += 4 + length;
  }
  let [pieces, graph, search] = [];
  const decode = timed(3, () => { pieces = parts.map(decodePiece); });
  const join = timed(3, () => { graph = joinPieces(pieces); });
  const order = timed(3, () => {
    search = new Hierarchy(graph);
    search.prepare('walking');
  });
  const random = randomNumbers(1);
  const costs = [0, 1, 2].map(() => Int32Array.from(graph.lengths, (length) => Math.round(length * (1 + 3 * random()))));
  const walking = timed(12, (round) => search.customise('walking', costs[round % 3]));
  const driving = timed(12, (round) => search.customise('driving', costs[round % 3]));
  const drivingBytes = (graph.bytes + search.bytes) / graph.edgeCount;
  search.customise('walking', costs[0]);
  const places = randomPlaces(graph, 'walking', 301, random);
  const query = timed(300, (index) => search.query(places[index], places[index + 1]));
  const snapper = new Snapper(graph);
  snapper.nearest(graph.position(0), 'walking');
  const snap = timed(30, (index) => snapper.nearest(graph.position(index * 7), 'walking'));
  return {
    nodes: graph.nodeCount, edges: graph.edgeCount, decodeMs: median(decode), joinMs: median(join),
    orderMs: median(order), walkingMs: median(walking), drivingMs: median(driving), queryMs: median(query),
    query99Ms: query[Math.floor(query.length * 0.99)], snapMs: median(snap),
    bytesPerEdge: (graph.bytes + search.bytes) / graph.edgeCount, drivingBytes,
  };
};
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    path = "/" + str(Path(sys.argv[1]).resolve().relative_to(ROOT))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("FAROL_CHROMIUM", "/usr/bin/chromium-headless-shell"), args=["--no-sandbox"])
        page = browser.new_page()
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.wait_for_function("globalThis.measure !== undefined")
        print(json.dumps(page.evaluate("path => measure(path)", path)))
        browser.close()


if __name__ == "__main__":
    main()
