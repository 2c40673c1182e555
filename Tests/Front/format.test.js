// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatDate, formatDay, formatDistance, formatDuration, formatList, formatNumber, formatPosition, wind,
} from '../../public/js/format.js';

const plain = (/** @type {string | null} */ text) => text?.replace(/\s/gu, ' ');

test('groups digits by the rules of each language', () => {
  assert.equal(formatNumber(73_074, 'en'), '73,074');
  assert.equal(plain(formatNumber(73_074, 'pt')), '73 074');
});

test('formats numbers without groups by the rules of the language', () => {
  for (const language of ['en', 'pt']) {
    const written = new Intl.NumberFormat({ en: 'en-GB', pt: 'pt-PT' }[language], { useGrouping: true });
    for (const number of [0, 7, -7, 999, -999, 1_000, 12.5]) {
      assert.equal(formatNumber(number, language), written.format(number));
    }
  }
});

test('formats distances in metres below one kilometre and in kilometres above', () => {
  assert.equal(plain(formatDistance(263, 'en')), '265 m');
  assert.equal(plain(formatDistance(994, 'en')), '995 m');
  assert.equal(plain(formatDistance(995, 'en')), '1 km');
  assert.equal(plain(formatDistance(3_440, 'pt')), '3,4 km');
  assert.equal(plain(formatDistance(1_200_000, 'en')), '1,200 km');
  assert.equal(plain(formatDistance(999_400, 'pt')), '999 km');
});

test('formats distances by the rules of the language', () => {
  for (const [language, locale] of [['en', 'en-GB'], ['pt', 'pt-PT']]) {
    for (const metres of [0, 40, 2_250, 3_000, 9_940, 9_960, 412_500, 999_600, 1_200_000]) {
      const unit = metres < 995 ? 'meter' : 'kilometer';
      const value = unit === 'meter' ? metres : metres / 1_000;
      const written = new Intl.NumberFormat(locale, {
        style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: unit === 'kilometer' && value < 10 ? 1 : 0,
      });
      assert.equal(formatDistance(metres, language), written.format(value));
    }
  }
});

test('formats dates in words, independent of the time zone', () => {
  assert.equal(formatDay('2026-05-01', 'en'), '1 May 2026');
  assert.equal(formatDay('2026-05-01T23:59:59Z', 'pt'), '1 de maio de 2026');
});

for (const wrong of [null, undefined, '', 'soon', '2026-13-45']) {
  test(`${wrong} is not a date`, () => assert.equal(formatDay(wrong, 'en'), null));
}

test('formats a date with its known precision', () => {
  assert.equal(formatDate('2024', 'en'), '2024');
  assert.equal(formatDate('2024-05', 'en'), 'May 2024');
  assert.equal(formatDate('2024-05-31', 'pt'), '31 de maio de 2024');
  for (const wrong of [null, '', '24', '2024-13', '2024-5', '2024-05-31T10:00:00Z', 'May']) {
    assert.equal(formatDate(wrong, 'en'), null, String(wrong));
  }
});

test('formats durations in words', () => {
  assert.equal(formatDuration('P30D', 'en'), '30 days');
  assert.equal(formatDuration('P1Y6M', 'en'), '1 year 6 months');
  assert.equal(formatDuration('PT72H', 'pt'), '72 horas');
  assert.equal(formatDuration('P1M', 'pt'), '1 mês');
});

for (const wrong of ['P', 'PT', '30 days', 'P-1D', 'P1.5Y', 'D30']) {
  test(`«${wrong}» is not a duration`, () => assert.equal(formatDuration(wrong, 'en'), null));
}

test('formats the latitude of a position first', () => {
  assert.equal(formatPosition(-16.9087, 32.6479), '32.64790, -16.90870');
});

test('joins lists with a conjunction', () => {
  assert.equal(formatList(['a', 'b', 'c'], 'pt'), 'a, b e c');
});

test('formats bearings as compass points around the whole circle', () => {
  assert.deepEqual([0, 22, 23, 90, 180, 337, 338, 360, -90].map(wind), ['n', 'n', 'ne', 'e', 's', 'nw', 'n', 'n', 'w']);
});
