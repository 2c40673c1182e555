// @ts-check
// Links with which a device, an operator or the moderation queue is watched.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';

/**
 * The name is in the fragment, which browsers do not send.
 * @param {Record<string, string>} values @param {string} words
 */
function link(values, words = translate('watch.follow')) {
  return h('a', { class: 'button', href: `/watches#${new URLSearchParams(values)}` }, icon('bell'), words);
}

/** @param {string} device @param {string} label */
export function followDevice(device, label) {
  return link({ device, label });
}

export function followQueue() {
  return link({ queue: '1', label: translate('watch.area.queue') });
}

/** @param {string} operator its name @param {string} [words] */
export function followOperator(operator, words) {
  return link({ operator, label: operator }, words);
}

/** @param {string} place its id @param {string} label */
export function followPlace(place, label) {
  return link({ place, label });
}
