// @ts-check
// The page of one request in the inbox.

import { getJSON, send } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { toast } from '../page/notices.js';
import { onSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { attempt, operatorAccount, showLost } from './lost.js';
import { redraw, requestView } from './request-view.js';

/** @typedef {import('./requests.js').OperatorRequest} OperatorRequest */

const address =
  `/api/operator/requests/${encodeURIComponent(decodeURIComponent(location.pathname.split('/')[3] ?? ''))}`;

/** @param {OperatorRequest} request @returns {HTMLElement} */
function view(request) {
  document.title = `${request.subject} · ${instanceName()}`;
  return requestView(request, async (answer) => {
    const { body } = await send('POST', `${address}/events`, { json: answer });
    redraw(byId('content'), view(body?.id ? body : await getJSON(address)));
    toast(translate('request.answered'));
  });
}

async function show() {
  if (!await operatorAccount()) return;
  const [request] = await Promise.all([getJSON(address), scheme('choices').catch(() => null)]);
  fill(byId('content'), view(request));
}

startShell().then(async () => {
  byId('back').setAttribute('href', '/operator');
  fill(byId('back'), icon('back'), translate('inbox.title'));
  const load = () => attempt(show, (refusal) => {
    showLost({
      title: translate('request.missing'),
      words: refusal.status === 404 ? translate('request.missing.why') : refusal.message,
    },
      h('a', { class: 'button primary', href: '/operator' }, icon('mail'), translate('inbox.title')));
  });
  await load();
  let who = '';
  // Redraws only when the user signs in or out: an answer that is being typed stays.
  onSession((now) => {
    const next = now?.account.id ?? '';
    if (next !== who) load();
    who = next;
  });
});
