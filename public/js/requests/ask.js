// @ts-check
// The form «Ask for records» on the page of a person or an operator: fields, reason and number of days.

import { cancelButton, opener, paper } from '../account/section.js';
import { Refusal, send } from '../api.js';
import { longField } from '../choices/fields.js';
import { h, icon } from '../dom.js';
import { checkField, choicesField, selectField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { plural, translate } from '../i18n.js';
import { signInAddress } from '../page/trouble.js';
import { session } from '../session.js';
import { FIELDS, SPANS } from './requests.js';

/**
 * @typedef {{name: string, member: {username: string} | {operator: string}}} Asked the name to show, and the
 *   member of the request in the API
 */

/**
 * The recipient for a person.
 * @param {string} username @returns {Asked}
 */
export const person = (username) => ({ name: username, member: { username } });

/**
 * The recipient for a registered operator.
 * @param {string} id @param {string} name @returns {Asked}
 */
export const operator = (id, name) => ({ name, member: { operator: id } });

/** @param {Asked} asked */
const isOperator = (asked) => 'operator' in asked.member;

/** @param {Asked} asked */
export function askPart(asked) {
  const title = translate('requests.ask.title');
  const what = translate(isOperator(asked) ? 'requests.ask.what.operator' : 'requests.ask.what');
  const account = session()?.account;
  if (!account) {
    return paper('ask', title, h('p', {}, what),
      h('p', {}, h('a', { class: 'button', href: signInAddress() }, icon('sign-in'), translate('menu.sign_in'))));
  }
  const { button, place } = opener({ words: translate('requests.ask'), symbol: icon('mail') },
    (close) => askForm(asked, close));
  return paper('ask', title, h('p', {}, what), h('div', { class: 'form-acts' }, button), place);
}

/** @param {Asked} asked @param {(said?: string) => void} close */
function askForm(asked, close) {
  const { name, member } = asked;
  const fields = [
    longField({
      name: 'reason', label: translate('requests.reason'), note: translate('requests.reason.note'), isRequired: true,
    }),
    choicesField({
      name: 'fields', label: translate('requests.fields'), value: [], mustBe: translate('form.needed'),
      options: FIELDS.map((code) => ({ code, label: translate(`requests.field.${code}`) })),
    }),
    selectField({
      name: 'days', label: translate('requests.days'), note: translate('requests.days.note'), value: '30',
      options: SPANS.map((days) =>
        /** @type {[string, string]} */ ([String(days), plural('requests.days.option', days)])),
    }),
    checkField({
      name: 'subscribe', label: translate('requests.subscribe'), note: translate('requests.subscribe.note'),
    }),
  ];
  return new Form({
    fields,
    submit: translate('requests.ask.send'),
    symbol: 'send',
    beside: [cancelButton(close)],
    act: async ({ reason, fields: wanted, days, subscribe }) => {
      await send('POST', '/api/data-requests',
        { json: { ...member, reason, fields: wanted, days: Number(days), subscribe } });
      close(translate('requests.ask.sent', { name }));
    },
    explain: (refusal) =>
      (refusal instanceof Refusal && refusal.status === 404
        ? [{ words: [translate(isOperator(asked) ? 'requests.ask.closed.operator' : 'requests.ask.closed')] }]
        : null),
  });
}
