// @ts-check
// Links from a fact to the form that corrects it.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { QUESTIONS } from './record.js';

/**
 * Questions of facts that have another name on the page.
 * @type {Record<string, string>}
 */
const ASKED = {
  operator_kind: 'operator', contact: 'operator', privacy_policy: 'operator', data_protection_contact: 'operator',
  position: 'place',
};

/**
 * URL of the edit page of a device.
 * @param {string} id @param {string} [question] question to open first
 */
export function editAddress(id, question) {
  return `/devices/${id}/edit${question ? `?field=${question}` : ''}`;
}

/**
 * Edit link for a fact; null for a fact that only the server sets.
 * @param {string} id id of the device
 * @param {string} field name of the fact on the page
 */
export function correctLink(id, field) {
  const question = ASKED[field] ?? field;
  if (!QUESTIONS.includes(question)) return null;
  const words = translate('device.correct', { what: translate(`field.${field}`) });
  return h('a', { class: 'correct', href: editAddress(id, question), 'aria-label': words, title: words }, icon('edit'));
}
