// @ts-check
// Requests as an operator gets them, and in which order they want an answer. Pure.

import { daysUntil } from '../choices/deadline.js';
import { dueDay, isOverdue, RUNNING } from '../choices/ledger.js';

/** @typedef {import('../choices/ledger.js').EventName} EventName */
/** @typedef {import('../choices/ledger.js').LedgerEvent} LedgerEvent */
/** @typedef {import('../choices/ledger.js').State} State */
/**
 * One line of the inbox.
 * @typedef {object} Summary
 * @property {string} id
 * @property {{id: string, name: string, category: string}} device
 * @property {string} kind
 * @property {string | null} right
 * @property {State} state
 * @property {boolean} overdue
 * @property {string | null} received_on
 * @property {string | null} due_on
 * @property {string | null} extended_until
 * @property {string} subject
 */
/**
 * A request with its letter.
 * @typedef {Summary & {body: string, events: LedgerEvent[], reasons: string[], reasons_of?: Record<string, string[]>, next: EventName[], operator_name?: string | null}} OperatorRequest
 */

/** What an operator can answer, the way from the letter to its end. */
export const ANSWERS = /** @type {readonly EventName[]} */ (Object.freeze(['acknowledged', 'extended', 'honoured', 'refused']));
/** Days before the last on which a request is called urgent. */
const SOON_DAYS = 7;

/** @typedef {'late' | 'soon' | 'open' | 'done'} Group */

/**
 * @param {Summary} request @param {string} today
 * @returns {Group}
 */
export function groupOf(request, today) {
  if (!RUNNING.includes(request.state)) return 'done';
  if (isOverdue(request, today)) return 'late';
  const due = dueDay(request);
  return due !== null && daysUntil(due, today) <= SOON_DAYS ? 'soon' : 'open';
}

/**
 * Requests in their groups: what is due first, first; what is answered, the latest first.
 * @param {readonly Summary[]} requests @param {string} today
 * @returns {Record<Group, Summary[]>}
 */
export function inGroups(requests, today) {
  /** @type {Record<Group, Summary[]>} */
  const groups = { late: [], soon: [], open: [], done: [] };
  for (const request of requests) groups[groupOf(request, today)].push(request);
  const day = (/** @type {Summary} */ request) => dueDay(request) ?? '9999';
  for (const name of /** @type {const} */ (['late', 'soon', 'open'])) groups[name].sort((a, b) => day(a).localeCompare(day(b)));
  groups.done.sort((a, b) => (b.received_on ?? '').localeCompare(a.received_on ?? ''));
  return groups;
}

/**
 * What may be answered now.
 * @param {Pick<OperatorRequest, 'next'>} request
 * @returns {EventName[]}
 */
export function answersOf({ next }) {
  return ANSWERS.filter((event) => next.includes(event));
}

/**
 * The reasons that fit an answer: those the server allows for this request, of those that go with the event.
 * @param {readonly string[]} fitting of the event and the right @param {readonly string[]} allowed none said: all
 */
export function reasonsAmong(fitting, allowed) {
  const both = fitting.filter((code) => allowed.includes(code));
  return both.length ? both : [...fitting];
}
