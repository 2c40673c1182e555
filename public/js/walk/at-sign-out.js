// @ts-check
// Answers of a street walk that are not sent are contributions of the user, who decides at sign-out whether they stay.

import { ask } from '../dialog.js';
import { plural, translate } from '../i18n.js';
import { answersKept } from './kept.js';
import { walkStore } from './store.js';

/**
 * Asks whether to keep or delete the answers in this browser.
 * @returns {Promise<boolean>} whether to continue signing out
 */
export async function askAboutAnswers() {
  const answer = await ask({
    title: plural('walk.part', answersKept()), words: translate('walk.part.words'),
    answers: [
      { value: 'keep', label: translate('drafts.part.keep') },
      { value: 'delete', label: translate('drafts.part.delete'), look: 'grave' },
    ],
  });
  if (answer === 'delete') await (await walkStore()).clear();
  return answer !== null;
}
