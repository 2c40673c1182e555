// @ts-check
// The logo and the name, which link to the home page.

import { h } from '../dom.js';
import { translate } from '../i18n.js';

/** The name of this instance, set by its admin. */
export function instanceName() {
  const name = document.querySelector('meta[name="application-name"]')?.getAttribute('content') ?? '';
  return name && !name.includes('{') ? name : 'Farol';
}

export function brand() {
  const name = instanceName();
  const symbol = h('span', { class: 'brand-mark', 'aria-hidden': 'true', 'data-icon': 'farol' });
  return [h('a', { class: 'brand', href: '/', 'aria-label': translate('brand.home', { name }) },
    symbol, h('span', { class: 'brand-name' }, name))];
}
