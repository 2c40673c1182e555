// @ts-check
// Page that ends the mails of a watch with the token from the link in a mail. The reader has to press a button, because
// mail scanners follow links but press no buttons. Works in any browser, signed in or not.

import { send } from '../api.js';
import { showSheet } from '../account/sheet.js';
import { forgetToken, mailedToken } from '../account/token.js';
import { h } from '../dom.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { startShell } from '../shell/shell.js';

async function start() {
  await startShell();
  const token = mailedToken();
  if (!token) return showSpent();
  const form = new Form({
    fields: [],
    submit: translate('unsubscribe.button'),
    act: async () => {
      await send('POST', `/api/watches/unsubscribe?${new URLSearchParams({ token })}`);
      forgetToken();
      showSheet({ title: translate('unsubscribe.done'), symbol: 'check', lead: translate('unsubscribe.done.lead') },
        toWatches());
    },
    explain: (refusal) => {
      if (refusal.status !== 404) return null;
      forgetToken();
      showSpent();
      return [];
    },
  });
  return showSheet({ title: translate('unsubscribe.title'), symbol: 'mail', lead: translate('unsubscribe.lead') },
    form.element);
}

function showSpent() {
  showSheet({ title: translate('unsubscribe.spent'), symbol: 'mail', lead: translate('unsubscribe.spent.lead') },
    toWatches());
}

function toWatches() {
  return h('p', {}, h('a', { href: '/watches' }, translate('watches.title')));
}

start();
