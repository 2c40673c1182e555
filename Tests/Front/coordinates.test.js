// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCoordinates, readings } from '../../public/js/places/coordinates.js';

/** @param {string} text @param {[number, number] | null} expected longitude, latitude */
function reads(text, expected) {
  test(`«${text}»`, () => {
    const found = parseCoordinates(text);
    if (!expected) {
      assert.equal(found, null);
      return;
    }
    assert.ok(found);
    assert.ok(Math.abs(found.longitude - expected[0]) < 1e-9, `longitude ${found.longitude}`);
    assert.ok(Math.abs(found.latitude - expected[1]) < 1e-9, `latitude ${found.latitude}`);
  });
}

const funchal = /** @type {[number, number]} */ ([-16.9, 32.65]);
reads('32.65, -16.9', funchal);
reads('32.65 -16.9', funchal);
reads('32.65,-16.9', funchal);
reads('  32.65 ; -16.9 ', funchal);
reads('32,65 -16,9', funchal);
reads('32,65; -16,9', funchal);
reads('32,65, -16,9', funchal);
reads('32.65N 16.9W', funchal);
reads('N32.65 W16.9', funchal);
reads('16.9W 32.65N', funchal);
reads('32.65 N, 16.9 O', funchal);
reads('38.5° N, 9.25° L', [9.25, 38.5]);
reads('32° 39\' 0" N 16° 54\' 0" W', funchal);
reads('32°39′00″N, 16°54′00″W', funchal);
reads('32º39\'N 16º54\'O', funchal);
reads('N 32 39 W 16 54', funchal);
reads('32 39 0 -16 54 0', funchal);
reads('geo:32.65,-16.9?z=12', funchal);
reads('−33.5, 151.25', [151.25, -33.5]);
reads('151.25, -33.5', [151.25, -33.5]);
reads('0, 0', [0, 0]);
reads('90, 180', [180, 90]);
reads('-90, -180', [-180, -90]);
reads('32, -16', [-16, 32]);

reads('(32.65, -16.9)', funchal);
reads('[32.65 -16.9]', funchal);
reads('geo:0,0?q=32.65,-16.9', funchal);
reads('geo:0,0?q=32.65,-16.9(Funchal%20%F0%9F%98%80)', funchal);
reads('geo:32.65,-16.9;crs=wgs84;u=35', funchal);
reads('geo:0,0?q=Funchal', [0, 0]);
reads('https://www.google.com/maps/@32.65,-16.9,17z', funchal);
reads('https://www.google.com/maps/place/X/@32.0,-16.0,17z/data=!3m1!4b1!8m2!3d32.65!4d-16.9', funchal);
reads('https://maps.google.com/?q=32.65,-16.9', funchal);
reads('https://www.google.com/maps/search/?api=1&query=32.65%2C-16.9', funchal);
reads('https://maps.google.com/maps?q=loc:32.65+-16.9', funchal);
reads('https://www.openstreetmap.org/#map=17/32.65/-16.9', funchal);
reads('https://www.openstreetmap.org/?mlat=32.65&mlon=-16.9#map=12/1/2', funchal);
reads('https://maps.apple.com/?ll=32.65,-16.9&q=Funchal', funchal);
reads('https://www.bing.com/maps?cp=32.65~-16.9&lvl=16', funchal);
reads('8FVC9G8F+6X', [8.5249375, 47.3655625]);
reads('8fvc9g8f+6x', [8.5249375, 47.3655625]);
reads('9G8F+6X', null);
reads('https://example.org/', null);
reads('https://example.org/?q=Funchal', null);
reads('https://maps.google.com/?q=132.65,-16.9', null);
reads('48,2° N, 16,37° Ö', [16.37, 48.2]);

test('the letter O is the west or the east', () => {
  assert.deepEqual(readings('48.2 N, 16.4 O'), [
    { longitude: -16.4, latitude: 48.2 }, { longitude: 16.4, latitude: 48.2 },
  ]);
  assert.equal(readings('48.2 N, 16.4 W').length, 1);
  assert.deepEqual(readings('Oslo'), []);
});

reads('90.1, 10', [90.1, 10]);
reads('91, 91', null);
reads('10, 180.1', null);
reads('N 95 E 10', null);
reads('32 60 0 N 16 0 0 W', null);
reads('32.5 30 N 16 0 W', null);
reads('-32 N 16 W', null);
reads('32 N 16 N', null);
reads('32', null);
reads('', null);
reads('Funchal', null);
reads('Rua 5, 12', null);
reads('32.65, -16.9, 7', null);
reads('1 2 3', null);
reads('1'.repeat(81), null);
reads('12°34"5\'', null);
