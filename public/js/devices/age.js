// @ts-check
// How long ago a device was last checked, seen or added. Pure.

import { formatAgo } from '../format.js';
import { language, translate } from '../i18n.js';

/** @typedef {import('./device.js').Device} Device */

/**
 * «Checked 2 months ago», «Seen 5 years ago», «Added today»; empty if nothing is known.
 * @param {Device} device @param {Date} now
 */
export function ageWords(device, now) {
  const { lastConfirmed, createdAt, properties } = device;
  if (lastConfirmed) return said('age.checked', lastConfirmed, now);
  if (properties.observed_on) return said('age.seen', properties.observed_on, now);
  return createdAt ? said('age.added', createdAt, now) : '';
}

/** @param {string} key @param {string} when @param {Date} now */
function said(key, when, now) {
  const ago = formatAgo(when, language(), now);
  return ago ? translate(key, { when: ago }) : '';
}
