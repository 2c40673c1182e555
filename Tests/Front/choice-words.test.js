// @ts-check
// The texts and reasons of the ledger match the seed data, which the server and the letters use.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { KNOWN_COUNTRIES } from '../../public/js/choices/countries.js';
import { ASKED } from '../../public/js/choices/letter.js';
import { EXTENSION_REASONS, REFUSAL_REASONS, reasonsFor } from '../../public/js/choices/reasons.js';
import { TRANSITIONS } from '../../public/js/ledger/ledger.js';

const read = (/** @type {string} */ path) =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const { rights, regimes, reasons } = read('seed/rights/rights.json');
const { placeholders } = read('seed/letters/index.json');
/** @type {Record<string, Record<string, string>>} */
const catalogues = { en: read('public/locale/en.json'), pt: read('public/locale/pt.json') };

test('offers exactly the refusal and extension reasons of the seed data', () => {
  assert.deepEqual([...EXTENSION_REASONS], reasons.extension.map((/** @type {any} */ one) => one.code));
  assert.deepEqual(REFUSAL_REASONS.map((one) => [...one]),
    reasons.refusal.map((/** @type {any} */ one) => [one.code, one.rights]));
  assert.ok(reasonsFor('refused', 'erase').includes('law_requires')
    && !reasonsFor('refused', 'access').includes('law_requires'));
  assert.ok(!reasonsFor('refused', null).includes('others'));
  assert.deepEqual(reasonsFor('honoured', 'access'), []);
});

test('offers exactly the countries of the seed data', () => {
  const { jurisdictions } = read('seed/rights/jurisdictions.json');
  assert.deepEqual([...KNOWN_COUNTRIES], jurisdictions.map((/** @type {any} */ row) => row.country).sort());
});

for (const [language, catalogue] of Object.entries(catalogues)) {
  test(`rights, laws, reasons and questions have the names of the seed data in ${language}`, () => {
    for (const right of rights) assert.equal(catalogue[`right.${right.code}`], right[language].label);
    for (const regime of regimes) assert.equal(catalogue[`regime.${regime.code}`], regime[language].label);
    for (const reason of [...reasons.extension, ...reasons.refusal]) {
      assert.equal(catalogue[`reason.${reason.code}`], reason[language]);
    }
    for (const [name, one] of Object.entries(placeholders)) {
      if (one.from === 'person' && name !== 'reason') assert.equal(catalogue[`letter.field.${name}`], one[language]);
    }
  });

  test(`every state, event and refusal has a text in ${language}`, () => {
    for (const state of [...Object.keys(TRANSITIONS), 'overdue']) {
      for (const key of [`ledger.state.${state}`, `now.${state}`, `now.${state}.title`]) assert.ok(catalogue[key], key);
      if (state === 'wanted' || state === 'overdue') continue;
      for (const part of ['', '.title', '.day', '.what']) {
        assert.ok(catalogue[`event.${state}${part}`], `event.${state}${part}`);
      }
    }
    for (const why of [
      'transition', 'not_overdue', 'reason', 'late', 'not_extendable', 'before_last', 'future',
      'received',
    ]) {
      assert.ok(catalogue[`transition.${why}`], why);
    }
    for (const { required, optional } of Object.values(ASKED)) {
      for (const name of [...required, ...optional]) assert.ok(catalogue[`letter.field.${name}`], name);
      for (const name of required) assert.ok(catalogue[`letter.gap.${name}`], name);
    }
  });
}
