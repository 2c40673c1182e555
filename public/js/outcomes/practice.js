// @ts-check
// Outcomes of requests on the page of a device: for its operator and for its category. With too few requesters, the
// section says so and shows no figures.

import { h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { MINIMUM } from '../ledger/outcomes.js';
import { label } from '../taxonomies.js';

/** @typedef {import('../ledger/outcomes.js').Outcome} Outcome */
/** @typedef {import('../ledger/outcomes.js').Practice} Practice */

/**
 * @param {Practice} practice
 * @param {{operator: string | null, category: string}} device name of the operator, code of the category
 */
export function practicePart({ operator, category }, device) {
  return h('section', { class: 'can-part practice', 'aria-labelledby': 'can-practice' },
    h('h3', { id: 'can-practice' }, translate('practice.title')),
    device.operator && said(h('bdi', { class: 'said' }, device.operator), operator),
    said(label('categories', device.category), category),
    h('p', { class: 'section-note' }, h('a', { href: '/outcomes' }, translate('practice.how'))));
}

/** @param {Node | string} about @param {Outcome | null} outcome */
function said(about, outcome) {
  return h('div', { class: 'practice-of' },
    h('p', { class: 'practice-name' }, about),
    outcome ? figures(outcome) : h('p', { class: 'section-note' }, translate('practice.few', { minimum: MINIMUM })),
    outcome && outcome.medianDays !== null
      && h('p', { class: 'section-note' }, plural('practice.median', outcome.medianDays)));
}

/** @param {Outcome} outcome */
export function figures(outcome) {
  const list = /** @type {const} */ (['asked', 'honoured', 'refused', 'overdue']);
  return h('dl', { class: 'practice-figures' }, ...list.map((name) => h('div', { class: `practice-${name}` },
    h('dt', {}, translate(`outcomes.${name}`)), h('dd', {}, outcomeNumber(outcome[name])))));
}

/**
 * A rounded number, or the words for too few.
 * @param {number | null} number
 */
export function outcomeNumber(number) {
  if (number !== null) return formatNumber(number, language());
  return h('span', { class: 'practice-none' }, icon('minus'),
    h('span', { class: 'visually-hidden' }, translate('outcomes.few')));
}
