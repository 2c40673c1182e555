// @ts-check
// Further collections below the devices: areas, lines and points from other publishers, each in its own colour.

/** @typedef {import('./palette.js').Palette} Palette */

/** Above this zoom, the map enlarges the existing tiles instead of loading new ones. */
const DEEPEST = 16;

/**
 * The sources of the visible collections.
 * @param {string[]} ids @returns {Record<string, object>}
 */
export function contextSources(ids) {
  return Object.fromEntries(ids.map((id) => [source(id), {
    type: 'vector', maxzoom: DEEPEST,
    tiles: [`${location.origin}/api/collections/${encodeURIComponent(id)}/tiles/WebMercatorQuad/{z}/{y}/{x}`],
  }]));
}

/**
 * Their layers: areas below lines below points. Colours repeat after four collections; then dashes distinguish them.
 * @param {string[]} all ids of all collections, so that each collection keeps its colour
 * @param {string[]} shown @param {Palette} palette
 */
export function contextLayers(all, shown, palette) {
  const drawn = shown.map((id) => {
    const place = all.indexOf(id);
    return { id, colour: colour(place, palette), dash: place >= 4 ? { 'line-dasharray': [3, 2] } : {} };
  });
  const of = (/** @type {string} */ id) => ({ source: source(id), 'source-layer': id });
  const kind = (/** @type {string} */ name) => ['==', ['geometry-type'], name];
  return [
    ...drawn.map(({ id, colour: fill }) => ({
      id: `${source(id)}-area`, type: 'fill', ...of(id), filter: kind('Polygon'),
      paint: { 'fill-color': fill, 'fill-opacity': 0.12 },
    })),
    ...drawn.map(({ id, colour: line, dash }) => ({
      id: `${source(id)}-line`, type: 'line', ...of(id), filter: ['!', kind('Point')],
      layout: { 'line-join': 'round', 'line-cap': 'round' }, paint: { 'line-color': line, 'line-width': 2, ...dash },
    })),
    ...drawn.map(({ id, colour: point }) => ({
      id: `${source(id)}-point`, type: 'circle', ...of(id), filter: kind('Point'),
      paint: {
        'circle-radius': 4, 'circle-color': point, 'circle-stroke-color': palette.paper, 'circle-stroke-width': 1.5,
      },
    })),
  ];
}

/**
 * The ids of the layers of the visible collections, by geometry.
 * @param {string[]} shown
 */
export function contextLayerIds(shown) {
  const of = (/** @type {string} */ kind) => shown.map((id) => `${source(id)}-${kind}`);
  return { areas: of('area'), lines: of('line'), points: of('point') };
}

/** @param {string} id */
function source(id) { return `context-${id}`; }

/** @param {number} place @param {Palette} palette */
function colour(place, palette) {
  return [palette.disputed, palette.sea, palette.gone, palette.ink][Math.max(0, place) % 4];
}
