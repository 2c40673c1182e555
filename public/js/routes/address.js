// @ts-check
// The fragment of the page's address. A browser never sends the fragment to the server. Pure.

/** @typedef {import('../types').Position} Position */
/** @typedef {{to: Position | null, from: Position | null, past: Position | null, name: string}} Wanted */

/** @param {string} hash @returns {Wanted} */
export function readHash(hash) {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  return {
    to: position(parameters.get('to')), from: position(parameters.get('from')), past: position(parameters.get('past')),
    name: (parameters.get('name') ?? '').slice(0, 200),
  };
}

/**
 * The address of the page with an end.
 * @param {'to' | 'past'} end `past`: the map opens there @param {Position} place @param {string} [name]
 */
export function routesAddress(end, place, name = '') {
  const parameters = new URLSearchParams({ [end]: place.map((degrees) => degrees.toFixed(6)).join(',') });
  if (name) parameters.set('name', name);
  return `/routes#${parameters}`;
}

/** @param {string | null} text @returns {Position | null} */
function position(text) {
  const [, longitude, latitude] = /^(-?\d{1,3}(?:\.\d+)?),(-?\d{1,2}(?:\.\d+)?)$/.exec(text ?? '') ?? [];
  if (longitude === undefined || Math.abs(Number(longitude)) > 180 || Math.abs(Number(latitude)) > 90) return null;
  return [Number(longitude), Number(latitude)];
}
