// @ts-check
// The pages of proposed lists: all lists of the signed-in user, one of them, and a new one.

import { VALUE_SCHEMES } from '../devices/value-words.js';
import { byId, fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { ImportWizard } from '../mapping/wizard.js';
import { instanceName } from '../page/brand.js';
import { whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { OwnProposal, OwnProposals } from './own.js';
import { LICENCES, LONGEST_FORM } from './proposals.js';
import { ProposalTrial } from './trial.js';

const ONE = /^\/lists\/([0-9a-f-]{36})$/;

async function start() {
  await startShell();
  await Promise.all(VALUE_SCHEMES.map((name) => scheme(name).catch(() => null)));
  document.title = `${translate('lists.title')} · ${instanceName()}`;
  const place = byId('content');
  const account = (await whenSession())?.account;
  if (!account) {
    location.replace(`/sign-in?then=${encodeURIComponent(location.pathname)}`);
    return;
  }
  const id = ONE.exec(location.pathname)?.[1];
  if (id) new OwnProposal(place, id);
  else if (location.pathname !== '/lists/propose') new OwnProposals(place);
  else if (!account.confirmed || account.suspended) refuse(place, account.suspended ? 'suspended' : 'unconfirmed');
  else {
    const part = h('div', { class: 'order-part' });
    fill(place, h('div', { class: 'order-head' }, h('h1', { tabindex: '-1' }, translate('lists.propose'))), part);
    new ImportWizard(part, {
      words: 'lists.wizard', back: '/lists', inspections: '/api/list-inspections', most: LONGEST_FORM,
      licences: LICENCES, trial: (given) => new ProposalTrial(given),
    });
  }
}

/** @param {HTMLElement} place @param {'suspended' | 'unconfirmed'} reason */
function refuse(place, reason) {
  fill(place, h('div', { class: 'refusal' }, h('span', { class: 'empty-mark' }, icon('warning')),
    h('h1', { tabindex: '-1' }, translate(`lists.gate.${reason}`)),
    h('p', {}, translate(`lists.gate.${reason}.more`)),
    h('a', { class: 'button primary', href: '/account' }, icon('account'), translate('menu.my_account'))));
}

start();
