// @ts-check
// The first picture of a map. This is the only module that uses MapLibre members outside its interface
// (`painter.render`, `painter.drawFunctions`, `style._updatePlacement`, `style.pauseablePlacement`). The version is
// pinned, and Tests/Browser/test_library.py fails if another one lacks them or uses them in another way.

const PATIENCE = 2_000; // milliseconds after which a map is drawn although something is missing

/**
 * Draws a map for the first time when everything in view has arrived, and once. MapLibre places all names and draws
 * after each tile, and on a slow phone each picture delays the tiles that are still missing.
 * @param {any} map the MapLibre map, just created
 */
export function waitForFirstPicture(map) {
  const { painter, style } = map;
  // The map is never tilted, so no sky is visible, but its program takes time to build.
  painter.drawFunctions = { ...painter.drawFunctions, sky: () => undefined };
  const limit = performance.now() + PATIENCE;
  const isDue = () => map.loaded() || performance.now() >= limit;
  cover(style, '_updatePlacement', (place, given) => {
    if (!isDue()) return false; // Nothing was placed that the next picture has to show.
    delete style._updatePlacement;
    const isUnfinished = place(...given);
    // MapLibre places names again in the next picture if some are new, although it placed all of them now: it does so
    // at once in pictures without fading, such as all until the map rests for the first time.
    return isUnfinished && !(map.loaded() && style.pauseablePlacement?.isDone());
  });
  cover(painter, 'render', (render, given) => {
    if (!isDue()) {
      painter.style = given[0]; // Tiles that arrive without it stay empty.
      return;
    }
    delete painter.render;
    render(...given);
  });
  setTimeout(() => map.triggerRepaint(), PATIENCE);
}

/**
 * Covers a method of an object's class by a property of the object, until that is deleted.
 * @param {any} object @param {string} name
 * @param {(method: (...given: any[]) => any, given: any[]) => unknown} instead
 */
function cover(object, name, instead) {
  const method = object[name].bind(object);
  object[name] = (/** @type {any[]} */ ...given) => instead(method, given);
}
