// @ts-check
// What a page says when the server refused or could not be reached.

import { Outage, Refusal } from '../api.js';
import { translate } from '../i18n.js';

/**
 * One sentence, the fields at fault included.
 * @param {unknown} error @returns {string}
 * @throws what is neither a refusal nor an outage
 */
export function trouble(error) {
  if (error instanceof Outage) return error.message || translate('outage');
  if (!(error instanceof Refusal)) throw error;
  const words = [error.message, ...(error.problem.errors ?? []).map((fault) => fault.detail)];
  return words.filter((one, place) => one && words.indexOf(one) === place).join(' ');
}
