// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { embedAddress, snippet, wholeAddress } from '../../public/js/embed/address.js';

test('a frame shows the filters and the view of the map', () => {
  assert.equal(embedAddress('./?category=alpr,webcam&q=a+b#map=12.00/32.650/-16.900', {}),
    '/embed?category=alpr,webcam&q=a+b#map=12.00/32.650/-16.900');
  assert.equal(embedAddress('./', {}), '/embed');
});

test('a frame has no open card, no draft and no language of its maker', () => {
  const page = './?category=alpr&device=01935f6e-0000-7000-8000-000000000000&add=new&lang=pt#map=1.00/0.00/0.00';
  assert.equal(embedAddress(page, {}), '/embed?category=alpr#map=1.00/0.00/0.00');
});

test('theme and language are in the address only if they were chosen', () => {
  assert.equal(embedAddress('./?q=x', { theme: 'dark', language: 'pt' }), '/embed?q=x&theme=dark&lang=pt');
  assert.equal(embedAddress('./?q=x', { theme: '', language: '' }), '/embed?q=x');
});

test('a chart has its question, but no list of charts and no view', () => {
  assert.equal(embedAddress('/statistics?place=2267057&charts=category,country#by-category', { chart: 'category' }),
    '/embed?place=2267057&chart=category');
});

test('the whole page of a frame shows the same', () => {
  assert.equal(wholeAddress('?category=alpr&theme=dark&lang=pt', '#map=1.00/0.00/0.00'),
    '/?category=alpr#map=1.00/0.00/0.00');
  assert.equal(wholeAddress('?place=1&chart=time&interval=year', '#x'), '/statistics?place=1&interval=year');
  assert.equal(wholeAddress('', ''), '/');
});

test('a filter called like a part of a frame stays a filter', () => {
  assert.equal(embedAddress('./?q=device%3Dx&operator=add', {}), '/embed?q=device%3Dx&operator=add');
});

test('the HTML for another site escapes its values', () => {
  const html = snippet('https://a.example/embed?q=%22&x=1', 'Map "of" <b> & more', 420);
  assert.ok(html.startsWith('<iframe src="https://a.example/embed?q=%22&amp;x=1" '));
  assert.ok(html.includes('title="Map &quot;of&quot; &lt;b&gt; &amp; more"'));
  assert.ok(html.includes('height="420"') && html.endsWith('></iframe>'));
  assert.equal(html.match(/</g)?.length, 2);
});

/**
 * All modules that a script imports, at once or for its first view.
 * @param {string} path below `public/js` @param {Set<string>} [found]
 */
function imported(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const source = readFileSync(new URL(`../../public/js/${path}`, import.meta.url), 'utf8');
  for (const [, name] of source.matchAll(/(?:^import [^;]*?from |\bsoon\(import\()'([^']+)'/gms)) {
    imported(new URL(name, `https://x/${path}`).pathname.slice(1), found);
  }
  return found;
}

test('the embedded page imports nothing that knows a session or stores data', () => {
  const modules = imported('embedded/page.js');
  assert.ok(modules.has('map/map-view.js') && modules.has('statistics/figure.js'));
  for (const module of modules) {
    // The list of names, through which the page reads the language and the theme.
    if (module === 'storage/kept.js') continue;
    assert.doesNotMatch(module, /^(session\.js|storage\/|ledger\/|drafts\/|account\/|page\/start\.js|shell\/)/);
    const source = readFileSync(new URL(`../../public/js/${module}`, import.meta.url), 'utf8');
    assert.doesNotMatch(source, /document\.cookie|indexedDB|sessionStorage/, module);
  }
});
