import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '../../public/js/exposure/kinds.js';
import { readSensor } from '../../public/js/exposure/sensor.js';
import { distance } from '../../public/js/geography.js';
import { piecesAround, withDecoys } from '../../public/js/routes/grid.js';
import { decodePiece } from '../../public/js/routes/piece.js';
import { readHash, routesAddress } from '../../public/js/routes/address.js';
import { cellsOfPieces } from '../../public/js/routes-page/areas.js';
import { RouteEngine } from '../../public/js/routes-page/engine.js';
import { geoLink, gpxOf, withoutEnds } from '../../public/js/routes-page/gpx.js';
import { GPXReader } from '../../public/js/diary/gpx.js';
import { Points } from '../../public/js/diary/points.js';
import { villageBytes, VILLAGE } from './routes/pieces.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const EAST = 0.1 / 111.19508 / Math.cos((VILLAGE[1] * Math.PI) / 180);
const NORTH = 0.1 / 111.19508;
/** A place in the village, in blocks of 100 m from its south-western crossing. */
const at = (column, row) => [VILLAGE[0] + column * EAST, VILLAGE[1] + row * NORTH];
const camera = (column, row, more = {}) => readSensor({
  id: `camera-${column}-${row}`, geometry: { coordinates: at(column, row) },
  properties: {
    name: 'Camera', category: 'camera_ptz', status: 'confirmed', precision: 'exact', data_collected: ['video'], ...more,
  },
}, NOW, () => []);

const engine = () => new RouteEngine(villageBytes().map((bytes) => decodePiece(bytes)));
const question = (more = {}) => ({
  stops: [at(0, 2), at(8, 2)], mode: 'walking', kinds: KINDS, share: 1, longer: 0.5, ...more,
});
const nearly = (actual, expected) => assert.ok(Math.abs(actual - expected) < 3, `${actual} instead of ${expected}`);

test('without devices the quiet way is the shortest', () => {
  const { shortest, quiet } = engine().answer(question());
  nearly(shortest.metres, 800);
  assert.equal(quiet, shortest);
  assert.deepEqual(shortest.passed, []);
  nearly(shortest.seconds, 800 / (shortest.metres / shortest.seconds));
});

test('the quiet way goes around a camera, and is at most so much longer', () => {
  const own = engine();
  own.setSensors([camera(4, 2)]);
  const { shortest, quiet } = own.answer(question());
  nearly(shortest.metres, 800);
  assert.deepEqual(shortest.passed.map(({ sensor }) => sensor.id), ['camera-4-2']);
  assert.ok(shortest.exposure > 70);
  nearly(quiet.metres, 1_000);
  assert.deepEqual(quiet.passed, []);
  // A limit below the detour.
  const { quiet: same } = own.answer(question({ longer: 0.1 }));
  nearly(same.metres, 800);
  for (const longer of [0, 0.1, 0.24, 0.26, 1]) {
    assert.ok(own.answer(question({ longer })).quiet.metres <= 800 * (1 + longer) + 3);
  }
});

test('a way from a place to itself is that place', () => {
  const { shortest, quiet } = engine().answer(question({ stops: [at(1.5, 2), at(1.5, 2)] }));
  assert.equal(shortest.metres, 0);
  assert.equal(quiet, shortest);
  assert.equal(shortest.line.length, 1);
  nearly(distance(shortest.line[0], at(1.5, 2)), 0);
});

test('a slider beyond the limit computes nothing again, and has the answer of a first question', () => {
  const own = engine();
  own.setSensors([camera(4, 2), camera(6, 3, { category: 'camera_fixed' })]);
  let count = 0;
  const { customise } = own.hierarchy;
  own.hierarchy.customise = (...given) => {
    count += 1;
    customise.apply(own.hierarchy, given);
  };
  const limited = { longer: 0.1 };
  own.answer(question({ ...limited, share: 1 }));
  assert.ok(count > 2);
  count = 0;
  const shares = [1, 0.9, 0.8, 0.3, 0.05, 1];
  const answers = shares.map((share) => own.answer(question({ ...limited, share })).quiet);
  assert.ok(count <= 3, `${count} customisations`);
  shares.forEach((share, index) => {
    const alone = engine();
    alone.setSensors(own.index.sensors);
    assert.deepEqual(answers[index], alone.answer(question({ ...limited, share })).quiet);
  });
  // Other devices, another limit.
  own.setSensors([]);
  nearly(own.answer(question(limited)).quiet.metres, 800);
});

test('the slider decides how far a detour goes, and the kinds decide what is avoided', () => {
  const own = engine();
  own.setSensors([camera(4, 2), camera(2, 3, { category: 'wifi_hotspot', data_collected: ['radio_id'] })]);
  nearly(own.answer(question({ share: 0 })).quiet.metres, 800);
  const metres = [0, 0.05, 0.2, 1].map((share) => own.answer(question({ share })).quiet.exposure);
  for (let i = 1; i < metres.length; i += 1) assert.ok(metres[i] <= metres[i - 1]);
  assert.equal(own.answer(question({ kinds: [] })).quiet.metres, own.answer(question({ share: 0 })).quiet.metres);
  const { quiet } = own.answer(question({ kinds: ['sound'] }));
  nearly(quiet.metres, 800);
});

test('a plate reader is avoided by a car, and counts as a camera on foot', () => {
  const own = engine();
  own.setSensors([camera(4, 4, { category: 'alpr', data_collected: ['plate'], bearings: [] })]);
  const stops = [at(0, 4), at(8, 4)];
  assert.equal(own.answer(question({ stops, kinds: ['plates'] })).shortest.exposure, 0);
  const { shortest, quiet } = own.answer(question({ stops: [at(0, 4), at(7, 4)], kinds: ['plates'], mode: 'driving' }));
  assert.ok(shortest.exposure > 0);
  assert.equal(quiet.exposure, 0);
});

test('stops are visited in order, and the words follow the streets', () => {
  const { shortest } = engine().answer(question({ stops: [at(0, 0), at(2, 0), at(2, 2)] }));
  nearly(shortest.metres, 400);
  assert.deepEqual(shortest.directions.map(({ turn, name, metres }) => [turn, name, Math.round(metres / 10) * 10]), [
    ['start', 'Street 0', 200], ['stop', '', 0], ['start', 'Avenue 2', 200], ['arrive', '', 0]]);
  const { shortest: bent } = engine().answer(question({ stops: [at(0, 0.5), at(1.5, 1)] }));
  assert.deepEqual(bent.directions.map(({ turn, name }) => [turn, name]),
    [['start', 'Avenue 0'], ['right', 'Street 1'], ['arrive', '']]);
  assert.ok(distance(bent.line[0], at(0, 0.5)) < 5);
});

test('places without a street and streets that do not connect have a reason', () => {
  const own = engine();
  const code = (more) => {
    try {
      own.answer(question(more));
      return null;
    } catch (error) {
      return error.code;
    }
  };
  assert.equal(code({ stops: [at(0, 0), [-76.2, 39.29]] }), 'no-street-near');
  assert.equal(code({ stops: [at(0, 0), at(1, 1)] }), null);
});

test('a new set of devices changes the answer', () => {
  const own = engine();
  own.setSensors([camera(4, 2)]);
  nearly(own.answer(question()).quiet.metres, 1_000);
  own.setSensors([]);
  nearly(own.answer(question()).quiet.metres, 800);
});

// Exports of a way

test('GPX without ends has nothing of them, and a short way has nothing at all', () => {
  const line = Array.from({ length: 9 }, (_, i) => at(i, 0));
  const cut = withoutEnds([...line], 250);
  for (const place of cut) {
    assert.ok(distance(place, line[0]) > 249 && distance(place, line[8]) > 249);
  }
  assert.deepEqual(withoutEnds([at(0, 0), at(4, 0)], 250), []);
  assert.deepEqual(withoutEnds([], 250), []);
  const text = gpxOf(cut, 'A <way> & more');
  const points = new Points(NOW);
  const reader = new GPXReader(points);
  reader.push(text);
  reader.end();
  assert.equal(points.faults.timeless, cut.length, 'no times either');
  assert.match(text, /A &lt;way&gt; &amp; more/);
  assert.equal(geoLink([-16.9, 32.65]), 'geo:32.650000,-16.900000');
});

test('the ends are in the fragment, which is never sent', () => {
  const address = routesAddress('to', [-16.9042, 32.6486], 'Mercado & praça');
  assert.ok(address.startsWith('/routes#'));
  assert.deepEqual(readHash(address.slice('/routes'.length)), {
    to: [-16.9042, 32.6486], from: null, past: null, name: 'Mercado & praça',
  });
  for (const text of ['', '#to=', '#to=1', '#to=200,1', '#to=1,95', '#to=a,b', '#to=1,2,3', '#to=1e3,2']) {
    assert.equal(readHash(text).to, null, text);
  }
});

test('the cells of devices follow from the pieces of streets, decoys included', () => {
  const bounds = [-77.5, 38.8, -75.5, 40];
  const pieces = piecesAround([at(0, 2), at(8, 2)], bounds);
  assert.deepEqual(piecesAround([at(7, 7), at(1, 1)], bounds), pieces);
  const cells = cellsOfPieces(pieces);
  assert.deepEqual(cellsOfPieces([...pieces].reverse()), cells);
  assert.ok(cells.length >= 9 && cells.length <= 25, String(cells.length));
  const hidden = withDecoys(pieces, bounds, 3, () => 0.95);
  const all = cellsOfPieces(hidden);
  assert.ok(hidden.length > pieces.length && all.length > cells.length);
  assert.ok(cells.every((cell) => all.includes(cell)));
  assert.equal(cellsOfPieces([]).length, 0);
});
