// @ts-check
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

// api.js listens for the network.
Object.assign(globalThis, { addEventListener() {}, document: { addEventListener() {} } });
const { ClusterSource } = await import('../../public/js/map/cluster-source.js');

/** A MapLibre map as far as clusters need it: after `remove` it has no style. */
function fakeMap() {
  /** @type {Record<string, Function>} */
  const listeners = {};
  let isRemoved = false;
  const needsStyle = () => { if (isRemoved) throw new TypeError('no style'); };
  return {
    on: (/** @type {string} */ name, /** @type {Function} */ listener) => { listeners[name] = listener; },
    fire: (/** @type {string} */ name, /** @type {object} */ event = {}) => listeners[name]?.(event),
    remove() { isRemoved = true; listeners.remove?.(); },
    getLayer: () => true, isSourceLoaded: () => false, getZoom: () => 3,
    getSource() { needsStyle(); return {}; },
    querySourceFeatures() { needsStyle(); return []; },
  };
}

test('nothing is drawn on a map that was removed while its tiles loaded', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const map = fakeMap();
  const source = new ClusterSource(map, 12, () => {});
  map.fire('sourcedata', { sourceId: 'devices' });
  assert.notEqual(source.timer, undefined);
  map.remove();
  mock.timers.tick(1_000);
  mock.timers.reset();
});
