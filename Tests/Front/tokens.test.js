// @ts-check
// The contrast of the colours by the formula of WCAG 2.2.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PALETTES } from '../../public/js/map/palette.js';

const css = readFileSync(new URL('../../public/css/tokens.css', import.meta.url), 'utf8');
const blocks = [...css.matchAll(/\{([^{}]*--ink:[^{}]*)\}/g)].map(([, block]) => (
  /** @type {Record<string, string>} */ (Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)]
    .map(([, name, value]) => [name, value])))));

/** @param {string} colour */
function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} one @param {string} other */
function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test('there is a light theme, and two identical definitions of the dark theme', () => {
  assert.equal(blocks.length, 3);
  assert.deepEqual(blocks[1], blocks[2]);
});

for (const [name, tokens] of /** @type {[string, Record<string, string>][]} */ ([
  ['light', blocks[0]], ['dark', blocks[1]],
])) {
  test(`text of the ${name} theme has a contrast of 4.5:1 on every background`, () => {
    for (const ground of ['paper', 'raised', 'ground', 'beam-wash', 'sea-wash']) {
      for (const text of ['ink', 'ink-soft']) {
        assert.ok(contrast(tokens[text], tokens[ground]) >= 4.5,
          `${text} on ${ground}: ${contrast(tokens[text], tokens[ground])}`);
      }
    }
    assert.ok(contrast(tokens['sea-ink'], tokens.sea) >= 4.5);
    assert.ok(contrast(tokens.sea, tokens.paper) >= 4.5);
    assert.ok(contrast(tokens.sea, tokens.ground) >= 4.5);
  });

  test(`edges and marks of the ${name} theme have a contrast of 3:1`, () => {
    for (const edge of ['edge', 'sea', 'ember', 'gone', 'focus']) {
      assert.ok(contrast(tokens[edge], tokens.paper) >= 3, `${edge}: ${contrast(tokens[edge], tokens.paper)}`);
    }
  });
}

for (const [name, palette] of Object.entries(PALETTES)) {
  test(`land and sea of the ${name} map differ`, () => {
    assert.ok(contrast(palette.land, palette.water) >= (name === 'dark' ? 1.4 : 1.25));
  });

  test(`markers of the ${name} map have a contrast of 3:1 on land and water`, () => {
    for (const mark of [palette.sea, palette.disputed, palette.gone]) {
      for (const ground of [palette.land, palette.water, palette.paper]) {
        assert.ok(contrast(mark, ground) >= 3, `${mark} on ${ground}: ${contrast(mark, ground)}`);
      }
    }
  });

  test(`labels of the ${name} map have a contrast of 4.5:1 on land`, () => {
    for (const label of [palette.label, palette.quiet]) {
      assert.ok(contrast(label, palette.land) >= 4.5, `${label}: ${contrast(label, palette.land)}`);
    }
  });
}
