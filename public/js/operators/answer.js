// @ts-check
// Answers to a request: a button for each possible answer, and its form. The requester receives the reason
// and the text.

import { longField, openSelect } from '../choices/fields.js';
import { reasonsFor } from '../choices/reasons.js';
import { reasonWords, stateSymbol } from '../choices/words.js';
import { fill, h, icon } from '../dom.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { reasonsAmong } from './requests.js';

/** @typedef {import('./requests.js').OperatorRequest} OperatorRequest */
/** @typedef {import('./requests.js').EventName} EventName */
/** @typedef {{event: EventName, reason?: string, note?: string}} Answer */

/**
 * @param {OperatorRequest} request @param {readonly EventName[]} open @param {(answer: Answer) => Promise<void>} send
 * @returns {HTMLElement}
 */
export function answerButtons(request, open, send) {
  const place = h('div', { class: 'opened' });
  /** @type {Map<EventName, HTMLElement>} */
  const buttons = new Map();
  const close = () => {
    fill(place);
    for (const button of buttons.values()) button.setAttribute('aria-expanded', 'false');
  };
  for (const event of open) {
    const button = h('button',
      { type: 'button', class: 'button', id: `answer-${event}`, 'aria-expanded': 'false', onclick: () => {
        const wasOpen = button.getAttribute('aria-expanded') === 'true';
        close();
        if (wasOpen) return;
        button.setAttribute('aria-expanded', 'true');
        const form = answerForm(request, event, send, () => {
          close();
          button.focus();
        });
        fill(place, h('h3', {}, translate(`answer.${event}.title`)), form.element);
        /** @type {HTMLElement | null} */ (form.element.querySelector('input, select, textarea'))?.focus();
      } }, icon(stateSymbol(event)), translate(`answer.${event}`));
    buttons.set(event, button);
  }
  return h('div', { class: 'acts' }, h('div', { class: 'form-acts' }, ...buttons.values()), place);
}

/**
 * @param {OperatorRequest} request @param {EventName} event @param {(answer: Answer) => Promise<void>} send
 * @param {() => void} close
 */
function answerForm(request, event, send, close) {
  const codes = request.reasons_of?.[event] ?? reasonsAmong(reasonsFor(event, request.right), request.reasons ?? []);
  const reason = codes.length ? openSelect({
    name: 'reason', label: translate('event.reason'), isRequired: true,
    options: codes.map((code) => [code, reasonWords(code)]),
  }) : null;
  const words = longField({ name: 'note', label: translate('answer.note'), note: translate(`answer.${event}.note`) });
  const note = {
    ...words,
    fault: () => (reason?.value() === 'other' && !words.value() ? translate('answer.note.needed') : words.fault()),
  };
  const fields = reason ? [reason, note] : [note];
  return new Form({
    fields,
    body: [
      h('p', { class: 'section-note' }, translate(`answer.${event}.what`)), ...fields.map(({ element }) => element),
    ],
    submit: translate(`answer.${event}.send`),
    symbol: 'send',
    beside: [h('button', { type: 'button', class: 'button', onclick: close }, translate('form.cancel'))],
    act: ({ reason: code, note: text }) => send({ event, ...(code && { reason: code }), ...(text && { note: text }) }),
  });
}
