// @ts-check
// One revision in words: who, when, what kind of change, why.

import { h } from '../dom.js';
import { locale } from '../format.js';
import { has, language, translate } from '../i18n.js';

/**
 * @typedef {object} Entry
 * @property {number} number
 * @property {string} kind add, edit, restore, import, undo, revert or merge
 * @property {string} made_at
 * @property {string | null} author username; null: an import, or a person who is gone
 * @property {string | null} comment
 * @property {string[]} changed
 * @property {string | number | null} import
 */

/**
 * Who made a revision.
 * @param {Entry} entry
 */
export function authorWords({ author, import: run }) {
  if (author) return h('a', { href: `/people/${encodeURIComponent(author)}`, class: 'said' }, author);
  return h('span', {}, translate(run !== null && run !== undefined ? 'history.by.import' : 'history.by.gone'));
}

/**
 * Day and time as the reader's clock has them.
 * @param {string} text RFC 3339
 */
export function momentWords(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return String(text);
  const words = new Intl.DateTimeFormat(locale(language()), { dateStyle: 'long', timeStyle: 'short' }).format(date);
  return h('time', { datetime: text }, words);
}

/** @param {string} kind */
export function kindWords(kind) {
  return has(`history.kind.${kind}`) ? translate(`history.kind.${kind}`) : kind;
}
