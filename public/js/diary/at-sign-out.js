// @ts-check
// The diary shows where a person was, so the user decides at sign-out whether it remains.

import { ask } from '../dialog.js';
import { translate } from '../i18n.js';
import { diaryStore } from './store.js';

/**
 * Asks whether to keep or delete the diary in this browser.
 * @returns {Promise<boolean>} whether to continue signing out
 */
export async function askAboutDiary() {
  const answer = await ask({
    title: translate('diary.part'), words: translate('diary.part.words'),
    answers: [
      { value: 'keep', label: translate('ledger.part.keep') },
      { value: 'delete', label: translate('ledger.part.delete'), look: 'grave' },
    ],
  });
  if (answer === 'delete') await (await diaryStore()).erase();
  return answer !== null;
}
