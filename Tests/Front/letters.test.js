// @ts-check
// The letters: one for each right, language and regime. Each cites its article, uses the terms of the law, and has
// exactly the placeholders of the index.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const seed = new URL('../../seed/', import.meta.url);
const text = (/** @type {string} */ path) => readFileSync(new URL(path, seed), 'utf8');
const read = (/** @type {string} */ path) => JSON.parse(text(path));
const { languages, regimes, unreviewed, placeholders, letters } = read('letters/index.json');
const law = read('rights/rights.json');
const { references } = read('letters/reference.json');
const { examples } = read('letters/examples.json');

const named = (/** @type {string} */ letter) =>
  new Set([...letter.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]));
const families = /** @type {[string, string[]][]} */ (Object.entries(regimes));
const lettersOf = (/** @type {string} */ family) =>
  letters.filter((/** @type {any} */ letter) => letter.articles[family] !== undefined);
const all = families.flatMap(([regime, own]) => own.flatMap((language) =>
  lettersOf(regime).map((/** @type {any} */ letter) =>
    ({ regime, language, letter, body: text(`letters/${regime}/${language}/${letter.code}.txt`) }))));

/** @type {Record<string, {hello: RegExp, article: string, law: Record<string, RegExp>, month: RegExp}>} */
const WORDS = {
  en: {
    hello: /\nDear Sir or Madam,\n/, article: 'Articles?', month: /within (one month|30 days)/,
    law: { 'eu-gdpr': /GDPR/, 'uk-gdpr': /UK GDPR/, 'ch-fadp': /FADP/ },
  },
  pt: {
    hello: /\nExmos\. Senhores,\n/, article: 'artigos?', month: /no prazo de (um mês|30 dias)/,
    law: { 'eu-gdpr': /RGPD/, 'uk-gdpr': /RGPD do Reino Unido/, 'ch-fadp': /LPD/ },
  },
  de: {
    hello: /\nSehr geehrte Damen und Herren,?\n/, article: 'Artikel', month: /inner(halb eines Monats|t 30 Tagen)/,
    law: { 'eu-gdpr': /DSGVO/, 'ch-fadp': /DSG\b/ },
  },
  fr: {
    hello: /\nMadame, Monsieur,\n/, article: 'articles?', month: /dans (un délai d’un mois|les 30 jours)/,
    law: { 'eu-gdpr': /RGPD/, 'ch-fadp': /LPD/ },
  },
  it: {
    hello: /\nGentili Signore, egregi Signori,\n/, article: 'articol[oi]', month: /entro (un mese|30 giorni)/,
    law: { 'eu-gdpr': /RGPD/, 'ch-fadp': /LPD/ },
  },
  es: {
    hello: /\nEstimados señores y señoras:\n/, article: 'artículos?', month: /en el plazo de un mes/,
    law: { 'eu-gdpr': /RGPD/ },
  },
};

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
  assert.deepEqual(regimes, {
    'eu-gdpr': ['en', 'pt', 'de', 'fr', 'it', 'es'], 'uk-gdpr': ['en', 'pt'], 'ch-fadp': ['de', 'fr', 'it', 'en', 'pt'],
    'us-state': ['en', 'pt'],
  });
  assert.deepEqual(new Set(Object.values(regimes).flat()), new Set(languages));
  const codes = letters.map((/** @type {any} */ letter) => letter.code);
  assert.equal(new Set(codes).size, codes.length);
  for (const right of law.rights) {
    if (right.code === 'complain') {
      for (const why of ['silence', 'refusal', 'unfulfilled']) assert.ok(codes.includes(`complain_${why}`), why);
    } else assert.ok(codes.includes(right.letter), right.code);
    const own = letters.find((/** @type {any} */ letter) => letter.code === right.letter);
    for (const need of right.needs) assert.ok(own.required.includes(need), `${right.code}: ${need}`);
  }
  assert.ok(codes.includes('offered') && codes.includes('remind'));
});

test('only existing languages are marked as unchecked by a lawyer', () => {
  for (const [regime, own] of Object.entries(unreviewed)) {
    for (const language of own) assert.ok(regimes[regime].includes(language), `${regime}: ${language}`);
  }
});

test('every file has an entry in the index', () => {
  for (const [regime, own] of families) {
    for (const language of own) {
      const files = readdirSync(new URL(`letters/${regime}/${language}/`, seed)).sort();
      assert.deepEqual(files, lettersOf(regime).map((/** @type {any} */ letter) => `${letter.code}.txt`).sort());
    }
    assert.deepEqual(readdirSync(new URL(`letters/${regime}/`, seed)).sort(), [...own].sort());
  }
});

for (const { regime, language, letter, body } of all) {
  test(`${regime}/${language}/${letter.code} has exactly the placeholders of the index`, () => {
    const used = named(body);
    const more = letter.more?.[regime] ?? [];
    for (const name of more) assert.ok(used.has(name), `{${name}} is not used`);
    for (const name of letter.required) assert.ok(used.has(name), `{${name}} is required and not used`);
    for (const name of letter.optional) assert.ok(used.has(name), `{${name}} is not used`);
    for (const name of used) {
      assert.ok([...letter.required, ...letter.optional, ...more].includes(name), `{${name}} is not in the index`);
    }
    assert.doesNotMatch(body.replace(/\{[a-z_]+\}/g, ''), /[{}]/);
  });

  test(`${regime}/${language}/${letter.code} cites its article and law, with a reasonable length`, () => {
    const { article: word, law: laws } = WORDS[language];
    const articles = letter.articles[regime].replace(/\([^)]*\)/g, '').match(/\d+[A-Z]?/g) ?? [];
    for (const article of articles) {
      const [, number, suffix] = article.match(/(\d+)([A-Z]?)/);
      const written = letter.articles[regime].startsWith('section')
        ? new RegExp(`(section|secção) ${article}\\b`)
        : new RegExp(language === 'pt'
          ? `artigos? ([0-9.º]+ e )?${number}\\.º${suffix ? `-${suffix}` : ''}`
          : `${word} ([0-9()]+ (and|und|et|e|y) )?${article}\\b`);
      assert.match(body, written);
    }
    if (regime === 'us-state' && letter.code !== 'offered') assert.match(body, /\{law\}[^\n]*\{right_article\}/);
    if (laws[regime]) assert.match(body, laws[regime]);
    if (regime === 'eu-gdpr') assert.doesNotMatch(body, /UK GDPR|Reino Unido|2018/);
    const count = body.split(/\s+/).filter(Boolean).length;
    assert.ok(count >= 80 && count <= 420, `${count} words`);
  });

  test(`${regime}/${language}/${letter.code} starts with a subject and a salutation, and ends with the name`, () => {
    const [subject, empty] = body.split('\n');
    assert.ok(subject.length > 20 && subject.length < 140, subject);
    assert.equal(empty, '');
    assert.match(body, WORDS[language].hello);
    assert.ok(body.endsWith('\n\n{name}\n{reply_address}\n'));
    assert.doesNotMatch(body, /[ \t]\n|\r|\n{3}/);
  });

  test(`${regime}/${language}/${letter.code} removes lines with missing values and keeps all required ones`,
    () => {
      const values = Object.fromEntries([...letter.required, ...letter.more?.[regime] ?? []].map(
        (/** @type {string} */ name) => [name, `<${name}>`]));
      const filled = fill(body, values);
      const whole = `${filled.subject}\n${filled.body}`;
      assert.equal(named(whole).size, 0);
      for (const name of letter.required) assert.ok(whole.includes(`<${name}>`), name);
      assert.doesNotMatch(whole, /: \n|\(\)|\n{3}/);
    });
}

test('letters of request name the deadline and its legal ground', () => {
  /** @type {Record<string, Record<string, string>>} */
  const basis = {
    'eu-gdpr': {
      en: 'Article 12(3) GDPR', pt: 'artigo 12.º, n.º 3, do RGPD', de: 'Artikel 12 Absatz 3 DSGVO',
      fr: 'l’article 12, paragraphe 3, du RGPD', it: 'l’articolo 12, paragrafo 3, del RGPD',
      es: 'el artículo 12, apartado 3, del RGPD',
    },
    'uk-gdpr': {
      en: 'Articles 12(3) and 12A UK GDPR', pt: 'artigos 12.º, n.º 3, e 12.º-A do RGPD do Reino Unido',
    },
  };
  for (const { regime, language, letter, body } of all) {
    if (letter.kind !== 'request') continue;
    assert.match(body, regime === 'us-state' && letter.code !== 'offered' ? /\{time\}/ : WORDS[language].month,
      `${regime}/${language}/${letter.code}`);
    if (['inform', 'offered'].includes(letter.code) || !basis[regime]) continue;
    assert.ok(body.includes(basis[regime][language]), `${regime}/${language}/${letter.code}`);
  }
});

test('German letters for Switzerland are spelled as there', () => {
  for (const { regime, language, letter, body } of all) {
    if (regime === 'ch-fadp' && language === 'de') assert.doesNotMatch(body, /ß|„|DSGVO/, letter.code);
  }
});

test('a letter cites the article of its right in the regime', () => {
  for (const regime of law.regimes) {
    for (const letter of letters) {
      if (letter.right && regime.rights[letter.right] && letter.articles[regime.code] !== undefined) {
        assert.equal(letter.articles[regime.code], regime.rights[letter.right].article,
          `${regime.code} ${letter.code}`);
      }
    }
  }
});

test('reminders and complaints refer to letters that exercise a right', () => {
  const claims = letters.filter((/** @type {any} */ letter) => letter.kind === 'request' && letter.right)
    .map((/** @type {any} */ letter) => letter.code);
  assert.equal(claims.length, 11);
  for (const letter of letters) {
    if (letter.kind === 'request') assert.equal(letter.after, undefined, letter.code);
    else assert.deepEqual([...letter.after].sort(), [...claims].sort(), letter.code);
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
  const used = new Set(letters.flatMap((/** @type {any} */ letter) => (
    [...letter.required, ...letter.optional, ...Object.values(letter.more ?? {}).flat()])));
  assert.deepEqual(Object.keys(placeholders).sort(), [...used].sort());
  for (const [name, one] of Object.entries(placeholders)) {
    for (const language of ['en', 'pt']) assert.ok(one[language], name);
    for (const language of one.fallback ? languages : []) assert.ok(one.fallback[language], `${name} ${language}`);
    assert.ok(['device', 'ledger', 'rights', 'person'].includes(one.from), name);
  }
  for (const letter of letters) for (const language of ['en', 'pt']) assert.ok(letter[language].label, letter.code);
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
  const unchecked = all.filter(({ regime }) => regime.endsWith('gdpr'))
    .map(({ regime, language, letter }) => `${regime}/${language}/${letter.code}`)
    .filter((/** @type {string} */ name) => !checked.has(name));
  // The Acts of the United Kingdom have no Portuguese text, and do not define the terms of a complaint.
  assert.deepEqual(unchecked,
    [
      'uk-gdpr/en/complain_silence', 'uk-gdpr/en/complain_refusal', 'uk-gdpr/en/complain_unfulfilled',
      'uk-gdpr/pt/remind', 'uk-gdpr/pt/complain_silence', 'uk-gdpr/pt/complain_refusal',
      'uk-gdpr/pt/complain_unfulfilled',
    ]);
});

test('the filled-in letters match the examples', () => {
  assert.ok(examples.length >= 3);
  for (const { letter, values, subject, body } of examples) {
    assert.deepEqual(fill(text(`letters/${letter}.txt`), values), { subject, body }, letter);
  }
});

test('the languages that only letters have contain every word that a letter takes from elsewhere', () => {
  const words = read('letters/words.json');
  const own = languages.filter((/** @type {string} */ one) => !['en', 'pt'].includes(one));
  assert.deepEqual(Object.keys(words), ['about', ...own]);
  const terms = (/** @type {string} */ scheme) =>
    read(`taxonomies/${scheme}.json`).terms.map((/** @type {any} */ term) => term.code).sort();
  const english = Object.assign({}, ...['../public/locale/en.json', 'messages/en.json']
    .map((path) => JSON.parse(readFileSync(new URL(path, seed), 'utf8'))));
  const countries = read('rights/jurisdictions.json').jurisdictions.map((/** @type {any} */ row) => row.country).sort();
  for (const language of own) {
    const { sentences, categories, choices, countries: names } = words[language];
    assert.deepEqual(Object.keys(categories).sort(), terms('categories'), language);
    assert.deepEqual(Object.keys(choices).sort(), terms('choices'), language);
    assert.deepEqual(Object.keys(names).sort(), countries, language);
    for (const month of Array.from({ length: 12 }, (_, number) => `mail.month.${number + 1}`)) {
      assert.ok(sentences[month], `${language} ${month}`);
    }
    for (const [key, sentence] of Object.entries(sentences)) {
      assert.deepEqual(named(sentence), named(english[key]), `${language} ${key}`);
    }
    for (const right of law.rights) assert.ok(right[language].label, `${language} ${right.code}`);
    for (const reason of Object.values(law.reasons).flat()) assert.ok(reason[language], `${language} ${reason.code}`);
  }
});
