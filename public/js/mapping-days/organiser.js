// @ts-check
// The actions of the organiser of a mapping day on its page: submit, withdraw, change, delete, cancel, write to
// participants.

import { send } from '../api.js';
import { deleted } from '../account/sessions.js';
import { opener } from '../account/section.js';
import { longField } from '../choices/fields.js';
import { ask, askText } from '../dialog.js';
import { h, icon } from '../dom.js';
import { Form } from '../forms/form.js';
import { isBusy, saidOver, steadily, whileBusy } from '../forms/steadily.js';
import { plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { addressOf } from './days.js';
import { planForm } from './plan-form.js';

/** @typedef {import('./days.js').MappingDay} MappingDay */

const LONGEST_REASON = 500;

/**
 * @param {MappingDay} day of the signed-in user @param {import('../page/start.js').Settings} settings
 * @param {(day: MappingDay | null) => void} changed null: it is deleted
 */
export function organiserPart(day, settings, changed) {
  const { own, state } = day;
  if (!own) return null;
  const post = (/** @type {HTMLElement} */ button, /** @type {string} */ path, /** @type {object} */ sending,
    /** @type {string} */ said) => whileBusy([button], async () => {
    /** @type {MappingDay | null} */
    let found = null;
    const isDone = await steadily(saidOver(button), async () => {
      found = (await send('POST', `${addressOf(day.id)}/${path}`, sending)).body;
    });
    if (!isDone || !found) return;
    changed(found);
    toast(translate(said));
  });
  const button = (/** @type {string} */ name, /** @type {string} */ symbol, /** @type {string} */ look,
    /** @type {(button: HTMLElement) => unknown} */ work) => {
    const element = h('button', {
      type: 'button', class: `button ${look}`, 'data-act': name,
      onclick: () => { if (!isBusy(element)) work(element); },
    }, icon(symbol), translate(`mapping_day.${name}`));
    return element;
  };
  const isOpen = state === 'draft' || state === 'rejected';
  const isPublic = state === 'approved' || state === 'running';
  const editing = opener({ words: translate('mapping_day.change'), symbol: icon('edit') }, (close) => planForm(
    day, settings, { cancel: close, done: async (found) => changed(found) }));
  const mailing = opener({ words: translate('mapping_day.mail'), symbol: icon('mail') }, (close) => mailForm(
    day, close, changed));
  return h('section', { class: 'paper', 'aria-labelledby': 'day-own' }, h('h2', { id: 'day-own' },
    translate('mapping_day.own')),
  h('p', {}, translate(`mapping_day.own.${state}`)),
  isPublic && h('p', {}, plural('mapping_day.own.joined', own.participants), ' ',
    plural('mapping_day.own.waiting', own.waiting)),
  h('div', { class: 'day-acts' },
    isOpen && button('submit', 'send', 'primary', (one) => post(one, 'submission', {}, 'mapping_day.submitted')),
    state === 'waiting' && button('withdraw', 'back', '', (one) => post(
      one, 'withdrawal', {}, 'mapping_day.withdrawn')),
    isOpen && editing.button,
    (isPublic || state === 'over') && own.mails_left > 0 && mailing.button,
    isPublic && button('cancel', 'close', 'grave', async (one) => {
      const reason = await askText({
        title: translate('mapping_day.cancel.why'), label: translate('order.reason'),
        yes: translate('mapping_day.cancel'), no: translate('form.cancel'), longest: LONGEST_REASON, look: 'order',
      });
      if (reason) await post(one, 'cancellation', { json: { reason } }, 'mapping_day.is_cancelled');
    }),
    isOpen && button('delete', 'trash', 'grave', async (one) => {
      const answer = await ask({
        title: translate('mapping_day.delete.title'), words: translate('mapping_day.delete.why'),
        answers: [
          { value: 'yes', label: translate('mapping_day.delete'), look: 'grave' },
          { value: 'no', label: translate('form.cancel') },
        ],
      });
      if (answer === 'yes' && await deleted(addressOf(day.id), one)) changed(null);
    })),
  editing.place, mailing.place);
}

/**
 * @param {MappingDay} day @param {(said?: string) => void} close @param {(day: MappingDay) => void} changed
 */
function mailForm(day, close, changed) {
  const left = day.own?.mails_left ?? 0;
  const text = longField({
    name: 'text', label: translate('mapping_day.mail.text'), note: plural('mapping_day.mail.note', left),
    isRequired: true, most: 2_000,
  });
  return new Form({
    fields: [text], submit: translate('mapping_day.mail.send'), symbol: 'send',
    beside: [h('button', { type: 'button', class: 'button', onclick: () => close() }, translate('form.cancel'))],
    act: async (values) => {
      await send('POST', `${addressOf(day.id)}/mails`, { json: values });
      close(translate('mapping_day.mail.sent'));
      if (day.own) changed({ ...day, own: { ...day.own, mails_left: left - 1 } });
    },
  });
}
