// @ts-check
// State machine of a choice: the states, the permitted events, and the resulting deadlines. Pure:
// time and rules are parameters. The server implements the same machine; tests of both use the
// examples in seed/rights. Events are appended and never changed.

import { addDays, assumedReceipt, COURTESY, dayOf, daysUntil, isDay, periodEnd, timeText } from './deadline.js';

/** @typedef {import('./deadline.js').Rule} Rule */
/**
 * @typedef {'wanted' | 'sent' | 'acknowledged' | 'extended' | 'honoured' | 'confirmed' | 'contested' | 'refused' |
 *   'complained' | 'withdrawn'}
 *   State
 */
/** @typedef {Exclude<State, 'wanted'>} EventName */
/** @typedef {'person' | 'operator' | 'farol'} Actor */
/** @typedef {'email' | 'url' | 'post' | 'farol' | 'link'} Channel for an answer: `farol` or `link` */
/**
 * @typedef {object} LedgerEvent
 * @property {EventName} event
 * @property {string} at RFC 3339 time, whole seconds in UTC
 * @property {Actor} by
 * @property {string | null} note
 * @property {string | null} reason code from rights.json, or free text
 * @property {Channel | null} channel
 * @property {string | null} [received_on] day of receipt reported with the event
 */
/**
 * A choice in the format of the API and of the export.
 * @typedef {object} Choice
 * @property {string} id
 * @property {{id: string, name: string, category: string, country: string | null, status: string}} device
 * @property {string} kind code of the taxonomy of choices
 * @property {string | null} right right under the law; null for a choice offered by the operator
 * @property {string | null} letter null: the law is unknown, so there is no letter
 * @property {string | null} regime
 * @property {string | null} country
 * @property {string} language of the letter
 * @property {Channel | null} channel
 * @property {State} state
 * @property {boolean} overdue
 * @property {string | null} received_on
 * @property {string | null} due_on
 * @property {string | null} extended_until
 * @property {{first: string, extension: string | null, basis: string}} [deadline] ISO 8601 durations; basis:
 *   `statutory`, `courtesy` or `authority`
 * @property {{name: string | null, contact: string | null} | null} operator
 * @property {Record<string, string>} details text the user entered for the placeholders of the letter
 * @property {string} created_at
 * @property {string} updated_at
 * @property {EventName[]} next events possible now
 * @property {LedgerEvent[]} events
 * @property {boolean} reminders
 * @property {boolean} [reply_link] whether letters contain a link for answering; only in an account
 * @property {{operator: {id: string, name: string}} | null} [farol] the operator that Farol can deliver to; only in an
 *   account
 */
/**
 * @typedef {Pick<Choice, 'state' | 'due_on' | 'extended_until'>} Standing state of a choice or of an operator's request
 */
/**
 * An event as reported.
 * @typedef {object} Told
 * @property {EventName} event
 * @property {string} [at] RFC 3339 time, or a day; now by default
 * @property {Actor} [by]
 * @property {string | null} [note]
 * @property {string | null} [reason]
 * @property {Channel | null} [channel] only with `sent`
 * @property {string | null} [received_on] day of receipt, only with `sent` and `acknowledged`
 */

/** @type {Readonly<Record<State, readonly EventName[]>>} */
export const TRANSITIONS = Object.freeze({
  wanted: ['sent', 'withdrawn'],
  sent: ['acknowledged', 'extended', 'honoured', 'refused', 'complained', 'withdrawn'],
  acknowledged: ['extended', 'honoured', 'refused', 'complained', 'withdrawn'],
  extended: ['honoured', 'refused', 'complained', 'withdrawn'],
  honoured: ['confirmed', 'contested'],
  contested: ['honoured', 'refused', 'complained', 'withdrawn'],
  refused: ['honoured', 'complained', 'withdrawn'],
  complained: ['honoured', 'refused', 'withdrawn'],
  confirmed: [],
  withdrawn: [],
});

/** States that wait for an answer. */
export const RUNNING = Object.freeze(['sent', 'acknowledged', 'extended']);
/**
 * Events that each actor can report. A person can report every event.
 * @type {Readonly<Record<Actor, readonly string[]>>}
 */
const OPEN_TO = Object.freeze({
  person: [
    'sent', 'acknowledged', 'extended', 'honoured', 'confirmed', 'contested', 'refused', 'complained', 'withdrawn',
  ],
  operator: ['acknowledged', 'extended', 'honoured', 'refused'],
  farol: ['sent'],
});
export const CHANNELS = /** @type {readonly Channel[]} */ (Object.freeze(['email', 'url', 'post', 'farol']));
// Milliseconds that an event may lie in the future, because the date differs between time zones.
const GRACE = 86_400_000;
const SOON_DAYS = 7;

/**
 * @typedef {'transition' | 'not_overdue' | 'actor' | 'reason' | 'late' | 'not_extendable' | 'before_last' | 'future'
 *   | 'received' | 'time'} Why reason of a refusal, see docs/reference/ledger.md; `time`: not a valid time
 */

/** Thrown for an event that the current state does not permit. */
export class TransitionRefused extends Error {
  /** @param {State} state @param {string} event @param {Why} why */
  constructor(state, event, why) {
    super(`${event} after ${state}: ${why}`);
    this.state = state;
    this.event = event;
    this.why = why;
  }
}

/**
 * The day on which the answer is due, including an extension.
 * @param {Pick<Choice, 'due_on' | 'extended_until'>} choice
 */
export function dueDay({ due_on: due, extended_until: extended }) {
  return extended ?? due;
}

/**
 * Whether an answer is late. It is late from the day after the due day.
 * @param {Standing} choice @param {string} today
 */
export function isOverdue(choice, today) {
  const due = dueDay(choice);
  return RUNNING.includes(choice.state) && due !== null && today > due;
}

/** @param {Standing} choice @param {string} today @returns {State | 'overdue'} */
export function shownState(choice, today) {
  return isOverdue(choice, today) ? 'overdue' : choice.state;
}

/**
 * Events possible now.
 * @param {Choice} choice
 * @param {string} today
 * @param {boolean} isExtendable
 * @returns {EventName[]}
 */
export function nextEvents(choice, today, isExtendable = choice.deadline
  ? choice.deadline.extension !== null
  : choice.right !== null) {
  return TRANSITIONS[choice.state].filter((event) => {
    if (event === 'complained' && RUNNING.includes(choice.state)) return isOverdue(choice, today);
    return event !== 'extended' || (isExtendable && choice.due_on !== null && today <= choice.due_on);
  });
}

/**
 * Updates the values that depend on the current day: overdue, and the possible events.
 * @param {Choice} choice
 * @param {string} today
 * @param {boolean} [isExtendable]
 * @returns {Choice}
 */
export function asOf(choice, today, isExtendable) {
  return { ...choice, overdue: isOverdue(choice, today), next: nextEvents(choice, today, isExtendable) };
}

/**
 * A new choice, before any letter was sent.
 * @param {Pick<Choice, 'id' | 'device' | 'kind' | 'right' | 'letter' | 'regime' | 'country' | 'language'
 *   | 'operator' | 'deadline'> & {now: string}} given `now` is an RFC 3339 time
 * @returns {Choice}
 */
export function newChoice({ now, ...given }) {
  return {
    ...given, channel: null, state: 'wanted', overdue: false, received_on: null, due_on: null, extended_until: null,
    details: {},
    created_at: now, updated_at: now, next: [...TRANSITIONS.wanted], events: [], reminders: false,
  };
}

/**
 * The time of an event. A day without a time becomes its beginning, or the time of the previous
 * event if that is later on the same day.
 * @param {string} at @param {LedgerEvent | undefined} last @returns {string | null} null: not a valid time
 */
function moment(at, last) {
  const time = new Date(isDay(at) ? `${at}T00:00:00Z` : at);
  if (Number.isNaN(time.getTime())) return null;
  return isDay(at) && last && dayOf(last.at) === at && Date.parse(last.at) > time.getTime() ? last.at : timeText(time);
}

/**
 * @param {Choice} choice
 * @param {Told} told
 * @param {string | null} at
 * @param {Rule} rule
 * @param {string} now
 * @returns {Why | null} reason why the event is not permitted
 */
function fault(choice, told, at, rule, now) {
  const { state, events } = choice;
  const last = events.at(-1);
  if (!TRANSITIONS[state]?.includes(told.event)) return 'transition';
  if (!OPEN_TO[told.by ?? 'person']?.includes(told.event)) return 'actor';
  if (at === null) return 'time';
  if (last && Date.parse(at) < Date.parse(last.at)) return 'before_last';
  if (Date.parse(at) - Date.parse(now) > GRACE) return 'future';
  if (told.event === 'complained' && RUNNING.includes(state) && !isOverdue(choice, dayOf(at))) return 'not_overdue';
  if (told.event === 'extended') {
    if (rule.extension === null) return 'not_extendable';
    if (!told.reason?.trim()) return 'reason';
    if (choice.due_on === null || dayOf(at) > choice.due_on) return 'late';
  }
  const sent = told.event === 'sent' ? at : events.find(({ event }) => event === 'sent')?.at;
  return isReceipt(told, sent, now) ? null : 'received';
}

/**
 * Whether the reported day of receipt is plausible.
 * @param {Told} told @param {string | undefined} sent @param {string} now
 */
function isReceipt(told, sent, now) {
  const { event, received_on: day } = told;
  if (!day) return true;
  return isDay(day) && (event === 'sent' || event === 'acknowledged') && sent !== undefined && day >= dayOf(sent)
    && day <= addDays(dayOf(now), 1);
}

/**
 * Returns the choice after an event.
 * @param {Choice} choice
 * @param {Told} told
 * @param {{rule?: Rule, now: string}} given `now` is an RFC 3339 time
 * @returns {Choice}
 * @throws {TransitionRefused}
 */
export function apply(choice, told, { rule = COURTESY, now }) {
  const at = moment(told.at ?? now, choice.events.at(-1));
  const why = fault(choice, told, at, rule, now);
  if (why || at === null) throw new TransitionRefused(choice.state, told.event, why ?? 'time');
  const channel = told.event === 'sent' ? told.channel ?? null : null;
  /** @type {LedgerEvent} */
  const event = {
    event: told.event, at, by: told.by ?? 'person', note: words(told.note), reason: words(told.reason), channel,
    ...(told.received_on && { received_on: told.received_on }),
  };
  return asOf({
    ...choice, ...days(choice, told, at, rule), channel: channel ?? choice.channel, state: told.event, updated_at: now,
    events: [...choice.events, event],
  }, dayOf(now), rule.extension !== null);
}

/** @param {string | null | undefined} text */
function words(text) {
  return text?.trim() || null;
}

/**
 * Deadlines that result from an event.
 * @param {Choice} choice
 * @param {Told} told
 * @param {string} at
 * @param {Rule} rule
 * @returns {Partial<Choice>}
 */
function days(choice, told, at, rule) {
  if (told.event === 'sent' || (told.event === 'acknowledged' && told.received_on)) {
    const received = told.received_on ?? assumedReceipt(dayOf(at), told.channel ?? null);
    return { received_on: received, due_on: periodEnd(received, rule.first, rule.freeDays) };
  }
  if (told.event === 'extended' && choice.received_on && rule.extension) {
    return { extended_until: periodEnd(choice.received_on, [rule.first, rule.extension], rule.freeDays) };
  }
  return {};
}

/** @typedef {'due' | 'running' | 'wanted' | 'refused' | 'won' | 'ended'} Group group on the ledger page */

/** @type {Partial<Record<State, Group>>} */
const OTHERS = {
  wanted: 'wanted', honoured: 'won', confirmed: 'won', refused: 'refused', withdrawn: 'ended',
};

/** @param {Choice} choice @param {string} today @returns {Group} */
function groupOf(choice, today) {
  const due = dueDay(choice);
  if (RUNNING.includes(choice.state)) return due !== null && daysUntil(due, today) <= SOON_DAYS ? 'due' : 'running';
  return OTHERS[choice.state] ?? 'running';
}

/**
 * Choices by group. The group `due` is sorted by due day, the other groups by latest change.
 * @param {readonly Choice[]} choices @param {string} today @returns {Record<Group, Choice[]>}
 */
export function grouped(choices, today) {
  /** @type {Record<Group, Choice[]>} */
  const groups = { due: [], wanted: [], running: [], refused: [], won: [], ended: [] };
  for (const choice of choices) groups[groupOf(choice, today)].push(choice);
  const latest = (/** @type {Choice} */ a, /** @type {Choice} */ b) => (a.updated_at < b.updated_at ? 1 : -1);
  for (const group of Object.values(groups)) group.sort(latest);
  groups.due.sort((a, b) => ((dueDay(a) ?? '') < (dueDay(b) ?? '') ? -1 : 1));
  return groups;
}

/**
 * A step that is past, current or ahead. The step `answer` represents any answer of the operator.
 * @typedef {{state: State | 'overdue' | 'answer', at: string | null, look: 'done' | 'now' | 'ahead'}} Step
 */

/**
 * The history of a choice as a sequence of steps, including the expected next ones.
 * @param {Choice} choice @param {string} today @returns {Step[]}
 */
export function steps(choice, today) {
  const late = isOverdue(choice, today);
  const past = choice.events.length + (late ? 1 : 0);
  const happened = [{ event: /** @type {State} */ ('wanted'), at: choice.created_at }, ...choice.events];
  /** @type {Step[]} */
  const line = happened.map(({ event, at }, place) => ({ state: event, at, look: place < past ? 'done' : 'now' }));
  if (late) line.push({ state: 'overdue', at: dueDay(choice), look: 'now' });
  if (choice.state === 'wanted') line.push({ state: 'sent', at: null, look: 'ahead' });
  if (['wanted', 'contested', 'complained', ...RUNNING].includes(choice.state)) {
    line.push({ state: 'answer', at: late ? null : dueDay(choice), look: 'ahead' });
  }
  return line;
}

/** @param {unknown} value */
const isText = (value) => typeof value === 'string' && value.length <= 2_000;
/** @param {unknown} value */
const isTextOrNull = (value) => value === null || isText(value);
/** @param {unknown} value */
const isDayOrNull = (value) => value === null || isDay(value);

/**
 * Whether a value is a valid choice. An import checks this before it accepts the value.
 * @param {any} value parsed JSON
 * @returns {value is Choice}
 */
function isChoice(value) {
  return typeof value === 'object' && value !== null && /^[0-9a-f-]{36}$/i.test(value.id)
    && isText(value.device?.id) && isText(value.device?.name) && isText(value.device?.category)
    && isText(value.kind) && [value.letter, value.right, value.regime, value.country].every(isTextOrNull)
    && [value.received_on, value.due_on, value.extended_until].every(isDayOrNull)
    && isText(value.language) && isTime(value.created_at) && isTime(value.updated_at)
    && typeof value.details === 'object' && value.details !== null && Object.values(value.details).every(isText)
    && Array.isArray(value.events) && value.events.every(isEvent) && followsTheLines(value.events, value.state);
}

/** @param {unknown} value */
const isTime = (value) => isText(value) && !Number.isNaN(Date.parse(String(value)));

/** @param {any} value */
function isEvent(value) {
  return typeof value === 'object' && value !== null && isTime(value.at)
    && ['person', 'operator', 'farol'].includes(value.by)
    && isTextOrNull(value.note) && isTextOrNull(value.reason);
}

/**
 * Whether events follow the permitted transitions and end in the given state.
 * @param {LedgerEvent[]} events @param {string} end
 */
function followsTheLines(events, end) {
  /** @type {State} */
  let state = 'wanted';
  let last = -Infinity;
  for (const { event, at } of events) {
    if (!TRANSITIONS[state].includes(event) || Date.parse(at) < last) return false;
    state = event;
    last = Date.parse(at);
  }
  return state === end;
}

const FORMAT = 'farol-ledger';

/**
 * The ledger as a JSON file.
 * @param {readonly Choice[]} choices @param {string} now RFC 3339 time
 */
export function exportLedger(choices, now) {
  return `${JSON.stringify({ format: FORMAT, version: 1, exported_at: now, choices }, null, 2)}\n`;
}

/**
 * The choices of a file; null if the file or one of its choices is invalid.
 * @param {string} text
 * @returns {Choice[] | null}
 */
export function importLedger(text) {
  try {
    const file = JSON.parse(text);
    if (file?.format !== FORMAT || file.version !== 1 || !Array.isArray(file.choices)
      || !file.choices.every(isChoice)) {
      return null;
    }
    return file.choices;
  } catch {
    return null;
  }
}
