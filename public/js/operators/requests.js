// @ts-check
// Requests to an operator, and the order in which they need an answer. Pure functions.

import { daysUntil } from '../ledger/deadline.js';
import { dueDay, isOverdue, RUNNING } from '../ledger/ledger.js';

/** @typedef {import('../ledger/ledger.js').EventName} EventName */
/** @typedef {import('../ledger/ledger.js').LedgerEvent} LedgerEvent */
/** @typedef {import('../ledger/ledger.js').State} State */
/**
 * A row of the inbox.
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
 * @typedef {object} Letter
 * @property {string} body
 * @property {LedgerEvent[]} events
 * @property {string[]} reasons
 * @property {Record<string, string[]>} [reasons_of]
 * @property {EventName[]} next
 * @property {string | null} [operator_name]
 */
 /** @typedef {Summary & Letter} OperatorRequest
 */

/** The possible answers of an operator, from the first to the last step. */
const ANSWERS =
  /** @type {readonly EventName[]} */ (Object.freeze(['acknowledged', 'extended', 'honoured', 'refused']));
/** Number of days before the deadline from which a request counts as urgent. */
const SOON_DAYS = 7;

/** @typedef {'late' | 'soon' | 'open' | 'done'} Group */

/**
 * @param {Summary} request @param {string} today
 * @returns {Group}
 */
export function groupOf(request, today) {
  if (request.state === 'contested') return 'open';
  if (!RUNNING.includes(request.state)) return 'done';
  if (isOverdue(request, today)) return 'late';
  const due = dueDay(request);
  return due !== null && daysUntil(due, today) <= SOON_DAYS ? 'soon' : 'open';
}

/**
 * Groups requests. Open ones are sorted by deadline; answered ones start with the latest.
 * @param {readonly Summary[]} requests @param {string} today
 * @returns {Record<Group, Summary[]>}
 */
export function inGroups(requests, today) {
  /** @type {Record<Group, Summary[]>} */
  const groups = { late: [], soon: [], open: [], done: [] };
  for (const request of requests) groups[groupOf(request, today)].push(request);
  const day = (/** @type {Summary} */ request) => dueDay(request) ?? '9999';
  for (const name of /** @type {const} */ (['late', 'soon', 'open'])) {
    groups[name].sort((a, b) => day(a).localeCompare(day(b)));
  }
  groups.done.sort((a, b) => (b.received_on ?? '').localeCompare(a.received_on ?? ''));
  return groups;
}

/**
 * The answers that are possible now.
 * @param {Pick<OperatorRequest, 'next'>} request
 * @returns {EventName[]}
 */
export function answersOf({ next }) {
  return ANSWERS.filter((event) => next.includes(event));
}

/**
 * The reasons for an answer: those that fit the event and that the server allows for this request.
 * @param {readonly string[]} fitting of the event and the right @param {readonly string[]} allowed empty: all
 */
export function reasonsAmong(fitting, allowed) {
  const both = fitting.filter((code) => allowed.includes(code));
  return both.length ? both : [...fitting];
}
