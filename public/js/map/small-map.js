// @ts-check
// Small maps of pages, drawn next to the text: the module that draws them arrives after the page.

import { soon } from '../late.js';

/**
 * Draws a map. Throws if the browser has no WebGL.
 * @param {Parameters<typeof import('./map-view.js').createMap>[0]} options
 */
export async function createMap(options) {
  const drawing = await soon(import('./map-view.js'));
  return drawing.createMap(options);
}
