// @ts-check
// Answers a request without an account, through the link in the letter. The page removes the key from the address
// before it is drawn, and sends it only in the body of a request.

import { forgetToken, mailedToken } from '../account/token.js';
import { send } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { toast } from '../page/notices.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { attempt, showLost, toOperators } from './lost.js';
import { redraw, requestView } from './request-view.js';

/** @typedef {import('./requests.js').OperatorRequest} OperatorRequest */

/** @param {string} token */
function page(token) {
  /** @param {OperatorRequest} request @returns {HTMLElement} */
  const view = (request) => {
    document.title = `${translate('reply.title')} · ${instanceName()}`;
    return requestView(request, async (answer) => {
      const { body } = await send('POST', '/api/replies', { json: { token, ...answer } });
      redraw(byId('content'), view(body?.subject ? body : await open()));
      toast(translate('request.answered'));
    }, [honest(request.operator_name ?? null)]);
  };
  const open = async () => (await send('POST', '/api/replies/open', { json: { token } })).body;
  return async () => {
    const [request] = await Promise.all([open(), scheme('choices').catch(() => null)]);
    fill(byId('content'), view(request));
  };
}

/**
 * Explains the consequences of an answer in advance.
 * @param {string | null} name
 */
function honest(name) {
  return h('section', { class: 'paper reply-what', 'aria-labelledby': 'reply-title' },
    h('h2', { id: 'reply-title' }, name ? translate('reply.for', { name }) : translate('reply.for.nobody')),
    h('ul', { class: 'points' },
      ...['ledger', 'seen', 'link', 'register'].map((part) => h('li', {}, translate(`reply.what.${part}`)))),
    h('p', {}, h('a', { href: '/operators/register' }, translate('operators.register'))));
}

function spent() {
  showLost({ title: translate('reply.spent'), words: translate('reply.spent.why'), symbol: 'mail' }, toOperators(),
    h('a', { class: 'button', href: '/' }, icon('map'), translate('menu.map')));
}

startShell().then(() => {
  const token = mailedToken();
  if (!token) {
    return showLost({ title: translate('reply.no_key'), words: translate('reply.no_key.why'), symbol: 'mail' },
      toOperators());
  }
  return attempt(page(token), (refusal) => {
    if (refusal.kind === 'token-spent' || refusal.status === 404) {
      forgetToken();
      spent();
    } else showLost({ title: translate('list.trouble'), words: refusal.message, symbol: 'warning' });
  });
});
