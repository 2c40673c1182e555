// @ts-check
// Search accounts by name, and change their roles.

import { connection, isAbort, latestOnly, Outage, send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { proofFields } from '../forms/proof.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { label, scheme } from '../taxonomies.js';

const ROLES = ['contributor', 'operator', 'moderator', 'admin'];
/** Kinds of organisation that an operator account can represent. */
const KINDS = ['public', 'company'];
const STATES = ['confirmed', 'unconfirmed', 'suspended'];

/**
 * @typedef {object} AdminAccount
 * @property {string} id
 * @property {string} username
 * @property {import('../types').Role} role
 * @property {string} joined_on
 * @property {boolean} confirmed
 * @property {import('../types').Suspension | null} suspended
 * @property {{name: string, kind: string} | null} [operator]
 */

export class Accounts {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.latest = latestOnly();
    scheme('operator_kinds').catch(() => null);
    /** @type {AdminAccount[]} */
    this.accounts = [];
    /** @type {string | null} */
    this.next = null;
    this.words = /** @type {HTMLInputElement} */ (h('input', {
      type: 'search', id: 'account-words', autocomplete: 'off', oninput: () => this.load(),
    }));
    this.role = select('account-role', ['', ...ROLES],
      (role) => (role ? translate(`role.${role}`) : translate('admin.any')), () => this.load());
    this.state = select('account-state', ['', ...STATES],
      (state) => (state ? translate(`admin.state.${state}`) : translate('admin.any')), () => this.load());
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.list = h('ul', { class: 'account-list' });
    this.foot = h('div', {});
    fill(place,
      h('form', {
        class: 'account-search', role: 'search', onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
      },
        field('account-words', 'admin.accounts.words', this.words),
        field('account-role', 'admin.accounts.role', this.role),
        field('account-state', 'admin.accounts.state', this.state)),
    this.status, this.list, this.foot);
    this.load();
  }

  /** @param {boolean} [more] @returns {Promise<void>} */
  async load(more = false) {
    try {
      const given = {
        q: this.words.value.trim(), role: this.role.value, state: this.state.value, cursor: more ? this.next ?? '' : '',
      };
      const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value));
      const answer = await this.latest(`/api/admin/accounts?${query}`);
      this.accounts = more ? [...this.accounts, ...answer.accounts] : answer.accounts;
      this.next = answer.next ?? null;
      this.status.textContent = plural('admin.accounts.found', this.accounts.length);
      fill(this.list, ...this.accounts.map((account) => this.row(account)));
      fill(this.foot, this.next
        ? h('button', { type: 'button', class: 'button', onclick: () => this.load(true) }, translate('order.more'))
        : null);
    } catch (error) {
      if (isAbort(error)) return undefined;
      this.status.textContent = trouble(error);
      if (error instanceof Outage && connection.reach !== 'fine') {
        return connection.recovered().then(() => this.load(more));
      }
    }
    return undefined;
  }

  /** @param {AdminAccount} account */
  row(account) {
    const { username, role, joined_on: joined, confirmed, suspended } = account;
    const form = h('div', { class: 'account-change', hidden: true });
    return h('li', { class: 'fact-section' },
      h('div', { class: 'account-line' },
        h('a', { href: `/people/${encodeURIComponent(username)}` }, h('bdi', {}, username)),
        h('span', { class: 'chip' }, translate(`role.${role}`)),
        !confirmed && h('span', { class: 'chip is-on' }, translate('admin.state.unconfirmed')),
        suspended && h('span', { class: 'chip is-on' }, translate('admin.state.suspended')),
        h('span', { class: 'section-note' }, formatDay(joined, language()) ?? ''),
        h('button', {
          type: 'button', class: 'button', 'aria-expanded': 'false', onclick: (/** @type {Event} */ event) => {
            form.hidden = !form.hidden;
            /** @type {HTMLElement} */ (event.currentTarget).setAttribute('aria-expanded', String(!form.hidden));
            if (!form.hidden && !form.childElementCount) this.change(form, account);
          },
        }, icon('settings'), translate('admin.accounts.change'))), form);
  }

  /** @param {HTMLElement} place @param {AdminAccount} account */
  change(place, account) {
    const id = `change-${account.id}`;
    const role = select(`${id}-role`, ROLES, (one) => translate(`role.${one}`));
    role.value = account.role;
    const reason = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', id: `${id}-reason`, maxlength: '500', required: true,
    }));
    const suspended = /** @type {HTMLInputElement} */ (h('input', {
      type: 'checkbox', checked: Boolean(account.suspended),
    }));
    const organisation = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', id: `${id}-operator`, maxlength: '200',
    }));
    organisation.value = account.operator?.name ?? '';
    const kind = select(`${id}-kind`, KINDS, (one) => label('operator_kinds', one));
    kind.value = account.operator?.kind ?? 'company';
    const fault = h('p', { class: 'field-fault', role: 'alert' });
    const organisationField = h('div', { class: 'account-organisation' },
      field(`${id}-operator`, 'admin.accounts.operator', organisation),
      field(`${id}-kind`, 'field.operator_kind', kind));
    const speaksForAnother = () => role.value === 'operator'
      && (organisation.value.trim() !== (account.operator?.name ?? '')
        || kind.value !== (account.operator?.kind ?? 'company'));
    const proof = proofFields(() => role.value !== account.role || speaksForAnother());
    const follow = () => {
      organisationField.hidden = role.value !== 'operator';
      proof.look();
    };
    for (const input of [role, kind]) input.addEventListener('change', follow);
    organisation.addEventListener('input', follow);
    follow();
    fill(place, field(`${id}-role`, 'admin.accounts.role', role), organisationField,
      h('label', { class: 'check' }, suspended, translate('admin.accounts.suspend')),
      field(`${id}-reason`, 'order.reason', reason), proof.element, fault,
      h('button', {
        type: 'button', class: 'button primary', onclick: async () => {
          if (!reason.value.trim()) {
            fault.textContent = translate('order.reason.missing');
            reason.focus();
            return;
          }
          if (proof.missing()) return;
          const isChanged = await steadily(saidIn(fault), () => {
            const json = { reason: reason.value.trim(), ...(role.value !== account.role ? { role: role.value } : {}),
              ...(speaksForAnother() ? { operator: { name: organisation.value.trim(), kind: kind.value } } : {}),
              ...(suspended.checked !== Boolean(account.suspended) ? { suspended: suspended.checked } : {}),
              ...proof.values() };
            return send('PATCH', `/api/admin/accounts/${encodeURIComponent(account.id)}`, { json });
          }, { again: translate('admin.accounts.save') });
          if (!isChanged) return;
          toast(translate('admin.accounts.changed'));
          this.load();
        },
      }, translate('admin.accounts.save')));
    role.focus();
  }
}

/**
 * @param {string} id
 * @param {string[]} values
 * @param {(value: string) => string} words
 * @param {() => void} [changed]
 */
function select(id, values, words, changed) {
  return /** @type {HTMLSelectElement} */ (h('select', { id, onchange: changed },
    ...values.map((value) => h('option', { value }, words(value)))));
}

/** @param {string} id @param {string} key @param {HTMLElement} input */
function field(id, key, input) {
  return h('div', { class: 'field' }, h('label', { for: id }, translate(key)), input);
}
