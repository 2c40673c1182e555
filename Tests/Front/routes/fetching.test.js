import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fetchPieces, graphOf } from '../../../public/js/routes/fetch-pieces.js';
import { boxOfPiece, MOST_PIECES, pieceOf, piecesAround, withDecoys } from '../../../public/js/routes/grid.js';
import { randomNumbers, villageBytes } from './pieces.js';

const graph = { url: '/street-graphs/village-01234567/{x}/{y}.piece' };
const addresses = [{ x: 1176, y: 1561 }, { x: 1177, y: 1561 }, { x: 1178, y: 1561 }];

/** Answers like a server with the village. */
function server(answer = () => undefined) {
  const requests = [];
  const fetcher = async (url, { signal } = {}) => {
    requests.push(url);
    signal?.throwIfAborted();
    const special = answer(url);
    if (special) return special;
    const x = Number(/\/(\d+)\/\d+\.piece$/.exec(url)?.[1]);
    const bytes = villageBytes()[x - 1176];
    return bytes ? new Response(bytes) : new Response(null, { status: 204 });
  };
  return { fetcher, requests };
}

test('pieces are fetched by their address, and empty ones are left out', async () => {
  const { fetcher, requests } = server();
  const steps = [];
  const pieces = await fetchPieces(graph, addresses, { fetcher, progress: (done, all) => steps.push([done, all]) });
  assert.deepEqual(pieces.map(({ x }) => x), [1176, 1177]);
  assert.deepEqual(requests, addresses.map(({ x, y }) => `/street-graphs/village-01234567/${x}/${y}.piece`));
  assert.deepEqual(steps.at(-1), [3, 3]);
});

test('a piece that fails to load, an answer of another kind and another piece have their own codes', async () => {
  const only = addresses.slice(0, 1);
  const load = (answer) => fetchPieces(graph, only, { fetcher: server(answer).fetcher });
  await assert.rejects(load(() => new Response('', { status: 404 })), { code: 'load' });
  await assert.rejects(load(() => { throw new TypeError('Failed to fetch'); }), { code: 'load' });
  await assert.rejects(load(() => new Response('<html>')), { code: 'damaged' });
  await assert.rejects(load(() => new Response(villageBytes()[1])), { code: 'damaged' });
  const cut = new Response(new ReadableStream({ pull(stream) { stream.error(new Error('connection reset')); } }));
  await assert.rejects(load(() => cut), { code: 'load' });
});

test('an empty response of the cache is a piece without streets', async () => {
  const { fetcher } = server(() => new Response(''));
  assert.deepEqual(await fetchPieces(graph, addresses, { fetcher }), []);
});

test('an aborted load stays an abort', async () => {
  const control = new AbortController();
  control.abort();
  await assert.rejects(
    fetchPieces(graph, addresses, { fetcher: server().fetcher, signal: control.signal }), { name: 'AbortError' });
});

test('a journey needs one graph with both ends', () => {
  const graphs = [
    { id: 'town', bounds: [0, 0, 1, 1], edges: 10 }, { id: 'country', bounds: [-5, -5, 5, 5], edges: 99 },
    { id: 'island', bounds: [9, 9, 10, 10], edges: 5 },
  ];
  assert.equal(graphOf(graphs, [[0.5, 0.5], [0.6, 0.5]]).id, 'town');
  assert.equal(graphOf(graphs, [[0.5, 0.5], [3, 3]]).id, 'country');
  assert.throws(() => graphOf(graphs, [[0.5, 0.5], [9.5, 9.5]]), { code: 'no-way' });
  assert.throws(() => graphOf(graphs, [[0.5, 0.5], [50, 50]]), { code: 'no-streets' });
  assert.throws(() => graphOf([], [[0.5, 0.5]]), { code: 'no-streets' });
});

test('a piece is the tile of zoom 12', () => {
  assert.deepEqual(pieceOf([-76.6122, 39.2904]), { x: 1176, y: 1561 });
  const [west, south, east, north] = boxOfPiece({ x: 1176, y: 1561 });
  assert.ok(west < -76.6122 && east > -76.6122 && south < 39.2904 && north > 39.2904);
  assert.deepEqual(pieceOf([180, -90]), { x: 4095, y: 4095 });
  assert.deepEqual(pieceOf([-180, 90]), { x: 0, y: 0 });
});

test('journeys within the same pieces fetch the same', () => {
  const one = piecesAround([[-76.61, 39.29], [-76.5, 39.31]]);
  const other = piecesAround([[-76.57, 39.25], [-76.56, 39.26], [-76.52, 39.34]]);
  assert.deepEqual(pieceOf([-76.61, 39.29]), pieceOf([-76.57, 39.28]));
  assert.deepEqual(one, piecesAround([[-76.5, 39.31], [-76.6, 39.27]]));
  assert.ok(one.length >= 9 && other.length >= 9);
});

test('pieces outside of the streets are not fetched, and too many are refused', () => {
  const bounds = [-76.66, 39.23, -76.57, 39.32];
  const [first, last] = [pieceOf([bounds[0], bounds[3]]), pieceOf([bounds[2], bounds[1]])];
  const around = piecesAround([[-76.61, 39.29]], bounds);
  assert.ok(around.length < piecesAround([[-76.61, 39.29]]).length);
  assert.ok(around.every(({ x, y }) => x >= first.x && x <= last.x && y >= first.y && y <= last.y));
  assert.deepEqual(piecesAround([[0, 0]], bounds), []);
  assert.throws(() => piecesAround([[0, 0], [10, 10]]), { code: 'too-far' });
  assert.ok(piecesAround([[0, 0], [1, 0.5]]).length <= MOST_PIECES);
});

test('decoys are boxes of the same size within the streets, in an order that does not tell', () => {
  const bounds = [-10, 36, -6, 42];
  const pieces = piecesAround([[-8.6, 41.1]], bounds);
  const all = withDecoys(pieces, bounds, 3, randomNumbers(4));
  assert.ok(pieces.every(({ x, y }) => all.some((piece) => piece.x === x && piece.y === y)));
  assert.ok(all.length > pieces.length && all.length <= 4 * pieces.length);
  assert.deepEqual(all, [...all].sort((one, other) => one.y - other.y || one.x - other.x));
});
