// @ts-check
// Download all data of an account, and delete the account.

import { getFile, send } from '../api.js';
import { h, icon } from '../dom.js';
import { download } from '../forms/copy.js';
import { passwordField } from '../forms/fields.js';
import { Form, tooMany } from '../forms/form.js';
import { codeField } from '../forms/proof.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { session, sessionEnded } from '../session.js';
import { forgetAll } from '../storage/kept.js';
import { cancelButton, opener, paper } from './section.js';
import { showSheet } from './sheet.js';

/** @returns {import('./section.js').Section} */
export function exportData() {
  const title = translate('account.export');
  const said = h('p', { class: 'field-note', role: 'status' });
  const button = h('button', { type: 'button', class: 'button' }, icon('download'), translate('account.export.take'));
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-disabled')) return;
    button.setAttribute('aria-disabled', 'true');
    const voice = saidIn(said);
    const isTaken = await steadily(voice, async () => {
      voice.say([translate('account.export.wait')]);
      const { blob, name } = await getFile('/api/account/export');
      download(blob, name ?? 'farol.json');
    }, {
      refused: (refusal) => {
        if (refusal.status === 429) voice.say([tooMany(refusal)]);
        return refusal.status === 429;
      },
    });
    if (isTaken) voice.say([translate('account.export.done')]);
    button.removeAttribute('aria-disabled');
  });
  return {
    id: 'export', title, update: () => {},
    element: paper('export', title, h('p', {}, translate('account.export.what')),
      h('div', { class: 'form-acts' }, button), said),
  };
}

/** @returns {import('./section.js').Section} */
export function deletion() {
  const title = translate('account.delete');
  const { button, place } = opener({
    words: translate('account.delete'), symbol: icon('trash'), isDanger: true,
  }, (close) => {
    const fields = [passwordField({ name: 'password', label: translate('account.current_password') })];
    const coded = session()?.account.second_factor.enabled ? [...fields, codeField()] : fields;
    return new Form({
      fields: coded,
      body: [
        h('p', { class: 'aside-note' }, icon('warning'), h('span', {}, translate('account.delete.for_good'))),
        ...coded.map((field) => field.element),
      ],
      submit: translate('account.delete.now'),
      isDanger: true,
      beside: [cancelButton(close)],
      act: async (values) => {
        await send('DELETE', '/api/account', { json: values });
        isGone = true;
        await sessionEnded();
        showGone();
      },
    });
  });
  const points = (/** @type {string} */ kind, /** @type {string[]} */ names) => [
    h('h3', {}, translate(`account.delete.${kind}`)),
    h('ul', { class: 'points' }, ...names.map((name) => h('li', {}, translate(`account.delete.${kind}.${name}`)))),
  ];
  return {
    id: 'delete', title, update: () => {},
    element: paper('delete', title,
      ...points('goes', ['account', 'private', 'name', 'words']), ...points('stays', ['devices', 'log']),
      h('div', { class: 'form-acts' }, button), place),
  };
}

let isGone = false;

/** Whether the account was deleted on this page. The page then shows its own message. */
export function isDeleted() {
  return isGone;
}

function showGone() {
  const button = h('button', { type: 'button', class: 'button' }, icon('trash'), translate('account.forget_here'));
  const said = h('p', { class: 'field-note', role: 'status' });
  button.addEventListener('click', async () => {
    await forgetAll();
    button.remove();
    said.textContent = translate('account.forgotten_here');
  });
  showSheet({ title: translate('account.gone.title'), symbol: 'check', lead: translate('account.gone.lead') },
    h('p', {}, translate('account.gone.here')), said,
    h('div', { class: 'form-acts' }, button,
      h('a', { class: 'button primary', href: '/' }, icon('map'), translate('account.to_map'))));
}
