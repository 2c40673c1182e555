// @ts-check
// The name of a device's operator, as a link to the page of that operator.

import { h } from '../dom.js';
import { operatorAddress } from '../links.js';
import { term } from '../taxonomies.js';

/**
 * A name on a household device is no link: it may be the name of a person, and has no page.
 * @param {string} name @param {string} category
 */
export function operatorName(name, category) {
  const words = h('bdi', { class: 'said' }, name);
  return term('categories', category)?.household ? words : h('a', { href: operatorAddress(name) }, words);
}
