// @ts-check
// The button of the dialog that makes HTML for another site. The dialog is loaded when it is first used.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { late } from '../late.js';

/**
 * @param {import('./dialog.js').Embedded} embedded @param {string} [look] its class
 */
export function embedButton(embedded, look = 'button embed-open') {
  const open = async () => {
    const { openEmbed } = await late(import('./dialog.js'));
    openEmbed(embedded);
  };
  return h('button', { type: 'button', class: look, 'aria-haspopup': 'dialog', onclick: open },
    icon('embed'), translate('embed.open'));
}
