// @ts-check
// How long ago a device was last checked, seen or added. Pure.

import { formatAgo } from '../format.js';
import { language, translate } from '../i18n.js';

/** @typedef {import('./device.js').Device} Device */

/**
 * «Checked 2 months ago», «Seen 5 years ago», «Imported today», «Added today»; empty if nothing is known. Devices of a
 * published list were on it for years before their import.
 * @param {Device} device @param {Date} now
 */
export function ageWords(device, now) {
  const { lastConfirmed, createdAt, properties } = device;
  if (lastConfirmed) return said('age.checked', lastConfirmed, now);
  if (properties.observed_on) return said('age.seen', properties.observed_on, now);
  return createdAt ? said(properties.source ? 'age.imported' : 'age.added', createdAt, now) : '';
}

const OLD = 8; // years

/**
 * Whether a device has not been seen for years, so that it may well be gone.
 * @param {Device} device @param {Date} now
 */
export function isOld({ lastConfirmed, properties }, now) {
  const seen = Date.parse(lastConfirmed ?? properties.observed_on ?? '');
  return Number.isFinite(seen) && now.getTime() - seen > OLD * 365.25 * 86_400_000;
}

/** The title above old devices in a list. */
export function oldTitle() { return translate('list.old', { years: String(OLD) }); }

/** @param {string} key @param {string} when @param {Date} now */
function said(key, when, now) {
  const ago = formatAgo(when, language(), now);
  return ago ? translate(key, { when: ago }) : '';
}
