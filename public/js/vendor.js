// @ts-check
// Third-party libraries: scripts that define a global, loaded by the page or on demand.

import { h } from './dom.js';
import { fileAddress } from './files.js';

const MAPLIBRE = 'maplibregl';
const ECHARTS = 'echarts';

/**
 * MapLibre GL JS 5, after its script has loaded.
 * @returns {any}
 */
export const maplibre = () => /** @type {any} */ (globalThis)[MAPLIBRE];

/**
 * Apache ECharts 6, after `fetchECharts`.
 * @returns {any}
 */
export const echarts = () => /** @type {any} */ (globalThis)[ECHARTS];

const MAPLIBRE_FILE = fileAddress('vendor/maplibre-gl-5.24.0.js');
const ECHARTS_FILE = fileAddress('vendor/echarts-6.0.0.min.js');

/** Preloads MapLibre at low priority, before the page runs it. */
export function expectMaplibre() {
  expect(MAPLIBRE_FILE);
}

/** Preloads ECharts at low priority, before the page runs it. */
export function expectECharts() {
  expect(ECHARTS_FILE);
}

/** @param {string} file */
function expect(file) {
  document.head.append(h('link', { rel: 'preload', as: 'script', href: file, fetchpriority: 'low' }));
}

/** @returns {Promise<any>} @throws if the file cannot be loaded */
export function fetchMaplibre() {
  return library(MAPLIBRE, MAPLIBRE_FILE);
}

/** @returns {Promise<any>} @throws if the file cannot be loaded */
export function fetchECharts() {
  return library(ECHARTS, ECHARTS_FILE);
}

/** @type {Map<string, Promise<any>>} */
const fetched = new Map();

/**
 * @param {string} name of the global @param {string} file
 * @returns {Promise<any>}
 */
function library(name, file) {
  const there = () => /** @type {any} */ (globalThis)[name];
  if (there()) return Promise.resolve(there());
  const known = fetched.get(name);
  if (known) return known;
  const coming = new Promise((resolve, reject) => {
    const script = h('script', { src: file });
    script.addEventListener('load', () => resolve(there()));
    script.addEventListener('error', () => {
      fetched.delete(name);
      script.remove();
      reject(new Error(`The library could not be loaded: ${name}`));
    });
    document.head.append(script);
  });
  fetched.set(name, coming);
  return coming;
}
