// @ts-check
// Encrypts the diary with a passphrase: PBKDF2 with SHA-256 and AES-GCM of the Web Cryptography API. Pure.

/** @typedef {{salt: string, iv: string, data: string, rounds: number}} Locked `salt`, `iv` and `data` in base64 */
/** @typedef {{key: CryptoKey, salt: string, rounds: number}} Unlocked the key of an open diary, which cannot be read */

const ROUNDS = 600_000; // OWASP Password Storage Cheat Sheet (2023), for PBKDF2 with SHA-256
const SALT = 16; // octets
const IV = 12; // octets, as NIST SP 800-38D recommends
export const SHORTEST = 8; // characters of a passphrase

/** Whether this browser can encrypt: only pages from HTTPS or from this machine can. */
export function canLock() { return Boolean(globalThis.crypto?.subtle); }

/**
 * A new key.
 * @param {string} passphrase @param {number} [rounds]
 * @returns {Promise<Unlocked>}
 */
export async function newKey(passphrase, rounds = ROUNDS) {
  const salt = base64(crypto.getRandomValues(new Uint8Array(SALT)));
  return { key: await derived(passphrase, salt, rounds), salt, rounds };
}

/** @param {string} text @param {Unlocked} own @returns {Promise<Locked>} */
export async function lock(text, { key, salt, rounds }) {
  const iv = crypto.getRandomValues(new Uint8Array(IV));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text));
  return { salt, iv: base64(iv), data: base64(new Uint8Array(data)), rounds };
}

/**
 * Opens what was encrypted.
 * @param {Locked} locked @param {string} passphrase
 * @returns {Promise<{text: string, own: Unlocked} | null>} null: another passphrase, or damaged data
 */
export async function unlock({ salt, iv, data, rounds }, passphrase) {
  try {
    const key = await derived(passphrase, salt, rounds);
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: octets(iv) }, key, octets(data));
    return { text: new TextDecoder().decode(opened), own: { key, salt, rounds } };
  } catch {
    return null;
  }
}

/**
 * Opens what was encrypted with a key that is known.
 * @param {Locked} locked @param {Unlocked} own
 * @returns {Promise<string | null>} null: another key
 */
export async function unlockWith({ salt, iv, data }, own) {
  if (salt !== own.salt) return null;
  try {
    return new TextDecoder().decode(
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv: octets(iv) }, own.key, octets(data)));
  } catch {
    return null;
  }
}

/** @param {string} passphrase @param {string} salt @param {number} rounds */
async function derived(passphrase, salt, rounds) {
  // The same letters typed on another machine may be composed differently.
  const typed = new TextEncoder().encode(passphrase.normalize('NFC'));
  const base = await crypto.subtle.importKey('raw', typed, 'PBKDF2', false, ['deriveKey']);
  return crypto.subtle.deriveKey({ name: 'PBKDF2', hash: 'SHA-256', salt: octets(salt), iterations: rounds }, base,
    { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/** @param {Uint8Array} given */
function base64(given) {
  let text = '';
  // One call for all octets would exceed the number of arguments of a function.
  for (let i = 0; i < given.length; i += 8_192) text += String.fromCharCode(...given.subarray(i, i + 8_192));
  return btoa(text);
}

/** @param {string} text */
function octets(text) { return Uint8Array.from(atob(text), (one) => one.charCodeAt(0)); }
