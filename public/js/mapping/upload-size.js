// @ts-check
// The size of a file before it is sent. A longer one would be refused after minutes of sending.

import { language, translate } from '../i18n.js';
import { locale } from '../format.js';

/** Bytes of the longest form that the server accepts (`ImportRoutes.limit`). */
export const LONGEST_FORM = 67_108_864;
/** Bytes for the other fields of the form. */
const OTHER_FIELDS = 65_536;

/**
 * The reason why a file is too large; null if it is not.
 * @param {{size: number}} file
 * @param {number} [most] bytes of the longest form
 */
export function sizeFault(file, most = LONGEST_FORM) {
  if (file.size <= most - OTHER_FIELDS) return null;
  return translate('admin.file.too_large', { size: megabytes(file.size), most: megabytes(most) });
}

/** @param {number} bytes */
function megabytes(bytes) {
  return new Intl.NumberFormat(locale(language()), {
    style: 'unit', unit: 'megabyte', maximumSignificantDigits: 3,
  }).format(bytes / 1_048_576);
}
