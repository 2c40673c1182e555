// @ts-check
// Drafts hold what somebody typed and photographed: whoever signs out decides whether they stay.

import { plural, translate } from '../i18n.js';
import { ask } from '../page/ask.js';
import { draftStore } from './draft-store.js';
import { draftsKept } from './waiting.js';

/**
 * Asks what is to become of the drafts in this browser.
 * @returns {Promise<boolean>} whether to go on signing out
 */
export async function askAboutDrafts() {
  const count = draftsKept();
  const answer = await ask({
    title: plural('drafts.part', count), words: translate('drafts.part.words'),
    answers: [
      { value: 'keep', label: translate('drafts.part.keep') }, { value: 'delete', label: translate('drafts.part.delete'), look: 'grave' },
    ],
  });
  if (answer === 'delete') await (await draftStore()).clear();
  return answer !== null;
}
