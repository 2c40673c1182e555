// @ts-check
// Modules that a page imports while it runs. The server may have been replaced since the page was loaded.

import { allWords } from './i18n.js';

/** A part of the page that is not available. The page has shown the reason. */
export class Stale extends Error {
  name = 'Stale';
}

/**
 * A module that the first view needs, imported together with other files. The build adds its words to the page. If it
 * cannot be loaded, early.js says that Farol was updated or that the server is not reachable.
 * @template T
 * @param {Promise<T>} coming such as `import('./map/drawing.js')`
 * @returns {Promise<T>}
 * @throws {Stale}
 */
export async function soon(coming) {
  try {
    return await coming;
  } catch (error) {
    // Browsers report a module that they cannot load as a TypeError.
    if (!(error instanceof TypeError)) throw error;
    dispatchEvent(new Event('files-missing'));
    throw new Stale();
  }
}

/**
 * A module that the reader asks for, with the words that it needs.
 * @template T
 * @param {Promise<T>} coming such as `import('./take.js')`
 * @returns {Promise<T>}
 * @throws {Stale | import('./api.js').Outage}
 */
export async function late(coming) {
  const words = allWords();
  words.catch(() => undefined);
  const module = await soon(coming);
  await words;
  return module;
}
