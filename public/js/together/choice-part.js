// @ts-check
// On the page of a request that was sent: make it common, so that others can join.

import { send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { isBusy, saidOver, steadily, whileBusy } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { commonPath } from './common.js';
import { ownRequests } from './join.js';

/**
 * A section for a choice of the account that was sent to a named operator; otherwise null.
 * @param {import('../ledger/ledger.js').Choice} choice @param {boolean} inAccount
 */
export function choicePart(choice, inAccount) {
  if (!inAccount || !choice.operator?.name || ['wanted', 'withdrawn'].includes(choice.state)) return null;
  const place = h('div', {});
  const button = h('button', { type: 'button', class: 'button', onclick: () => {
    if (isBusy(button)) return;
    whileBusy([button], () => steadily(saidOver(button), async () => {
      const { body } = await send('POST', '/api/common-requests', { json: { choice: choice.id } });
      location.assign(commonPath(body.request));
    }));
  } }, icon('account-new'), translate('together.open'));
  ownRequests().then((own) => {
    const found = own.find((one) => one.choice === choice.id);
    fill(place, found
      ? h('p', {}, translate('together.is_common'), ' ',
        h('a', { href: commonPath(found.request) }, translate('together.to_page')))
      : h('div', { class: 'form-acts' }, button));
  }, () => fill(place));
  return h('section', { class: 'paper', 'aria-labelledby': 'together-title' },
    h('h2', { id: 'together-title' }, translate('together.title')),
    h('p', {}, translate('together.what')), h('p', { class: 'section-note' }, translate('together.private')), place);
}
