// @ts-check
// A photo as large as the window, with buttons for the previous and the next one.

import { modal } from '../dialog.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { openFlag } from '../flags/dialog.js';
import { translate } from '../i18n.js';
import { announce } from '../page/notices.js';

/** @typedef {import('./photos.js').Photo} Photo */

/**
 * @param {Photo[]} photos @param {number} first @param {string} device id of the device
 */
export function openViewer(photos, first, device) {
  let at = first;
  const image = /** @type {HTMLImageElement} */ (h('img', { class: 'viewer-image' }));
  const caption = h('p', { class: 'viewer-caption said' });
  const count = h('p', { class: 'viewer-count' });
  const trouble = h('p', { class: 'viewer-trouble', role: 'alert' });
  const step = (/** @type {number} */ by) => {
    const next = at + by;
    if (next < 0 || next >= photos.length) return;
    at = next;
    draw();
    announce(`${where()}. ${photos[at].alt}`);
  };
  const before = iconButton('left', translate('photos.before'), { class: 'viewer-button', onclick: () => step(-1) });
  const after = iconButton('right', translate('photos.after'), { class: 'viewer-button', onclick: () => step(1) });
  const dialog = modal({ class: 'viewer', 'aria-label': translate('photos.viewer') }, [
    h('div', { class: 'viewer-head' }, count,
      iconButton('flag', translate('flag.title.photo'), {
        class: 'viewer-button', onclick: () => {
          dialog.close();
          openFlag({ type: 'photo', id: photos[at].id, device });
        },
      }),
      iconButton('close', translate('close'), { class: 'viewer-button', onclick: () => dialog.close() })),
    h('div', { class: 'viewer-stage' }, image, trouble),
    h('div', { class: 'viewer-foot' }, before, caption, after),
  ]);
  const where = () => translate('photos.position', { number: at + 1, count: photos.length });
  function draw() {
    const photo = photos[at];
    fill(trouble);
    image.alt = photo.alt || translate('photos.no_alt');
    image.width = photo.width;
    image.height = photo.height;
    image.src = photo.url;
    caption.textContent = photo.alt || translate('photos.no_alt');
    count.textContent = where();
    for (const [button, off] of /** @type {[HTMLElement, boolean][]} */ ([
      [before, at === 0], [after, at === photos.length - 1],
    ])) {
      button.setAttribute('aria-disabled', String(off));
    }
    const alone = photos.length < 2;
    before.hidden = alone;
    after.hidden = alone;
  }
  image.addEventListener('error', () => fill(trouble, icon('warning'), translate('photos.unreachable')));
  dialog.element.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) step(by);
    else if (event.key === 'Home') step(-at);
    else if (event.key === 'End') step(photos.length - 1 - at);
    else return;
    event.preventDefault();
  });
  draw();
  dialog.open();
}
