// @ts-check
// The globals of libraries loaded by <script src>.

/**
 * MapLibre GL JS 5.
 * @type {any}
 */
export const maplibre = /** @type {any} */ (globalThis).maplibregl;
