import assert from 'node:assert/strict';
import { test } from 'node:test';

import { joinPieces } from '../../../public/js/routes/graph.js';
import { Hierarchy } from '../../../public/js/routes/hierarchy.js';
import { MODES } from '../../../public/js/routes/modes.js';
import { decodePiece } from '../../../public/js/routes/piece.js';
import { Snapper } from '../../../public/js/routes/snap.js';
import { stepLength, wayLength, wayPoints } from '../../../public/js/routes/way.js';
import { eliminate } from '../../../public/js/routes/elimination.js';
import {
  ALL, plainCost, plainDistance, plainElimination, randomNumbers, randomPlaces, VILLAGE, villageBytes,
} from './pieces.js';

const village = joinPieces(villageBytes().map(decodePiece));
const snapper = new Snapper(village);

/** The middle between the crossings of the village. */
const at = (column, row) => [
  VILLAGE[0] + (column * 0.1) / 111.19508 / Math.cos((VILLAGE[1] * Math.PI) / 180),
  VILLAGE[1] + (row * 0.1) / 111.19508,
];

test('two pieces are one village', () => {
  assert.equal(village.nodeCount, 81);
  assert.equal(village.edgeCount, 144);
});

test('a snap states the street, the place on it and the distance', () => {
  const snap = snapper.nearest(at(2.25, 3.1), 'walking');
  assert.equal(village.name(snap.edge), 'Street 3');
  assert.ok(Math.abs(snap.distance - 10) < 0.1, `${snap.distance}`);
  const share = village.tail(snap.edge) === snap.edge ? snap.fraction : Math.min(snap.fraction, 1 - snap.fraction);
  assert.ok(Math.abs(share - 0.25) < 0.01);
  assert.equal(snapper.nearest([0, 0], 'walking'), null);
});

test('the nearest street is the one that a look at every street finds', () => {
  const random = randomNumbers(11);
  for (let round = 0; round < 200; round += 1) {
    const place = at(random() * 12 - 2, random() * 12 - 2);
    for (const mode of MODES) {
      const plain = plainDistance(village, mode, place);
      const found = snapper.nearest(place, mode);
      assert.ok(Math.abs(found.distance - plain) < 1e-3, `${found.distance} instead of ${plain}`);
    }
  }
});

test('the arcs of a mode are those of a removal with sets', () => {
  for (const bits of [ALL, 0b11, 0b11_00_00_00]) {
    const { first, lists, heads } = eliminate(village, bits);
    plainElimination(village, bits).forEach((higher, node) => {
      assert.deepEqual([...heads.slice(lists[node], lists[node] + first[node + 1] - first[node])], higher);
    });
  }
  assert.ok(eliminate(village, ALL).heads.length < eliminate(village, ALL).first[81], 'nodes share lists');
});

test('drivers take no footway and respect the one-way street', () => {
  const search = new Hierarchy(village);
  const [from, to] = [at(6.5, 4), at(2.5, 4)];
  search.customise('driving', village.lengths);
  const there = search.query(snapper.nearest(to, 'driving'), snapper.nearest(from, 'driving'));
  const back = search.query(snapper.nearest(from, 'driving'), snapper.nearest(to, 'driving'));
  assert.equal(there.cost, 4_000);
  assert.equal(back.cost, 8_000, 'east, one street north, west and back to the place');
  search.customise('walking', village.lengths);
  assert.equal(search.query(snapper.nearest(from, 'walking'), snapper.nearest(to, 'walking')).cost, 4_000);
  assert.equal(village.name(snapper.nearest(at(8, 2.5), 'driving').edge).startsWith('Street'), true);
});

test('wheelchairs go round the steps', () => {
  const search = new Hierarchy(village);
  const [from, to] = [at(4, 3.5), at(4, 5.5)];
  search.customise('walking', village.lengths);
  const walk = search.query(snapper.nearest(from, 'walking'), snapper.nearest(to, 'walking'));
  assert.ok(walk.steps.some(({ edge }) => village.isSteps(edge)));
  search.customise('wheelchair', village.lengths);
  const ride = search.query(snapper.nearest(from, 'wheelchair'), snapper.nearest(to, 'wheelchair'));
  assert.ok(!ride.steps.some(({ edge }) => village.isSteps(edge)));
  assert.equal(walk.cost, 2_000);
  assert.equal(ride.cost, 4_000);
});

test('the steps of a way are connected and as long as the way', () => {
  const search = new Hierarchy(village);
  search.customise('walking', village.lengths);
  const random = randomNumbers(3);
  const places = randomPlaces(village, 'walking', 60, random);
  for (let index = 0; index + 1 < places.length; index += 2) {
    const found = search.query(places[index], places[index + 1]);
    assert.ok(Math.abs(wayLength(village, found.steps) * 10 - found.cost) <= 1);
    checkConnected(village, found.steps);
    const points = wayPoints(village, found.steps);
    assert.ok(points.length >= 2 || found.steps.length === 0);
  }
});

test('costs that change are those of a plain search, in every mode', () => {
  const search = new Hierarchy(village);
  const random = randomNumbers(7);
  for (let round = 0; round < 5; round += 1) {
    const costs = Int32Array.from(village.lengths, (length) => Math.round(length * (1 + 9 * random())));
    for (const mode of MODES) {
      search.customise(mode, costs);
      const places = randomPlaces(village, mode, 40, random);
      for (let index = 0; index + 1 < places.length; index += 2) {
        const found = search.query(places[index], places[index + 1]);
        assert.equal(found?.cost ?? Infinity, plainCost(village, mode, costs, places[index], places[index + 1]));
      }
    }
  }
});

test('streets that do not touch have no way', () => {
  const [left] = villageBytes().map(decodePiece);
  const alone = joinPieces([left]);
  const search = new Hierarchy(alone);
  search.customise('driving', alone.lengths.map(() => 1_000_000_000));
  const [from, to] = randomPlaces(alone, 'driving', 2, randomNumbers(1));
  assert.equal(search.query(from, to), null);
});

test('costs of nothing do not confuse the way', () => {
  const search = new Hierarchy(village);
  search.customise('walking', new Int32Array(village.edgeCount));
  const [from, to] = randomPlaces(village, 'walking', 2, randomNumbers(5));
  const found = search.query(from, to);
  assert.equal(found.cost, 0);
  checkConnected(village, found.steps);
});

test('the length of a step is the part of its edge', () => {
  assert.equal(stepLength(village, { edge: 0, isForward: false, from: 0.75, to: 0.25 }), 50);
});

function checkConnected(graph, steps) {
  steps.forEach((step, index) => {
    if (index === 0) return;
    const before = steps[index - 1];
    const left = before.isForward ? graph.head(before.edge) : graph.tail(before.edge);
    const entered = step.isForward ? graph.tail(step.edge) : graph.head(step.edge);
    assert.equal(left, entered);
    assert.equal(before.to, before.isForward ? 1 : 0);
    assert.equal(step.from, step.isForward ? 0 : 1);
  });
}
