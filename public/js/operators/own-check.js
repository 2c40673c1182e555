// @ts-check
// Two ways for an organisation to prove control of its domain: an email to an address at the domain, or a file on
// its web site. If neither is possible, the organisation contacts the admins of this instance.

import { send } from '../api.js';
import { h, icon } from '../dom.js';
import { copyButton, download } from '../forms/copy.js';
import { textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { isAt } from './organisation.js';

/** @typedef {import('./organisation.js').Organisation} Organisation */

/**
 * @param {Organisation} organisation @param {() => Promise<void>} done called after a successful check
 */
export function checkPart(organisation, done) {
  return h('section', { class: 'paper check-part', id: 'check', 'aria-labelledby': 'check-title' },
    h('h2', { id: 'check-title' }, translate('organisation.check')),
    h('p', {}, translate('organisation.check.why', { domain: organisation.domain })),
    byMail(organisation), byFile(organisation, done),
    h('p', { class: 'section-note' }, translate('organisation.check.neither')));
}

/** @param {Organisation} organisation */
function byMail({ domain }) {
  const said = h('p', { class: 'field-note', role: 'status' });
  const address = textField({
    name: 'address', label: translate('organisation.check.address'),
    note: translate('organisation.check.address.note', { domain }), type: 'email', inputmode: 'email', most: 254,
    check: (text) => (isAt(text, domain) ? null : translate('organisation.check.address.wrong', { domain })),
  });
  const form = new Form({
    fields: [address], submit: translate('organisation.check.send'), symbol: 'mail',
    act: async (values) => {
      await send('POST', '/api/operators/mine/check', { json: { method: 'email', address: values.address } });
      said.textContent = translate('organisation.check.sent', { address: values.address });
    },
  });
  return h('div', { class: 'check-way' }, h('h3', {}, translate('organisation.check.mail')), form.element, said);
}

/** @param {Organisation} organisation @param {() => Promise<void>} done */
function byFile({ domain, check }, done) {
  const place = h('div', { class: 'check-file' });
  const status = h('p', { class: 'field-note', role: 'status' });
  const begin = h('button', { type: 'button', class: 'button', onclick: () => show() }, icon('download'),
    translate('organisation.check.file.begin'));
  const show = () => act(status, async () => {
    const { body } = await send('POST', '/api/operators/mine/check', { json: { method: 'file' } });
    const content = h('code', { class: 'said' }, String(body.content));
    begin.hidden = true;
    place.replaceChildren(
      h('p', {}, translate('organisation.check.file.where')),
      h('p', { class: 'check-address' }, h('code', { class: 'said' }, String(body.url))),
      h('p', {}, translate('organisation.check.file.what')),
      h('p', { class: 'check-content' }, content),
      h('div', { class: 'form-acts' },
        copyButton(String(body.content), translate('form.copy'), content),
        h('button', { type: 'button', class: 'button', onclick: () => download(`${body.content}\n`, 'farol.txt') },
          icon('download'), 'farol.txt'),
        h('button', { type: 'button', class: 'button primary', id: 'check-file', onclick: () => look() }, icon('check'),
          translate('organisation.check.file.look'))));
  });
  const look = () => act(status, async () => {
    saidIn(status).say([translate('form.sending')]);
    await send('POST', '/api/operators/mine/check/file');
    status.textContent = '';
    await done();
  });
  if (check?.method === 'file' && !check.done_at) show();
  return h('div', { class: 'check-way' }, h('h3', {}, translate('organisation.check.file')),
    h('p', { class: 'section-note' }, translate('organisation.check.file.note', { domain })),
    h('div', { class: 'form-acts' }, begin), place, status);
}

/** @param {HTMLElement} status @param {() => Promise<void>} what */
function act(status, what) {
  return steadily(saidIn(status), what);
}
