// @ts-check
// A card for one request for records: the other party, the reason, the fields, the state and the possible actions.

import { cancelButton, opener } from '../account/section.js';
import { send } from '../api.js';
import { dayField, longField } from '../choices/fields.js';
import { h, icon } from '../dom.js';
import { checkField, choicesField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { plural, translate } from '../i18n.js';
import { addDays, todayHere } from '../ledger/deadline.js';
import { recordsPart } from './records.js';
import { acceptance, actsOf } from './requests.js';
import { dayWords, fieldWords, partyName, requestBadge } from './words.js';

/** @typedef {import('./requests.js').DataRequest} DataRequest */
/** @typedef {import('./requests.js').Side} Side */
/** @typedef {(said: string) => Promise<void>} Changed */

const USUAL_DAYS = 30;
const MOST_DAYS = 365;

/** @param {DataRequest} request @param {Side} side @param {Changed} changed @returns {import('../dom.js').Child[]} */
export function requestCard(request, side, changed) {
  const other = partyName(side === 'asked' ? request.from : request.to);
  const [before, after = ''] = translate(`requests.${side}.who`, { name: '\u0000' }).split('\u0000');
  const acts = actsOf(request, side);
  return [
    h('div', { class: 'request-head' }, h('h3', {}, before, other, after), requestBadge(request.state)),
    request.reason && h('blockquote', { class: 'said' }, request.reason),
    facts(request),
    ...actParts(request, acts, changed),
    acts.includes('records') && recordsPart(request),
    request.granted && seen(request, side),
  ];
}

/** @param {DataRequest} request */
function facts({ fields, askedAt, lapsesOn, state, granted, note, subscribe }) {
  /** @type {[string, import('../dom.js').Child][]} */
  const rows = [['fields', fieldWords(fields)], ['asked_at', dayWords(askedAt)]];
  if (subscribe && !granted) rows.push(['subscribe', translate('requests.fact.subscribe.asked')]);
  if (state === 'waiting' && lapsesOn) {
    rows.push(['lapses', translate('requests.fact.lapses.words', { day: dayWords(lapsesOn) })]);
  }
  if (granted) {
    rows.push(['granted', fieldWords(granted.fields)]);
    if (granted.from || granted.to) rows.push(['span', spanWords(granted)]);
    if (granted.until) rows.push(['until', dayWords(granted.until)]);
    if (granted.isSubscribed) rows.push(['subscribe', translate('requests.fact.subscribe.granted')]);
  }
  if (note) rows.push(['note', h('span', { class: 'said' }, note)]);
  return h('dl', { class: 'stored' },
    ...rows.map(([name, words]) => h('div', {}, h('dt', {}, translate(`requests.fact.${name}`)), h('dd', {}, words))));
}

/** @param {import('./requests.js').Granted} granted */
function spanWords({ from, to }) {
  const key = from && to ? 'both' : from ? 'from' : 'to';
  return translate(`requests.fact.span.${key}`, { from: dayWords(from), to: dayWords(to) });
}

/** @param {DataRequest} request @param {import('./requests.js').Act[]} acts @param {Changed} changed */
function actParts(request, acts, changed) {
  /** @type {Record<string, (close: (said?: string) => void) => Form>} */
  const forms = {
    accept: (close) => acceptForm(request, close, changed),
    refuse: (close) => noteForm(request, 'refuse', 'answer', { accept: false }, close, changed),
    revoke: (close) => noteForm(request, 'revoke', 'revoke', {}, close, changed),
    withdraw: (close) => noteForm(request, 'withdraw', 'withdraw', null, close, changed),
  };
  const openers = acts.filter((act) => act in forms).map((act) => opener({
    words: translate(`requests.${act}`),
    symbol: icon(act === 'accept' ? 'check' : act === 'withdraw' ? 'restore' : 'close'), isDanger: act === 'revoke',
  }, forms[act]));
  return openers.length
    ? [h('div', { class: 'form-acts' }, ...openers.map(({ button }) => button)), ...openers.map(({ place }) => place)]
    : [];
}

/**
 * The form to accept a request, with limits.
 * @param {DataRequest} request @param {(said?: string) => void} close @param {Changed} changed
 */
function acceptForm(request, close, changed) {
  const today = todayHere();
  const fields = [
    choicesField({
      name: 'fields', label: translate('requests.accept.fields'), value: request.fields,
      mustBe: translate('requests.accept.none'),
      options: request.fields.map((code) => ({ code, label: translate(`requests.field.${code}`) })),
    }),
    dayField({
      name: 'from', label: translate('requests.accept.from'), note: translate('requests.accept.span.note'),
      isRequired: false, to: today,
    }),
    dayField({ name: 'to', label: translate('requests.accept.to'), isRequired: false }),
    dayField({
      name: 'until', label: translate('requests.accept.until'), note: translate('requests.accept.until.note'),
      value: addDays(today, request.days ?? USUAL_DAYS), from: today, to: addDays(today, request.days ?? MOST_DAYS),
    }),
    ...(request.subscribe
      ? [
        checkField({
          name: 'subscribe', label: translate('requests.accept.subscribe'),
          note: translate('requests.accept.subscribe.note'),
        }),
      ]
      : []),
    longField({ name: 'note', label: translate('requests.note'), note: translate('requests.note.note') }),
  ];
  return new Form({
    fields,
    body: [
      h('p', { class: 'aside-note' }, icon('info'), h('span', {}, translate('requests.accept.what'))),
      ...fields.map(({ element }) => element),
    ],
    submit: translate('requests.accept.now'),
    symbol: 'check',
    beside: [cancelButton(close)],
    act: async (values) => {
      await send('POST', `/api/data-requests/${encodeURIComponent(request.id)}/answer`, { json: acceptance(values) });
      await changed(translate('requests.accepted'));
    },
  });
}

/**
 * The form of an action with an optional note for the other party; without the note if `body` is null.
 * @param {DataRequest} request @param {'refuse' | 'revoke' | 'withdraw'} act @param {string} path
 * @param {object | null} body @param {(said?: string) => void} close @param {Changed} changed
 */
function noteForm(request, act, path, body, close, changed) {
  const fields = body
    ? [longField({ name: 'note', label: translate('requests.note'), note: translate('requests.note.note') })]
    : [];
  return new Form({
    fields,
    body: [h('p', {}, translate(`requests.${act}.what`)), ...fields.map(({ element }) => element)],
    submit: translate(`requests.${act}.now`),
    isDanger: act === 'revoke',
    beside: [cancelButton(close)],
    act: async ({ note }) => {
      await send('POST', `/api/data-requests/${encodeURIComponent(request.id)}/${path}`,
        { json: { ...body, ...(note && { note }) } });
      await changed(translate(`requests.${act}.done`));
    },
  });
}

/**
 * Each access to the records, so that the owner can check how a permission is used.
 * @param {DataRequest} request @param {Side} side
 */
function seen({ seen: looks }, side) {
  if (!looks.length) return h('p', { class: 'section-note' }, translate(`requests.seen.none.${side}`));
  return h('details', {}, h('summary', {}, plural('requests.seen', looks.length)),
    h('ul', { class: 'looks' },
      ...looks.map(({ at, fields, count }) => h('li', {},
        plural('requests.look', count, { day: dayWords(at), fields: fieldWords(fields) })))));
}
