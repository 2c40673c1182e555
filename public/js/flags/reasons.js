// @ts-check
// Reasons for reporting a device, a photo or a person.

import { h } from '../dom.js';
import { translate } from '../i18n.js';

/** @typedef {'device' | 'photo' | 'account'} TargetType */

/**
 * Reasons for each type of content, the most common first.
 * @type {Record<TargetType, readonly string[]>}
 */
const REASONS = {
  device: [
    'gone', 'wrong_place', 'never_there', 'duplicate', 'personal_data', 'offensive', 'spam', 'copyright', 'other',
  ],
  photo: ['personal_data', 'offensive', 'copyright', 'spam', 'other'],
  account: ['spam', 'offensive', 'personal_data', 'copyright', 'other'],
};

export const MOST_NOTE = 1_000; // characters

/**
 * Radio buttons for the reasons.
 * @param {TargetType} type @param {(reason: string) => void} chosen
 */
export function reasonList(type, chosen) {
  return h('fieldset', { class: 'reasons' },
    h('legend', { class: 'field-label' }, translate('flag.why')),
    ...REASONS[type].map((reason) => h('label', { class: 'reason' },
      h('input', { type: 'radio', name: 'reason', value: reason, onchange: () => chosen(reason) }),
      h('span', {}, h('strong', {}, translate(`flag.reason.${reason}`)),
        h('small', {}, translate(`flag.reason.${reason}.why`))))));
}
