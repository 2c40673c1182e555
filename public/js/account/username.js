// @ts-check
// What a username may be, as far as a page can tell: the server knows which are taken. Pure.

export const SHORTEST = 3;
export const LONGEST = 40;

/** @typedef {'short' | 'long' | 'at' | 'space' | 'characters' | 'letter' | 'separators'} UsernameFault */

/**
 * What is wrong with a username; null where nothing is. Some letters are refused by the server only.
 * @param {string} typed
 * @returns {UsernameFault | null}
 */
export function usernameFault(typed) {
  const text = typed.trim().normalize('NFC');
  const length = [...text].length;
  if (text.includes('@')) return 'at';
  if (/\s/.test(text)) return 'space';
  if (!/^[\p{L}\p{M}0-9._-]*$/u.test(text)) return 'characters';
  if (/^[._-]|[._-]{2}/.test(text)) return 'separators';
  if (length < SHORTEST) return 'short';
  if (length > LONGEST) return 'long';
  if (/[._-]$/.test(text)) return 'separators';
  return /\p{L}/u.test(text) ? null : 'letter';
}

/**
 * Faults that more typing does not mend: worth saying before somebody is through.
 * @param {string} typed
 * @returns {UsernameFault | null}
 */
export function usernameFaultSoFar(typed) {
  const fault = usernameFault(typed);
  return fault === 'short' || fault === 'letter' || (fault === 'separators' && !/^[._-]|[._-]{2}/.test(typed.trim())) ? null : fault;
}

/**
 * Whether a text may be the address of a mailbox, as the server takes them.
 * @param {string} typed
 */
export function isEmail(typed) {
  const text = typed.trim();
  const parts = text.split('@');
  if (text.length > 254 || parts.length !== 2 || parts[0].length > 64) return false;
  const labels = parts[1].split('.');
  return /^[\w!#$%&'*+\-/=?^`{|}~]+(\.[\w!#$%&'*+\-/=?^`{|}~]+)*$/.test(parts[0])
    && labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) && !/^\d+$/.test(labels[labels.length - 1]);
}
