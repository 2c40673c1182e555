// One word for each thing, in what people read: words that were replaced are not used again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const folders = ['../../public/locale/', '../../seed/messages/'];

/** @param {string} language @returns {[string, string][]} */
function words(language) {
  return folders.flatMap((folder) => Object.entries(
    JSON.parse(readFileSync(new URL(`${folder}${language}.json`, import.meta.url), 'utf8'))));
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
  ],
  pt: [
    [/correio eletrónico/i, 'e-mail'],
    [/\bvigi(ar|a|as|ada|adas|lância|lâncias)\b/i, 'alerta'],
    [/minhas escolhas/i, 'os meus pedidos'],
    [/sítio web|este sítio\b|resto do sítio/i, 'site'],
    [/\bcontributos?\b/i, 'contribuição'],
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
