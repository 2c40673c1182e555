import assert from 'node:assert/strict';
import test from 'node:test';

import { choicesOf, mappingOf, noChoices } from '../../public/js/mapping/choices.js';
import { guessCode, SKIP } from '../../public/js/mapping/codes.js';
import { guessUses } from '../../public/js/mapping/guess.js';
import { useByName } from '../../public/js/mapping/headers.js';
import { pairsOf } from '../../public/js/mapping/list.js';
import { guessTemplates } from '../../public/js/mapping/place-guess.js';

const column = (name, kind, numbers, samples = numbers.map(String)) => ({
  column: name, kind, numbers, samples, date_formats: [], filled: numbers.length, unique: false, values: [], pairs: [],
  order: null, letter_o: false,
});
const vocabulary = { category: [], status: [], operator_kind: [] };

/** The mapping that the page suggests for columns, and the positions on its map. */
function suggested(columns) {
  const uses = guessUses(columns, { rows: 2, hasPositions: false, vocabulary });
  const choices = { ...noChoices(), uses, templates: guessTemplates(columns, uses), category: 'webcam' };
  const list = /** @type {any} */ ({ columns, sample: [1, 2], positions: [null, null] });
  return { choices, fields: mappingOf(choices).fields, pairs: pairsOf(list, choices)?.pairs };
}

test('a column of letters puts the numbers beside it into its half of the earth', () => {
  const { choices, fields, pairs } = suggested([
    column('Latitude', 'number', [33.9, 33.8]), column('NS', 'hemisphere', [-1, -1], ['S']),
    column('Longitude', 'number', [18.4, 18.5]), column('EW', 'hemisphere', [1, -1], ['E', 'W']),
  ]);
  assert.deepEqual(fields.latitude, { template: '{Latitude} {NS}' });
  assert.deepEqual(fields.longitude, { template: '{Longitude} {EW}' });
  assert.deepEqual(pairs, [[18.4, -33.9], [-18.5, -33.8]]);
  const mapping = JSON.parse(JSON.stringify(mappingOf(choices)));
  assert.deepEqual(mappingOf(/** @type {any} */ (choicesOf(mapping))), mapping);
});

test('numbers with a sign need no letter', () => {
  const { fields } = suggested([
    column('Latitude', 'number', [-33.9, -33.8]), column('NS', 'hemisphere', [-1, -1], ['S']),
    column('Longitude', 'number', [18.4, 18.5]),
  ]);
  assert.deepEqual(fields.latitude, { from: 'Latitude' });
});

for (const names of [
  ['LatDeg', 'LatMin', 'LatSec', 'LonDeg', 'LonMin', 'LonSec'],
  ['lat_d', 'lat_m', 'lat_s', 'lon_d', 'lon_m', 'lon_s'],
  ['Latitude degrees', 'Latitude minutes', 'Latitude seconds', 'Longitude degrees', 'Longitude minutes',
    'Longitude seconds'],
]) {
  test(`${names[0]}, ${names[1]} and ${names[2]} are one coordinate`, () => {
    const values = [[46, -46], [12, 12], [30, 30], [6, 6], [30, 30], [0, 0]];
    const { fields, pairs } = suggested(names.map((name, place) => column(name, 'number', values[place])));
    assert.deepEqual(fields.latitude, { template: `{${names[0]}}° {${names[1]}}' {${names[2]}}"` });
    assert.deepEqual(fields.longitude, { template: `{${names[3]}}° {${names[4]}}' {${names[5]}}"` });
    assert.deepEqual(pairs, [[6.5, 46 + 12.5 / 60], [6.5, -46 - 12.5 / 60]]);
  });
}

test('minutes with fractions are no degrees', () => {
  const { fields } = suggested([
    column('LatDeg', 'number', [46, 46]), column('LatMin', 'number', [12.5, 13.5]),
    column('LonDeg', 'number', [6, 6]), column('LonMin', 'number', [8.25, 9.25]),
  ]);
  assert.deepEqual(fields.latitude, { template: "{LatDeg}° {LatMin}'" });
  assert.deepEqual(fields.longitude, { template: "{LonDeg}° {LonMin}'" });
});

for (const [value, code] of [
  ['Desinstalada', 'removed'], ['Baja', 'removed'], ['supprimé', 'removed'], ['demontiert', 'removed'],
  ['Planeada', SKIP], ['En projet', SKIP], ['não instalada', SKIP], ['gepland', SKIP], ['im Bau', SKIP],
  ['prévue', SKIP], ['Active', 'reported'], ['Instalada', 'reported'], ['installed', 'reported'],
]) {
  test(`the status «${value}» means ${code}`, () => assert.equal(guessCode('status', value), code));
}

test('in a list of speed cameras, how they stand is no kind of its own', () => {
  const kind = (value, whole) => guessCode('category', value, [], whole);
  for (const value of ['mobile', 'stationär', 'fixed', 'Feux rouges', 'tronçon', 'Section Control']) {
    assert.equal(kind(value, 'traffic_enforcement'), 'traffic_enforcement', value);
  }
  assert.equal(kind('mobile', 'webcam'), null);
});

for (const [name, use] of [
  ['위도', 'latitude'], ['WGS84경도', 'longitude'], ['관리기관명', 'operator'], ['관리기관전화번호', 'drop'],
  ['카메라대수', 'units'], ['설치목적구분', 'purposes'], ['/name/value', 'name'], ['/location/0/lat', 'latitude'],
  ['desc', 'description'], ['value', ''], ['/value', ''],
]) {
  test(`«${name}» means ${use || 'nothing'}`, () => assert.equal(useByName(name), use));
}
