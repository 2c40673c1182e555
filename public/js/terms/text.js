// @ts-check
// The terms and the privacy notice of an instance, kept as data: terms/en.json, terms/pt.json.

import { getAsset } from '../api.js';
import { fill, h } from '../dom.js';
import { formatDay } from '../format.js';
import { language, translate } from '../i18n.js';
import { settings } from '../page/start.js';

/** @typedef {(string | string[])[]} Passage paragraphs, and lists of points */
/** @typedef {{id: string, title: string, text: Passage}} Section */
/** @typedef {{changed: string, lead: string, sections: Section[]}} Terms */

/**
 * The terms with the gaps filled in as this instance has them.
 * @returns {Promise<Terms>}
 */
export async function loadTerms() {
  const [terms, { name, contact, licence }] = await Promise.all([getAsset(`terms/${language()}.json`), settings()]);
  const values = { name, contact: (contact ?? '').replace(/^mailto:/, '') || translate('terms.no_contact'), licence: licence ?? '' };
  const filled = (/** @type {any} */ part) => (Array.isArray(part) ? part.map(filled) : String(part).replace(/\{(name|contact|licence)\}/g, (_, gap) => values[/** @type {'name'} */ (gap)]));
  return {
    changed: terms.changed, lead: filled(terms.lead),
    sections: terms.sections.map((/** @type {Section} */ section) => ({ id: section.id, title: filled(section.title), text: filled(section.text) })),
  };
}

/** @param {Terms} terms @param {'h2' | 'h3'} heading */
export function termsBody(terms, heading) {
  return [
    h('p', {}, terms.lead),
    ...terms.sections.flatMap((section) => [h(heading, { id: `terms-${section.id}` }, section.title), ...section.text.map(passage)]),
    h('p', { class: 'section-note' }, translate('terms.changed', { day: formatDay(terms.changed, language()) ?? '' })),
  ];
}

/** @param {string | string[]} part */
function passage(part) {
  return Array.isArray(part) ? h('ul', { class: 'points' }, ...part.map((point) => h('li', {}, point))) : h('p', {}, part);
}

/** The terms to open where they are to be accepted. */
export function termsInPlace() {
  const body = h('div', { class: 'terms-in-place-body', tabindex: '0', role: 'region', 'aria-label': translate('terms.title') });
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
