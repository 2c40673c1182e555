// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  acceptance, actsOf, FIELDS, ordered, readRecords, readRequest, STATES,
} from '../../public/js/requests/requests.js';

/** @type {Record<string, Record<string, string>>} */
const catalogues = Object.fromEntries(['en', 'pt'].map((code) => [
  code, JSON.parse(readFileSync(new URL(`../../public/locale/${code}.json`, import.meta.url), 'utf8')),
]));
const given = {
  id: 'r1', from: { username: 'rita', organisation: null }, to: { username: 'maria', organisation: null },
  reason: 'A study.', fields: ['photos', 'devices', 'secrets'],
  asked_at: '2026-11-01T10:00:00Z', lapses_on: '2026-12-01', state: 'waiting', granted: null, answered_at: null,
  seen: [],
};
const granted = { fields: ['devices'], from: null, to: '2026-10-31', until: '2026-12-24', subscribed: true };

test('reads a request with its fields in the standard order', () => {
  const request = readRequest(given);
  assert.deepEqual(request.fields, ['devices', 'photos']);
  assert.deepEqual([request.from?.username, request.to?.username, request.state, request.granted, request.seen.length],
    ['rita', 'maria', 'waiting', null, 0]);
});

test('reads limits and accesses', () => {
  const request = readRequest({
    ...given, state: 'accepted', granted, seen: [{ at: '2026-11-03T00:00:00Z', fields: ['devices'], count: 3 }],
  });
  assert.deepEqual(request.granted,
    { fields: ['devices'], from: null, to: '2026-10-31', until: '2026-12-24', isSubscribed: true });
  assert.deepEqual(request.seen, [{ at: '2026-11-03T00:00:00Z', fields: ['devices'], count: 3 }]);
});

test('an organisation has its name, and the username of its account if known', () => {
  assert.deepEqual(readRequest({ ...given, from: { username: 'rita', organisation: 'City of Exemplo' } }).from,
    { username: 'rita', organisation: 'City of Exemplo' });
  assert.deepEqual(readRequest({ ...given, to: { username: null, organisation: 'City of Exemplo' } }).to,
    { username: null, organisation: 'City of Exemplo' });
});

test('a deleted account has no name', () => {
  assert.equal(readRequest({ ...given, from: null }).from, null);
});

test('each party has the actions that fit the state, and none after the end', () => {
  /** @param {string} state @param {import('../../public/js/requests/requests.js').Side} side */
  const acts = (state, side) => actsOf(readRequest({ ...given, state }), side);
  assert.deepEqual(acts('waiting', 'asked'), ['accept', 'refuse']);
  assert.deepEqual(acts('waiting', 'asking'), ['withdraw']);
  assert.deepEqual(acts('accepted', 'asked'), ['revoke']);
  assert.deepEqual(acts('accepted', 'asking'), ['records', 'withdraw']);
  for (const state of STATES.filter((one) => one !== 'waiting' && one !== 'accepted')) {
    assert.deepEqual([...acts(state, 'asked'), ...acts(state, 'asking')], [], state);
  }
});

test('sorts pending before active requests, each from latest to earliest', () => {
  const request = (/** @type {string} */ id, /** @type {string} */ state, /** @type {number} */ day) =>
    readRequest({ ...given, id, state, asked_at: `2026-11-0${day}T00:00:00Z` });
  const all = [
    request('over', 'refused', 9), request('runs', 'accepted', 1), request('old', 'waiting', 2),
    request('new', 'waiting', 3),
  ];
  assert.deepEqual(ordered(all).map(({ id }) => id), ['new', 'old', 'runs', 'over']);
});

test('omits empty limits', () => {
  assert.deepEqual(acceptance({ fields: ['devices'], from: '', to: '', until: '2026-12-24', note: '' }),
    { accept: true, fields: ['devices'], until: '2026-12-24', subscribe: false });
  assert
    .deepEqual(acceptance({
      fields: ['edits'], from: '2026-01-01', to: '2026-02-01', until: '2026-12-24', subscribe: true, note: 'Fine.',
    }),
      {
        accept: true, fields: ['edits'], until: '2026-12-24', subscribe: true, from: '2026-01-01', to: '2026-02-01',
        note: 'Fine.',
      });
});

test('records keep their device, date and text', () => {
  const device = { id: 'd', name: 'Gate', category: 'alpr', geometry: {}, precision: 'exact' };
  const kept = { id: 'd', name: 'Gate', category: 'alpr' };
  assert.deepEqual(readRecords({ records: [
    { field: 'claims', at: '2026-11-01T00:00:00Z', device, claim: 'present', verdict: 'dispute' },
    { field: 'photos', at: '2026-11-02T00:00:00Z', device, photo: 'p', alt: 'The gate' },
  ] }), [
    { field: 'claims', verdict: 'dispute', at: '2026-11-01T00:00:00Z', device: kept, words: null },
    { field: 'photos', verdict: null, at: '2026-11-02T00:00:00Z', device: kept, words: 'The gate' },
  ]);
});

test('an invalid response contains no records', () => {
  for (const none of [null, {}, { records: 'x' }]) assert.deepEqual(readRecords(none), []);
});

for (const [language, catalogue] of Object.entries(catalogues)) {
  test(`every state, field and action has a text in ${language}`, () => {
    for (const state of STATES) assert.ok(catalogue[`requests.state.${state}`], state);
    for (const field of FIELDS) for (const key of [`requests.field.${field}`, `requests.record.${field}`]) {
      assert.ok(catalogue[key], key);
    }
    for (const act of ['refuse', 'revoke', 'withdraw']) for (const part of ['', '.what', '.now', '.done']) {
      assert.ok(catalogue[`requests.${act}${part}`], act + part);
    }
  });
}
