// @ts-check
// Parts that several lists of visits share: the device, why it needs a visit, buttons, the dialogs to plan and to flag.

import { send } from '../api.js';
import { displayName, isMade } from '../devices/name.js';
import { marker } from '../devices/terms.js';
import { openDialog } from '../dialog.js';
import { h, icon } from '../dom.js';
import { openReasons } from '../flags/dialog.js';
import { isBusy, saidIn, saidOver, steadily, whileBusy } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { categoryIcon, familyOf, label } from '../taxonomies.js';
import { addressOf, asDevice, planLimits, plannedFor } from './visits.js';

/** @typedef {import('./visits.js').Visit} Visit */
/** @typedef {import('./visits.js').VisitDevice} VisitDevice */

/**
 * The head of a card: the symbol, the name and the kind of a device.
 * @param {VisitDevice | null} device null: it was deleted
 * @param {'h2' | 'h3'} heading @param {string} id of the heading
 */
export function deviceHead(device, heading, id) {
  if (!device) return h(heading, { id, tabindex: '-1' }, translate('visit.device_gone'));
  const shown = asDevice(device);
  return h('div', { class: 'look-device' },
    marker(categoryIcon(device.category), 'reported', familyOf(device.category)),
    h('div', {},
      h(heading, { class: 'said', id, tabindex: '-1' }, h('a', { href: `/devices/${device.id}` }, displayName(shown))),
      !isMade(shown) && h('p', { class: 'look-facts' }, label('categories', device.category))));
}

/** @param {readonly string[]} reasons */
export function reasonChips(reasons) {
  return h('ul', { class: 'look-reasons', 'aria-label': translate('visit.why') },
    ...reasons.map((reason) => h('li', {}, translate(`visit.reason.${reason}`))));
}

/** The rule for the devices of households. */
export function streetNote() {
  return h('p', { class: 'aside-note' }, icon('warning'), h('span', {}, translate('walk.household')));
}

/**
 * A button that sends one request and waits for it.
 * @param {object} given
 * @param {string} given.key of the words @param {string} given.symbol @param {string} [given.of] what it is about
 * @param {string} [given.look] @param {() => Promise<unknown>} given.act sends the request
 * @param {() => Promise<unknown> | unknown} [given.done] called after it succeeded
 * @param {(refusal: import('../api.js').Refusal) => Promise<boolean> | boolean} [given.refused]
 * @param {boolean} [given.isRepeatable] whether it is safe to send again after an outage
 */
export function actButton({ key, symbol, of, look = '', act, done, refused, isRepeatable = true }) {
  const words = translate(key);
  const button = h('button', {
    type: 'button', class: `button ${look}`.trim(), 'data-act': key, 'aria-label': of ? `${words}: ${of}` : null,
    onclick: () => {
      if (isBusy(button)) return;
      whileBusy([button], async () => {
        if (await steadily(saidOver(button), act, { again: isRepeatable ? undefined : words, refused })) await done?.();
      });
    },
  }, icon(symbol), words);
  return button;
}

/**
 * Asks when a visit is planned.
 * @param {string} name of the device
 * @param {(planned: string) => Promise<unknown>} act sends the time
 * @param {() => Promise<unknown> | unknown} done called after it succeeded
 */
export function openPlan(name, act, done) {
  const { min, max } = planLimits(Date.now());
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'datetime-local', class: 'text-input', id: 'plan-time', min, max, value: min, required: true,
    'aria-describedby': 'plan-note',
  }));
  const trouble = h('p', { class: 'complaint', role: 'alert' });
  trouble.hidden = true;
  const go = h('button', { type: 'button', class: 'button primary', onclick: submit }, icon('clock'),
    translate('visit.plan'));
  const dialog = openDialog({
    title: translate('visit.plan.title', { name }),
    body: [
      h('div', { class: 'field' }, h('label', { class: 'field-label', for: 'plan-time' }, translate('visit.plan.time')),
        h('p', { class: 'field-note', id: 'plan-note' }, translate('visit.plan.note')), input), trouble],
    foot: [go],
  });
  input.focus();
  async function submit() {
    if (isBusy(go)) return;
    const planned = plannedFor(input.value, Date.now());
    if (!planned) {
      saidIn(trouble).say([translate('visit.plan.wrong')]);
      input.focus();
      return;
    }
    const isSent = await whileBusy([go], () => steadily(saidIn(trouble), () => act(planned), {
      again: translate('visit.plan'),
    }));
    if (!isSent) return;
    dialog.close();
    await done();
  }
}

const FLAGS = ['offensive', 'spam', 'personal_data', 'other'];
const MOST_NOTE = 500; // characters

/**
 * Reports the other side of a visit to the moderators.
 * @param {Visit} visit @param {() => void} done
 */
export function openVisitFlag(visit, done) {
  openReasons({
    title: translate(visit.mine === 'asker' ? 'visit.flag.visitor' : 'visit.flag.asker'),
    words: translate('visit.flag.what_happens'), most: MOST_NOTE, done,
    reasons: (chosen) => h('fieldset', { class: 'reasons' },
      h('legend', { class: 'field-label' }, translate('flag.why')),
      ...FLAGS.map((code) => h('label', { class: 'reason' },
        h('input', { type: 'radio', name: 'reason', value: code, onchange: () => chosen(code) }),
        h('span', {}, h('strong', {}, translate(`visit.flag.${code}`)))))),
    act: (reason, note) => send('POST', `${addressOf(visit.id)}/flag`, {
      json: { reason, ...(note ? { note } : {}) },
    }),
  });
}
