// @ts-check
// The terms and the privacy notice of an instance, stored as data: terms/en.json, terms/pt.json.

import { getAsset } from '../api.js';
import { fill, h } from '../dom.js';
import { formatDay } from '../format.js';
import { language, translate } from '../i18n.js';
import { settings } from '../page/start.js';

/** @typedef {(string | string[])[]} Passage paragraphs and lists */
/**
 * @typedef {object} Section
 * @property {string} id
 * @property {string} title
 * @property {Passage} text
 * @property {true} [stored] whether the list of stored data follows the text
 * @property {true} [kept] whether the list of data in the browser follows the text
 */
/** @typedef {'title' | 'what' | 'why' | 'long' | 'seen'} StoredWord */
/**
 * @typedef {{id: string, basis: string, en: Record<StoredWord, string>, pt: Record<StoredWord, string>}} StoredEntry
 */
/** @typedef {{en: string, pt: string}} Localised */
/**
 * Personal data in the database, and data in the browser: terms/stored.json.
 * @typedef {{kept: Localised[], bases: Record<string, Localised>, personal: StoredEntry[]}} Stored
 */
/** @typedef {{changed: string, lead: string, sections: Section[], stored: Stored}} Terms */

/**
 * Loads the terms and fills in the values of this instance.
 * @returns {Promise<Terms>}
 */
export async function loadTerms() {
  const [terms, stored, { name, contact, licence }] = await Promise.all([
    getAsset(`terms/${language()}.json`), getAsset('terms/stored.json'), settings(),
  ]);
  const values = {
    name, contact: (contact ?? '').replace(/^mailto:/, '') || translate('terms.no_contact'), licence: licence ?? '',
  };
  /** @type {(part: any) => any} */
  const filled = (part) =>
    (Array.isArray(part)
      ? part.map(filled)
      : String(part).replace(/\{(name|contact|licence)\}/g, (_, gap) => values[/** @type {'name'} */ (gap)]));
  return {
    changed: terms.changed, lead: filled(terms.lead), stored,
    sections: terms.sections.map((/** @type {Section} */ section) =>
      ({ ...section, title: filled(section.title), text: filled(section.text) })),
  };
}

/** @param {Terms} terms @param {'h2' | 'h3'} heading */
export function termsBody(terms, heading) {
  return [
    h('p', {}, terms.lead),
    ...terms.sections.flatMap((section) => [
      h(heading, { id: `terms-${section.id}` }, section.title), ...section.text.map(passage),
      ...(section.kept ? [passage(terms.stored.kept.map((one) => one[/** @type {'en' | 'pt'} */ (language())]))] : []),
      ...(section.stored ? storedBody(terms.stored, heading === 'h2' ? 'h3' : 'h4') : []),
    ]),
    h('p', { class: 'section-note' }, translate('terms.changed', { day: formatDay(terms.changed, language()) ?? '' })),
  ];
}

/** @param {string | string[]} part */
function passage(part) {
  return Array.isArray(part)
    ? h('ul', { class: 'points' }, ...part.map((point) => h('li', {}, point)))
    : h('p', {}, part);
}

/**
 * The personal data in the database: data, purpose, legal basis, retention and access.
 * @param {Stored} stored @param {'h3' | 'h4'} heading
 */
function storedBody(stored, heading) {
  const code = /** @type {'en' | 'pt'} */ (language());
  return stored.personal.flatMap((entry) => {
    const words = { ...entry[code], basis: stored.bases[entry.basis][code] };
    const facts = /** @type {const} */ (['what', 'why', 'basis', 'long', 'seen']);
    return [
      h(heading, { id: `stored-${entry.id}` }, words.title),
      h('dl', { class: 'stored' },
        ...facts.map((fact) => h('div', {}, h('dt', {}, translate(`terms.stored.${fact}`)), h('dd', {}, words[fact])))),
    ];
  });
}

/** The terms as a section that opens next to the button that accepts them. */
export function termsInPlace() {
  const body = h('div',
    { class: 'terms-in-place-body', tabindex: '0', role: 'region', 'aria-label': translate('terms.title') });
  const details = h('details', { class: 'terms-in-place' }, h('summary', {}, translate('terms.read')), body);
  details.addEventListener('toggle', async () => {
    if (body.childElementCount) return;
    fill(body, h('p', {}, translate('card.loading')));
    try {
      fill(body, ...termsBody(await loadTerms(), 'h3'));
    } catch (error) {
      fill(body);
      throw error;
    }
  });
  return details;
}
