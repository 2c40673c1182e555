// @ts-check
// The ledger of a visitor without an account, tested without a database. The API is the same as for accounts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserLedger, VERSIONS } from '../../public/js/ledger/browser-ledger.js';
import { exportLedger, importLedger } from '../../public/js/ledger/ledger.js';
import { readOptions, regionOf, rightOf } from '../../public/js/ledger/options.js';
import { MemoryDatabase } from '../../public/js/storage/database.js';

const DEVICE = {
  id: '0193c6a8-3f10-7000-8000-5e1f0a2b3c4d', name: 'Camera', category: 'camera_fixed', country: 'PT',
  status: 'confirmed',
};
const WISH = {
  device: DEVICE, kind: 'access', right: 'access', letter: 'access', regime: 'eu-gdpr', country: 'PT', language: 'pt',
  operator: { name: 'Exemplo', contact: null },
};
const ANSWER = {
  offered: [
    { kind: 'opt_out', channel: 'email', target: 'a@farol.example', deadline_days: 10 }, { kind: 'physical' },
    { nothing: true },
  ],
  rights: {
    country: 'PT', regime: 'eu-gdpr', free_days: ['2027-03-01'],
    authority: { name: 'CNPD', web: 'https://www.cnpd.pt/', complaint_page: 'javascript:alert(1)', languages: ['pt'] },
    rights: [
      { code: 'access', label: 'Right of access', summary: 'Ask.', article: '15', url: 'https://eur-lex.europa.eu/',
        deadline: 'P1M', extension: 'P2M', limits: ['One.'] }, { code: 'complain', label: 'Complain' },
    ],
  },
  letters: { access: 'access', opt_out: 'offered', physical: null },
};

function makeLedger({ fails = false } = {}) {
  const world = { now: new Date('2027-01-28T09:00:00Z'), asked: /** @type {string[]} */ ([]) };
  const ledger = new BrowserLedger(new MemoryDatabase(VERSIONS), {
    now: () => world.now,
    ask: async (path) => {
      world.asked.push(path);
      if (fails) throw new Error('out of reach');
      return ANSWER;
    },
  });
  return { ledger, world };
}

test('stores, changes and deletes a request', async () => {
  const { ledger } = makeLedger();
  const choice = await ledger.add(WISH);
  assert.match(choice.id, /^[0-9a-f-]{36}$/);
  assert.equal(choice.state, 'wanted');
  await ledger.change(choice.id, { details: { name: 'A' } });
  const changed = await ledger.change(choice.id, { details: { reason: 'B' }, language: 'en' });
  assert.deepEqual([changed.details, changed.language, changed.events.length], [{ name: 'A', reason: 'B' }, 'en', 0]);
  assert.deepEqual((await ledger.ofDevice(DEVICE.id)).map(({ id }) => id), [choice.id]);
  assert.deepEqual(await ledger.ofDevice('other'), []);
  await ledger.remove(choice.id);
  assert.equal(await ledger.get(choice.id), null);
});

test('calculates deadlines by the rule of the country, which it requests once', async () => {
  const { ledger, world } = makeLedger();
  const { id } = await ledger.add(WISH);
  const early = await ledger.tell(id, { event: 'honoured' }).catch((error) => error);
  assert.equal(early.why, 'transition', 'nothing was sent');
  assert.equal((await ledger.tell(id, { event: 'sent', channel: 'email' })).due_on, '2027-03-02',
    'the 28th is a Sunday, 1 March is free');
  assert.deepEqual(world.asked, [`/api/collections/devices/items/${DEVICE.id}/choices`]);
});

test('uses a cached rule, and one month if the server cannot be reached', async () => {
  const known = makeLedger();
  const {
    id,
  } = await known.ledger.add({ ...WISH, rule: { first: 'P10D', extension: null, isLaw: false, freeDays: [] } });
  assert.equal((await known.ledger.tell(id, { event: 'sent' })).due_on, '2027-02-08');
  assert.deepEqual(known.world.asked, []);
  const bare = makeLedger({ fails: true });
  const own = await bare.ledger.add({ ...WISH, rule: { first: 'P10D', extension: null, isLaw: false, freeDays: [] } });
  await bare.ledger.database.delete('rule', own.id);
  assert.equal((await bare.ledger.tell(own.id, { event: 'sent' })).due_on, '2027-02-08', 'the choice itself says so');
  assert.ok(!(await bare.ledger.get(own.id))?.next.includes('extended'));
  const alone = makeLedger({ fails: true });
  const other = await alone.ledger.add(WISH);
  assert.equal((await alone.ledger.tell(other.id, { event: 'sent' })).due_on, '2027-03-01');
});

test('calculates overdue requests on the current day', async () => {
  const { ledger, world } = makeLedger();
  const { id } = await ledger.add(WISH);
  await ledger.tell(id, { event: 'sent' });
  assert.equal((await ledger.get(id))?.overdue, false);
  world.now = new Date('2027-03-03T12:00:00Z');
  const late = await ledger.get(id);
  assert.ok(late?.overdue && late.next.includes('complained'));
});

test('another browser imports the same ledger', async () => {
  const { ledger, world } = makeLedger();
  const { id } = await ledger.add(WISH);
  await ledger.tell(id, { event: 'sent', note: 'By hand.' });
  await ledger.add({ ...WISH, kind: 'erase', right: 'erase', letter: 'erase' });
  const choices = await ledger.all();
  const other = makeLedger().ledger;
  const read = importLedger(exportLedger(choices, world.now.toISOString()));
  assert.deepEqual(await other.take(read ?? []), { taken: 2, refused: [] });
  assert.deepEqual((await other.all()).map((one) => JSON.stringify(one)).sort(),
    choices.map((one) => JSON.stringify(one)).sort());
  assert.equal((await other.take(read ?? [])).taken, 0, 'what is here already is not taken twice');
  world.now = new Date('2027-02-01T09:00:00Z');
  await ledger.tell(id, { event: 'honoured' });
  assert.equal((await other.take(await ledger.all())).taken, 1, 'a later state is');
  assert.equal((await other.get(id))?.state, 'honoured');
});

test('reads the possible actions from the response and omits unusable ones', () => {
  const options = readOptions(ANSWER);
  assert.deepEqual(options.offered.map(({ kind, letter }) => [kind, letter]),
    [['opt_out', 'offered'], ['physical', null]]);
  assert.deepEqual(options.rights.map(({ code, letter }) => [code, letter]),
    [['access', 'access'], ['complain', null]]);
  assert.deepEqual([options.authority?.web, options.authority?.complaintPage], ['https://www.cnpd.pt/', null]);
  assert.deepEqual(options.ruleFor({ kind: 'opt_out', right: null }),
    { first: 'P10D', extension: null, isLaw: false, freeDays: ['2027-03-01'] });
  assert.equal(options.ruleFor({ kind: 'access', right: 'access' }).isLaw, true);
  for (const wrong of [null, 7, {}, { offered: 'x', rights: { rights: [null, 7] }, letters: [] }]) {
    const { offered, rights, regime } = readOptions(wrong);
    assert.deepEqual([offered, rights, regime], [[], [], null]);
  }
});

test('reads the states to choose from, the countries near a border and the language of letters', () => {
  const options = readOptions({
    rights: {
      country: 'US', countries: ['US', 'MX', 3], region: 'US-TX', region_uncertain: true, regime: 'us-tx',
      regions: [{ code: 'US-TX', label: 'Texas' }, { code: 'US-OK' }, null], letter_language: 'en',
      written_on: '2026-11-25', checked_on: null,
      rights: [{
        code: 'records', cite: 'Tex. Gov’t Code ch. 552', law: 'Texas Public Information Act', operators: ['public'],
        effective_on: null,
      }],
    },
    letters: { records: 'records' },
  });
  assert.deepEqual([options.countries, options.region, options.isRegionUncertain], [['US', 'MX'], 'US-TX', true]);
  assert.deepEqual(options.regions, [{ code: 'US-TX', label: 'Texas' }]);
  assert.deepEqual([options.letterLanguage, options.uncheckedSince], ['en', '2026-11-25']);
  const [{ operators, law, letter, effectiveOn }] = options.rights;
  assert.deepEqual([operators, law, letter, effectiveOn],
    [['public'], 'Texas Public Information Act', 'records', null]);
  const checked = readOptions({ rights: { written_on: '2026-11-25', checked_on: '2027-01-10' } });
  assert.equal(checked.uncheckedSince, null);
});

test('only the regime of one state names a state', () => {
  assert.deepEqual(['us-tx', 'eu-gdpr', 'us-state', 'ch-fadp', '', null].map(regionOf),
    ['US-TX', null, null, null, null, null]);
});

test('a letter of opting out claims the right to object', () => {
  assert.deepEqual(['opt_out', 'offered', 'access'].map(rightOf), ['object', null, 'access']);
});
