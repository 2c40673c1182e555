// @ts-check
// Translates the notes of an import about rows into the language of the page.

import { has, language, translate } from '../i18n.js';

/** Finds the piece of the row that a detail quotes. */
const QUOTED = /“(.+)”/su;

/**
 * Returns the text of a note. The detail is in English, or in the language of the mapping's author; it is used if the
 * code has no translation.
 * @param {{code: string, detail: string}} note
 */
export function noteWords({ code, detail }) {
  const key = `import.note.${code}`;
  if (language() === 'en' || !has(key)) return detail;
  const value = QUOTED.exec(detail)?.[1];
  if (value !== undefined) return translate(key, { value });
  const hasPlace = translate(key) !== translate(key, { value: '' });
  return hasPlace ? detail : translate(key);
}
