// @ts-check
// «My rights» on the page of requests: the rights under the law of the reader’s country, and a way to begin. The law
// applies to devices in the country, because every right is a right towards the operator of a device.

import { getJSON, isAbort } from '../api.js';
import { countryName } from '../devices/facts.js';
import { ITEMS } from '../devices/list-request.js';
import { fill, h, icon } from '../dom.js';
import { language, translate } from '../i18n.js';
import { readOptions } from '../ledger/options.js';
import { safeLink } from '../links.js';
import { countryOfZone } from '../nearby-countries.js';
import { KNOWN_COUNTRIES } from './countries.js';

/** @typedef {import('../ledger/options.js').Options} Options */

/** The countries whose law Farol covers, by name. */
function countries() {
  return KNOWN_COUNTRIES.map((code) => /** @type {[string, string]} */ ([code, countryName(code)]))
    .sort(([, a], [, b]) => a.localeCompare(b, language()));
}

/** The reader’s country by the time zone, otherwise by the language; null if neither names a country with known law. */
async function ownCountry() {
  const guesses = [await countryOfZone(), ...navigator.languages.map((tag) => /-([A-Z]{2})$/.exec(tag)?.[1])];
  return guesses.find((code) => code && KNOWN_COUNTRIES.includes(code)) ?? null;
}

/**
 * The law towards a device of a country; null without a law.
 * @param {string} country @returns {Promise<Options | null>}
 */
async function lawOf(country) {
  for (const category of ['&category=camera_fixed', '']) {
    const { features } = await getJSON(`${ITEMS}?country=${country}&limit=1${category}`);
    if (features[0]) return readOptions(await getJSON(`${ITEMS}/${features[0].id}/choices`));
  }
  return null;
}

/** The section, which fills itself. */
export function rightsSection() {
  const content = h('div', { 'aria-live': 'polite' });
  const select = /** @type {HTMLSelectElement} */ (h('select', {
    class: 'text-input', id: 'rights-country', onchange: () => show(select.value),
  }, h('option', { value: '' }, translate('rights.choose')),
  ...countries().map(([value, words]) => h('option', { value }, words))));
  let turn = 0;

  /** @param {string} country */
  async function show(country) {
    const own = turn += 1;
    content.setAttribute('aria-busy', 'true');
    try {
      const law = country ? await lawOf(country) : null;
      if (own === turn) fill(content, ...(law ? parts(law, country) : [none(country)]));
    } catch (error) {
      if (!isAbort(error) && own === turn) fill(content, none(country));
    }
    if (own === turn) content.removeAttribute('aria-busy');
  }

  ownCountry().then((country) => {
    if (country && !select.value) select.value = country;
    return show(select.value);
  });
  return h('section', { class: 'paper rights-here', id: 'rights', tabindex: '-1', 'aria-labelledby': 'rights-title' },
    h('h2', { id: 'rights-title' }, translate('rights.title')),
    h('p', {}, translate('rights.lead')),
    h('div', { class: 'field' }, h('label', { class: 'field-label', for: 'rights-country' }, translate('can.country')),
      select),
    content,
    h('div', { class: 'form-acts' },
      h('a', { class: 'button primary', href: '/' }, icon('map'), translate('rights.start')),
      h('a', { class: 'button', href: '/learn' }, icon('learn'), translate('menu.learn'))));
}

/** @param {string} country */
function none(country) {
  return h('p', { class: 'section-note' }, translate(country ? 'rights.none' : 'rights.no_country'));
}

/** @param {Options} law @param {string} country */
function parts({ rights, law, authority, limits }, country) {
  const known = new Map(rights.map((right) => [right.code, right]));
  return [
    h('h3', {}, law ? translate('can.law', { law, place: countryName(country) }) : countryName(country)),
    h('dl', { class: 'rights-list' }, ...[...known.values()].map(({ label, summary, url }) => h('div', {},
      h('dt', {}, link(url, label)), h('dd', {}, summary)))),
    ...limits.map(({ words }) => h('p', { class: 'aside-note' }, icon('info'), h('span', {}, words))),
    authority && h('p', { class: 'section-note' }, translate('can.authority'), ' ',
      link(authority.web, authority.name)),
    h('p', { class: 'section-note' }, translate('can.no_advice')),
  ];
}

/** @param {string | null | undefined} address @param {string} words */
function link(address, words) {
  const href = safeLink(address ?? null);
  return href ? h('a', { href, rel: 'noopener noreferrer', target: '_blank' }, words, icon('external')) : words;
}
