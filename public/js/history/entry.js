// @ts-check
// One revision as text: author, time, kind of change and comment.

import { h } from '../dom.js';
import { locale } from '../format.js';
import { has, language, translate } from '../i18n.js';

/**
 * @typedef {object} Entry
 * @property {number} number
 * @property {string} kind add, edit, restore, import, undo, revert or merge
 * @property {string} made_at
 * @property {string | null} author username; null for an import or a deleted account
 * @property {string | null} comment
 * @property {string[]} changed
 * @property {string | number | null} import
 */

/**
 * The author of a revision.
 * @param {Entry} entry
 */
export function authorWords({ author, import: run }) {
  if (author) return h('a', { href: `/people/${encodeURIComponent(author)}`, class: 'said' }, author);
  return h('span', {}, translate(run !== null && run !== undefined ? 'history.by.import' : 'history.by.gone'));
}

/**
 * Date and time in the reader’s time zone.
 * @param {string} text RFC 3339
 */
export function momentWords(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return String(text);
  const words = new Intl.DateTimeFormat(locale(language()), { dateStyle: 'long', timeStyle: 'short' }).format(date);
  return h('time', { datetime: text }, words);
}

/**
 * The same in digits, for a list of choices.
 * @param {string} text RFC 3339
 */
export function shortMoment(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text
    : new Intl.DateTimeFormat(locale(language()), { dateStyle: 'short', timeStyle: 'short' }).format(date);
}

/** @param {string} kind */
export function kindWords(kind) {
  return has(`history.kind.${kind}`) ? translate(`history.kind.${kind}`) : kind;
}
