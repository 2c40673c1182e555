// @ts-check
// Expressions that all layers use.

/** The font family of css/fonts.css from which MapLibre draws labels. */
export const FONT = 'Farol Sans';
export const BOLD = 'Farol Sans Bold';

/**
 * Widths and sizes that grow with the zoom.
 * @param {...number} stops zoom, value, zoom, value …
 */
export function byZoom(...stops) {
  return ['interpolate', ['linear'], ['zoom'], ...stops];
}
