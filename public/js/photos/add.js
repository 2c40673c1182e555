// @ts-check
// The dialog that adds photos or replaces one: select, preview, describe, send.

import { isAbort } from '../api.js';
import { openDialog } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { MOST_ALT, photoCard, photoPicker } from '../fields/photos.js';
import { steadily } from '../forms/steadily.js';
import { plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { newID } from '../unique.js';
import { addPhoto, replacePhoto } from './sending.js';

/**
 * @typedef {object} Candidate
 * @property {string} key
 * @property {Blob} picture
 * @property {string} url
 * @property {string} alt
 * @property {(Node | string)[]} trouble
 * @property {number | null} share part of the upload that is done, 0 to 1
 */
/**
 * @typedef {object} AddContext
 * @property {string} device id of the device
 * @property {{id: string, alt: string} | null} replaces the photo to replace
 * @property {(sent: number) => void} sent called after the dialog closes, with the number of uploaded photos
 */

/** @param {AddContext} context */
export function openAddPhotos(context) {
  const { replaces } = context;
  /** @type {Candidate[]} */
  let all = [];
  let done = 0;
  let isSending = false;
  const stop = new AbortController();
  const list = h('ul', { class: 'photo-list' });
  const picker = photoPicker((pictures) => {
    const taken = pictures.map((picture) =>
      ({
        key: newID(), picture, url: URL.createObjectURL(picture), alt: replaces?.alt ?? '', trouble: [],
        share: null,
      }));
    for (const one of replaces ? all : []) URL.revokeObjectURL(one.url);
    all = replaces ? taken.slice(0, 1) : [...all, ...taken];
    draw();
    list.querySelector('input')?.focus();
  });
  const go = /** @type {HTMLButtonElement} */ (h('button',
    { type: 'button', class: 'button primary', onclick: submit }));
  const dialog = openDialog({
    title: translate(replaces ? 'photos.replace' : 'photos.add'),
    body: [h('p', {}, translate('photos.rules')), picker, list],
    foot: [go],
    closed: () => {
      stop.abort();
      for (const one of all) URL.revokeObjectURL(one.url);
      context.sent(done);
    },
  });
  draw();

  function draw() {
    fill(list, ...all.map((one, index) => card(one, index)));
    fill(go, icon('send'), all.length ? plural('photos.send', all.length) : translate('photos.send.none'));
    go.disabled = all.length === 0 || isSending;
  }

  /** @param {Candidate} one @param {number} index */
  function card(one, index) {
    const element = photoCard({
      url: one.url, alt: one.alt, number: index + 1,
      described: (alt) => { one.alt = alt; },
      remove: () => {
        URL.revokeObjectURL(one.url);
        all = all.filter((other) => other !== one);
        draw();
        picker.querySelector('input')?.focus();
      },
    });
    if (one.trouble.length) {
      element.append(h('p', { class: 'complaint', role: 'alert' }, icon('warning'), h('span', {}, ...one.trouble)));
    }
    if (one.share !== null) {
      element.setAttribute('aria-busy', 'true');
      element.append(h('progress',
        { max: '1', value: String(one.share), 'aria-label': translate('photos.sending', { number: index + 1 }) }));
    }
    return element;
  }

  /** Uploads one photo after the other. Refused photos stay in the dialog with the error. */
  async function submit() {
    if (isSending || all.some((one) => [...one.alt].length > MOST_ALT)) return;
    isSending = true;
    for (const one of [...all]) {
      try {
        const isSent = await steadily({
          say: (words) => {
            one.trouble = words ?? [];
            one.share = words ? null : 0;
            draw();
          },
          isWanted: () => list.isConnected && all.includes(one),
        }, () => deliver(one));
        if (!isSent) continue;
        done += 1;
        URL.revokeObjectURL(one.url);
        all = all.filter((other) => other !== one);
      } catch (error) {
        if (isAbort(error)) return;
        throw error;
      }
    }
    isSending = false;
    draw();
    if (all.length) announce(plural('photos.left', all.length));
    else dialog.close();
  }

  /** @param {Candidate} one */
  function deliver(one) {
    const bar = () => list.querySelector('progress');
    const watched = {
      signal: stop.signal,
      progress: (/** @type {number} */ share) => {
        one.share = share;
        bar()?.setAttribute('value', String(share));
      },
    };
    return replaces
      ? replacePhoto(replaces.id, one.picture, one.alt, watched)
      : addPhoto(context.device, one.picture, one.alt, one.key, watched);
  }
}
