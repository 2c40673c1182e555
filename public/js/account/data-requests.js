// @ts-check
// The account setting that allows requests for the user’s records.

import { send } from '../api.js';
import { h } from '../dom.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { refreshSession } from '../session.js';
import { paper } from './section.js';

/** @returns {import('./section.js').Section} */
export function requestSetting() {
  const title = translate('requests.title');
  const control = /** @type {HTMLInputElement} */ (h('input',
    { type: 'checkbox', id: 'allow-requests', name: 'data_requests', 'aria-describedby': 'allow-requests-note' }));
  const said = h('p', { class: 'complaint', role: 'alert' });
  said.hidden = true;
  control.addEventListener('change', async () => {
    const wanted = control.checked;
    control.setAttribute('aria-disabled', 'true');
    const isKept = await steadily(saidIn(said), async () => {
      await send('PATCH', '/api/account', { json: { data_requests: wanted } });
      await refreshSession();
    });
    control.removeAttribute('aria-disabled');
    if (isKept) toast(translate('account.saved'));
    else control.checked = !wanted;
  });
  return {
    id: 'requests', title,
    element: paper('requests', title,
      h('div', { class: 'field' },
        h('label', { class: 'check', for: 'allow-requests' }, control, h('span', {}, translate('requests.allow'))),
        h('p', { class: 'field-note check-note', id: 'allow-requests-note' }, translate('requests.allow.note')), said),
      h('p', {}, h('a', { href: '/data-requests' }, translate('requests.see')))),
    update: ({ data_requests: allowed }) => { control.checked = allowed !== false; },
  };
}
