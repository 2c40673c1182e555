// @ts-check
// Rules for usernames that a page can check. Only the server knows which names are in use. Pure.

export const SHORTEST = 3;
export const LONGEST = 40;

/** @typedef {'short' | 'long' | 'at' | 'space' | 'characters' | 'letter' | 'separators'} UsernameFault */

/**
 * The rule that a username breaks; null if it breaks none. The server refuses some further letters.
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
 * Faults that more typing cannot correct, so the field shows them before the user has finished.
 * @param {string} typed
 * @returns {UsernameFault | null}
 */
export function usernameFaultSoFar(typed) {
  const fault = usernameFault(typed);
  return fault === 'short' || fault === 'letter' || (fault === 'separators' && !/^[._-]|[._-]{2}/.test(typed.trim()))
    ? null
    : fault;
}

/**
 * Whether a text can be an e-mail address, by the same rules as the server.
 * @param {string} typed
 */
export function isEmail(typed) {
  const text = typed.trim();
  const parts = text.split('@');
  if (text.length > 254 || parts.length !== 2 || parts[0].length > 64) return false;
  const labels = parts[1].split('.');
  return /^[\w!#$%&'*+\-/=?^`{|}~]+(\.[\w!#$%&'*+\-/=?^`{|}~]+)*$/.test(parts[0])
    && labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label))
    && !/^\d+$/.test(labels[labels.length - 1]);
}
