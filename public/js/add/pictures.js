// @ts-check
// Keeps a picture with the open draft.

import { newID } from '../unique.js';

/** @typedef {import('./wizard.js').Wizard} Wizard */
/** @typedef {import('../drafts/draft.js').DraftPhoto} DraftPhoto */

/** Photos of one device. */
export const MOST = 5;

/**
 * Stores a picture, without metadata, and adds it to the draft.
 * @param {Wizard} wizard @param {Blob} picture
 * @returns {Promise<DraftPhoto>}
 */
export async function keepPicture(wizard, picture) {
  /** @type {DraftPhoto} */
  const photo = {
    id: newID(), key: newID(), alt: '', state: 'waiting', trouble: null,
  };
  await wizard.context.drafts.addPicture(photo.id, wizard.draft.id, picture);
  wizard.update((draft) => ({ ...draft, photos: [...draft.photos, photo] }));
  return photo;
}
