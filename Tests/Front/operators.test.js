// Operators: the order of requests, domains, and the statement about a device.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainOf, isAt, isChecked, way } from '../../public/js/operators/organisation.js';
import { answersOf, groupOf, inGroups, reasonsAmong } from '../../public/js/operators/requests.js';

const TODAY = '2026-11-21';

/** @param {Record<string, any>} parts @returns {any} */
const request = (parts) =>
  ({
    id: parts.id ?? 'r', state: 'sent', due_on: '2026-12-21', extended_until: null, received_on: '2026-11-21', ...parts,
  });

test('a request is late from the day after its deadline', () => {
  assert.equal(groupOf(request({ due_on: '2026-11-21' }), TODAY), 'soon');
  assert.equal(groupOf(request({ due_on: '2026-11-20' }), TODAY), 'late');
});

test('a request is urgent from seven days before its deadline', () => {
  assert.equal(groupOf(request({ due_on: '2026-11-28' }), TODAY), 'soon');
  assert.equal(groupOf(request({ due_on: '2026-11-29' }), TODAY), 'open');
});

test('an extension moves the deadline', () => {
  assert.equal(groupOf(request({ state: 'extended', due_on: '2026-11-20', extended_until: '2027-01-20' }), TODAY),
    'open');
});

test('refused, honoured and withdrawn requests are done', () => {
  for (const state of ['refused', 'honoured', 'confirmed', 'withdrawn', 'complained']) {
    assert.equal(groupOf(request({ state, due_on: '2026-01-01' }), TODAY), 'done', state);
  }
});

test('a request that the person does not regard as done needs an answer again', () => {
  assert.equal(groupOf(request({ state: 'contested', due_on: '2026-01-01' }), TODAY), 'open');
});

test('sorts requests by deadline', () => {
  const groups = inGroups([request({ id: 'b', due_on: '2026-12-20' }), request({ id: 'c', due_on: null }),
    request({ id: 'a', due_on: '2026-12-01' })], TODAY);
  assert.deepEqual(groups.open.map(({ id }) => id), ['a', 'b', 'c']);
});

test('offers only answers of operators', () => {
  assert.deepEqual(answersOf({ next: ['honoured', 'complained', 'withdrawn', 'extended'] }), ['extended', 'honoured']);
});

test('offers the reasons that fit the answer and that the server allows', () => {
  assert.deepEqual(reasonsAmong(['no_data', 'identity', 'other'], ['other', 'no_data', 'complexity']),
    ['no_data', 'other']);
  assert.deepEqual(reasonsAmong(['no_data', 'other'], []), ['no_data', 'other']);
});

test('extracts the domain from URLs and email addresses', () => {
  for (const written of [
    'Example.org', ' https://www.example.org/privacy?x=1 ', 'info@example.org',
    'http://example.org:8080', 'example.org.',
  ]) {
    assert.equal(domainOf(written), 'example.org', written);
  }
});

test('rejects invalid domains', () => {
  for (const written of [
    '', 'example', '192.0.2.1', 'exa mple.org', '-a.org', 'a-.org', '.org',
    `${'a'.repeat(64)}.org`,
  ]) {
    assert.equal(domainOf(written), null, written);
  }
});

test('an address belongs only to its exact domain', () => {
  assert.ok(isAt('dpo@example.org', 'example.org'));
  assert.ok(isAt(' DPO@Example.org ', 'example.org'));
  assert.ok(!isAt('dpo@mail.example.org', 'example.org'));
  assert.ok(!isAt('dpo@notexample.org', 'example.org'));
  assert.ok(!isAt('dpo@example.org.evil.net', 'example.org'));
  assert.ok(!isAt('dpo@example.org@evil.net', 'example.org'));
  assert.ok(!isAt('example.org', 'example.org'));
});

/** @param {Record<string, any>} parts @returns {any} */
const organisation = (parts) =>
  ({ state: 'waiting', check: null, created_at: '2026-11-01T00:00:00Z', decided_at: null, ...parts });

test('a started check has not passed', () => {
  assert.ok(!isChecked(organisation({ check: { method: 'file', done_at: null, note: null } })));
  assert.ok(isChecked(organisation({ check: { method: 'file', done_at: '2026-11-02T00:00:00Z', note: null } })));
});

test('the steps to approval show the next one', () => {
  const looks = (/** @type {any} */ one) => way(one).map(({ step, look }) => `${step} ${look}`);
  assert.deepEqual(looks(organisation({})), ['registered done', 'checked now', 'approved ahead']);
  const check = { method: 'email', done_at: '2026-11-02T00:00:00Z', note: null };
  assert.deepEqual(looks(organisation({ check })), ['registered done', 'checked done', 'approved now']);
  assert.deepEqual(looks(organisation({ check, state: 'approved' })),
    ['registered done', 'checked done', 'approved done']);
  assert.deepEqual(looks(organisation({ check, state: 'refused' })),
    ['registered done', 'checked done', 'refused failed']);
});
