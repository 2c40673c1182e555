// @ts-check
// Shares a URL through the share sheet of the system if available; otherwise copies it to the
// clipboard.

import { h, icon, iconButton } from '../dom.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';

/** @param {string} title @param {string} path */
export function shareIcon(title, path) {
  return iconButton('share', translate('share'), {
    class: 'framed', onclick: () => share(title, new URL(path, location.href).href),
  });
}

/** @param {string} title @param {string} path */
export function shareButton(title, path) {
  return h('button', {
    type: 'button', class: 'button', onclick: () => share(title, new URL(path, location.href).href),
  },
    icon('share'), translate('share'));
}

/** @param {string} title @param {string} url */
async function share(title, url) {
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) {
      await navigator.share({ title, url });
      return;
    }
    await navigator.clipboard.writeText(url);
    toast(translate('share.copied'));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return; // the user cancelled
    toast(translate('share.by_hand', { url }));
  }
}
