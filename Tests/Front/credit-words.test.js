// The words of attributions in the language of the page. Without a catalogue each sentence is its key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditWords } from '../../public/js/map/credit-words.js';

test('known words of an attribution are translated, part by part', () => {
  assert.equal(
    creditWords('Coast: GSHHG (LGPL) · Made with Natural Earth · Places © GeoNames CC BY 4.0'),
    'credit.coast · credit.made_with · credit.places');
  assert.equal(creditWords('© OpenStreetMap contributors'), 'credit.contributors');
});

test('attributions of others stay as their owners write them', () => {
  for (const words of ['© Town of Funchal', 'NYC Open Data · Coastline: somebody', 'Made with care']) {
    assert.equal(creditWords(words), words);
  }
});
