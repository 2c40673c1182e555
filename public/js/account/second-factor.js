// @ts-check
// The second factor: an authenticator app that shows codes, and printed recovery codes in case the
// app is lost.

import { send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { copyButton, download } from '../forms/copy.js';
import { passwordField, textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { codeField } from '../forms/proof.js';
import { plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { toast } from '../page/notices.js';
import { refreshSession, session } from '../session.js';
import { qrCode } from './qr.js';
import { cancelButton, opener, paper } from './section.js';

/** @typedef {import('./section.js').Section} Section */
/** @typedef {import('./section.js').Account} Account */

const FEW = 3; // the page warns at this number of remaining recovery codes or fewer

/**
 * @param {() => void} done called after the app has been set up and the user has confirmed storing the codes
 * @returns {Section}
 */
export function secondFactor(done) {
  const title = translate('account.second_factor');
  const body = h('div', { class: 'stack' });
  let drawn = '';
  let isEnrolling = false;
  const draw = (/** @type {Account} */ account) => {
    const state = JSON.stringify(account.second_factor);
    if (isEnrolling || state === drawn) return;
    drawn = state;
    fill(body, ...(account.second_factor.enabled ? whenOn(account) : whenOff()));
  };
  const redraw = () => {
    isEnrolling = false;
    drawn = '';
    const account = session()?.account;
    if (account) draw(account);
  };

  function whenOff() {
    const { button, place } = opener({ words: translate('account.second_factor.set_up'), symbol: icon('shield') },
      begin);
    return [
      h('p', {}, translate('account.second_factor.why')),
      h('div', { class: 'form-acts' }, button), place,
    ];
  }

  /** @param {Account} account */
  function whenOn({ second_factor: { recovery_codes_left: left, required } }) {
    const anew = opener({ words: translate('account.second_factor.replace'), symbol: icon('shield') }, begin);
    const off = opener({ words: translate('account.second_factor.turn_off'), isDanger: true }, turnOff);
    return [
      h('p', { class: 'is-good' }, icon('check'), h('span', {}, translate('account.second_factor.on'))),
      h('p', { class: left <= FEW ? 'aside-note' : 'field-note' }, left <= FEW ? icon('warning') : null,
        h('span', {}, plural('account.recovery_codes.left', left))),
      required ? h('p', { class: 'field-note' }, translate('account.second_factor.kept')) : null,
      h('div', { class: 'form-acts' }, anew.button, required ? null : off.button), anew.place, off.place,
    ];
  }

  /** @param {(said?: string) => void} close */
  function begin(close) {
    return new Form({
      fields: [
        passwordField({
          name: 'password', label: translate('account.current_password'),
          note: translate('account.second_factor.first'),
        }),
        ...(session()?.account.second_factor.enabled ? [codeField()] : []),
      ],
      submit: translate('form.next'),
      beside: [cancelButton(close)],
      act: async (values) => {
        const { body: given } = await send('POST', '/api/account/totp', { json: values });
        isEnrolling = true;
        enrol(given);
      },
    });
  }

  /** @param {{secret: string, uri: string, qr: string[]}} given */
  function enrol({ secret, uri, qr }) {
    const parts = /** @type {string[]} */ (secret.match(/.{1,4}/g) ?? [secret]);
    const shown = h('code', { class: 'secret' }, parts.join(' '));
    const code = textField({
      name: 'code', label: translate('account.second_factor.code'), note: translate('account.second_factor.code.note'),
      autocomplete: 'one-time-code', inputmode: 'numeric', most: 10,
    });
    const form = new Form({
      fields: [code],
      submit: translate('account.second_factor.confirm'),
      beside: [cancelButton(redraw)],
      act: async (values) => {
        const { body: answer } = await send('POST', '/api/account/totp/confirm', { json: values });
        showCodes(answer.recovery_codes); // show the codes first: the server sends them only once
        await refreshSession().catch(() => null);
      },
    });
    const heading = h('h3', { tabindex: '-1' }, translate('account.second_factor.scan'));
    fill(body, heading,
      h('p', {}, translate('account.second_factor.scan.why')),
      h('div', { class: 'enrol' }, qrCode(qr, translate('account.second_factor.qr')),
        h('div', { class: 'stack' },
          h('p', {},
            h('a', { href: uri, class: 'button' }, icon('external'), translate('account.second_factor.open_app'))),
          h('p', {}, translate('account.second_factor.by_hand')), h('p', {}, shown),
          copyButton(secret, translate('form.copy'), shown))),
      form.element);
    heading.focus();
  }

  /** @param {string[]} codes */
  function showCodes(codes) {
    const text = codes.join('\n');
    const list = h('ol', { class: 'codes' }, ...codes.map((code) => h('li', {}, h('code', {}, code))));
    const heading = h('h3', { tabindex: '-1' }, translate('account.recovery_codes'));
    const print = () => {
      document.body.classList.add('prints-codes');
      globalThis.print();
      document.body.classList.remove('prints-codes');
    };
    const keep = () => {
      redraw();
      toast(translate('account.second_factor.done'));
      done();
    };
    const head = translate('account.recovery_codes.paper', {
      name: instanceName(), username: session()?.account.username ?? '',
    });
    fill(body, heading,
      h('p', { class: 'aside-note' }, icon('warning'), h('span', {}, translate('account.recovery_codes.once'))),
      h('div', { class: 'codes-paper' }, h('p', { class: 'codes-head' }, head), list),
      h('div', { class: 'form-acts' },
        copyButton(text, translate('form.copy'), list),
        h('button', {
          type: 'button', class: 'button',
          onclick: () => download(`${head}\n\n${text}\n`, `${instanceName()}-codes.txt`),
        }, icon('download'), translate('form.download')),
        h('button', { type: 'button', class: 'button', onclick: print }, icon('print'), translate('form.print'))),
      h('div', { class: 'form-acts' },
        h('button', { type: 'button', class: 'button primary', onclick: keep },
          translate('account.recovery_codes.kept'))));
    heading.focus();
  }

  /** @param {(said?: string) => void} close */
  function turnOff(close) {
    return new Form({
      fields: [passwordField({ name: 'password', label: translate('account.current_password') }), codeField()],
      submit: translate('account.second_factor.turn_off'),
      isDanger: true,
      beside: [cancelButton(close)],
      act: async (values) => {
        await send('DELETE', '/api/account/totp', { json: values });
        await refreshSession();
        redraw();
        toast(translate('account.second_factor.off'));
      },
    });
  }

  return { id: 'second-factor', title, element: paper('second-factor', title, body), update: draw };
}
