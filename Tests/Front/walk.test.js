// @ts-check
// The street walk: which area it loads, where it leads, what it carries along, and how its answers are sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDevice } from '../../public/js/devices/device.js';
import { destination, distance } from '../../public/js/geography.js';
import {
  answered, awake, counts, GRACE, newAnswer, nextStep, patchOf, withFacts,
} from '../../public/js/walk/answer.js';
import { blockAround, blockPath, CELLS, dueDay } from '../../public/js/walk/area.js';
import { carried, gaps, seenAt } from '../../public/js/walk/carry.js';
import { headingOf, isNews, smoothed, turnTo, wayKey } from '../../public/js/walk/direction.js';
import { byDistance, canBeChecked, HERE, noteHouseholds, reasons, target } from '../../public/js/walk/order.js';
import { AnswerOutbox } from '../../public/js/walk/outbox.js';
import { placed } from '../../public/js/walk/picture.js';

/** @typedef {import('../../public/js/types').Position} Position */

const TODAY = '2026-11-21';
const HOME = /** @type {Position} */ ([-16.92, 32.65]);

/** @param {string} id @param {Position} position @param {object} [properties] */
const device = (id, position, properties = {}) => readDevice({
  id, geometry: { type: 'Point', coordinates: position },
  properties: { name: `Device ${id}`, status: 'reported', precision: 'exact', ...properties },
});
/** @param {number} bearing @param {number} metres */
const away = (bearing, metres) => destination(HOME, bearing, metres);

// The area

test('the block depends only on the cell of the person, not on the place in it', () => {
  const block = blockAround([-16.9251, 32.6501], CELLS[0]);
  assert.deepEqual(blockAround([-16.9299, 32.6599], CELLS[0]), block);
  assert.notDeepEqual(blockAround([-16.9251, 32.6601], CELLS[0]), block);
});

test('the person is at least a kilometre inside the block, also near a pole and at the antimeridian', () => {
  for (const here of /** @type {Position[]} */ ([HOME, [0, 0], [15.6, 78.2], [179.9999, -16.5], [-180, 51], [25, -71]])) {
    const [west, south, east, north] = blockAround(here, CELLS[0]);
    for (const edge of /** @type {Position[]} */ ([[west, here[1]], [east, here[1]], [here[0], south], [here[0], north]])) {
      assert.ok(distance(here, edge) > 1_000, `${here}: ${distance(here, edge)}`);
      assert.ok(distance(here, edge) < 6_000, `${here}: ${distance(here, edge)}`);
    }
  }
});

test('the request names neither the position nor an order by distance', () => {
  const { searchParams } = new URL(blockPath(blockAround(HOME, CELLS[0]), new Date(TODAY)), 'https://x');
  assert.deepEqual([...searchParams.keys()].sort(), ['bbox', 'filter', 'limit', 'properties']);
  assert.equal(searchParams.get('bbox'), '-16.96,32.64,-16.9,32.67');
});

test('the request is the same for a whole month, so that a kept answer serves offline', () => {
  assert.equal(dueDay(new Date('2026-11-05')), '2027-02-01');
  assert.equal(dueDay(new Date('2026-11-30')), '2027-02-01');
  assert.equal(dueDay(new Date('2026-12-15')), '2027-03-01');
});

// The order

test('only devices that need a look and can be found on foot are checked', () => {
  const sound = { status: 'confirmed', stale_on: '2029-01-01', operator: { name: 'Parking', kind: 'company' } };
  assert.equal(canBeChecked(device('1', HOME), TODAY), true);
  assert.equal(canBeChecked(device('1', HOME, sound), TODAY), false);
  assert.deepEqual(reasons(device('1', HOME, sound), TODAY), ['signage']);
  assert.equal(canBeChecked(device('1', HOME, { ...sound, stale_on: '2026-01-01' }), TODAY), true);
  assert.equal(canBeChecked(device('1', HOME, { precision: '100m' }), TODAY), true);
  assert.equal(canBeChecked(device('1', HOME, { precision: '1km' }), TODAY), false);
  assert.equal(canBeChecked(device('1', HOME, { status: 'removed', operator: sound.operator }), TODAY), false);
});

test('a household is asked neither for its operator nor for its notice', () => {
  const home = device('1', HOME, { operator: { name: null, kind: 'household' } });
  assert.deepEqual(reasons(home, TODAY), ['unconfirmed']);
  assert.deepEqual(gaps(home), { operator: false, signage: false });
});

test('a category that stands in homes is a household, although its operator is unknown', () => {
  noteHouseholds([{ code: 'doorbell_camera', label: '', household: true }, { code: 'webcam', label: '' }]);
  const bell = { category: 'doorbell_camera' };
  assert.deepEqual(reasons(device('1', HOME, bell), TODAY), ['unconfirmed']);
  assert.deepEqual(gaps(device('1', HOME, bell)), { operator: false, signage: false });
  assert.equal(canBeChecked(device('1', HOME, bell), TODAY), true);
  assert.equal(canBeChecked(device('1', HOME, { ...bell, setting: 'indoor' }), TODAY), false, 'inside a home');
  assert.equal(canBeChecked(device('1', HOME, { setting: 'indoor' }), TODAY), true);
});

test('the nearest device comes first, and far ones are left out', () => {
  const sorted = byDistance([
    device('far', away(10, 2_100)), device('b', away(90, 80)), device('a', away(180, 30)), device('edge', away(0, 1_990)),
  ], HOME);
  assert.deepEqual(sorted.map((one) => one.device.id), ['a', 'b', 'edge']);
  assert.equal(Math.round(sorted[0].metres), 30);
  assert.equal(Math.round(sorted[0].bearing), 180);
});

test('the walk changes its aim only for a device that is clearly nearer', () => {
  const present = device('present', away(0, 100));
  const aim = (/** @type {number} */ metres, isChosen = false) => target(
    byDistance([present, device('other', away(90, metres))], HOME), 'present', isChosen)?.device.id;
  assert.equal(aim(90), 'present');
  assert.equal(aim(75), 'other');
  assert.equal(aim(75, true), 'present');
  assert.equal(target(byDistance([present], HOME), 'gone', false)?.device.id, 'present');
  assert.equal(target([], 'present', false), null);
});

test('the walk does not leave a device just before it', () => {
  const close = device('close', away(0, 2 * HERE - 1));
  assert.equal(target(byDistance([close, device('next', away(90, 1))], HOME), 'close', false)?.device.id, 'close');
});

// Directions

test('a turn takes the shorter way', () => {
  assert.equal(turnTo(10, 350), 20);
  assert.equal(turnTo(350, 10), -20);
  assert.equal(turnTo(180, 0), 180);
  assert.equal(turnTo(0, 180), 180);
});

test('directions are those of the person, or of the compass without a heading', () => {
  assert.equal(wayKey(90, 90), 'walk.way.ahead');
  assert.equal(wayKey(90, 45), 'walk.way.ahead_right');
  assert.equal(wayKey(90, 180), 'walk.way.left');
  assert.equal(wayKey(338, 0), 'walk.way.ahead');
  assert.equal(wayKey(337, 0), 'walk.way.ahead_left');
  assert.equal(wayKey(44, null), 'walk.way.north_east');
  assert.equal(wayKey(359, null), 'walk.way.north');
});

test('the compass is read as browsers give it, with the turn of the screen', () => {
  assert.equal(headingOf({ absolute: true, alpha: 90 }, 0), 270);
  assert.equal(headingOf({ absolute: true, alpha: 0 }, 90), 90);
  assert.equal(headingOf({ absolute: false, alpha: 90 }, 0), null);
  assert.equal(headingOf({ absolute: true, alpha: null }, 0), null);
  assert.equal(headingOf({ alpha: 12, webkitCompassHeading: 350 }, 90), 80);
});

test('the heading is smoothed across north', () => {
  assert.equal(smoothed(350, 10, 0.5), 0);
  assert.equal(smoothed(10, 350, 0.5), 0);
  assert.equal(smoothed(null, 370, 0.5), 10);
});

test('a screen reader hears the way only when it changes', () => {
  const at = (/** @type {number} */ metres, way = 'ahead', id = '1') => ({ id, metres, way });
  assert.equal(isNews(null, at(80)), true);
  assert.equal(isNews(at(80), at(60)), false);
  assert.equal(isNews(at(55), at(49)), true);
  assert.equal(isNews(at(80), at(80, 'left')), true);
  assert.equal(isNews(at(HERE), at(5, 'left')), false);
  assert.equal(isNews(at(80), at(80, 'ahead', '2')), true);
});

// Carrying along the street

const parking = { name: 'Parking', kind: 'company' };

test('the operator and the notice of the nearest device of the street are offered', () => {
  const seen = [
    seenAt(device('far', away(0, 200), { operator: { name: 'Bank', kind: 'company' } })),
    seenAt(device('near', away(0, 20), { operator: parking, signage: 'clear' })),
  ];
  const offer = carried(device('here', HOME), seen);
  assert.equal(offer?.device, 'near');
  assert.deepEqual([offer?.operator, offer?.signage], [parking, 'clear']);
});

test('only what is missing is offered, and nothing from another street', () => {
  const seen = [seenAt(device('near', away(0, 20), { operator: parking }), { signage: 'none' })];
  assert.deepEqual(carried(device('here', HOME, { operator: { name: 'Bank', kind: 'company' } }), seen)?.operator, null);
  assert.equal(carried(device('here', HOME, { operator: parking, signage: 'clear' }), seen), null);
  assert.equal(carried(device('here', away(0, 340)), seen), null);
  assert.equal(carried(device('near', away(0, 20)), seen), null);
});

test('the name of a household is never carried', () => {
  const home = seenAt(device('home', HOME, { operator: { name: 'A. Person', kind: 'household' } }));
  assert.equal(home.operator, null);
});

// Answers

const sender = { id: 'me', confirmed: true, suspended: null };
const given = { name: 'Gate', account: null, now: 1_000 };

test('an answer waits some seconds, so that a wrong tap can be undone', () => {
  const answer = newAnswer(device('1', HOME), 'confirm', given);
  assert.deepEqual(nextStep(answer, sender, 1_000), { act: 'wait', until: 1_000 + GRACE });
  assert.deepEqual(nextStep(answer, sender, 1_000 + GRACE), { act: 'verdict' });
});

test('an answer is sent by the account that gave it, or by the first one that signs in', () => {
  const answer = { ...newAnswer(device('1', HOME), 'confirm', given), nextAt: 0 };
  for (const other of [null, { ...sender, confirmed: false }, { ...sender, suspended: { until: null, reason: null } }]) {
    assert.deepEqual(nextStep(answer, other, 1), { act: 'wait', until: Infinity });
  }
  assert.deepEqual(nextStep({ ...answer, account: 'other' }, sender, 1), { act: 'wait', until: Infinity });
  assert.deepEqual(nextStep({ ...answer, account: 'me' }, sender, 1), { act: 'verdict' });
});

test('the facts follow the verdict, also if they come after it was sent', () => {
  const facts = { operator: parking, signage: null };
  const first = withFacts(newAnswer(device('1', HOME), 'confirm', given), facts, 2);
  const second = answered(first, 'verdict', { kind: 'taken', id: '' }, 3);
  assert.equal(second.stage, 'facts');
  assert.equal(answered(second, 'facts', { kind: 'taken', id: '' }, 4).stage, 'sent');
  const sent = answered(newAnswer(device('1', HOME), 'confirm', given), 'verdict', { kind: 'taken', id: '' }, 3);
  assert.equal(sent.stage, 'sent');
  assert.equal(withFacts(sent, facts, 9).stage, 'facts');
  assert.equal(withFacts(sent, { operator: null, signage: null }, 9), sent);
});

test('attempts without a response are repeated later, and at once when the connection is back', () => {
  const waiting = answered(newAnswer(device('1', HOME), 'dispute', given), 'verdict', { kind: 'silent', after: 60_000 }, 10);
  assert.deepEqual([waiting.stage, waiting.count, waiting.nextAt], ['verdict', 1, 60_010]);
  assert.equal(awake(waiting, 20).nextAt, 20);
  const fresh = newAnswer(device('1', HOME), 'dispute', given);
  assert.equal(awake(fresh, 20), fresh); // it can still be undone
});

test('only facts that the device still lacks are added', () => {
  const facts = { operator: parking, signage: 'clear' };
  assert.deepEqual(patchOf(facts, device('1', HOME)), { operator: parking, signage: 'clear' });
  assert.deepEqual(patchOf(facts, device('1', HOME, { operator: { name: 'Bank', kind: 'company' } })), { signage: 'clear' });
  assert.equal(patchOf(facts, device('1', HOME, { operator: { name: null, kind: 'household' }, signage: 'none' })), null);
});

test('a walk counts what was checked', () => {
  const [a, b] = [device('a', HOME), device('b', HOME)];
  const answers = [newAnswer(a, 'confirm', given), { ...newAnswer(b, 'dispute', given), stage: /** @type {const} */ ('sent') }];
  assert.deepEqual(counts(answers), { checked: 2, there: 1, gone: 1, waiting: 1, refused: 0 });
});

/** @param {import('../../public/js/walk/answer.js').WalkAnswer[]} answers */
function outbox(answers) {
  const kept = new Map(answers.map((answer) => [answer.device, answer]));
  /** @type {string[]} */
  const sent = [];
  const world = {
    reply: /** @type {import('../../public/js/drafts/delivery.js').Answer} */ ({ kind: 'taken', id: '' }), clock: 0,
    doubts: 0, timers: /** @type {number[]} */ ([]),
  };
  const step = (/** @type {string} */ name) => async (/** @type {{device: string}} */ answer) => {
    sent.push(`${name} ${answer.device}`);
    return world.reply;
  };
  const box = new AnswerOutbox({
    store: {
      all: async () => [...kept.values()],
      change: async (id, act) => {
        const now = kept.get(id);
        if (!now) return null;
        kept.set(id, act(now));
        return kept.get(id) ?? null;
      },
    },
    alone: async (act) => {
      await act();
      return true;
    },
    send: { verdict: step('verdict'), facts: step('facts') },
    sender: async () => sender, doubt: async () => { world.doubts += 1; }, now: () => world.clock,
    after: (_, milliseconds) => {
      world.timers.push(milliseconds);
      return /** @type {any} */ (0);
    },
    stop: () => undefined,
  });
  return { box, kept, sent, world };
}

test('the outbox sends each answer once, the facts after the verdict', async () => {
  const first = withFacts(newAnswer(device('a', HOME), 'confirm', given), { operator: parking, signage: null }, 0);
  const { box, kept, sent, world } = outbox([first, newAnswer(device('b', HOME), 'dispute', given)]);
  await box.run();
  assert.deepEqual(sent, []);
  assert.deepEqual(world.timers, [given.now + GRACE]);
  world.clock = given.now + GRACE;
  await Promise.all([box.run(), box.run()]);
  assert.deepEqual(sent, ['verdict a', 'facts a', 'verdict b']);
  assert.deepEqual([...kept.values()].map(({ stage }) => stage), ['sent', 'sent']);
});

test('an outage keeps the answers, and the end of it sends them', async () => {
  const { box, kept, sent, world } = outbox([newAnswer(device('a', HOME), 'confirm', given)]);
  world.clock = 100_000;
  world.reply = { kind: 'silent' };
  await box.run();
  assert.equal(kept.get('a')?.stage, 'verdict');
  world.reply = { kind: 'taken', id: '' };
  await box.wake();
  assert.deepEqual(sent, ['verdict a', 'verdict a']);
  assert.equal(kept.get('a')?.stage, 'sent');
});

test('a session that the server does not accept is read again, once', async () => {
  const { box, kept, sent, world } = outbox([newAnswer(device('a', HOME), 'confirm', given)]);
  world.clock = 100_000;
  world.reply = { kind: 'held' };
  await box.run();
  assert.deepEqual([sent.length, world.doubts, kept.get('a')?.stage], [1, 1, 'verdict']);
});

// The picture

test('the picture shows the places north up, without the order in which they were visited', () => {
  const all = [
    { position: away(0, 100), verdict: /** @type {const} */ ('confirm') },
    { position: away(180, 100), verdict: /** @type {const} */ ('dispute') },
    { position: away(90, 60), verdict: /** @type {const} */ ('confirm') },
  ];
  const points = placed(all);
  assert.deepEqual(placed([...all].reverse()), points);
  const [north, south] = [points.find(({ verdict }) => verdict === 'dispute'), points.find(({ x }) => x > 600)];
  assert.ok(north && north.y > 800 && south);
  for (const { x, y } of points) assert.ok(x >= 120 && x <= 960 && y >= 290 && y <= 850);
});

test('one device is in the middle, and a street across the antimeridian stays together', () => {
  assert.deepEqual(placed([{ position: HOME, verdict: 'confirm' }]), [{ x: 540, y: 570, verdict: 'confirm' }]);
  const points = placed([
    { position: [179.9995, -16.5], verdict: 'confirm' }, { position: [-179.9995, -16.5], verdict: 'confirm' },
  ]);
  assert.ok(points[1].x - points[0].x > 700);
  assert.deepEqual(placed([]), []);
});
