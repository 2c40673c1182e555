// @ts-check
// Screen for photos of the device. They remain in this browser until they are sent.

import { fill, h } from '../../dom.js';
import { photoCard, photoPicker } from '../../fields/photos.js';
import { translate } from '../../i18n.js';
import { announce } from '../../page/notices.js';
import { keepPicture, MOST } from '../pictures.js';

/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../../drafts/draft.js').DraftPhoto} DraftPhoto */

/**
 * @param {Wizard} wizard
 * @returns {Promise<Screen>}
 */
export async function photosScreen(wizard) {
  const { drafts } = wizard.context;
  /** @type {Map<string, string>} */
  const urls = new Map();
  const list = h('ul', { class: 'photo-list' });
  const picker = photoPicker((pictures) => add(pictures));
  const full = h('p', { class: 'field-note' }, translate('photo.most', { count: MOST }));

  for (const photo of wizard.draft.photos) {
    const picture = await drafts.picture(photo.id);
    if (picture) urls.set(photo.id, URL.createObjectURL(picture));
  }
  const draw = () => {
    const { photos } = wizard.draft;
    fill(list, ...photos.map((photo, index) => photoCard({
      url: urls.get(photo.id) ?? '', alt: photo.alt, trouble: photo.trouble, number: index + 1,
      described: (alt) => change(photo.id, (one) => ({ ...one, alt })),
      remove: () => remove(photo.id),
    })));
    picker.hidden = photos.length >= MOST;
    full.hidden = photos.length < MOST;
    if (wizard.screen?.primary && wizard.step === 'photos') {
      wizard.screen.primary.label = label();
      wizard.drawFoot();
    }
  };
  /** @param {string} id @param {(photo: DraftPhoto) => DraftPhoto} act */
  const change = (id, act) => wizard.update((draft) => (
    { ...draft, photos: draft.photos.map((photo) => (photo.id === id ? act(photo) : photo)) }));
  const remove = (/** @type {string} */ id) => {
    drafts.removePicture(id);
    wizard.update((draft) => ({ ...draft, photos: draft.photos.filter((photo) => photo.id !== id) }));
    draw();
    announce(translate('photo.removed'));
    wizard.frame.title.focus();
  };
  /** @param {Blob[]} pictures */
  async function add(pictures) {
    for (const picture of pictures.slice(0, MOST - wizard.draft.photos.length)) {
      const photo = await keepPicture(wizard, picture);
      urls.set(photo.id, URL.createObjectURL(picture));
    }
    draw();
    announce(translate('photo.added'));
    list.lastElementChild?.querySelector('input')?.focus();
  }
  const label = () => translate(wizard.draft.photos.length ? 'add.next' : 'add.skip');
  draw();
  return {
    title: translate('ask.photos'),
    hint: translate('ask.photos.hint'),
    room: 'full',
    body: [list, picker, full, h('p', { class: 'field-note' }, translate('photo.private'))],
    primary: { label: label(), act: () => wizard.next(), symbol: 'right' },
    done: true,
    leave: () => { for (const url of urls.values()) URL.revokeObjectURL(url); },
  };
}
