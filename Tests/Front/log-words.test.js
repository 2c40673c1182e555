// @ts-check
// Every action and every kind of target that the server logs has words in both languages.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

const root = new URL('../../', import.meta.url);
const sources = readdirSync(new URL('Sources', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.swift')).map((name) => readFileSync(new URL(`Sources/${name}`, root), 'utf8'));
/** @param {RegExp} pattern @returns {string[]} the groups of all matches */
const all = (pattern) => sources.flatMap((source) => [...source.matchAll(pattern)]
  .flatMap(([, ...groups]) => groups.filter(Boolean)));

for (const language of ['en', 'pt']) {
  const words = JSON.parse(readFileSync(new URL(`public/locale/${language}.json`, root), 'utf8'));

  test(`logged actions and targets have words (${language})`, () => {
    const actions = all(/\.note\(\s*(?:[\w.]+ \? )?"(\w+)"(?: : "(\w+)")?,\s*target:/g);
    const decisions = all(/"\\\(decision(?:\.rawValue)?\)_(\w+)"/g);
    const targets = all(/target: "(\w+) \\\(/g);
    assert.ok(actions.length > 8 && decisions.length > 2 && targets.length > 8, 'the patterns find the code');
    assert.deepEqual([...new Set(actions)].filter((code) => !(`order.act.${code}` in words)), []);
    assert.deepEqual([...new Set(decisions)].filter((kind) => (
      !['approve', 'grant'].some((verb) => `order.act.${verb}_${kind}` in words)
      || !['refuse', 'reject'].some((verb) => `order.act.${verb}_${kind}` in words))), []);
    assert.deepEqual([...new Set(targets)].filter((kind) => !(`order.target.${kind}` in words)), []);
  });
}
