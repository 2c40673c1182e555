// @ts-check
// The button of the download dialog, which is loaded when it is first used.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { late } from '../late.js';

/** @param {() => import('./take.js').Wanted} wanted */
export function takeButton(wanted) {
  const open = async () => {
    const { openTake } = await late(import('./take.js'));
    openTake(wanted());
  };
  return h('button', { type: 'button', class: 'button take-open', 'aria-haspopup': 'dialog', onclick: open },
    icon('download'), translate('take.open'));
}
