// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asked, following, isAnswered, progress, question, QUESTIONS, questionOf,
} from '../../public/js/add/questions.js';
import {
  confirmed, draftLike, feature, isEditable, missing, newDraft, precisionOf, renamed, reopened, spotOf,
  suggestedName, withAnswer, withCategory, withPlace,
} from '../../public/js/drafts/draft.js';

const camera = { code: 'camera_fixed', label: 'Fixed camera', household: false, collects: ['video'] };
const doorbell = { code: 'doorbell_camera', label: 'Doorbell camera', household: true, collects: ['video', 'speech'] };
const fresh = newDraft({ id: 'd', key: 'k', now: 1 });
const placed = withPlace(fresh, [-16.90871234567, 32.6479], 'Funchal');

test('requires three answers, one after the other', () => {
  assert.deepEqual(missing(fresh), ['place', 'category', 'name']);
  assert.deepEqual(missing(placed), ['category', 'name']);
  assert.deepEqual(missing(withAnswer(withCategory(placed, camera), 'name', '  ')), ['name']);
  assert.deepEqual(missing(withAnswer(withCategory(placed, camera), 'name', 'A camera')), []);
});

test('fills in the usual values of a category and marks them as assumed', () => {
  const draft = withCategory(placed, camera);
  assert.deepEqual(draft.properties, { data_collected: ['video'], category: 'camera_fixed' });
  assert.deepEqual(draft.assumed, ['data_collected']);
  assert.equal(precisionOf(draft), 'exact');
});

test('a household device has a precision of one kilometre and no operator name', () => {
  const draft = withCategory(placed, doorbell);
  assert.equal(precisionOf(draft), '1km');
  assert.deepEqual(draft.properties.operator, { kind: 'household' });
  assert.deepEqual(draft.assumed, ['data_collected', 'operator', 'precision']);
});

test('another category replaces the assumed values and keeps the answers of the user', () => {
  const said = withAnswer(withCategory(placed, doorbell), 'precision', '100m');
  const draft = withCategory(said, camera);
  assert.equal(precisionOf(draft), '100m');
  assert.equal('operator' in draft.properties, false);
  assert.deepEqual(draft.properties.data_collected, ['video']);
});

test('an answered or reviewed value is no longer assumed', () => {
  const draft = withCategory(placed, doorbell);
  assert.deepEqual(withAnswer(draft, 'data_collected', ['speech']).assumed, ['operator', 'precision']);
  assert.deepEqual(confirmed(draft, ['data_collected', 'operator']).assumed, ['precision']);
});

test('omits unknown values and never sends them as no', () => {
  const draft = withAnswer(withAnswer(withCategory(placed, camera), 'signage', 'none'), 'signage', null);
  assert.equal('signage' in feature(draft).properties, false);
  assert.equal('purposes' in withAnswer(draft, 'purposes', []).properties, false);
});

test('the feature has the format of the API', () => {
  const draft = withAnswer(withCategory(placed, camera), 'name', ' Harbour camera ');
  assert.deepEqual(feature(draft), {
    type: 'Feature', geometry: { type: 'Point', coordinates: [-16.9087123, 32.6479] },
    properties: {
      data_collected: ['video'], category: 'camera_fixed', name: 'Harbour camera', precision: 'exact',
      assumed: ['data_collected'],
    },
  });
});

test('a household has no name or contact, even if the user typed one before', () => {
  const draft = withAnswer(withCategory(placed, doorbell), 'operator',
    { kind: 'household', name: 'Somebody', contact: 'x' });
  assert.deepEqual(feature(draft).properties.operator, { kind: 'household' });
});

test('the reason against a duplicate stays valid until the place changes', () => {
  const draft = { ...placed, different: 'It hangs on the other side', others: ['a'] };
  assert.equal(withPlace(draft, [-16.90871234567, 32.6479], null).different, 'It hangs on the other side');
  assert.equal(withPlace(draft, [-16.9088, 32.6479], null).different, null);
  assert.equal(feature(draft).properties.duplicate_reason, 'It hangs on the other side');
});

test('suggests a name from category and place, within the maximum length', () => {
  assert.equal(suggestedName('Fixed camera', 'Funchal'), 'Fixed camera, Funchal');
  assert.equal(suggestedName('Fixed camera', null), 'Fixed camera');
  assert.equal([...suggestedName('Fixed camera', '𝒜'.repeat(200))].length, 120);
});

test('a queued draft can be edited until it is being sent', () => {
  const attempt = { body: '{}', count: 0, nextAt: 0, underway: false };
  const waiting = { ...placed, stage: /** @type {const} */ ('waiting'), attempt };
  assert.ok(isEditable(waiting));
  assert.equal(reopened(waiting, 'other').stage, 'open');
  assert.equal(reopened(waiting, 'other').key, 'other');
  const tried = { ...waiting, attempt: { ...attempt, underway: true } };
  assert.ok(!isEditable(tried));
  assert.equal(reopened(tried, 'other'), tried);
});

test('omits questions that do not apply to a device', () => {
  const ids = (/** @type {any} */ draft) => asked(draft).map((one) => one.id);
  assert.ok(ids(withCategory(placed, camera)).includes('bearings'));
  assert.ok(!ids(withCategory(placed, { code: 'smart_meter', label: '', collects: ['energy_use'] }))
    .includes('bearings'));
  assert.ok(!ids(withCategory(placed, doorbell)).includes('bearings'), 'a coarse place has no direction');
  assert.ok(!ids(withCategory(placed, doorbell)).includes('legal_basis'));
});

test('asks for the precision early for households, and after the observations otherwise', () => {
  const home = withCategory(placed, doorbell);
  assert.equal(following(home, 'name'), 'precision');
  const street = withCategory(placed, camera);
  assert.equal(following(street, 'name'), 'photos');
  assert.equal(following(street, 'mount'), 'precision');
  assert.equal(following(street, 'precision'), 'review');
});

test('questions follow each other up to the review, and later ones return to it', () => {
  for (const category of [camera, doorbell]) {
    const draft = withCategory(placed, category);
    const seen = [];
    for (let id = 'place'; id !== 'review'; id = following(draft, id)) seen.push(id);
    assert.ok(seen.length >= 9 && seen.length <= 12, String(seen));
    for (let id = 'level'; id !== 'review'; id = following(draft, id)) seen.push(id);
    assert.deepEqual([...seen].sort(), asked(draft).map((one) => one.id).sort());
  }
});

test('progress counts the current questions', () => {
  const draft = withCategory(placed, camera);
  assert.deepEqual(progress(draft, 'place'), { step: 1, steps: 12 });
  assert.deepEqual(progress(draft, 'precision'), { step: 12, steps: 12 });
  assert.deepEqual(progress(draft, 'level'), { step: 1, steps: 11 });
  assert.equal(progress(draft, 'review'), null);
});

test('finds the question for an error from the server', () => {
  assert.equal(questionOf('properties.operator.name'), 'operator');
  assert.equal(questionOf('operator'), 'operator');
  assert.equal(questionOf('bearings[2]'), 'bearings');
  assert.equal(questionOf('geometry'), 'place');
  assert.equal(questionOf('properties.model'), 'thing');
  assert.equal(questionOf('nothing'), null);
});

test('distinguishes answered from open questions', () => {
  const draft = withCategory(placed, camera);
  const answered = asked(draft).filter((one) => isAnswered(draft, one)).map((one) => one.id);
  assert.deepEqual(answered, ['place', 'category', 'data_collected', 'precision']);
});

test('contains every question once', () => {
  assert.equal(new Set(QUESTIONS.map((one) => one.id)).size, QUESTIONS.length);
  assert.equal(question('nothing'), null);
});

test('one more device of a row has the kind, the operator and the notice of the one before, and no place', () => {
  const model = {
    ...newDraft({ id: 'a', key: 'k', now: 1 }), place: /** @type {[number, number]} */ ([1, 2]), device: 'd', stage: /** @type {const} */ ('sent'),
    properties: {
      category: 'camera_fixed', data_collected: ['video'], operator: { name: 'City' }, signage: 'none', name: 'Camera, Funchal',
      bearings: [90],
    }, assumed: ['data_collected', 'bearings'],
  };
  const next = draftLike(model, { id: 'b', key: 'l', now: 2 });
  assert.deepEqual(next.properties, {
    category: 'camera_fixed', data_collected: ['video'], operator: { name: 'City' }, signage: 'none',
  });
  assert.deepEqual([next.id, next.place, next.device, next.stage, next.assumed], ['b', null, null, 'open', ['data_collected']]);
});

test('the suggested name has the street only while the position is published exactly', () => {
  const spot = withPlace(newDraft({ id: '1', key: '1', now: 0 }), [8.5, 47.4], 'Zürich', 'Rämistrasse');
  const named = withAnswer(withCategory(spot, camera), 'name', suggestedName(camera.label, spotOf(spot)));
  assert.equal(named.properties.name, 'Fixed camera, Rämistrasse, Zürich');
  const coarse = renamed(named, withAnswer(named, 'precision', '1km'), camera.label);
  assert.equal(coarse.properties.name, 'Fixed camera, Zürich');
  const own = withAnswer(named, 'name', 'Above the door');
  assert.equal(renamed(own, withAnswer(own, 'precision', '1km'), camera.label).properties.name, 'Above the door');
  assert.equal(spotOf(withCategory(spot, doorbell)), 'Zürich', 'a home is published within a kilometre');
});

test('the order of questions does not change with later answers', () => {
  const before = asked(withCategory(newDraft({ id: '1', key: '1', now: 0 }), camera)).map((one) => one.id);
  const home = withAnswer(withCategory(newDraft({ id: '1', key: '1', now: 0 }), camera), 'operator',
    { kind: 'household' });
  const after = asked(home).map((one) => one.id);
  assert.deepEqual(after, before.filter((id) => after.includes(id)));
});
