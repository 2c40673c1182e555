// @ts-check
// The globals of libraries loaded by <script src>.

/**
 * MapLibre GL JS 5.
 * @type {any}
 */
export const maplibre = /** @type {any} */ (globalThis).maplibregl;

/**
 * Apache ECharts 6, once a chart has asked for it.
 * @returns {any}
 */
export const echarts = () => /** @type {any} */ (globalThis).echarts;
