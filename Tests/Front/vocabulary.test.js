// One word for each thing, in what people read: words that were replaced are not used again.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (/** @type {string} */ file) => JSON.parse(readFileSync(new URL(file, root), 'utf8'));

/** @param {string} language @returns {[string, string][]} */
function words(language) {
  return ['public/locale/', 'seed/messages/'].flatMap((folder) => Object.entries(read(`${folder}${language}.json`)));
}

/**
 * All texts below a value, with the path to each.
 * @param {unknown} value @param {string} path @returns {[string, string][]}
 */
function texts(value, path) {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value ?? {}).flatMap(([key, part]) => texts(part, `${path}.${key}`));
}

/**
 * The texts in one language of files with both: `{"en": …, "pt": …}` at any depth.
 * @param {any} value @param {string} language @param {string} path @returns {[string, string][]}
 */
function inBoth(value, language, path) {
  if (typeof value !== 'object' || value === null) return [];
  if ('en' in value && 'pt' in value) return texts(value[language], path);
  return Object.entries(value).flatMap(([key, part]) => inBoth(part, language, `${path}.${key}`));
}

/** @param {string} language @returns {[string, string][]} */
function pages(language) {
  const files = ['seed/learn/', 'seed/learn/categories/', 'seed/taxonomies/', 'seed/signs/', 'seed/rights/'].flatMap((folder) => (
    readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.json')).map((name) => folder + name)));
  return [
    ...texts(read(`public/terms/${language}.json`), 'terms'),
    ...[...files, 'public/terms/stored.json'].flatMap((file) => inBoth(read(file), language, file)),
  ];
}

/** @type {Record<string, [RegExp, string][]>} */
const replaced = {
  en: [
    [/(?<![-\w{])mail(s|ed)?(?![-\w])/i, 'e-mail for messages, post for paper'],
    [/administrators?\b/i, 'admin'],
    [/web sites?\b|homepage/i, 'website'],
    [/\bmy choices\b/i, 'my requests'],
    [/\bthis choice\b/i, 'this request'],
    [/\bundo of\b/i, 'a sentence with a verb'],
    [/which way does it look/i, 'the direction that a device faces'],
    [/\bthe ground:/i, 'your reason'],
    [/decisions made by machines/i, 'automated decisions'],
    [/accept a call/i, 'respond to a webhook'],
    [/recorded of a device/i, 'changed a device'],
    [/\bdelicate data\b/i, 'sensitive data'],
    [/\bverdicts?\b/i, 'confirmations and disputes, or answers'],
    [/operators? of this (site|server|website|instance)/i, 'the operators of this map'],
    [/accepted? a call|nobody has (noted|recorded)/i, 'a plain sentence'],
  ],
  pt: [
    [/correio eletrónico/i, 'e-mail'],
    [/\bvigi(ar|a|as|ada|adas|lância|lâncias)\b/i, 'alerta'],
    [/minhas escolhas/i, 'os meus pedidos'],
    [/\bsítios?\b/i, 'site on the web, local on the map'],
    [/\bcontributos?\b/i, 'contribuição'],
    [/\bvereditos?\b/i, 'confirmações e contestações'],
    [/não se pode (anular|desfazer)/i, 'esta ação é irreversível'],
    [/(servidor|programa|endereço) de correio|\bnosso correio/i, 'e-mail'],
    [/\badicion(?!ar ao ecrã)/i, 'acrescentar; browsers have «Adicionar ao ecrã principal»'],
    [/\belimin/i, 'apagar'],
    [/\bdescarreg/i, 'transferir'],
  ],
};

for (const [language, list] of Object.entries(replaced)) {
  test(`replaced words are not used again (${language})`, () => {
    for (const [pattern, instead] of list) {
      const found = words(language).filter(([, text]) => pattern.test(text)).map(([key, text]) => `${key}: ${text}`);
      assert.deepEqual(found, [], `write ${instead}`);
    }
  });
}

for (const [language, pattern] of /** @type {[string, RegExp][]} */ ([
  ['en', /(?<![-\w{])(e-?mailed|mail(s|ed)?(?![-\w]))\b|\badministrators?\b|\bweb sites?\b|\bhomepage\b|\bdelicate data\b/i],
  ['pt', /\bsítios?\b|correio eletrónico|\bcontributos?\b/i],
])) {
  test(`the texts of /learn, signs, rights and terms use the same words (${language})`, () => {
    const all = pages(language);
    assert.ok(all.length > 1_000, `${all.length} texts`);
    assert.deepEqual(all.filter(([, text]) => pattern.test(text)), []);
  });
}

test('operators of devices are "operadores" in Portuguese, operators of the map "responsáveis"', () => {
  const portuguese = Object.fromEntries(words('pt'));
  for (const [key, text] of words('en')) {
    const isHost = /operators of (this map|\{instance\})/i.test(text);
    if (isHost) assert.match(portuguese[key], /responsáveis por/i, key);
    else if (/\boperators?\b/i.test(text)) assert.doesNotMatch(portuguese[key], /responsáve(l|is)/i, key);
  }
});

test('an e-mail is "um e-mail" in Portuguese; "mensagem" is what somebody writes to another person', () => {
  const english = Object.fromEntries(words('en'));
  const found = words('pt').filter(([key, text]) => (
    /mensage/i.test(text) && /e-mail/i.test(english[key]) && !/message/i.test(english[key]) && !/e-mail/i.test(text)));
  assert.deepEqual(found.map(([key, text]) => `${key}: ${text}`), []);
});

test('"dispositivo" in Portuguese means the device of the reader only', () => {
  const readers = /^(offline|account)\./;
  const found = words('pt').filter(([key, text]) => /dispositivo/i.test(text) && !readers.test(key)).map(([key]) => key);
  assert.deepEqual(found, []);
});

test('no text names a file of the sources, which an installation does not have', () => {
  for (const language of ['en', 'pt']) {
    const found = words(language).filter(([, text]) => /\b(docs|seed|public|Sources)\/[\w/-]+\.\w+/.test(text));
    assert.deepEqual(found.map(([key]) => key), []);
  }
});
