// @ts-check
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../public/', import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), 'utf8');
/** Texts of pages, and texts that only the server uses. */
const FOLDERS = ['public/locale', 'seed/messages'];
/** @type {Record<string, Record<string, Record<string, string>>>} folder → language → key → text */
const folders = Object.fromEntries(FOLDERS.map((folder) => {
  const place = new URL(`../${folder}/`, root);
  return [folder, Object.fromEntries(readdirSync(place).filter((name) => name.endsWith('.json'))
    .map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(new URL(name, place), 'utf8'))]))];
}));
const catalogues = folders['public/locale'];
const english = catalogues.en;
const texts = FOLDERS.flatMap((folder) => Object.entries(folders[folder]).map(([language, catalogue]) => ({
  path: `${folder}/${language}.json`, source: `${folder}/en.json`, catalogue, english: folders[folder].en,
})));

/** @param {string} folder @returns {string[]} */
function files(folder) {
  return readdirSync(new URL(folder, root), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? files(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]));
}

const scripts = files('js/').filter((path) => path.endsWith('.js')).map((path) => [path, read(path)]);
const pages = readdirSync(root).filter((name) => name.endsWith('.html')).map((name) => [name, read(name)]);
const parts = files('parts/').map((path) => [path, read(path)]);
const holes = (/** @type {string} */ sentence) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const family = (/** @type {string} */ key) => key.replace(/\.(zero|one|two|few|many|other)$/, '');

for (const { path, source, catalogue, english } of texts) {
  test(`${path} has the same keys as English`, () => {
    const [own, others] = [catalogue, english].map((one) => new Set(Object.keys(one).map(family)));
    assert.deepEqual([...others].filter((key) => !own.has(key)), [], `${path} lacks keys of ${source}`);
    assert.deepEqual([...own].filter((key) => !others.has(key)), [], `${source} lacks keys of ${path}`);
  });

  test(`${path} has its keys in alphabetical order`, () => {
    const keys = Object.keys(catalogue);
    const wrong = keys.filter((key, at) => at > 0 && key < keys[at - 1]);
    assert.deepEqual(wrong, [], `${path}: these keys are after a later one`);
  });

  test(`${path} has no empty text`, () => {
    for (const [key, sentence] of Object.entries(catalogue)) assert.ok(sentence.trim(), key);
  });

  test(`${path} has the same placeholders as English`, () => {
    for (const [key, sentence] of Object.entries(catalogue)) {
      if (english[key]) assert.deepEqual(holes(sentence), holes(english[key]), key);
    }
  });
}

test('both folders have the same languages, and no key twice', () => {
  const [ofPages, ofServer] = FOLDERS.map((folder) => folders[folder]);
  assert.deepEqual(Object.keys(ofServer).sort(), Object.keys(ofPages).sort());
  assert.deepEqual(Object.keys(ofServer.en).filter((key) => key in ofPages.en), []);
});

test('no script names a text that only the server has', () => {
  const own = new Set(Object.keys(folders['seed/messages'].en).map(family));
  for (const [path, script] of scripts) {
    for (const [, name] of script.matchAll(/['"`]([\w.-]+)['"`]/g)) assert.ok(!own.has(name), `${name} in ${path}`);
  }
  for (const [path, page] of [...pages, ...parts]) {
    for (const [, key] of page.matchAll(/data-(?:text|label)="([^"]+)"/g)) assert.ok(!own.has(key), `${key} in ${path}`);
  }
});

test('a page that starts with its own texts names its script', () => {
  for (const [path, page] of pages) {
    const [, part] = /data-words-of="([^"]+)"/.exec(page) ?? [];
    const [, script] = /\{\{script js\/([^}]+)\.js\}\}/.exec(page) ?? [];
    if (part) assert.equal(part, script?.replaceAll('/', '-'), path);
  }
});

test('every key in scripts and pages exists', () => {
  for (const [path, script] of scripts) {
    for (const [, key] of script.matchAll(/\btranslate\(\s*'([^']+)'/g)) assert.ok(key in english, `${key} in ${path}`);
    for (const [, key] of script.matchAll(/\bplural\(\s*'([^']+)'/g)) {
      assert.ok(`${key}.other` in english, `${key} in ${path}`);
    }
    for (const [, prefix] of script.matchAll(/\b(?:translate|plural|has)\(\s*`([a-z_.]+)\$\{/g)) {
      // the server defines the reason codes; the page shows a code without a translation as it is
      if (prefix === 'gone.reason.') continue;
      assert.ok(Object.keys(english).some((key) => key.startsWith(prefix)), `${prefix}… in ${path}`);
    }
  }
  for (const [path, page] of [...pages, ...parts]) {
    for (const [, key] of page.matchAll(/data-(?:text|label)="([^"]+)"/g)) {
      assert.ok(key in english, `${key} in ${path}`);
    }
    for (const [, key] of page.matchAll(/\{\{words ([^}]+)\}\}/g)) {
      assert.ok(key in english || key in folders['seed/messages'].en, `${key} in ${path}`);
    }
  }
});

test('a number before a plural noun has a text for the singular', () => {
  // Limits, steps from ten on, corners of a polygon, and an import that ended after many rows.
  const neverOne = new RegExp([
    'admin\\.imports\\.early', 'claim\\.none', 'diary\\.passphrase\\.', 'embed\\.height', 'local_watch\\.(area|too_many)',
    'photo\\.most', 'together\\.people', 'watch\\.area',
  ].map((start) => `^${start}`).join('|'));
  const number = /\{(count|number|devices|rows|columns|seconds|people)\} (?!is\b|was\b|this\b)[a-z]+s\b/;
  const found = Object.entries(english).filter(([key, sentence]) => (
    number.test(sentence) && !/\.other$/.test(key) && !neverOne.test(key)));
  assert.deepEqual(found.map(([key, sentence]) => `${key}: ${sentence}`), []);
});

test('every field of the device page has a name', () => {
  for (const [, field] of read('js/devices/facts.js').matchAll(/field: '(\w+)'/g)) {
    assert.ok(`field.${field}` in english, field);
  }
});

test('the text for an outage is the agreed one', () => {
  assert.equal(english.outage, 'We are having connection problems, please wait for a while');
  assert.equal(catalogues.pt.outage, 'Estamos com problemas de ligação, aguarde um momento, por favor');
});

test('pages have no inline script, style or event handler', () => {
  for (const [path, page] of [...pages, ...parts]) {
    assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/i, path);
  }
});

test('every file that a page references exists', () => {
  for (const [path, page] of [...pages, ...parts]) {
    for (const [, file] of page.matchAll(/\{\{(?:assets\}\}\/|script )([^"}]+)["}]/g)) {
      // Set-up creates these.
      if (!file.startsWith('vendor/')) {
        assert.doesNotThrow(() => read(file), `${file} in ${path}`);
      }
    }
  }
});

test('every icon that a script references exists', () => {
  const drawn = new Set(readdirSync(new URL('icons/interface/', root)).map((name) => name.replace('.svg', '')));
  for (const [path, script] of scripts) {
    for (const [, name] of script.matchAll(/\bicon(?:Button)?\('([a-z-]+)'/g)) {
      assert.ok(drawn.has(name), `${name} in ${path}`);
    }
  }
});

test('only api.js sends requests to the server, besides the report of early.js', () => {
  for (const [path, script] of scripts) {
    if (path !== 'js/api.js' && path !== 'js/early.js') {
      assert.doesNotMatch(script, /\bfetch\(|sendBeacon|new (XMLHttpRequest|WebSocket|EventSource)/, path);
    }
  }
});

test('scripts never insert text as markup', () => {
  for (const [path, script] of scripts) {
    assert.doesNotMatch(script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, path);
  }
});

test('pages share their head, and the server fills in the list of modules', () => {
  for (const [path, page] of pages) {
    if (path === 'embed.html') continue; // A frame on another site has no manifest, and no language or theme stored here.
    assert.match(page, /\{\{head\}\}/, `${path}: see about.html`);
    assert.match(page, /\{\{script js\/[a-z/-]+\.js\}\}/, `${path}: see about.html`);
    assert.doesNotMatch(page, /modulepreload|<meta charset|css\/tokens/, `${path}: see about.html`);
  }
});

test('scripts have no circular imports, because each runs once when it is first imported', () => {
  const imports = new Map(
    scripts.map(([path, script]) => [
      path,
      [...script.matchAll(/^import [^']*'([^']+)';/gm)]
        .map(([, name]) => new URL(name, `file:///${path}`).pathname.slice(1)),
    ]),
  );
  const done = new Set();
  const follow = (/** @type {string} */ path, /** @type {string[]} */ way) => {
    assert.ok(!way.includes(path), [...way, path].join(' → '));
    if (done.has(path)) return;
    for (const next of imports.get(path) ?? []) follow(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) follow(path, []);
});

test('exports are never reassigned, because importers read them once', () => {
  for (const [path, script] of scripts) assert.doesNotMatch(script, /^export (let|var|default|\*|\{)/m, path);
});

test('the placeholders of the service worker are inside quotes', () => {
  const worker = read('service-worker.js');
  assert.match(worker, /'\{\{release\}\}'/);
  assert.match(worker, /JSON\.parse\('\{\{precache\}\}'\)/);
});
