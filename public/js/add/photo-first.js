// @ts-check
// Starts a device with a photo: the browser reads the place of the photo, and keeps the photo without that
// place.

import { h, icon } from '../dom.js';
import { HEAD, photoPlace } from '../fields/photo-place.js';
import { NoPicture, smallPicture } from '../fields/picture-file.js';
import { translate } from '../i18n.js';
import { keepPicture } from './pictures.js';

/** @typedef {import('./wizard.js').Wizard} Wizard */
/** @typedef {import('../geography.js').Position} Position */

/**
 * A button that opens the file picker.
 * @param {Wizard} wizard
 * @param {{taken: (place: Position | null) => void, failed: (words: string) => void}} context `taken` receives the
 *   place; null: the photo has no place
 */
export function photoFirst(wizard, { taken, failed }) {
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'file', accept: 'image/*', class: 'visually-hidden', id: 'add-photo',
  }));
  const element = h('label', { class: 'way-button' }, input,
    h('span', { class: 'button' }, icon('photo'), h('span', {}, translate('add.place.photo'))));
  input.addEventListener('change', async () => {
    const [file] = input.files ?? [];
    input.value = '';
    if (!file) return;
    element.classList.add('is-busy');
    try {
      const place = photoPlace(new Uint8Array(await file.slice(0, HEAD).arrayBuffer()));
      await keepPicture(wizard, await smallPicture(file));
      taken(place);
    } catch (error) {
      if (!(error instanceof NoPicture)) throw error;
      failed(translate(error.key));
    } finally {
      element.classList.remove('is-busy');
    }
  });
  return element;
}
