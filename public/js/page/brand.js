// @ts-check
// The mark and the name, which lead home.

import { h } from '../dom.js';
import { translate } from '../i18n.js';

const mark = new URL('../../icons/farol.svg', import.meta.url).href;

/** @param {string} [name] */
export function brand(name = 'Farol') {
  const symbol = h('span', { class: 'brand-mark', 'aria-hidden': 'true' });
  symbol.style.setProperty('--icon', `url("${mark}")`);
  return [h('a', { class: 'brand', href: '/', 'aria-label': translate('brand.home', { name }) },
    symbol, h('span', { class: 'brand-name' }, name))];
}
