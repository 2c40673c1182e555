// @ts-check
// One request as its operator sees it: the letter, the deadline, the answers so far and the possible answers. The page
// has no other information about the requester.

import { choiceTitle, dayWords, dueWords, reasonWords, stateBadge, stateSymbol } from '../choices/words.js';
import { lateName } from '../devices/late-name.js';
import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { has, language, translate } from '../i18n.js';
import { todayHere } from '../ledger/deadline.js';
import { dueDay } from '../ledger/ledger.js';
import { answerButtons } from './answer.js';
import { answersOf } from './requests.js';

/** @typedef {import('./requests.js').OperatorRequest} OperatorRequest */
/** @typedef {import('./answer.js').Answer} Answer */

/**
 * @param {OperatorRequest} request @param {(answer: Answer) => Promise<void>} send
 * @param {(Node | null | false)[]} [extra] elements between the head and the letter
 */
export function requestView(request, send, extra = []) {
  const today = todayHere();
  const due = dueWords(request, today);
  return h('div', { class: 'ledger request-page' },
    h('header', { class: 'request-head' },
      h('p', { class: 'section-note' }, choiceTitle(request)),
      h('h1', { tabindex: '-1', class: 'said' }, request.subject),
      h('p', {}, h('a', { class: 'said', href: `/devices/${request.device.id}` }, lateName(request.device))),
      h('p', { class: 'request-standing' }, stateBadge(request, today), due && h('strong', {}, due))),
    ...extra,
    answering(request, send),
    letter(request), days(request), events(request));
}

/** @param {OperatorRequest} request @param {(answer: Answer) => Promise<void>} send */
function answering(request, send) {
  const open = answersOf(request);
  return h('section', { class: 'paper now', id: 'answer', 'aria-labelledby': 'answer-title', tabindex: '-1' },
    h('h2', { id: 'answer-title' },
      translate(open.length
        ? 'request.answer'
        : `request.over.${has(`request.over.${request.state}`) ? request.state : 'other'}`)),
    request.state === 'contested' && h('div', {}, h('p', {}, translate('request.contested')),
      h('blockquote', { class: 'said' }, request.events.at(-1)?.reason)),
    h('p', {}, translate(open.length ? 'request.answer.how' : 'request.over')),
    open.length > 0 && answerButtons(request, open, send));
}

/** @param {OperatorRequest} request */
function letter({ body }) {
  return h('section', { class: 'paper', 'aria-labelledby': 'letter-title' },
    h('h2', { id: 'letter-title' }, translate('request.letter')),
    h('p', { class: 'section-note' }, translate('request.letter.note')),
    h('div', { class: 'request-letter said' }, h('p', { class: 'letter-body' }, body)));
}

/** @param {OperatorRequest} request */
function days(request) {
  const rows = /** @type {const} */ ([['received_on', request.received_on], ['due_on', request.due_on],
    ['extended_until', request.extended_until]]).filter(([, day]) => day);
  if (!rows.length || !dueDay(request)) return null;
  return h('section', { class: 'paper', 'aria-labelledby': 'days-title' },
    h('h2', { id: 'days-title' }, translate('ledger.days')),
    h('dl', { class: 'facts' },
      ...rows.map(([name, day]) => h('div', {}, h('dt', {}, translate(`ledger.${name}`)),
        h('dd', {}, formatDay(day, language()))))));
}

/** @param {OperatorRequest} request */
function events({ events: happened }) {
  return h('section', { class: 'paper', 'aria-labelledby': 'events-title' },
    h('h2', { id: 'events-title' }, translate('ledger.events')),
    happened.length === 0 ? h('p', { class: 'section-note' }, translate('request.no_events'))
      : h('ol', { class: 'events' }, ...happened.map((event) => h('li', {},
        h('p', {}, icon(stateSymbol(event.event)), h('strong', {}, translate(`ledger.state.${event.event}`)), ' ',
          h('span', { class: 'section-note' },
            [dayWords(event.at),
              event.channel && has(`channel.${event.channel}`) && translate(`channel.${event.channel}`),
              event.by === 'operator' && translate('request.by_you'),
              event.by === 'person' && translate('request.by_person')].filter(Boolean).join(' · '))),
        event.reason
          && h('p', {}, `${translate('event.reason')}: `, h('span', { class: 'said' }, reasonWords(event.reason))),
        event.note && h('blockquote', { class: 'said' }, event.note)))));
}

/**
 * Redraws a request after an answer, and moves the focus to the new content.
 * @param {HTMLElement} place @param {HTMLElement} view
 */
export function redraw(place, view) {
  fill(place, view);
  place.querySelector('h1')?.focus();
  scrollTo(0, 0);
}
