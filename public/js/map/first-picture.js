// @ts-check
// The first picture of a map.

const PATIENCE = 2_000; // milliseconds after which a map is drawn although something is missing

/**
 * Draws a map for the first time when everything in view has arrived. MapLibre draws after each tile, and on a slow
 * phone each picture delays the tiles that are still missing.
 * @param {any} map of MapLibre, just created
 */
export function waitForFirstPicture(map) {
  const { painter } = map;
  const limit = performance.now() + PATIENCE;
  // A property of this object covers the method of its class until the first picture.
  painter.render = (/** @type {unknown} */ style, /** @type {unknown} */ options) => {
    if (!map.loaded() && performance.now() < limit) {
      painter.style = style; // Tiles that arrive without it stay empty.
      return;
    }
    delete painter.render;
    painter.render(style, options);
  };
  setTimeout(() => map.triggerRepaint(), PATIENCE);
}
