// The search on the streets of a real town against a plain one. `make test-routes` does the same for all extracts.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { joinPieces } from '../../../public/js/routes/graph.js';
import { Hierarchy } from '../../../public/js/routes/hierarchy.js';
import { MODES } from '../../../public/js/routes/modes.js';
import { Snapper } from '../../../public/js/routes/snap.js';
import { wayLength } from '../../../public/js/routes/way.js';
import { metadata, readPieces } from './archive.js';
import { plainCost, plainDistance, randomNumbers, randomPlaces } from './pieces.js';

const FAROL = process.env.FAROL_PROGRAM ?? '.build/debug/farol';
const EXTRACTS = (process.env.FAROL_EXTRACTS ?? 'harrisburg').split(',');
const PAIRS = Number(process.env.FAROL_PAIRS ?? 50);
const isBuilt = existsSync(FAROL);
/** `make test-front` alone needs no build; `make test` and `make test-routes` build first. */
const skip = isBuilt ? false : `${FAROL} is not built`;

const folder = mkdtempSync(join(tmpdir(), 'farol-routes-'));
after(() => rmSync(folder, { recursive: true }));

for (const extract of EXTRACTS) {
  const file = join(folder, `${extract}.graph`);
  /** @type {ReturnType<typeof joinPieces>} */
  let graph;
  let pieces = [];
  let search;

  before(() => {
    if (!isBuilt) return;
    execFileSync(FAROL, ['streets', `seed/streets/${extract}.osm.pbf`, '--output', file]);
    pieces = readPieces(file);
    graph = joinPieces(pieces);
    search = new Hierarchy(graph);
  });

  test(`${extract}: the file has the streets that it states`, { skip }, () => {
    const { nodes, edges, graph: digest } = metadata(file);
    assert.deepEqual([graph.nodeCount, graph.edgeCount], [nodes, edges]);
    assert.ok(pieces.every((piece) => piece.graph === digest));
    for (let edge = 0; edge < graph.edgeCount; edge += 1) {
      assert.ok(graph.flags[edge] & 0xff || graph.lengths[edge] === 1, 'somebody can use it, or a barrier closes it');
    }
  });

  for (const mode of MODES) {
    test(`${extract}: ${PAIRS} random ways ${mode} cost what a plain search finds`, { skip }, () => {
      const random = randomNumbers(46);
      const costs = Int32Array.from(graph.lengths, (length) => Math.round(length * (1 + 8 * random() ** 4)));
      let connected = 0;
      for (const metric of [graph.lengths, costs]) {
        search.customise(mode, metric);
        const places = randomPlaces(graph, mode, PAIRS, random);
        places.forEach((from, index) => {
          const to = places[(index + 1) % places.length];
          const found = search.query(from, to);
          assert.equal(found?.cost ?? Infinity, plainCost(graph, mode, metric, from, to));
          if (!found) return;
          connected += 1;
          if (metric === graph.lengths) {
            assert.ok(Math.abs(wayLength(graph, found.steps) - found.cost / 10) < 0.2, 'the steps add up');
          }
          checkAllowed(graph, mode, found.steps);
        });
      }
      assert.ok(connected > PAIRS, `only ${connected} of ${2 * PAIRS} pairs are connected`);
    });
  }

  test(`${extract}: some of its pieces are a graph of their own with the same order`, { skip }, () => {
    const part = joinPieces(pieces.slice(0, Math.ceil(pieces.length / 2)));
    const search = new Hierarchy(part);
    search.customise('walking', part.lengths);
    const places = randomPlaces(part, 'walking', PAIRS, randomNumbers(9));
    places.forEach((from, index) => {
      const to = places[(index + 1) % places.length];
      assert.equal(search.query(from, to)?.cost ?? Infinity, plainCost(part, 'walking', part.lengths, from, to));
    });
  });

  test(`${extract}: the nearest street is found, islands aside`, { skip }, () => {
    const snapper = new Snapper(graph);
    const random = randomNumbers(2);
    let nearest = 0;
    for (const { edge } of randomPlaces(graph, 'walking', PAIRS, random)) {
      const points = graph.edgePoints(edge);
      const place = points[Math.floor(points.length / 2)].map((degrees) => degrees + (random() - 0.5) * 0.002);
      const { distance } = snapper.nearest(place, 'walking');
      const plain = plainDistance(graph, 'walking', place);
      assert.ok(distance > plain - 0.01);
      if (distance < plain + 0.01) nearest += 1;
    }
    assert.ok(nearest > 0.9 * PAIRS, `${nearest} of ${PAIRS}`);
  });
}

/** Fails if a way uses a street that its mode may not use, or jumps. */
function checkAllowed(graph, mode, steps) {
  steps.forEach((step, index) => {
    assert.ok(graph.allows(step.edge, mode, step.isForward));
    if (index === 0) return;
    const before = steps[index - 1];
    const left = before.isForward ? graph.head(before.edge) : graph.tail(before.edge);
    assert.equal(left, step.isForward ? graph.tail(step.edge) : graph.head(step.edge));
  });
}
