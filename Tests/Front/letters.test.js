// @ts-check
// The letters: one for each right, language and regime. Each cites its article, uses the terms of the law, and has
// exactly the placeholders of the index.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const seed = new URL('../../seed/', import.meta.url);
const text = (/** @type {string} */ path) => readFileSync(new URL(path, seed), 'utf8');
const read = (/** @type {string} */ path) => JSON.parse(text(path));
const { languages, regimes, placeholders, letters } = read('letters/index.json');
const law = read('rights/rights.json');
const { references } = read('letters/reference.json');
const { examples } = read('letters/examples.json');

const named = (/** @type {string} */ letter) =>
  new Set([...letter.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]));
const all = regimes.flatMap((/** @type {string} */ regime) => languages.flatMap((/** @type {string} */ language) =>
  letters.map((/** @type {any} */ letter) =>
    ({ regime, language, letter, body: text(`letters/${regime}/${language}/${letter.code}.txt`) }))));

/**
 * Fills in a letter. Lines with an empty placeholder are removed.
 * @param {string} template @param {Record<string, string>} values
 */
function fill(template, values) {
  const value = (/** @type {string} */ name) => (values[name] ?? '').replace(/\s+/g, ' ').trim();
  const put = (/** @type {string} */ line) => line.replace(/\{([a-z_]+)\}/g, (_, name) => value(name));
  const [subject, ...rest] = template.split('\n');
  const kept = rest.filter((line) => [...named(line)].every(value)).map(put);
  return { subject: put(subject), body: `${kept.join('\n').replace(/\n{3,}/g, '\n\n').trim()}\n` };
}

test('every right has a letter in every language and regime', () => {
  assert.deepEqual([regimes, languages], [['eu-gdpr', 'uk-gdpr'], ['en', 'pt']]);
  const codes = letters.map((/** @type {any} */ letter) => letter.code);
  assert.equal(new Set(codes).size, codes.length);
  for (const right of law.rights) {
    if (right.code === 'complain') assert.ok(codes.includes('complain_silence') && codes.includes('complain_refusal'));
    else assert.ok(codes.includes(right.letter), right.code);
    const own = letters.find((/** @type {any} */ letter) => letter.code === right.letter);
    for (const need of right.needs) assert.ok(own.required.includes(need), `${right.code}: ${need}`);
  }
  assert.ok(codes.includes('offered') && codes.includes('remind'));
});

test('every file has an entry in the index', () => {
  for (const regime of regimes) {
    for (const language of languages) {
      const files = readdirSync(new URL(`letters/${regime}/${language}/`, seed)).sort();
      assert.deepEqual(files, letters.map((/** @type {any} */ letter) => `${letter.code}.txt`).sort());
    }
  }
});

for (const { regime, language, letter, body } of all) {
  test(`${regime}/${language}/${letter.code} has exactly the placeholders of the index`, () => {
    const used = named(body);
    for (const name of letter.required) assert.ok(used.has(name), `{${name}} is required and not used`);
    for (const name of letter.optional) assert.ok(used.has(name), `{${name}} is not used`);
    for (const name of used) {
      assert.ok(letter.required.includes(name) || letter.optional.includes(name), `{${name}} is not in the index`);
    }
    assert.doesNotMatch(body.replace(/\{[a-z_]+\}/g, ''), /[{}]/);
  });

  test(`${regime}/${language}/${letter.code} cites its article and law, with a reasonable length`, () => {
    const articles = letter.articles[regime].replace(/\([^)]*\)/g, '').match(/\d+[A-Z]?/g);
    for (const article of articles) {
      const [, number, suffix] = article.match(/(\d+)([A-Z]?)/);
      const written = letter.articles[regime].startsWith('section')
        ? new RegExp(`(section|secção) ${article}\\b`)
        : new RegExp(language === 'en'
          ? `Articles? ([0-9()]+ and )?${article}\\b`
          : `artigos? ([0-9.º]+ e )?${number}\\.º${suffix ? `-${suffix}` : ''}`);
      assert.match(body, written);
    }
    assert.match(body, language === 'en' ? /GDPR/ : /RGPD/);
    if (regime === 'eu-gdpr') assert.doesNotMatch(body, /UK GDPR|Reino Unido|2018/);
    else assert.match(body, language === 'en' ? /UK GDPR/ : /RGPD do Reino Unido/);
    const count = body.split(/\s+/).filter(Boolean).length;
    assert.ok(count >= 80 && count <= 350, `${count} words`);
  });

  test(`${regime}/${language}/${letter.code} starts with a subject and a salutation, and ends with the name`, () => {
    const [subject, empty] = body.split('\n');
    assert.ok(subject.length > 20 && subject.length < 140, subject);
    assert.equal(empty, '');
    assert.match(body, language === 'en' ? /\nDear Sir or Madam,\n/ : /\nExmos\. Senhores,\n/);
    assert.ok(body.endsWith('\n\n{name}\n{reply_address}\n'));
    assert.doesNotMatch(body, /[ \t]\n|\r|\n{3}/);
  });

  test(`${regime}/${language}/${letter.code} removes lines with missing values and keeps all required ones`,
    () => {
      const values = Object.fromEntries(letter.required.map((/** @type {string} */ name) => [name, `<${name}>`]));
      const filled = fill(body, values);
      const whole = `${filled.subject}\n${filled.body}`;
      assert.equal(named(whole).size, 0);
      for (const name of letter.required) assert.ok(whole.includes(`<${name}>`), name);
      assert.doesNotMatch(whole, /: \n|\(\)|\n{3}/);
    });
}

test('letters of request name the one-month deadline and its legal ground', () => {
  for (const { regime, language, letter, body } of all) {
    if (letter.kind !== 'request') continue;
    assert.match(body, language === 'en' ? /within one month/ : /no prazo de um mês/, letter.code);
    if (['inform', 'offered'].includes(letter.code)) continue;
    const basis = {
      en: { 'eu-gdpr': 'Article 12(3) GDPR', 'uk-gdpr': 'Articles 12(3) and 12A UK GDPR' },
      pt: {
        'eu-gdpr': 'artigo 12.º, n.º 3, do RGPD', 'uk-gdpr': 'artigos 12.º, n.º 3, e 12.º-A do RGPD do Reino Unido',
      },
    };
    assert.ok(
      body.includes(basis[/** @type {'en' | 'pt'} */ (language)][/** @type {'eu-gdpr' | 'uk-gdpr'} */ (regime)]),
      letter.code,
    );
  }
});

test('a letter cites the article of its right in the regime', () => {
  for (const regime of law.regimes) {
    for (const letter of letters) {
      if (letter.right) {
        assert.equal(letter.articles[regime.code], regime.rights[letter.right].article,
          `${regime.code} ${letter.code}`);
      }
    }
  }
});

test('reminders and complaints refer to letters that exercise a right', () => {
  const claims = letters.filter((/** @type {any} */ letter) => letter.kind === 'request' && letter.right)
    .map((/** @type {any} */ letter) => letter.code);
  assert.equal(claims.length, 9);
  for (const letter of letters) {
    assert.deepEqual(letter.after, letter.kind === 'request' ? undefined : claims, letter.code);
  }
});

test('letters contain only the personal data that the form asks for', () => {
  const personal = Object.entries(placeholders).filter(([, one]) => one.from === 'person').map(([name]) => name);
  assert.deepEqual(personal.sort(),
    [
      'consent_on', 'correction', 'decision', 'name', 'other_controller', 'present_on', 'reason', 'recognise',
      'reply_address', 'view',
    ]);
  for (const { letter } of all) {
    for (const name of ['present_on', 'recognise', 'reply_address']) {
      assert.ok(!letter.required.includes(name), `${letter.code}: ${name}`);
    }
  }
});

test('every placeholder is explained in every language and used by a letter', () => {
  const used = new Set(letters.flatMap((/** @type {any} */ letter) => [...letter.required, ...letter.optional]));
  assert.deepEqual(Object.keys(placeholders).sort(), [...used].sort());
  for (const [name, one] of Object.entries(placeholders)) {
    for (const language of languages) assert.ok(one[language], name);
    assert.ok(['device', 'ledger', 'rights', 'person'].includes(one.from), name);
  }
  for (const letter of letters) for (const language of languages) assert.ok(letter[language].label, letter.code);
});

test('the letters use the terms of the law', () => {
  const checked = new Set();
  for (const reference of references) {
    assert.ok(reference.phrases.length > 0 && reference.url.startsWith('https://'), reference.article);
    for (const phrase of reference.phrases) {
      assert.ok(reference.text.toLowerCase().includes(phrase.toLowerCase()),
        `${reference.article}: ${phrase} is not in the law`);
      for (const { regime, language, letter, body } of all) {
        if (language !== reference.language || !reference.regimes.includes(regime)
          || !reference.letters.includes(letter.code)) continue;
        assert.ok(body.toLowerCase().includes(phrase.toLowerCase()), `${regime}/${language}/${letter.code}: ${phrase}`);
        checked.add(`${regime}/${language}/${letter.code}`);
      }
    }
  }
  const unchecked = all.map(({ regime, language, letter }) => `${regime}/${language}/${letter.code}`)
    .filter((/** @type {string} */ name) => !checked.has(name));
  // The Acts of the United Kingdom have no Portuguese text, and do not define the terms of a complaint.
  assert.deepEqual(unchecked,
    [
      'uk-gdpr/en/complain_silence', 'uk-gdpr/en/complain_refusal', 'uk-gdpr/pt/remind', 'uk-gdpr/pt/complain_silence',
      'uk-gdpr/pt/complain_refusal',
    ]);
});

test('the filled-in letters match the examples', () => {
  assert.ok(examples.length >= 3);
  for (const { letter, values, subject, body } of examples) {
    assert.deepEqual(fill(text(`letters/${letter}.txt`), values), { subject, body }, letter);
  }
});
