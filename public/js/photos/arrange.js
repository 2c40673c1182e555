// @ts-check
// The photos as rows that the user can reorder, describe, replace and delete.

import { openDialog } from '../dialog.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { MOST_ALT } from '../fields/photos.js';
import { textField } from '../fields/text.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { announce, toast } from '../page/notices.js';
import { openAddPhotos } from './add.js';
import { moved } from './photos.js';
import { deletePhoto, describePhoto, orderPhotos } from './sending.js';

/** @typedef {import('./photos.js').Photo} Photo */
/**
 * @typedef {object} ArrangeContext
 * @property {string} device id of the device
 * @property {Photo[]} photos
 * @property {(focus: string) => Promise<void>} changed called after a change, to reload the device
 * @property {() => void} close
 */

export class Arrange {
  /** @param {ArrangeContext} context */
  constructor(context) {
    this.context = context;
    this.photos = context.photos;
    this.list = h('ol', { class: 'photo-rows' });
    this.trouble = h('p', { class: 'complaint', role: 'alert' });
    this.trouble.hidden = true;
    this.save = h('button', { type: 'button', class: 'button primary', id: 'photos-save', onclick: () => this.keep() },
      icon('check'), translate('photos.order.save'));
    this.element = h('div', { class: 'arrange' },
      h('p', { class: 'section-note', id: 'arrange-hint' }, translate('photos.order.hint')),
      this.list, this.trouble,
      h('div', { class: 'form-acts' }, this.save,
        h('button', { type: 'button', class: 'button', id: 'photos-done', onclick: context.close },
          translate('photos.done'))));
    this.draw();
  }

  get isMoved() {
    return this.photos.some((photo, index) => photo !== this.context.photos[index]);
  }

  /** @param {string} [focus] id of the button that keeps the focus */
  draw(focus) {
    fill(this.list, ...this.photos.map((photo, index) => this.row(photo, index)));
    this.save.hidden = !this.isMoved;
    if (focus) document.getElementById(focus)?.focus();
  }

  /** @param {Photo} photo @param {number} index */
  row(photo, index) {
    const { id } = photo;
    const words = photo.alt || translate('photos.no_alt');
    const name = translate('photos.position', { number: index + 1, count: this.photos.length });
    const step = (/** @type {'earlier' | 'later'} */ way, /** @type {number} */ by) =>
      iconButton(way === 'earlier' ? 'up' : 'down', `${translate(`photos.${way}`)}: ${name}`, {
        id: `${way}-${id}`, class: 'framed', disabled: !this.photos[index + by],
        onclick: () => this.move(index, index + by, `${way}-${id}`),
      });
    return h('li', { class: 'photo-row', 'data-id': id },
      this.handle(photo, index, name),
      h('img', { src: photo.thumb, alt: '', width: photo.width, height: photo.height }),
      h('div', { class: 'photo-row-words' },
        h('p', { class: 'said', dir: 'auto' }, words),
        (photo.waiting || photo.hidden)
          && h('p', { class: 'section-note' }, icon('clock'),
            translate(photo.waiting ? 'photos.waiting' : 'photos.hidden'))),
      h('div', { class: 'photo-row-acts', role: 'group', 'aria-label': `${name}: ${words}` },
        step('earlier', -1), step('later', 1),
        photo.editable
          && iconButton('edit', translate('photos.describe'),
            { id: `describe-${id}`, class: 'framed', onclick: () => this.describe(photo) }),
        photo.editable
          && iconButton('photo', translate('photos.replace'),
            { id: `replace-${id}`, class: 'framed', onclick: () => this.replace(photo) }),
        photo.editable
          && iconButton('trash', translate('photos.delete'),
            { id: `delete-${id}`, class: 'framed', onclick: () => this.remove(photo) })));
  }

  /**
   * The handle for dragging with a finger or a mouse; arrow keys do the same.
   * @param {Photo} photo @param {number} index @param {string} name
   */
  handle(photo, index, name) {
    const handle = iconButton('move', translate('photos.drag', { photo: name }),
      { class: 'photo-handle', id: `handle-${photo.id}`, 'aria-describedby': 'arrange-hint' });
    handle.addEventListener('keydown', (event) => {
      const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: this.photos.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.move(index, to, handle.id);
    });
    handle.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      this.drag(photo, handle, event);
    });
    return handle;
  }

  /** @param {number} from @param {number} to @param {string} focus */
  move(from, to, focus) {
    const next = moved(this.photos, from, to);
    if (next === this.photos) return;
    this.photos = next;
    this.draw(focus);
    const button = document.getElementById(focus);
    if (button instanceof HTMLButtonElement && button.disabled) {
      document.getElementById(`handle-${next[to].id}`)?.focus();
    }
    announce(translate('photos.moved', { number: to + 1, count: next.length }));
  }

  /**
   * Swaps rows while the user drags one over the others.
   * @param {Photo} photo @param {HTMLElement} handle @param {PointerEvent} start
   */
  drag(photo, handle, start) {
    const row = /** @type {HTMLElement} */ (handle.closest('.photo-row'));
    row.classList.add('is-dragged');
    const stop = new AbortController();
    const follow = (/** @type {PointerEvent} */ event) => {
      const rows = /** @type {HTMLElement[]} */ ([...this.list.children]);
      const over = rows.find((one) => {
        const edge = one.getBoundingClientRect();
        return one !== row && event.clientY > edge.top + edge.height * 0.25
          && event.clientY < edge.bottom - edge.height * 0.25;
      });
      if (over) over[rows.indexOf(over) > rows.indexOf(row) ? 'after' : 'before'](row);
    };
    const end = () => {
      stop.abort();
      row.classList.remove('is-dragged');
      const order = [...this.list.children].map((one) => one.getAttribute('data-id'));
      const to = order.indexOf(photo.id);
      this.move(this.photos.indexOf(photo), to, handle.id);
    };
    addEventListener('pointermove', (event) => { if (event.pointerId === start.pointerId) follow(event); },
      { signal: stop.signal });
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, { signal: stop.signal });
  }

  async keep() {
    await this.try(async () => {
      await orderPhotos(this.context.device, this.photos.map(({ id }) => id));
      toast(translate('photos.order.saved'));
      await this.context.changed('photos-done');
    });
  }

  /** @param {Photo} photo */
  describe(photo) {
    let alt = photo.alt;
    const words = textField({ value: alt, labelledBy: '', changed: (value) => { alt = value ?? ''; } },
      { most: MOST_ALT, long: true, label: translate('photo.alt') });
    this.ask(translate('photos.describe'),
      [h('img', { class: 'photo-asked', src: photo.thumb, alt: '' }), words.element], translate('photos.describe.save'),
      async () => {
        if (words.check?.() === false) return false;
        await describePhoto(photo.id, alt);
        await this.context.changed(`describe-${photo.id}`);
        return true;
      });
  }

  /** @param {Photo} photo */
  replace(photo) {
    openAddPhotos({
      device: this.context.device, replaces: { id: photo.id, alt: photo.alt },
      sent: (count) => { if (count) this.context.changed(`replace-${photo.id}`); },
    });
  }

  /** @param {Photo} photo */
  remove(photo) {
    this.ask(translate('photos.delete'),
      [h('img', { class: 'photo-asked', src: photo.thumb, alt: photo.alt }),
        h('p', {}, translate('photos.delete.why'))], translate('photos.delete'), async () => {
          await deletePhoto(photo.id);
          toast(translate('photos.deleted'));
          await this.context.changed('photos-done');
          return true;
        });
  }

  /**
   * A dialog with one action.
   * @param {string} title @param {Node[]} body @param {string} words label of the button
   * @param {() => Promise<boolean>} act returns true when it has finished
   */
  ask(title, body, words, act) {
    const trouble = h('p', { class: 'complaint', role: 'alert' });
    trouble.hidden = true;
    const go = /** @type {HTMLButtonElement} */ (h('button',
      { type: 'button', class: 'button primary', onclick: async () => {
        go.disabled = true;
        let isDone = false;
        await steadily(saidIn(trouble), async () => { isDone = await act(); });
        if (isDone) dialog.close();
        go.disabled = false;
      } }, words));
    const dialog = openDialog({
      title, body: [...body, trouble],
      foot: [
        go,
        h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, translate('edit.discard.no')),
      ],
    });
  }

  /** @param {() => Promise<void>} act */
  async try(act) {
    await steadily(saidIn(this.trouble), act);
  }
}
