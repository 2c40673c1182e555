// @ts-check
// A ledger in the browser reveals which operators the user wrote to, so the user decides at
// sign-out whether to keep it.

import { ask } from '../dialog.js';
import { plural, translate } from '../i18n.js';
import { choicesKept } from './kept.js';
import { browserLedger } from './store.js';

/**
 * Asks whether to keep or delete the ledger in this browser.
 * @returns {Promise<boolean>} whether to continue signing out
 */
export async function askAboutLedger() {
  const answer = await ask({
    title: plural('ledger.part', choicesKept()), words: translate('ledger.part.words'),
    answers: [
      { value: 'keep', label: translate('ledger.part.keep') },
      { value: 'delete', label: translate('ledger.part.delete'), look: 'grave' },
    ],
  });
  if (answer === 'delete') await (await browserLedger()).clear();
  return answer !== null;
}
