// @ts-check
// The rights by country: complete for every country, every right and both languages, and without dead references.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const seed = new URL('../../seed/', import.meta.url);
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(new URL(path, seed), 'utf8'));
const LANGUAGES = ['en', 'pt'];
const EEA = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ');

const { rights, regimes, choices, reasons } = read('rights/rights.json');
const { jurisdictions } = read('rights/jurisdictions.json');
const { authorities } = read('rights/authorities.json');
const us = read('rights/us.json');
const holidays = read('rights/holidays.json');
const examples = read('rights/deadline-examples.json').examples;
const dpv = read('rights/dpv.json');
const codes = (/** @type {string} */ scheme) =>
  new Set(read(`taxonomies/${scheme}.json`).terms.map((/** @type {any} */ term) => term.code));
const rightCodes = rights.map((/** @type {any} */ right) => right.code);
const legalBases = codes('legal_bases');

/** @param {string} url @param {string} where */
function checkAddress(url, where) {
  const { protocol, hostname } = new URL(url);
  assert.equal(protocol, 'https:', `${where}: ${url}`);
  assert.ok(hostname.includes('.'), `${where}: ${url}`);
}

/** @param {any} words @param {string[]} members @param {string} where */
function checkWords(words, members, where) {
  for (const language of LANGUAGES) {
    assert.deepEqual(Object.keys(words[language]), members, `${where} ${language}`);
    for (const text of Object.values(words[language]).flat()) {
      assert.ok(text.trim().length >= 2, `${where} ${language}`);
    }
  }
}

/**
 * The deadline rule of rights.json, implemented again.
 * @param {string} day @param {number} months @param {string} country
 */
function after(day, months, country) {
  const [year, month, date] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  const due = new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)));
  const written = () => due.toISOString().slice(0, 10);
  const free = new Set(holidays.countries[country] ?? []);
  while ([0, 6].includes(due.getUTCDay()) || free.has(written())) due.setUTCDate(due.getUTCDate() + 1);
  return written();
}

test('the thirty countries of the EEA have the GDPR, and three others have their own law', () => {
  const regimeOf = Object.fromEntries(jurisdictions.map((/** @type {any} */ row) => [row.country, row.regime]));
  for (const country of EEA) assert.equal(regimeOf[country], 'eu-gdpr', country);
  assert.deepEqual([regimeOf.GB, regimeOf.CH, regimeOf.US], ['uk-gdpr', 'ch-fadp', 'us-state']);
  assert.equal(EEA.length, 30);
  assert.equal(Object.keys(regimeOf).length, jurisdictions.length, 'a country stands there twice');
  for (const row of jurisdictions) {
    if (row.by_state) assert.equal(row.country, us.country);
    else assert.ok(regimes.some((/** @type {any} */ regime) => regime.code === row.regime), row.country);
    if (row.register) checkAddress(row.register.url, row.country);
    if (row.part_of) assert.equal(regimeOf[row.part_of], row.regime, row.country);
  }
});

test('every country has an authority with a web site, an address and a language for complaints', () => {
  for (const row of jurisdictions) {
    if (row.by_state) continue;
    const authority = authorities.find((/** @type {any} */ one) => one.code === row.authority);
    assert.ok(authority, row.country);
    assert.equal(authority.country, row.part_of ?? row.country);
    assert.equal(authority.region, null, `${row.country} has the authority of one region`);
  }
  for (const authority of authorities) {
    checkAddress(authority.web, authority.code);
    if (authority.complaint_page) checkAddress(authority.complaint_page, authority.code);
    assert.ok(authority.email || authority.complaint_page, authority.code);
    assert.ok(authority.address.length >= 2, authority.code);
    assert.ok(authority.languages.length >= 1, authority.code);
    for (const language of authority.languages) assert.match(language, /^[a-z]{2}$/, authority.code);
    assert.ok(authority.sources.length >= 1, authority.code);
    if (authority.note) for (const language of LANGUAGES) assert.ok(authority.note[language], authority.code);
  }
});

test('each of the sixteen German states has its authority, and Bavaria has one each for companies and the state',
  () => {
    const regional = authorities.filter((/** @type {any} */ one) => one.region);
    assert.ok(regional.every((/** @type {any} */ one) => one.country === 'DE' && one.region.startsWith('DE-')));
    assert.equal(new Set(regional.map((/** @type {any} */ one) => one.region)).size, 16);
    const bavaria = regional.filter((/** @type {any} */ one) => one.region === 'DE-BY');
    assert.deepEqual(bavaria.map((/** @type {any} */ one) => one.sector).sort(), ['private', 'public']);
});

test('make.py creates the authorities from the source and its corrections', () => {
  const made = spawnSync('python3', [fileURLToPath(new URL('rights/make.py', seed)), '--check'], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr || String(made.error));
});

test('every right has texts in both languages, with its limits', () => {
  assert.deepEqual(rightCodes,
    ['access', 'rectify', 'erase', 'restrict', 'portability', 'object', 'withdraw', 'contest', 'inform', 'records', 'complain']);
  for (const right of rights) {
    checkWords(right, ['label', 'summary', 'limits'], right.code);
    assert.equal(right.en.limits.length, right.pt.limits.length, right.code);
    assert.notEqual(right.en.summary, right.pt.summary);
  }
});

test('the codes of a right exist in the taxonomies', () => {
  const known = codes('choices');
  for (const right of rights) {
    if (right.choice !== null) assert.ok(known.has(right.choice), right.choice);
    for (const basis of right.legal_bases ?? []) assert.ok(legalBases.has(basis), basis);
  }
  assert.deepEqual(new Set(Object.keys(choices)), known);
  for (const [choice, ways] of Object.entries(choices)) {
    for (const way of ways) {
      assert.ok(way.letter === 'offered' || rightCodes.includes(way.right), choice);
      for (const basis of way.legal_bases ?? []) assert.ok(legalBases.has(basis), basis);
    }
    const last = ways.at(-1);
    if (last) assert.equal(last.legal_bases, undefined, `${choice} has no way for the other legal bases`);
  }
});

test('opting out is a withdrawal under consent and an objection under legitimate interests', () => {
  const way = (/** @type {string} */ basis) =>
    choices.opt_out.find((/** @type {any} */ one) => !one.legal_bases || one.legal_bases.includes(basis));
  assert.equal(way('consent').right, 'withdraw');
  assert.equal(way('explicit_consent').right, 'withdraw');
  assert.equal(way('legitimate_interest').right, 'object');
  assert.equal(way('public_task').right, 'object');
  assert.equal(way('none_stated').letter, 'offered');
});

for (const regime of regimes) {
  test(`${regime.code} gives every right an article, a source and a deadline`, () => {
    // Records of public bodies are requested under the law of the United States only. Swiss law does not know
    // restriction: it has a note that data are disputed, which the letter for correction asks for.
    const left = regime.code === 'ch-fadp' ? ['records', 'restrict'] : ['records'];
    assert.deepEqual(Object.keys(regime.rights), rightCodes.filter((/** @type {string} */ code) => !left.includes(code)));
    checkWords(regime, ['label', 'name', 'where'], regime.code);
    for (const [code, right] of Object.entries(regime.rights)) {
      for (const language of LANGUAGES) {
        checkAddress(right.url[language], code);
        assert.ok(right.cite[language].replace('.º-', '').includes(right.article.match(/\d+[A-Z]?/)[0]),
          `${code} ${language}`);
        if (code !== 'complain') {
          assert.ok(right.infringed[language].replace('.º-C', 'C').includes(right.article.match(/\d+[A-Z]?/)[0]),
            `${code} ${language}`);
        }
      }
      assert.match(right.deadline, regime.code === 'ch-fadp' ? /^P(30D|3M)$/ : /^P[13]M$/, code);
      assert.ok(['statutory', 'courtesy', 'authority'].includes(right.deadline_basis), code);
      const more = regime.code === 'ch-fadp' ? 'P30D' : 'P2M';
      assert.equal(right.extension, right.deadline_basis === 'statutory' ? more : null, code);
    }
  });

  test(`${regime.code} defines how days are counted and the limits of the law`, () => {
    const {
      first, extension, total, from, count, extension_needs: needs, extension_reasons: grounds, sources,
    } = regime.deadline;
    const periods = regime.code === 'ch-fadp' ? ['P30D', 'P30D', 'P60D'] : ['P1M', 'P2M', 'P3M'];
    assert.deepEqual([from, first, extension, total], ['receipt', ...periods]);
    assert.deepEqual(needs, ['reason', 'within_first']);
    assert.deepEqual(grounds, reasons.extension.map((/** @type {any} */ reason) => reason.code));
    assert.deepEqual(count,
      {
        ...(regime.code === 'ch-fadp' ? { rule: 'days', missing_date: null }
          : { rule: 'same-date', missing_date: 'last-day-of-month' }),
        free_days: ['saturday', 'sunday', 'holiday'],
        then: 'next-working-day',
      });
    for (const { title, url } of sources) {
      assert.ok(title);
      checkAddress(url, regime.code);
    }
    for (const language of LANGUAGES) assert.ok(regime.deadline[language]);
    const limits = regime.limits.map((/** @type {any} */ limit) => limit.code);
    assert.ok(limits.includes('household') && limits.includes('police'), regime.code);
    for (const limit of regime.limits) {
      for (const language of LANGUAGES) {
        assert.ok(limit[language].length > 40, limit.code);
        checkAddress(limit.url[language], limit.code);
      }
      for (const basis of limit.legal_bases ?? []) assert.ok(legalBases.has(basis), basis);
    }
    for (const basis of regime.outside) assert.ok(legalBases.has(basis), basis);
  });
}

test('reasons have texts in both languages, each once', () => {
  for (const [kind, list] of Object.entries(reasons)) {
    assert.equal(new Set(list.map((/** @type {any} */ reason) => reason.code)).size, list.length, kind);
    for (const reason of list) {
      for (const language of LANGUAGES) assert.ok(reason[language], reason.code);
      for (const right of reason.rights ?? []) assert.ok(rightCodes.includes(right), right);
    }
  }
});

test('the holidays of every country are complete for ten years, on weekdays and in order', () => {
  const countries = jurisdictions.filter((/** @type {any} */ row) => !row.part_of)
    .map((/** @type {any} */ row) => row.country);
  assert.deepEqual(Object.keys(holidays.countries).sort(), countries.sort());
  assert.ok(Number(holidays.last.slice(0, 4)) - Number(holidays.first.slice(0, 4)) >= 9);
  for (const [country, days] of Object.entries(holidays.countries)) {
    assert.deepEqual(days, [...new Set(days)].sort(), country);
    for (const day of days) {
      assert.ok(day >= holidays.first && day <= holidays.last, `${country} ${day}`);
      assert.ok(![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()), `${country} ${day}`);
    }
    for (const year of ['2026', '2027', '2032']) {
      for (const fixed of ['01-01', '12-25']) {
        const day = `${year}-${fixed}`;
        if (![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())) {
          assert.ok(days.includes(day), `${country} ${day}`);
        }
      }
    }
  }
});

test('the worked examples follow the rule', () => {
  assert.ok(examples.length >= 15);
  for (const example of examples) {
    assert.equal(after(example.received, 1, example.country), example.due, example.why);
    assert.equal(after(example.received, 3, example.country), example.extended, example.why);
  }
});

test('every term of the DPV mapping exists in DPV', () => {
  const known = new Set();
  for (const prefix of ['dpv', 'eu-gdpr']) {
    const rows = readFileSync(new URL(`dpv/${prefix}.csv`, seed), 'utf8').split('\n').slice(1);
    for (const row of rows) known.add(`${prefix}:${row.split(',')[0].replaceAll('"', '')}`);
  }
  /** @type {string[]} */
  const terms = [];
  const gather = (/** @type {any} */ value) => {
    if (typeof value === 'string') terms.push(value);
    else if (value) for (const one of Object.values(value)) gather(one);
  };
  gather({ ...dpv, about: null });
  assert.ok(terms.length > 60);
  for (const term of terms) assert.ok(known.has(term), term);
});

test('the DPV mapping covers every right, state and reason', () => {
  for (const regime of regimes) {
    assert.deepEqual(Object.keys(dpv.rights[regime.code]), Object.keys(regime.rights));
    if (!dpv.reasons[regime.code]) continue;
    for (const kind of ['extension', 'question']) {
      for (const code of Object.keys(dpv.reasons[regime.code][kind])) {
        assert.ok(reasons[kind].some((/** @type {any} */ one) => one.code === code), code);
      }
    }
    for (const [right, found] of Object.entries(dpv.reasons[regime.code].refusal)) {
      assert.ok(right === 'any' || rightCodes.includes(right), right);
      for (const code of Object.keys(found)) {
        assert.ok(reasons.refusal.some((/** @type {any} */ one) => one.code === code), code);
      }
    }
  }
  const states = [
    'wanted', 'sent', 'acknowledged', 'extended', 'honoured', 'confirmed', 'contested', 'refused', 'overdue',
    'complained', 'withdrawn',
  ];
  assert.deepEqual(Object.keys(dpv.request_states), states);
  assert.deepEqual(Object.keys(dpv.consent_states), states);
  for (const [basis, term] of Object.entries(dpv.objected)) assert.ok(legalBases.has(basis) && term, basis);
});

test('the United States have fifty states and the District of Columbia, each with its public records act', () => {
  assert.equal(us.states.length, 51);
  assert.equal(new Set(us.states.map((/** @type {any} */ state) => state.code)).size, 51);
  for (const state of us.states) {
    assert.match(state.code, /^US-[A-Z]{2}$/);
    assert.ok(state.en && state.pt, state.code);
    for (const act of [state.records, state.privacy].filter(Boolean)) {
      assert.ok(act.name.length > 10 && act.cite.length > 8, state.code);
      checkAddress(act.url, state.code);
      if (act.days !== undefined) assert.ok(Number.isInteger(act.days) && act.days >= 3 && act.days <= 90, state.code);
      if (act.working) assert.ok(act.days, state.code);
    }
    for (const note of state.notes ?? []) {
      for (const language of LANGUAGES) {
        assert.ok(note[language].length > 40, state.code);
        checkAddress(note.url[language], state.code);
      }
      assert.ok(note.always || note.categories.every((/** @type {string} */ one) => codes('categories').has(one)));
    }
  }
});

test('twenty states have a privacy act, each with the day since which it is in force and the rights it leaves out',
  () => {
    const acts = us.states.filter((/** @type {any} */ state) => state.privacy);
    assert.equal(acts.length, 20);
    for (const { code, privacy } of acts) {
      assert.match(privacy.since, /^20\d{2}-\d{2}-\d{2}$/, code);
      assert.ok(privacy.since <= us.written_on, `${code} is not in force`);
      for (const right of privacy.omits ?? []) assert.ok(us.rights[right], `${code} ${right}`);
    }
    const omits = acts.filter((/** @type {any} */ state) => state.privacy.omits);
    assert.deepEqual(omits.map((/** @type {any} */ state) => state.code), ['US-IA']);
  });

test('every right of the United States has a letter, an act and an operator, and words where they differ', () => {
  const { letters } = read('letters/index.json');
  for (const [code, right] of /** @type {[string, any][]} */ (Object.entries(us.rights))) {
    const own = rights.find((/** @type {any} */ one) => one.code === code);
    const letter = letters.find((/** @type {any} */ one) => one.code === (right.letter ?? own.letter));
    assert.notEqual(letter.articles['us-state'], undefined, code);
    assert.ok(['records', 'privacy'].includes(right.act), code);
    for (const kind of right.operators) assert.ok(['public', 'company'].includes(kind), code);
    if (right.en) checkWords(right, ['label', 'summary', 'limits'], code);
  }
  for (const language of LANGUAGES) {
    assert.deepEqual(Object.keys(us.sentences[language]), ['label', 'authority', 'days', 'working_days', 'prompt']);
  }
});

test('organisations are distinct and reachable, and contain no invisible characters', () => {
  const lines = gunzipSync(readFileSync(new URL('contacts/organisations.jsonl.gz', seed))).toString('utf8').trim()
    .split('\n');
  const organisations = lines.map((line) => JSON.parse(line));
  assert.ok(organisations.length > 3000);
  assert.equal(new Set(organisations.map((one) => one.code)).size, organisations.length);
  const members = new Set([
    'code', 'name', 'aliases', 'domains', 'seat', 'countries', 'email', 'form', 'address', 'languages', 'quality',
  ]);
  for (const one of organisations) {
    for (const member of Object.keys(one)) assert.ok(members.has(member), `${one.code}: ${member}`);
    assert.ok(one.name && one.address.length >= 1, one.code);
    if (one.email) assert.match(one.email, /^[\x21-\x7e]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i, one.code);
    if (one.form) checkAddress(one.form, one.code);
    for (const domain of one.domains ?? []) assert.match(domain, /^[a-z0-9.-]+\.[a-z0-9-]+$/, one.code);
    for (const country of [...(one.countries ?? []), one.seat ?? 'XX']) assert.match(country, /^[A-Z]{2}$/, one.code);
    assert.doesNotMatch(JSON.stringify(one), /[\u00ad\u200b-\u200f\u202a-\u202e\ufeff]/, one.code);
  }
});

test('every folder states its source and licence', () => {
  for (const folder of ['rights', 'letters', 'contacts']) {
    for (const file of ['SOURCE.md', 'LICENCE.md']) {
      assert.ok(existsSync(new URL(`${folder}/${file}`, seed)), `${folder}/${file}`);
    }
  }
});
