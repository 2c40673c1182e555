// @ts-check
// Fetches pieces of a street graph. The server learns which pieces of the grid are wanted, never a position.

import { RouteError } from './errors.js';
import { decodePiece } from './piece.js';

/** @typedef {import('../types').Box} Box */
/** @typedef {import('../types').Position} Position */
/** @typedef {import('./grid.js').Address} Address */
/** @typedef {import('./piece.js').Piece} Piece */

/**
 * A file of streets.
 * @typedef {object} StreetGraph
 * @property {string} id changes with the file
 * @property {string} name of the file
 * @property {string} url of a piece, with `{x}` and `{y}`
 * @property {number} version of the format
 * @property {number} zoom of the grid
 * @property {Box} bounds
 * @property {number} nodes
 * @property {number} edges
 * @property {string} attribution
 */

/** The number of pieces that are fetched at once. */
const AT_ONCE = 6;

/**
 * The graph with all positions.
 * @param {StreetGraph[]} graphs @param {Position[]} positions
 * @returns {StreetGraph}
 * @throws {RouteError} `no-streets` if a position is in none, `no-way` if they are in different graphs
 */
export function graphOf(graphs, positions) {
  const around = positions.map((position) => graphs.filter(({ bounds }) => isInside(position, bounds)));
  if (around.length === 0 || around.some((found) => found.length === 0)) throw new RouteError('no-streets');
  // The smallest has the fewest pieces that the journey does not need.
  const common = around[0].filter((graph) => around.every((found) => found.includes(graph)))
    .sort((one, other) => one.edges - other.edges);
  if (common.length === 0) throw new RouteError('no-way', 'the ends are in different files of streets');
  return common[0];
}

/** @param {Position} position @param {Box} box */
const isInside = ([longitude, latitude], [west, south, east, north]) => (
  longitude >= west && longitude <= east && latitude >= south && latitude <= north);

/**
 * Pieces of a graph, without those in which there is no street.
 * @param {Pick<StreetGraph, 'url'>} graph @param {Address[]} addresses
 * @param {object} [options]
 * @param {AbortSignal} [options.signal]
 * @param {(done: number, all: number) => void} [options.progress]
 * @param {typeof fetch} [options.fetcher]
 * @returns {Promise<Piece[]>}
 */
export async function fetchPieces(graph, addresses, options = {}) {
  const { signal, progress, fetcher = fetch } = options;
  /** @type {(Piece | null)[]} */
  const pieces = new Array(addresses.length).fill(null);
  let [next, done] = [0, 0];
  const worker = async () => {
    while (next < addresses.length) {
      const index = next;
      next += 1;
      pieces[index] = await fetchPiece(graph, addresses[index], fetcher, signal);
      done += 1;
      progress?.(done, addresses.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, addresses.length) }, worker));
  return pieces.flatMap((piece) => piece ?? []);
}

/**
 * @param {Pick<StreetGraph, 'url'>} graph @param {Address} address @param {typeof fetch} fetcher
 * @param {AbortSignal} [signal]
 * @returns {Promise<Piece | null>}
 */
async function fetchPiece({ url }, address, fetcher, signal) {
  const response = await answer(
    url.replace('{x}', String(address.x)).replace('{y}', String(address.y)), fetcher, signal);
  if (response.status === 204) return null;
  let bytes;
  try { bytes = new Uint8Array(await response.arrayBuffer()); } catch (fault) { throw loadFault(fault, signal); }
  // The service worker keeps a 204 as an empty response.
  if (bytes.length === 0) return null;
  const piece = decodePiece(bytes);
  if (piece.x !== address.x || piece.y !== address.y) throw new RouteError('damaged', 'is another piece');
  return piece;
}

/** @param {string} url @param {typeof fetch} fetcher @param {AbortSignal} [signal] */
async function answer(url, fetcher, signal) {
  let response;
  try {
    // Nothing says who asks.
    response = await fetcher(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch (fault) { throw loadFault(fault, signal); }
  if (!response.ok) throw new RouteError('load', `status ${response.status}`);
  return response;
}

/** @param {unknown} fault @param {AbortSignal} [signal] @returns {unknown} an abort stays an abort */
const loadFault = (fault, signal) => (signal?.aborted ? fault : new RouteError('load', String(fault)));
