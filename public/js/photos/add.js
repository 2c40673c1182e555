// @ts-check
// The dialog that adds photos, or puts another in the place of one: taken, looked at, described, sent.

import { isAbort } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { MOST_ALT, photoCard, photoPicker } from '../fields/photos.js';
import { steadily } from '../forms/steadily.js';
import { plural, translate } from '../i18n.js';
import { openDialog } from '../page/dialog.js';
import { announce } from '../page/notices.js';
import { addPhoto, replacePhoto } from './sending.js';

/** @typedef {{key: string, picture: Blob, url: string, alt: string, trouble: (Node | string)[], share: number | null}} Candidate */
/**
 * @typedef {object} AddContext
 * @property {string} device its id
 * @property {{id: string, alt: string} | null} replaces the photo whose place it takes
 * @property {(sent: number) => void} sent how many are on the server, once the dialog has closed
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
    const taken = pictures.map((picture) => ({ key: crypto.randomUUID(), picture, url: URL.createObjectURL(picture), alt: replaces?.alt ?? '', trouble: [], share: null }));
    for (const one of replaces ? all : []) URL.revokeObjectURL(one.url);
    all = replaces ? taken.slice(0, 1) : [...all, ...taken];
    draw();
    list.querySelector('input')?.focus();
  });
  const go = /** @type {HTMLButtonElement} */ (h('button', { type: 'button', class: 'button primary', onclick: submit }));
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
    if (one.trouble.length) element.append(h('p', { class: 'complaint', role: 'alert' }, icon('warning'), h('span', {}, ...one.trouble)));
    if (one.share !== null) {
      element.setAttribute('aria-busy', 'true');
      element.append(h('progress', { max: '1', value: String(one.share), 'aria-label': translate('photos.sending', { number: index + 1 }) }));
    }
    return element;
  }

  /** One after the other; what was refused stays here and says why. */
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
    return replaces ? replacePhoto(replaces.id, one.picture, one.alt, watched) : addPhoto(context.device, one.picture, one.alt, one.key, watched);
  }
}
