// @ts-check
// What the import says about a row, in the language of the page.

import { has, language, translate } from '../i18n.js';

/** A piece of the row in the detail. */
const QUOTED = /“(.+)”/su;

/**
 * The words of a note. Its detail is in English, and the only words there are if the author of the mapping wrote them.
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
