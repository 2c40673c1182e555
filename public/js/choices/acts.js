// @ts-check
// Records what happened next: one button for each event that can follow, with a short form.

import { fill, h, icon } from '../dom.js';
import { selectField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { has, translate } from '../i18n.js';
import { addDays, dayOf, todayHere } from '../ledger/deadline.js';
import { CHANNELS, TransitionRefused } from '../ledger/ledger.js';
import { dayField, longField, openSelect } from './fields.js';
import { readersOf } from './objection.js';
import { reasonsFor } from './reasons.js';
import { stateSymbol } from './words.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */
/** @typedef {import('../ledger/ledger.js').EventName} EventName */
/** @typedef {import('../ledger/ledger.js').Told} Told */

/** Channels that a user can report. The channel `farol` is set by Farol itself. */
const OWN_CHANNELS = CHANNELS.filter((channel) => channel !== 'farol');

/**
 * @param {Choice} choice
 * @param {(told: Told) => Promise<void>} tell
 * @returns {{element: HTMLElement, open: (event: EventName, values?: {channel?: string}) => void}}
 */
export function acts(choice, tell) {
  const place = h('div', { class: 'opened' });
  /** @type {Map<EventName, HTMLElement>} */
  const buttons = new Map();
  const close = () => {
    fill(place);
    for (const button of buttons.values()) button.setAttribute('aria-expanded', 'false');
  };
  /** @param {EventName} event @param {{channel?: string}} [values] */
  const open = (event, values = {}) => {
    const isOpen = buttons.get(event)?.getAttribute('aria-expanded') === 'true';
    close();
    if (isOpen && !values.channel) return;
    buttons.get(event)?.setAttribute('aria-expanded', 'true');
    const form = eventForm(choice, event, tell, values.channel ?? 'email', () => {
      close();
      buttons.get(event)?.focus();
    });
    fill(place, h('h3', { id: 'event-title' }, translate(`event.${event}.title`)), form.element);
    /** @type {HTMLElement | null} */ (form.element.querySelector('input, select, textarea'))?.focus();
  };
  const button = (/** @type {EventName} */ event, /** @type {Record<string, unknown>} */ how) => h('button', {
    type: 'button', class: 'button', ...how,
  }, icon(stateSymbol(event)), translate(`event.${event}`));
  for (const event of choice.next) {
    // Only an answer of the operator needs a confirmation, and it needs no form.
    if (event === 'confirmed') {
      if (choice.events.at(-1)?.by !== 'operator') continue;
      buttons.set(event, button(event, { class: 'button primary', onclick: (/** @type {Event} */ pressed) => (
        steadily(saidOver(/** @type {HTMLElement} */ (pressed.currentTarget)), () => tell({ event }))) }));
    } else buttons.set(event, button(event, { 'aria-expanded': 'false', onclick: () => open(event) }));
  }
  return { element: h('div', { class: 'acts' }, h('div', { class: 'form-acts' }, ...buttons.values()), place), open };
}

/**
 * A code and its label.
 * @param {string} code @param {string} key @returns {[string, string]}
 */
const pair = (code, key) => [code, translate(key)];

/**
 * @param {Choice} choice
 * @param {EventName} event
 * @param {(told: Told) => Promise<void>} tell
 * @param {string} channel
 * @param {() => void} close
 */
function eventForm(choice, event, tell, channel, close) {
  const today = todayHere();
  const last = choice.events.at(-1);
  /** @type {import('../forms/fields.js').FormField[]} */
  const fields = [];
  if (event === 'sent') {
    fields.push(selectField({
      name: 'channel', label: translate('event.channel'), value: channel,
      options: OWN_CHANNELS.map((one) => pair(one, `channel.${one}`)),
    }));
  }
  fields.push(dayField({
    name: 'at', label: translate(`event.${event}.day`), value: today, from: last ? dayOf(last.at) : null, to: today,
  }));
  if (event === 'contested') {
    fields.push(longField({
      name: 'reason', label: translate('event.contested.reason'), isRequired: true, most: 500,
      note: translate(`event.contested.${readersOf(choice)}`),
    }));
  }
  const reasons = reasonsFor(event, choice.right);
  if (reasons.length) {
    fields.push(openSelect({
      name: 'reason', label: translate('event.reason'), isRequired: event === 'extended',
      options: reasons.map((code) => pair(code, `reason.${code}`)),
    }));
  }
  if (event === 'sent' || event === 'acknowledged') {
    fields.push(dayField({
      name: 'received_on', label: translate('event.received'), note: translate(`event.received.${event}`),
      isRequired: false, to: addDays(today, 1),
    }));
  }
  fields.push(longField({ name: 'note', label: translate('event.note'), note: translate('event.note.own') }));
  return new Form({
    fields,
    body: [
      h('p', { class: 'section-note' }, translate(`event.${event}.what`)), ...fields.map(({ element }) => element),
    ],
    submit: translate('event.save'),
    symbol: 'check',
    beside: [h('button', { type: 'button', class: 'button', onclick: close }, translate('form.cancel'))],
    act: async ({ at, reason, received_on: received, note, channel: way }) => {
      try {
        await tell({
          event, ...(at !== todayHere() && { at }), reason: reason || null, received_on: received || null,
          note: note || null, ...(event === 'sent' && { channel: way }),
        });
      } catch (error) {
        if (!(error instanceof TransitionRefused)) throw error;
        const { why } = error;
        const field = fields.find(({ name }) => name === (why === 'received' ? 'received_on' : 'at'));
        field?.complain([translate(has(`transition.${why}`) ? `transition.${why}` : 'transition.transition')]);
        field?.control.focus();
      }
    },
  });
}
