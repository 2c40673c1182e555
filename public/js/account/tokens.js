// @ts-check
// API tokens for the user's own programs.

import { getJSON, send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatDay, formatList } from '../format.js';
import { copyButton } from '../forms/copy.js';
import { choicesField, selectField, textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { proofFields } from '../forms/proof.js';
import { language, plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { untilAnswered } from '../page/start.js';
import { cancelButton, opener, paper } from './section.js';
import { deleted, trouble } from './sessions.js';

/**
 * @typedef {object} Token
 * @property {string} id
 * @property {string} name
 * @property {string[]} scopes
 * @property {string} created_at
 * @property {string} expires_at
 * @property {string | null} last_used_on
 */

const DAYS = [30, 90, 180, 365];
/** Scopes that act on contributions of others. They require a proof of identity and expire sooner. */
const POWER = ['moderate', 'admin'];
const DAYS_OF_POWER = 30;

/** @returns {import('./section.js').Section} */
export function tokens() {
  const title = translate('account.tokens');
  const list = h('ul', { class: 'things', 'aria-busy': 'true' });
  /** @type {string[]} scopes available to this account */
  let scopes = [];
  const fresh = h('div', { class: 'opened' });
  const { button, place, close } = opener({ words: translate('account.tokens.make'), symbol: icon('key') }, makeForm);

  /** @param {(path: string) => Promise<{tokens: Token[], available_scopes: string[]}>} ask */
  const load = async (ask) => {
    const { tokens: found, available_scopes: available } = await ask('/api/account/tokens');
    scopes = available;
    list.removeAttribute('aria-busy');
    fill(list,
      ...(found.length ? found.map(item) : [h('li', { class: 'field-note' }, translate('account.tokens.none'))]));
  };

  /** @param {Token} token */
  function item(token) {
    const scopes = formatList(token.scopes.map((scope) => translate(`account.scope.${scope}`)), language());
    return h('li', {},
      h('div', {}, h('p', { class: 'strong' }, h('bdi', {}, token.name)), h('p', { class: 'field-note' }, scopes),
        h('p', { class: 'field-note' },
          translate('account.tokens.until', { day: formatDay(token.expires_at, language()) ?? '' }), ' · ',
          token.last_used_on
            ? translate('account.tokens.used', { day: formatDay(token.last_used_on, language()) ?? '' })
            : translate('account.tokens.unused'))),
      h('button', {
        type: 'button', class: 'button', 'aria-label': `${translate('account.tokens.revoke')}: ${token.name}`,
        onclick: () => revoke(token.id),
      }, translate('account.tokens.revoke')));
  }

  /** @param {string} id */
  async function revoke(id) {
    if (!await deleted(`/api/account/tokens/${encodeURIComponent(id)}`, element)) return undefined;
    toast(translate('account.tokens.revoked'));
    await load(getJSON).catch(trouble);
    return element.focus();
  }

  /** @param {(said?: string) => void} cancel */
  function makeForm(cancel) {
    fill(fresh);
    const name = textField({
      name: 'name', label: translate('account.tokens.name'), note: translate('account.tokens.name.note'), most: 60,
    });
    const chosen = choicesField({
      name: 'scopes', label: translate('account.tokens.scopes'),
      options: scopes.map((code) => ({
        code, label: translate(`account.scope.${code}`), note: translate(`account.scope.${code}.note`),
      })), value: ['read'], mustBe: translate('account.tokens.scopes.some'),
    });
    const ends = selectField({
      name: 'expires_in_days', label: translate('account.tokens.expires'),
      options: DAYS.map((days) => [String(days), plural('account.days', days)]), value: '90',
    });
    const days = /** @type {HTMLSelectElement} */ (ends.control);
    const hasPower = () => chosen.value().some((/** @type {string} */ scope) => POWER.includes(scope));
    const proof = proofFields(hasPower);
    const note = h('p', { class: 'aside-note', hidden: true }, icon('warning'),
      h('span', {}, translate('account.tokens.power', { days: DAYS_OF_POWER })));
    chosen.element.addEventListener('change', () => {
      const isPower = hasPower();
      proof.look();
      note.hidden = !isPower;
      for (const option of days.options) option.disabled = isPower && Number(option.value) > DAYS_OF_POWER;
      if (isPower && Number(days.value) > DAYS_OF_POWER) days.value = String(DAYS_OF_POWER);
    });
    return new Form({
      fields: [name, chosen, ends, ...proof.fields],
      body: [name.element, chosen.element, ends.element, note, proof.element],
      submit: translate('account.tokens.make'),
      beside: [cancelButton(cancel)],
      act: async (values) => {
        const { body } = await send('POST', '/api/account/tokens', {
          json: {
            name: values.name, scopes: values.scopes, expires_in_days: Number(values.expires_in_days),
            ...proof.values(),
          },
        });
        close();
        show(body.token, body.name ?? values.name);
        await load(getJSON).catch(trouble);
      },
    });
  }

  /** @param {string} token @param {string} name */
  function show(token, name) {
    const shown = h('code', { class: 'secret' }, token);
    const heading = h('h3', { tabindex: '-1' }, h('bdi', {}, name));
    fill(fresh, h('div', { class: 'fresh' }, heading,
      h('p', { class: 'aside-note' }, icon('warning'), h('span', {}, translate('account.tokens.once'))),
      h('p', {}, shown),
      h('div', { class: 'form-acts' }, copyButton(token, translate('form.copy'), shown),
        h('button', { type: 'button', class: 'button', onclick: () => { fill(fresh); button.focus(); } },
          translate('account.tokens.kept'))),
      h('p', { class: 'field-note' }, translate('account.tokens.how'), ' ', h('code', {}, 'Authorization: Bearer …'))));
    heading.focus();
  }

  const element = paper('tokens', title, h('p', {}, translate('account.tokens.why')), list, fresh,
    h('div', { class: 'form-acts' }, button), place);
  load(untilAnswered).catch(trouble);
  return { id: 'tokens', title, element, update: () => {} };
}
