// @ts-check
// Photos: take or choose, preview, and describe for people who cannot see them.

import { fill, h, icon, iconButton } from '../dom.js';
import { translate } from '../i18n.js';
import { complaintOf, newId } from './field.js';
import { NoPicture, smallPicture } from './picture-file.js';
import { textField } from './text.js';

export const MOST_ALT = 300; // characters

/**
 * Two buttons: one opens the camera of a phone, one opens the file picker.
 * @param {(pictures: Blob[]) => void} taken receives the resized pictures
 */
export function photoPicker(taken) {
  const place = h('div', { class: 'photo-picker' });
  const complaint = complaintOf(place);
  /** @param {HTMLInputElement} input */
  const read = async (input) => {
    const files = [...(input.files ?? [])];
    input.value = '';
    complaint.say(null);
    place.setAttribute('aria-busy', 'true');
    const pictures = [];
    for (const file of files) {
      try {
        pictures.push(await smallPicture(file));
      } catch (error) {
        if (!(error instanceof NoPicture)) throw error;
        complaint.say(translate(error.key));
      }
    }
    place.removeAttribute('aria-busy');
    if (pictures.length) taken(pictures);
  };
  /** @param {string} symbol @param {string} words @param {{capture?: string, multiple?: boolean}} attributes */
  const button = (symbol, words, attributes) => {
    const input = /** @type {HTMLInputElement} */ (h('input', {
      type: 'file', accept: 'image/*', class: 'visually-hidden', ...attributes,
    }));
    input.addEventListener('change', () => read(input));
    return h('label', { class: 'photo-button' }, input, h('span', {}, icon(symbol), h('span', {}, words)));
  };
  fill(place, button('photo', translate('photo.take'), { capture: 'environment' }),
    button('image', translate('photo.choose'), { multiple: true }));
  return h('div', { class: 'field' }, place, complaint.element);
}

/**
 * One photo with its description.
 * @param {{
 *   url: string, alt: string, trouble?: string | null, number: number, described: (alt: string) => void,
 *   remove: () => void,
 *   }} photo
 */
export function photoCard({ url, alt, trouble, number, described, remove }) {
  const title = newId('photo');
  const words = textField({
    value: alt, labelledBy: title, changed: (value) => described(value ?? ''),
  }, { most: MOST_ALT, label: translate('photo.alt'), placeholder: translate('photo.alt.example') });
  if (trouble) words.complain(trouble);
  return h('li', { class: 'photo-card' },
    h('div', { class: 'photo-frame' },
      h('img', { src: url, alt: alt || translate('photo.number', { number }), id: title }),
      iconButton('trash', translate('photo.remove', { number }), { class: 'framed photo-remove', onclick: remove })),
    words.element);
}
