// @ts-check
// A ledger in the browser tells whom somebody wrote to: whoever signs out decides whether it stays.

import { plural, translate } from '../i18n.js';
import { ask } from '../page/ask.js';
import { choicesKept } from './kept.js';
import { browserLedger } from './store.js';

/**
 * Asks what is to become of the ledger in this browser.
 * @returns {Promise<boolean>} whether to go on signing out
 */
export async function askAboutLedger() {
  const answer = await ask({
    title: plural('ledger.part', choicesKept()), words: translate('ledger.part.words'),
    answers: [
      { value: 'keep', label: translate('ledger.part.keep') }, { value: 'delete', label: translate('ledger.part.delete'), look: 'grave' },
    ],
  });
  if (answer === 'delete') await (await browserLedger()).clear();
  return answer !== null;
}
