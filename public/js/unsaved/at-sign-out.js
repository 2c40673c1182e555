// @ts-check
// Unsaved edits belong to the account, so signing out deletes them.

import { ask } from '../dialog.js';
import { plural, translate } from '../i18n.js';
import { countKept } from './database.js';

/**
 * Says that signing out deletes unsaved edits.
 * @returns {Promise<boolean>} whether to continue signing out
 */
export async function askAboutEdits() {
  const count = await countKept();
  if (!count) return true;
  const answer = await ask({
    title: plural('edit.part', count), words: translate('edit.part.words'),
    answers: [
      { value: 'stay', label: translate('edit.part.stay'), look: 'primary' },
      { value: 'delete', label: translate('edit.part.delete'), look: 'grave' },
    ],
  });
  return answer === 'delete';
}
