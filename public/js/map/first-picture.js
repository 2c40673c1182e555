// @ts-check
// The first picture of a map.

const PATIENCE = 2_000; // milliseconds after which a map is drawn although something is missing

/**
 * Draws a map for the first time when everything in view has arrived. MapLibre places all names and draws after each
 * tile, and on a slow phone each picture delays the tiles that are still missing.
 * @param {any} map of MapLibre, just created
 */
export function waitForFirstPicture(map) {
  const { painter, style } = map;
  const limit = performance.now() + PATIENCE;
  const isDue = () => map.loaded() || performance.now() >= limit;
  hold(style, '_updatePlacement', isDue, () => false); // Nothing was placed that the next picture has to show.
  hold(painter, 'render', isDue, (now) => { painter.style = now; }); // Tiles that arrive without it stay empty.
  setTimeout(() => map.triggerRepaint(), PATIENCE);
}

/**
 * Replaces a method until it is due: a property of the object covers the method of its class.
 * @param {any} object @param {string} name @param {() => boolean} isDue
 * @param {(...given: any[]) => unknown} instead called with the same arguments before that
 */
function hold(object, name, isDue, instead) {
  object[name] = (/** @type {unknown[]} */ ...given) => {
    if (!isDue()) return instead(...given);
    delete object[name];
    return object[name](...given);
  };
}
