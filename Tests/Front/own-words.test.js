// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allWords, startLanguage, translate } from '../../public/js/i18n.js';

const files = {
  'words/main.en.json': { map: 'Map' }, 'locale/en.json': { map: 'Map', later: 'Later' },
};

/** @param {string} [part] */
function page(part) {
  Object.assign(globalThis, {
    document: { documentElement: { lang: 'en', dataset: part ? { wordsOf: part } : {} }, querySelectorAll: () => [],
      // The list of files of a built page.
      querySelector: () => ({ getAttribute: () => '{"words/main.en.json": "/assets/main.en-1.json"}' }),
    },
    location: { search: '' }, navigator: { languages: [] },
  });
}

test('a page starts with its own words and loads the others once', async () => {
  page('main');
  /** @type {string[]} */
  const asked = [];
  await startLanguage(async (path) => {
    asked.push(path);
    return files[/** @type {keyof typeof files} */ (path)];
  });
  assert.equal(translate('map'), 'Map');
  assert.equal(translate('later'), 'later');
  await Promise.all([allWords(), allWords()]);
  await allWords();
  assert.equal(translate('later'), 'Later');
  assert.deepEqual(asked, Object.keys(files));
});

test('all words stay, even if those of the page arrive after them', async () => {
  page('main');
  /** @type {(words: any) => void} */
  let arrive = () => {};
  const started = startLanguage((path) => (path.startsWith('words/')
    ? new Promise((resolve) => { arrive = resolve; }) : Promise.resolve(files['locale/en.json'])));
  await allWords();
  arrive(files['words/main.en.json']);
  await started;
  assert.equal(translate('later'), 'Later');
});

test('a page without words of its own has all from the start', async () => {
  page();
  await startLanguage(async (path) => files[/** @type {keyof typeof files} */ (path)]);
  assert.equal(translate('later'), 'Later');
});

test('the other words are requested again after a failure', async () => {
  page('main');
  let isOut = true;
  await startLanguage(async (path) => {
    if (path.startsWith('locale/') && isOut) throw new Error('outage');
    return files[/** @type {keyof typeof files} */ (path)];
  });
  await assert.rejects(allWords());
  isOut = false;
  await allWords();
  assert.equal(translate('later'), 'Later');
});
