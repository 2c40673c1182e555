// @ts-check
// The words of attributions in the language of the page. Names, marks and licences stay as their owners
// write them.

import { translate } from '../i18n.js';

/** @type {readonly [words: RegExp, key: string][]} */
const WORDS = [
  [/^Coast: (.+)$/, 'credit.coast'], [/^Made with (Natural Earth)$/, 'credit.made_with'],
  [/^Places (©.+)$/, 'credit.places'], [/^© (.+) contributors$/, 'credit.contributors'],
];

/**
 * @param {string} attribution parts separated by « · »
 */
export function creditWords(attribution) {
  return attribution.split(' · ').map((part) => {
    for (const [pattern, key] of WORDS) {
      const [, name] = pattern.exec(part) ?? [];
      if (name) return translate(key, { name });
    }
    return part;
  }).join(' · ');
}
