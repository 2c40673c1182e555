// Prints how many meanings of column names the page that makes a mapping finds: `make bench-headers`.
//
// `headers.tsv` has names of columns in the languages of published lists, each with the meaning that a person
// assigns to it; without a meaning the column describes something else.

import { readFileSync } from 'node:fs';

import { useByName } from '../../public/js/mapping/headers.js';

const rows = readFileSync(new URL('headers.tsv', import.meta.url), 'utf8').split('\n').filter(Boolean)
  .map((line) => line.split('\t'));
const GROUPS = {
  positions: ['latitude', 'longitude', 'position'], kinds: ['category'],
  all: [...new Set(rows.map(([, , use]) => use))].filter(Boolean),
};

for (const [name, uses] of Object.entries(GROUPS)) {
  const meant = rows.filter(([, , use]) => uses.includes(use));
  const found = rows.filter(([, header]) => uses.includes(useByName(header)));
  const right = meant.filter(([, header, use]) => useByName(header) === use);
  const share = (count, of) => `${(100 * count / of).toFixed(1)} % (${count} of ${of})`;
  console.log(`${name}: precision ${share(right.length, found.length)}, recall ${share(right.length, meant.length)}`);
}
for (const [language, header, use] of rows) {
  if (useByName(header) !== use) console.log(`  ${language} ${header}: ${useByName(header) || 'none'}, not ${use || 'none'}`);
}
