// @ts-check
// Words that every layer uses.

/** Names of the fonts in css/fonts.css; MapLibre draws labels from them. */
export const FONT = 'Farol Sans';
export const BOLD = 'Farol Sans Bold';

/**
 * Widths and sizes that grow with the zoom.
 * @param {...number} stops zoom, value, zoom, value …
 */
export function byZoom(...stops) {
  return ['interpolate', ['linear'], ['zoom'], ...stops];
}
