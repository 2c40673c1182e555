// @ts-check
// Watches in the browser hold an area and its name, so the user decides at sign-out whether they remain.

import { ask } from '../dialog.js';
import { plural, translate } from '../i18n.js';
import { watchesKept } from './kept.js';
import { watchStore } from './store.js';

/**
 * Asks whether to keep or delete the watches in this browser.
 * @returns {Promise<boolean>} whether to continue signing out
 */
export async function askAboutWatches() {
  const answer = await ask({
    title: plural('local_watch.part', watchesKept().count), words: translate('local_watch.part.words'),
    answers: [
      { value: 'keep', label: translate('ledger.part.keep') },
      { value: 'delete', label: translate('ledger.part.delete'), look: 'grave' },
    ],
  });
  if (answer === 'delete') await (await watchStore()).clear();
  return answer !== null;
}
