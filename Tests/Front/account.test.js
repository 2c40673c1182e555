// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimate, strength } from '../../public/js/account/strength.js';
import { isEmail, usernameFault, usernameFaultSoFar } from '../../public/js/account/username.js';
import { ownPath, wayBackTo } from '../../public/js/page/way-back.js';

const ORIGIN = 'https://farol.example';

for (const path of [
  '/', '/add', '/devices/01935f6e', '/?q=a%20b#map=14.00/32.6/-16.9', '/account#tokens',
  '/people/ana.b',
]) {
  test(`accepts «${path}» as a return path`, () => assert.equal(ownPath(path, ORIGIN), path));
}

for (const path of [
  null, '', 'add', 'https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example',
  'javascript:alert(1)', '/\n/evil.example', '///evil.example',
  '/sign-in', '/sign-up?then=/', '/recover', '/reset', '/confirm/', '/api', '/api/account/export',
  '/assets/x/js/main.js', `/${'a'.repeat(2_000)}`, '/sign-out/../sign-in',
]) {
  test(`rejects «${String(path).slice(0, 40)}» as a return path`, () => assert.equal(ownPath(path, ORIGIN), null));
}

test('accepts a return path of the maximum length and rejects a longer one', () => {
  assert.equal(ownPath(`/${'a'.repeat(1_999)}`, ORIGIN)?.length, 2_000);
  assert.equal(ownPath(`/${'a'.repeat(2_000)}`, ORIGIN), null);
});

test('the sign-in link returns to the page it was on, including the view of the map', () => {
  const link = wayBackTo({ pathname: '/', search: '?category=webcam', hash: '#map=5.00/1/2' });
  assert.equal(ownPath(new URLSearchParams(link).get('then'), ORIGIN), '/?category=webcam#map=5.00/1/2');
  assert.equal(wayBackTo({ pathname: '/', search: '', hash: '' }), '');
  assert.equal(wayBackTo({ pathname: '/sign-up', search: '?then=%2Fadd', hash: '' }), '');
});

for (const name of ['ana', 'Ana', 'ana.b', 'a_b-c.d', 'joão', 'Ωmega', 'x'.repeat(40), '1st', 'नमस्ते', '  ana  ']) {
  test(`accepts the username «${name}»`, () => assert.equal(usernameFault(name), null));
}

for (const [name, fault] of [
  ['', 'short'], ['ab', 'short'], ['x'.repeat(41), 'long'], ['ana b', 'space'], ['ana@b', 'at'], ['ana!', 'characters'],
  ['123', 'letter'],
  ['.ana', 'separators'], ['ana-', 'separators'], ['a..b', 'separators'], ['a._b', 'separators'],
  ['<img>', 'characters'], ['ana\u202e', 'characters'],
]) {
  test(`rejects the username «${name}»: ${fault}`, () => assert.equal(usernameFault(name), fault));
}

test('while typing, shows only faults that more characters cannot fix', () => {
  assert.deepEqual(['', 'an', '12', 'ana-', 'ana.'].map(usernameFaultSoFar), [null, null, null, null, null]);
  assert.deepEqual(['a!', '-a', 'a..', 'a b'].map(usernameFaultSoFar),
    ['characters', 'separators', 'separators', 'space']);
});

test('validates email addresses like the server', () => {
  for (const good of ['ana@example.org', ' ana@example.org ', 'a.b+c@x-y.example.pt', "o'hara@example.ie"]) {
    assert.equal(isEmail(good), true, good);
  }
  for (const bad of [
    '', 'ana', 'ana@', '@example.org', 'ana@example', 'ana@@example.org', 'a b@example.org',
    'ana@-x.org', 'ana@x..org', 'ana@10.0.0.1', 'aná@example.org', '.ana@example.org',
  ]) {
    assert.equal(isEmail(bad), false, bad);
  }
});

test('rejects passwords of up to seven characters, counted as graphemes', () => {
  assert.equal(strength(''), 'empty');
  assert.equal(strength('1234567'), 'short');
  assert.equal(strength('éàüöñß€'), 'short');
  assert.notEqual(strength('éàüöñß€x'), 'short');
});

test('rejects the username or the email address as a password', () => {
  assert.equal(strength('Ana.Maria', ['ana.maria', 'a@example.org']), 'own');
  assert.equal(strength('mariazinha', ['ana', 'mariazinha@example.org']), 'own');
  assert.notEqual(strength('mariazinha2', ['ana', 'mariazinha@example.org']), 'own');
});

for (const weak of [
  'password', 'Password1', 'P4ssword!', '12345678', 'aaaaaaaa', 'qwertyuiop', 'Benfica1904', 'abcdefgh', 'Portugal2026',
  'ana.maria1', 'abcabcabcabc', 'iloveyou!!',
]) {
  test(`rejects «${weak}» as weak in every variation`,
    () => assert.equal(strength(weak, ['ana.maria', 'ana@example.org']), 'weak'));
}

test('rates longer passwords as stronger', () => {
  assert.equal(strength('vkzt eupo'), 'fair');
  assert.equal(strength('copper tides carry'), 'fair');
  assert.equal(strength('copper tides carry lamps'), 'good');
  assert.equal(strength('copper tides carry lamps home'), 'strong');
  assert.equal(strength('x9$Kq2!vT7mZ'), 'strong');
  const order = ['k7w2m9x4', 'k7w2m9x4q8', 'k7w2m9x4q8t5', 'k7w2m9x4q8t5z3'].map((text) => estimate(text));
  assert.deepEqual([...order].sort((a, b) => a - b), order);
});

test('repeated parts add little strength', () => {
  assert.ok(estimate('vkzteupovkzteupo') < estimate('vkzteupo') + 16);
  assert.ok(estimate('farolfarolfarol') < estimate('farol') + 4);
});
