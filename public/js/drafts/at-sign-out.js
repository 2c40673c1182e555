// @ts-check
// Drafts hold text and photos of the user, so the user decides at sign-out whether they remain in
// this browser.

import { ask } from '../dialog.js';
import { plural, translate } from '../i18n.js';
import { draftStore } from './draft-store.js';
import { draftsKept } from './waiting.js';

/**
 * Asks whether to keep or delete the drafts in this browser.
 * @returns {Promise<boolean>} whether to continue signing out
 */
export async function askAboutDrafts() {
  const count = draftsKept();
  const answer = await ask({
    title: plural('drafts.part', count), words: translate('drafts.part.words'),
    answers: [
      { value: 'keep', label: translate('drafts.part.keep') },
      { value: 'delete', label: translate('drafts.part.delete'), look: 'grave' },
    ],
  });
  if (answer === 'delete') await (await draftStore()).clear();
  return answer !== null;
}
