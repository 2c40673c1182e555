import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RouteError } from '../../../public/js/routes/errors.js';
import { joinPieces } from '../../../public/js/routes/graph.js';
import { decodePiece, LIMITS } from '../../../public/js/routes/piece.js';
import { encodePiece, randomNumbers, villageBytes } from './pieces.js';

const nodes = [
  { rank: 3, lon: -76.6, lat: 39.3 }, { rank: 8, lon: -76.59, lat: 39.31 }, { rank: 70_000, lon: -76.58, lat: 39.29 },
];
const edges = [
  { tail: 0, head: 2, length: 1234.5, name: 'Rua do Ouro', level: -1, speed: 30, points: [[-76.595, 39.295]] },
  { tail: 0, head: 1, length: 0.1, flags: 3, kind: 3 },
];
const whole = () => encodePiece({ nodes, edges });

/** Changes one number of 32 bits in the header. */
function changed(place, value) {
  const bytes = whole();
  new DataView(bytes.buffer).setUint32(place, value, true);
  return bytes;
}

/** Fails unless decoding throws the project’s own error with a code. */
function refuses(bytes, code) {
  assert.throws(() => decodePiece(bytes), (fault) => fault instanceof RouteError && fault.code === code);
}

test('a piece has the nodes, edges, points and names that were written', () => {
  const piece = decodePiece(whole());
  assert.deepEqual([...piece.ranks], [3, 8, 70_000]);
  assert.deepEqual([...piece.longitudes], [-76_600_000, -76_590_000, -76_580_000]);
  assert.deepEqual([...piece.lengths], [12_345, 1]);
  const graph = joinPieces([piece]);
  assert.equal(graph.name(0), 'Rua do Ouro');
  assert.equal(graph.level(0), -1);
  assert.equal(graph.maxSpeed(0), 30);
  assert.equal(graph.tail(1), 0);
  assert.equal(graph.head(0), 2);
  assert.deepEqual(graph.edgePoints(0).map(([x, y]) => [x.toFixed(3), y.toFixed(3)]),
    [['-76.600', '39.300'], ['-76.595', '39.295'], ['-76.580', '39.290']]);
  assert.equal(graph.kind(1), 'steps');
  assert.ok(graph.allows(1, 'walking', true) && !graph.allows(1, 'wheelchair', true));
});

test('a piece of another version is named as such', () => {
  refuses(encodePiece({ version: 2, nodes, edges }), 'version');
});

test('every piece that is cut off is damaged', () => {
  const bytes = whole();
  for (let length = 0; length < bytes.length; length += 1) refuses(bytes.slice(0, length), 'damaged');
  refuses(Uint8Array.from([...bytes, 0]), 'damaged');
});

test('counts above the limits are refused before anything is allocated', () => {
  refuses(changed(24, LIMITS.nodes + 1), 'too-large');
  refuses(changed(28, LIMITS.edges + 1), 'too-large');
  refuses(changed(32, LIMITS.names + 1), 'too-large');
  refuses(changed(24, LIMITS.nodes), 'damaged');
  refuses(new Uint8Array(LIMITS.bytes + 1), 'too-large');
});

test('another magic, grid or length is damage', () => {
  refuses(changed(0, 1), 'damaged');
  refuses(changed(8, 4_096), 'damaged');
  refuses(changed(12, 4_096), 'damaged');
  refuses(changed(44, 5), 'damaged');
  const other = whole();
  other[5] = 11;
  refuses(other, 'damaged');
});

test('edges need their nodes, and names their place', () => {
  refuses(encodePiece({ nodes, edges: [{ tail: 0, head: 3, length: 1 }] }), 'damaged');
  refuses(encodePiece({ nodes, edges: [{ tail: 2, head: 4, length: 1 }] }), 'damaged');
  const unnamed = encodePiece({ nodes, edges });
  new DataView(unnamed.buffer).setUint32(32, 0, true);
  refuses(unnamed, 'damaged');
});

test('values at their limits are read, and those above are refused', () => {
  const edge = (more) => encodePiece({ nodes, edges: [{ tail: 0, head: 1, length: 1, ...more }] });
  assert.equal(decodePiece(edge({ length: LIMITS.length / 10 })).lengths[0], LIMITS.length);
  refuses(edge({ length: LIMITS.length / 10 + 0.1 }), 'damaged');
  assert.equal(decodePiece(edge({ name: 'x'.repeat(LIMITS.nameBytes) })).names[0].length, LIMITS.nameBytes);
  refuses(edge({ name: 'x'.repeat(LIMITS.nameBytes + 1) }), 'damaged');
  const last = (rank) => encodePiece({ nodes: [...nodes.slice(0, 2), { ...nodes[2], rank }], edges });
  assert.equal(decodePiece(last(LIMITS.rank - 1)).ranks[2], LIMITS.rank - 1);
  refuses(last(LIMITS.rank), 'damaged');
  const at = (lon, lat) => encodePiece({ nodes: [...nodes.slice(0, 2), { rank: 9, lon, lat }], edges });
  assert.equal(decodePiece(at(180, 90)).longitudes[2], 180_000_000);
  refuses(at(180.000001, 0), 'damaged');
  refuses(at(0, -90.000001), 'damaged');
  refuses(edge({ points: [[-180, 39], [-180.000001, 39]] }), 'damaged');
});

test('pieces of different files are not joined', () => {
  const other = encodePiece({ x: 1189, graph: 'ffffffffffffffff', nodes, edges });
  assert.throws(() => joinPieces([decodePiece(whole()), decodePiece(other)]), { code: 'mixed' });
});

test('a piece that is given twice is there once', () => {
  const [one, other] = villageBytes().map(decodePiece);
  assert.equal(joinPieces([one, other, one]).edgeCount, joinPieces([one, other]).edgeCount);
  assert.equal(joinPieces([]).nodeCount, 0);
});

test('any bytes end in a piece or in the own error', () => {
  const random = randomNumbers(20_261_130);
  const seeds = [whole(), ...villageBytes()];
  const counts = { read: 0, refused: 0 };
  for (let round = 0; round < 20_000; round += 1) {
    let bytes = seeds[Math.floor(random() * seeds.length)].slice();
    for (let change = Math.floor(random() * 4); change >= 0; change -= 1) {
      // Changes in the header rarely pass, so most are behind it.
      const place = Math.floor((random() < 0.2 ? 0 : 48) + random() * (bytes.length - 48));
      bytes[Math.min(place, bytes.length - 1)] = Math.floor(random() * 256);
    }
    if (random() < 0.1) bytes = bytes.slice(0, Math.floor(random() * bytes.length));
    if (random() < 0.05) bytes = Uint8Array.from({ length: 200 }, () => Math.floor(random() * 256));
    try {
      joinPieces([decodePiece(bytes)]);
      counts.read += 1;
    } catch (fault) {
      assert.ok(fault instanceof RouteError, String(fault));
      counts.refused += 1;
    }
  }
  assert.ok(counts.read > 100 && counts.refused > 1_000, JSON.stringify(counts));
});
