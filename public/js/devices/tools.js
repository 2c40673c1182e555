// @ts-check
// The ways from a fact to the form that corrects it.

import { h, icon } from '../dom.js';
import { QUESTIONS } from '../edit/record.js';
import { translate } from '../i18n.js';

/**
 * Facts of the page that a question of another name is about.
 * @type {Record<string, string>}
 */
const ASKED = { operator_kind: 'operator', contact: 'operator', privacy_policy: 'operator', data_protection_contact: 'operator', position: 'place' };

/**
 * Where a device is corrected.
 * @param {string} id @param {string} [question] the one to begin with
 */
export function editAddress(id, question) {
  return `/devices/${id}/edit${question ? `?field=${question}` : ''}`;
}

/**
 * A small pencil beside a fact; nothing beside what only the server says.
 * @param {string} id of the device @param {string} field of the page
 */
export function correctLink(id, field) {
  const question = ASKED[field] ?? field;
  if (!QUESTIONS.includes(question)) return null;
  const words = translate('device.correct', { what: translate(`field.${field}`) });
  return h('a', { class: 'correct', href: editAddress(id, question), 'aria-label': words, title: words }, icon('edit'));
}
