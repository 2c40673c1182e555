// @ts-check
// The ledger in the browser: the possible transitions, the resulting dates, and the export and import.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  apply, asOf, exportLedger, grouped, importLedger, isOverdue, newChoice, nextEvents, shownState, steps,
  TransitionRefused, TRANSITIONS,
} from '../../public/js/ledger/ledger.js';

/** @typedef {import('../../public/js/ledger/ledger.js').Choice} Choice */
/** @typedef {import('../../public/js/ledger/ledger.js').Told} Told */

const rule = { first: 'P1M', extension: 'P2M', isLaw: true, freeDays: ['2027-03-01'] };
const START = '2027-01-20T10:00:00Z';
const wanted = newChoice({
  id: '0b5f3a52-6a3e-4a38-9c1e-0f3f4d9b8a11',
  device: {
    id: '0193c6a8-3f10-7000-8000-5e1f0a2b3c4d', name: 'Camera', category: 'camera_fixed', country: 'PT',
    status: 'confirmed',
  },
  kind: 'access', right: 'access', letter: 'access', regime: 'eu-gdpr', country: 'PT', language: 'pt',
  operator: { name: 'Exemplo, Lda.', contact: 'privacy@farol.example' }, now: START,
});

/** @param {Choice} choice @param {...(string | Told)} told «sent 2027-01-31», or the whole event */
function after(choice, ...told) {
  return told.reduce((now, one) => {
    const [event, day] = typeof one === 'string' ? one.split(' ') : [];
    const what = typeof one === 'string'
      ? /** @type {Told} */ ({ event, at: `${day}T12:00:00Z`, ...(event === 'extended' && { reason: 'complexity' }) })
      : one;
    return apply(now, what, { rule, now: what.at ?? START });
  }, choice);
}

const seed = (/** @type {string} */ path) =>
  JSON.parse(readFileSync(new URL(`../../seed/rights/${path}`, import.meta.url), 'utf8'));
const holidays = seed('holidays.json').countries;

for (const example of seed('ledger-examples.json').examples) {
  test(`the ledger gives the same result as the server for: ${example.name}`, () => {
    const law = {
      first: example.first, extension: example.extension, isLaw: true, freeDays: holidays[example.country] ?? [],
    };
    let choice = wanted;
    for (const { refused = null, ...told } of example.steps) {
      const before = choice;
      let why = null;
      try {
        choice = apply(choice, told, { rule: law, now: example.now });
      } catch (error) {
        assert.ok(error instanceof TransitionRefused);
        why = error.why;
      }
      assert.equal(why, refused, JSON.stringify(told));
      if (refused) assert.equal(choice, before);
    }
    const { state, overdue, received_on, due_on, extended_until, next } = asOf(choice, example.now.slice(0, 10),
      example.extension !== null);
    const { state: s, overdue: o, received_on: r, due_on: d, extended_until: e, next: n } = example;
    assert.deepEqual({ state, overdue, received_on, due_on, extended_until, next },
      { state: s, overdue: o, received_on: r, due_on: d, extended_until: e, next: n });
  });
}

/**
 * A choice in each state, and the day on which it has that state.
 * @type {Record<string, [Choice, string]>}
 */
const states = {
  wanted: [wanted, '2027-01-21'],
  sent: [after(wanted, 'sent 2027-01-21'), '2027-01-22'],
  acknowledged: [after(wanted, 'sent 2027-01-21', 'acknowledged 2027-01-22'), '2027-01-23'],
  extended: [after(wanted, 'sent 2027-01-21', 'extended 2027-01-22'), '2027-01-23'],
  honoured: [after(wanted, 'sent 2027-01-21', 'honoured 2027-01-22'), '2027-01-23'],
  confirmed: [after(wanted, 'sent 2027-01-21', 'honoured 2027-01-22', 'confirmed 2027-01-22'), '2027-01-23'],
  contested: [after(wanted, 'sent 2027-01-21', 'honoured 2027-01-22', 'contested 2027-01-22'), '2027-01-23'],
  refused: [after(wanted, 'sent 2027-01-21', 'refused 2027-01-22'), '2027-01-23'],
  complained: [after(wanted, 'sent 2027-01-21', 'refused 2027-01-22', 'complained 2027-01-22'), '2027-01-23'],
  withdrawn: [after(wanted, 'withdrawn 2027-01-21'), '2027-01-22'],
};
/**
 * The expected transitions, written out again; an asterisk means «only when overdue».
 * @type {Record<string, string>}
 */
const DRAWN = {
  wanted: 'sent withdrawn', sent: 'acknowledged extended honoured refused complained* withdrawn',
  acknowledged: 'extended honoured refused complained* withdrawn',
  extended: 'honoured refused complained* withdrawn', refused: 'honoured complained withdrawn',
  complained: 'honoured refused withdrawn', honoured: 'confirmed contested', withdrawn: '',
  contested: 'honoured refused complained withdrawn', confirmed: '',
};
const EVENTS = [
  'wanted', 'sent', 'acknowledged', 'extended', 'honoured', 'confirmed', 'contested', 'refused', 'complained', 'withdrawn',
];

for (const [state, [choice, day]] of Object.entries(states)) {
  for (const event of EVENTS) {
    const drawn = DRAWN[state].split(' ').find((one) => one.replace('*', '') === event) ?? '';
    const told = /** @type {Told} */ ({ event, at: `${day}T12:00:00Z`, reason: 'complexity' });
    if (drawn === event) {
      test(`${event} may follow ${state}`, () => {
        const next = after(choice, told);
        assert.equal(next.state, event);
        assert.deepEqual(next.events.slice(0, -1), choice.events, 'what happened stays as it was');
      });
    } else {
      test(`${event} does not follow ${state}${drawn ? ' in time' : ''}`, () => {
        assert.throws(() => after(choice, told),
          (error) => error instanceof TransitionRefused && error.state === state && error.event === event
            && error.why === (drawn ? 'not_overdue' : 'transition'));
      });
    }
    if (drawn.endsWith('*')) {
      test(`${event} may follow ${state} from the day after the deadline`, () => {
        const due = choice.extended_until ?? choice.due_on ?? '';
        assert.throws(() => after(choice, `${event} ${due}`), TransitionRefused);
        const next = new Date(Date.parse(due) + 86_400_000).toISOString().slice(0, 10);
        assert.equal(after(choice, `${event} ${next}`).state, event);
      });
    }
  }

  test(`the offered events after ${state} are the accepted ones`, () => {
    for (const today of [day, '2027-09-01']) {
      const taken = EVENTS.filter((event) => {
        try {
          return after(choice, /** @type {Told} */ ({ event, at: `${today}T12:00:00Z`, reason: 'complexity' }));
        } catch {
          return false;
        }
      });
      assert.deepEqual([...nextEvents(choice, today)].sort(), taken.sort(), today);
    }
  });
}

test('a month starts on receipt and ends after weekends and holidays', () => {
  const sent = after(wanted, { event: 'sent', at: '2027-01-31T09:00:00Z', channel: 'email' });
  assert.deepEqual([sent.channel, sent.received_on, sent.due_on], ['email', '2027-01-31', '2027-03-02']);
  const posted = after(wanted, { event: 'sent', at: '2027-01-31T09:00:00Z', channel: 'post' });
  assert.deepEqual([posted.received_on, posted.due_on], ['2027-02-05', '2027-03-05']);
  const given = apply(wanted, { event: 'sent', at: '2027-01-31T09:00:00Z', channel: 'post', received_on: '2027-02-02' },
    { rule, now: '2027-02-03T09:00:00Z' });
  assert.deepEqual([given.received_on, given.due_on], ['2027-02-02', '2027-03-02']);
});

test('a request is overdue from the day after the deadline, which an extension moves', () => {
  const sent = after(wanted, 'sent 2027-01-21');
  assert.equal(sent.due_on, '2027-02-22');
  assert.ok(!isOverdue(sent, '2027-02-22'));
  assert.equal(shownState(sent, '2027-02-23'), 'overdue');
  const extended = after(sent, 'extended 2027-02-22');
  assert.deepEqual([extended.due_on, extended.extended_until], ['2027-02-22', '2027-04-21']);
  assert.ok(!isOverdue(extended, '2027-04-21'));
  assert.ok(isOverdue(extended, '2027-04-22'));
  assert.ok(!isOverdue(after(sent, 'honoured 2027-03-30'), '2027-12-01'), 'an answer that came is not waited for');
});

test('an extension needs a reason, comes within the first period, and is possible once', () => {
  const sent = after(wanted, 'sent 2027-01-21');
  const why = (/** @type {() => void} */ act) => {
    try {
      act();
    } catch (error) {
      return error instanceof TransitionRefused ? error.why : error;
    }
    return null;
  };
  assert.equal(why(() => after(sent, { event: 'extended', at: '2027-02-01T00:00:00Z' })), 'reason');
  assert.equal(why(() => after(sent, { event: 'extended', at: '2027-02-01T00:00:00Z', reason: '  ' })), 'reason');
  assert.equal(why(() => after(sent, 'extended 2027-02-22')), null);
  assert.equal(why(() => after(sent, 'extended 2027-02-23')), 'late');
  assert.equal(why(() => after(sent, 'extended 2027-02-01', 'extended 2027-02-02')), 'transition');
});

test('events cannot be earlier than the last one or in the future', () => {
  const sent = after(wanted, 'sent 2027-01-25');
  const refused = (/** @type {Told} */ told, /** @type {string} */ now) =>
    assert.throws(() => apply(sent, told, { rule, now }), TransitionRefused);
  refused({ event: 'honoured', at: '2027-01-24T23:00:00Z' }, '2027-02-01T00:00:00Z');
  refused({ event: 'honoured', at: '2027-02-03T00:00:00Z' }, '2027-02-01T00:00:00Z');
  refused({ event: 'honoured', at: 'yesterday' }, '2027-02-01T00:00:00Z');
  assert.equal(apply(sent, { event: 'honoured', at: '2027-02-02T00:00:00Z' },
    { rule, now: '2027-02-01T00:00:00Z' }).state, 'honoured', 'a day of grace for zones');
  assert.equal(apply(sent, { event: 'honoured', at: '2027-01-25' }, { rule, now: '2027-02-01T00:00:00Z' }).state,
    'honoured', 'a day lies anywhere in itself');
});

test('an operator may add only the events of operators', () => {
  const sent = after(wanted, 'sent 2027-01-25');
  for (const event of /** @type {const} */ (['acknowledged', 'extended', 'honoured', 'refused'])) {
    assert.equal(after(sent, { event, at: '2027-01-26T00:00:00Z', by: 'operator', reason: 'number' }).events.at(-1)?.by,
      'operator');
  }
  assert.throws(() => after(sent, { event: 'withdrawn', at: '2027-01-26T00:00:00Z', by: 'operator' }),
    TransitionRefused);
  assert.throws(() => after(wanted, { event: 'sent', at: '2027-01-26T00:00:00Z', by: 'operator' }), TransitionRefused);
});

test('an exported ledger is imported unchanged', () => {
  const choices = Object.values(states)
    .map(([choice], place) =>
      ({ ...choice, id: choice.id.replace(/^./, String(place)), details: { name: 'A. “Person” \n', reason: 'é' } }));
  const file = exportLedger(choices, START);
  assert.deepEqual(importLedger(file), choices);
  assert.equal(JSON.parse(file).format, 'farol-ledger');
});

test('an invalid ledger is rejected as a whole', () => {
  const file = (/** @type {any} */ choice) =>
    JSON.stringify({ format: 'farol-ledger', version: 1, exported_at: START, choices: [wanted, choice] });
  assert.ok(importLedger(file(wanted)));
  const sent = states.sent[0];
  for (const wrong of [
    null, 7, {}, { ...wanted, id: '1' }, { ...wanted, state: 'sent' }, { ...wanted, state: 'toString' },
    { ...wanted, events: sent.events }, { ...wanted, device: null },
    { ...wanted, due_on: '2027-02-30' }, { ...sent, events: [...states.refused[0].events].reverse(), state: 'sent' },
    { ...sent, events: [] }, { ...wanted, details: { name: {} } },
    { ...wanted, details: { name: 'x'.repeat(2_001) } }, { ...sent, events: [{ ...sent.events[0], at: 'soon' }] },
    { ...sent, events: [{ ...sent.events[0], by: 'somebody' }] },
  ]) assert.equal(importLedger(file(wrong)), null, JSON.stringify(wrong));
  for (const text of [
    '', '[]', 'null', '{"format":"farol-ledger","version":2,"choices":[]}',
    '{"format":"other","version":1,"choices":[]}',
  ]) {
    assert.equal(importLedger(text), null, text);
  }
});

test('sorts the most urgent requests first', () => {
  const late = { ...after(wanted, 'sent 2027-01-21'), id: 'late' };
  const soon = { ...after(wanted, 'sent 2027-02-01'), id: 'soon' };
  const far = { ...after(wanted, 'sent 2027-02-05'), id: 'far' };
  const groups = grouped([far, states.honoured[0], soon, wanted, late, states.refused[0], states.withdrawn[0],
    states.complained[0]], '2027-02-23');
  assert.deepEqual(groups.due.map(({ id }) => id), ['late', 'soon']);
  assert.deepEqual(groups.running.map(({ state }) => state), ['sent', 'complained']);
  assert.deepEqual([groups.wanted, groups.won, groups.refused, groups.ended].map((group) => group.length),
    [1, 1, 1, 1]);
});

test('the steps show the past, the current and the next state', () => {
  const line = (/** @type {Choice} */ choice, /** @type {string} */ today) => steps(choice,
    today).map(({ state, look }) => `${state} ${look}`);
  assert.deepEqual(line(wanted, '2027-01-21'), ['wanted now', 'sent ahead', 'answer ahead']);
  assert.deepEqual(line(states.sent[0], '2027-01-22'), ['wanted done', 'sent now', 'answer ahead']);
  assert.deepEqual(line(states.sent[0], '2027-05-22'), ['wanted done', 'sent done', 'overdue now', 'answer ahead']);
  assert.deepEqual(line(states.honoured[0], '2027-05-22'), ['wanted done', 'sent done', 'honoured now']);
  assert.deepEqual(line(states.complained[0], '2027-05-22'),
    ['wanted done', 'sent done', 'refused done', 'complained now', 'answer ahead']);
});

test('recalculates the values that depend on the day', () => {
  const choice = asOf(states.sent[0], '2027-05-22');
  assert.ok(choice.overdue);
  assert.ok(choice.next.includes('complained') && !choice.next.includes('extended'));
  assert.deepEqual(Object.keys(TRANSITIONS).sort(), [...EVENTS].sort());
});
