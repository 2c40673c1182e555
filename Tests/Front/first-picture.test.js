// @ts-check
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { waitForFirstPicture } from '../../public/js/map/first-picture.js';

/** A map that counts its pictures, and places names and draws a picture at each request. */
function mapOf() {
  class Style {
    placements = 0;

    _updatePlacement() {
      this.placements += 1;
      return true;
    }
  }
  class Painter {
    /** @type {unknown[][]} */
    pictures = [];

    /** @type {unknown} */
    style = null;

    render(/** @type {unknown[]} */ ...given) { this.pictures.push(given); }
  }
  const map = {
    painter: new Painter(), style: new Style(), isLoaded: false, isDirty: false,
    loaded: () => map.isLoaded,
    triggerRepaint: () => {
      map.isDirty = map.style._updatePlacement();
      map.painter.render('style', { moving: false });
    },
  };
  return map;
}

test('a map is not drawn until everything in view has arrived, and then always', () => {
  const map = mapOf();
  waitForFirstPicture(map);
  map.triggerRepaint();
  assert.equal(map.painter.pictures.length, 0);
  assert.equal(map.painter.style, 'style'); // MapLibre reads tiles for the style of its last picture
  map.isLoaded = true;
  map.triggerRepaint();
  map.isLoaded = false; // the next tiles are loading
  map.triggerRepaint();
  assert.deepEqual(map.painter.pictures, [['style', { moving: false }], ['style', { moving: false }]]);
});

test('names are placed for the first picture, not before', () => {
  const map = mapOf();
  waitForFirstPicture(map);
  map.triggerRepaint();
  assert.equal(map.style.placements, 0);
  assert.equal(map.isDirty, false); // MapLibre would draw again at once.
  map.isLoaded = true;
  map.triggerRepaint();
  map.triggerRepaint();
  assert.equal(map.style.placements, 2);
  assert.equal(map.isDirty, true);
});

test('a map with missing tiles is drawn after two seconds', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const clock = mock.method(performance, 'now', () => now);
  const map = mapOf();
  waitForFirstPicture(map);
  now = 1_999;
  mock.timers.tick(1_999);
  assert.equal(map.painter.pictures.length, 0);
  now = 2_000;
  mock.timers.tick(1);
  assert.equal(map.painter.pictures.length, 1);
  clock.mock.restore();
  mock.timers.reset();
});
