// @ts-check
// The photos on the page of a device: view, add, and edit for users with permission.

import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { signInAddress } from '../page/trouble.js';
import { maybeSignedIn } from '../session.js';
import { openAddPhotos } from './add.js';
import { Arrange } from './arrange.js';
import { readPhotos } from './photos.js';
import { openViewer } from './viewer.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('./photos.js').Photo} Photo */

export class PhotoSection {
  /** @param {(focus?: string) => Promise<void>} changed called after a change, to reload the device */
  constructor(changed) {
    this.changed = changed;
    this.isArranging = false;
    this.element = h('section', { class: 'photos', 'aria-labelledby': 'section-photos' });
  }

  /** @param {Device} device */
  draw(device) {
    const photos = readPhotos(device.properties.photos);
    const mayChange = photos.some(({ editable }) => editable);
    if (!mayChange) this.isArranging = false;
    const again = () => this.draw(device);
    fill(this.element,
      h('h2', { id: 'section-photos' }, translate('device.photos')),
      this.isArranging ? this.arrange(device, photos, again) : photos.length
        ? gallery(photos, device.id)
        : h('p', { class: 'section-note photos-none' }, translate('photos.none')),
      !this.isArranging && h('div', { class: 'form-acts' },
        maybeSignedIn()
          ? h('button', { type: 'button', class: 'button', id: 'photos-add', onclick: () => this.add(device.id) },
            icon('photo'), translate('photos.add'))
          : h('a', { class: 'button', href: signInAddress(`/devices/${device.id}#section-photos`) }, icon('photo'),
            translate('photos.add')),
        mayChange && h('button', { type: 'button', class: 'button', id: 'photos-change', onclick: () => {
          this.isArranging = true;
          again();
          document.getElementById('photos-done')?.focus();
        } }, icon('edit'), translate('photos.change'))));
  }

  /** @param {Device} device @param {Photo[]} photos @param {() => void} again */
  arrange(device, photos, again) {
    return new Arrange({
      device: device.id, photos, changed: (focus) => this.changed(focus),
      close: () => {
        this.isArranging = false;
        again();
        document.getElementById('photos-change')?.focus();
      },
    }).element;
  }

  /** @param {string} device */
  add(device) {
    openAddPhotos({
      device, replaces: null, sent: (count) => {
        if (!count) return;
        toast(translate('photos.added'));
        this.changed('photos-add');
      },
    });
  }
}

/** @param {Photo[]} photos @param {string} device */
function gallery(photos, device) {
  return h('ul', { class: 'gallery' }, ...photos.map((photo, index) => h('li', {},
    h('button',
      {
        type: 'button', class: 'gallery-button', id: `photo-${photo.id}`,
        onclick: () => openViewer(photos, index, device),
      },
      h('img', {
        src: photo.thumb, alt: photo.alt || translate('photos.no_alt'), width: photo.width, height: photo.height,
        loading: 'lazy', decoding: 'async',
      })),
    (photo.waiting || photo.hidden)
      && h('p', { class: 'section-note' }, icon('clock'),
        translate(photo.waiting ? 'photos.waiting' : 'photos.hidden')))));
}
