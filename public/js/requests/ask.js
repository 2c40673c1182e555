// @ts-check
// «Ask for records» on the page of a person: what, why, for how long.

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

/** @param {string} username of whoever is asked */
export function askPart(username) {
  const title = translate('requests.ask.title');
  const account = session()?.account;
  if (!account) {
    return paper('ask', title, h('p', {}, translate('requests.ask.what')),
      h('p', {}, h('a', { class: 'button', href: signInAddress() }, icon('sign-in'), translate('menu.sign_in'))));
  }
  const { button, place } = opener({ words: translate('requests.ask'), symbol: icon('mail') }, (close) => askForm(username, close));
  return paper('ask', title, h('p', {}, translate('requests.ask.what')), h('div', { class: 'form-acts' }, button), place);
}

/** @param {string} username @param {(said?: string) => void} close */
function askForm(username, close) {
  const fields = [
    longField({ name: 'reason', label: translate('requests.reason'), note: translate('requests.reason.note'), isRequired: true }),
    choicesField({
      name: 'fields', label: translate('requests.fields'), value: [], mustBe: translate('form.needed'),
      options: FIELDS.map((code) => ({ code, label: translate(`requests.field.${code}`) })),
    }),
    selectField({
      name: 'days', label: translate('requests.days'), note: translate('requests.days.note'), value: '30',
      options: SPANS.map((days) => /** @type {[string, string]} */ ([String(days), plural('requests.days.option', days)])),
    }),
    checkField({ name: 'subscribe', label: translate('requests.subscribe'), note: translate('requests.subscribe.note') }),
  ];
  return new Form({
    fields,
    submit: translate('requests.ask.send'),
    symbol: 'send',
    beside: [cancelButton(close)],
    act: async ({ reason, fields: wanted, days, subscribe }) => {
      await send('POST', '/api/data-requests', { json: { username, reason, fields: wanted, days: Number(days), subscribe } });
      close(translate('requests.ask.sent', { name: username }));
    },
    explain: (refusal) => (refusal instanceof Refusal && refusal.status === 404 ? [{ words: [translate('requests.ask.closed')] }] : null),
  });
}
