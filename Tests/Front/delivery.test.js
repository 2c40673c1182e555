// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  awake, deviceAnswered, handedOver, nextStep, pause, photoAnswered, photoMended, underway,
} from '../../public/js/drafts/delivery.js';
import { isEditable, newDraft, withAnswer, withCategory, withPlace } from '../../public/js/drafts/draft.js';

const NOW = 1_000_000;
const camera = { code: 'camera_fixed', label: 'Fixed camera', collects: ['video'] };
const finished = withAnswer(withCategory(withPlace(newDraft({ id: 'd', key: 'k', now: 1 }), [1, 2], null), camera),
  'name', 'Camera');
const somebody = { id: 'a', confirmed: true, suspended: null };
const trouble = { status: 422, type: null, detail: 'No.', errors: [], candidates: [] };
const photo = (/** @type {string} */ id) =>
  ({ id, key: `key-${id}`, alt: '', state: /** @type {const} */ ('waiting'), trouble: null });
const handed = handedOver(finished, somebody, NOW);

test('does not submit an incomplete draft', () => {
  const draft = withAnswer(finished, 'name', null);
  assert.equal(handedOver(draft, somebody, NOW), draft);
});

test('submitting twice has the same effect as once', () => {
  assert.equal(handed.stage, 'waiting');
  assert.equal(handedOver(handed, somebody, NOW + 1), handed);
});

test('sends nothing if signed out, unconfirmed, suspended or signed in as another user', () => {
  assert.deepEqual(nextStep(handed, null, NOW), { act: 'wait', why: 'sign-in' });
  assert.deepEqual(nextStep(handed, { ...somebody, confirmed: false }, NOW), { act: 'wait', why: 'confirm' });
  assert.deepEqual(nextStep(handed, { ...somebody, suspended: {} }, NOW), { act: 'wait', why: 'suspended' });
  assert.deepEqual(nextStep(handed, { ...somebody, id: 'b' }, NOW), { act: 'wait', why: 'account' });
  assert.deepEqual(nextStep(handed, somebody, NOW), { act: 'device' });
});

test('a draft of a visitor belongs to the user who signs in next', () => {
  const draft = handedOver(finished, null, NOW);
  assert.equal(draft.account, null);
  assert.deepEqual(nextStep(draft, somebody, NOW), { act: 'device' });
  assert.equal(underway(draft, somebody).account, 'a');
});

test('never sends a draft that is open in the editor', () => {
  assert.deepEqual(nextStep(finished, somebody, NOW), { act: 'none' });
});

test('repeats the same request after a timeout, with increasing pauses', () => {
  const tried = underway(handed, somebody);
  const silent = deviceAnswered(tried, { kind: 'silent' }, NOW, 'other');
  assert.equal(silent.key, 'k');
  assert.equal(silent.attempt?.body, handed.attempt?.body);
  assert.deepEqual(nextStep(silent, somebody, NOW + 4_999), { act: 'wait', why: 'time', until: NOW + 5_000 });
  assert.deepEqual(nextStep(silent, somebody, NOW + 5_000), { act: 'device' });
  assert.ok(!isEditable(silent), 'it may be there already');
  const again = deviceAnswered(silent, { kind: 'silent' }, NOW, 'other');
  assert.equal(again.attempt?.nextAt, NOW + 10_000);
  assert.equal(pause(50), 300_000);
});

test('waits for the time that the server requests', () => {
  const silent = deviceAnswered(underway(handed, somebody), { kind: 'silent', after: 60_000 }, NOW, 'other');
  assert.equal(silent.attempt?.nextAt, NOW + 60_000);
});

test('sends again as soon as the connection is back', () => {
  const silent = deviceAnswered(underway(handed, somebody), { kind: 'silent' }, NOW, 'other');
  assert.deepEqual(nextStep(awake(silent, NOW + 1), somebody, NOW + 1), { act: 'device' });
});

test('shows the errors of a refused draft, and the next attempt uses a new key', () => {
  const refused = deviceAnswered(underway(handed, somebody), { kind: 'refused', trouble }, NOW, 'other');
  assert.equal(refused.stage, 'refused');
  assert.deepEqual(refused.trouble, trouble);
  assert.ok(isEditable(refused));
  assert.equal(refused.key, 'other');
  const again = handedOver(refused, somebody, NOW);
  assert.equal(again.stage, 'waiting');
  assert.equal(again.trouble, null);
});

test('a response of 401 or 403 does not count as sent', () => {
  const held = deviceAnswered(underway(handed, somebody), { kind: 'held' }, NOW, 'other');
  assert.equal(held.stage, 'waiting');
  assert.equal(held.key, 'k');
  assert.ok(isEditable(held));
});

test('a device without photos is complete after it is accepted', () => {
  const taken = deviceAnswered(underway(handed, somebody), { kind: 'taken', id: 'x' }, NOW, 'other');
  assert.equal(taken.stage, 'sent');
  assert.equal(taken.device, 'x');
});

test('sends the photos one by one after the device', () => {
  const withPhotos = handedOver({ ...finished, photos: [photo('1'), photo('2')] }, somebody, NOW);
  const taken = deviceAnswered(underway(withPhotos, somebody), { kind: 'taken', id: 'x' }, NOW, 'other');
  assert.equal(taken.stage, 'photos');
  assert.deepEqual(nextStep(taken, somebody, NOW), { act: 'photo', photo: photo('1') });
  const one = photoAnswered(taken, taken.photos[0], { kind: 'taken', id: 'p' }, NOW);
  assert.deepEqual(nextStep(one, somebody, NOW), { act: 'photo', photo: photo('2') });
  assert.equal(photoAnswered(one, one.photos[1], { kind: 'taken', id: 'q' }, NOW).stage, 'sent');
});

test('retries a photo after a timeout without sending the device again', () => {
  const taken = deviceAnswered(underway(handedOver({ ...finished, photos: [photo('1')] }, somebody, NOW), somebody),
    { kind: 'taken', id: 'x' }, NOW, 'other');
  const silent = photoAnswered(taken, taken.photos[0], { kind: 'silent' }, NOW);
  assert.deepEqual(nextStep(silent, somebody, NOW), { act: 'wait', why: 'time', until: NOW + 5_000 });
  assert.deepEqual(nextStep(silent, somebody, NOW + 5_000), { act: 'photo', photo: photo('1') });
});

test('a refused photo waits for correction or removal and does not block the others', () => {
  const taken = deviceAnswered(underway(handedOver({ ...finished, photos: [photo('1'), photo('2')] }, somebody, NOW),
    somebody), { kind: 'taken', id: 'x' }, NOW, 'other');
  const refused = photoAnswered(taken, taken.photos[0], { kind: 'refused', trouble }, NOW);
  assert.equal(refused.photos[0].trouble, 'No.');
  assert.deepEqual(nextStep(refused, somebody, NOW), { act: 'photo', photo: photo('2') });
  const rest = photoAnswered(refused, refused.photos[1], { kind: 'taken', id: 'p' }, NOW);
  assert.equal(rest.stage, 'photos');
  assert.deepEqual(nextStep(rest, somebody, NOW), { act: 'none' });
  assert.equal(photoMended(rest, '1', null).stage, 'sent');
  const again = photoMended(rest, '1', { key: 'new', now: NOW });
  assert.deepEqual(nextStep(again, somebody, NOW), { act: 'photo', photo: { ...photo('1'), key: 'new' } });
});

test('waits during a rate limit even if the connection is back, and the draft can be edited meanwhile', () => {
  const limited = deviceAnswered(underway(handed, somebody), { kind: 'silent', after: 60_000, limited: true }, NOW,
    'other');
  assert.deepEqual(nextStep(limited, somebody, NOW + 1), { act: 'wait', why: 'limit', until: NOW + 60_000 });
  assert.equal(awake(limited, NOW + 1), limited);
  assert.ok(isEditable(limited));
  assert.deepEqual(nextStep(limited, somebody, NOW + 60_000), { act: 'device' });
});
