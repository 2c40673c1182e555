// @ts-check
// Deleting a device by its id or its name: first what would go, then, confirmed, gone.

import { send, Refusal } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { has, language, translate } from '../i18n.js';
import { trouble } from '../page/trouble.js';
import { label, scheme } from '../taxonomies.js';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export class Deletion {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.what = /** @type {HTMLInputElement} */ (h('input', { type: 'text', id: 'delete-what', autocomplete: 'off', spellcheck: 'false', required: true, maxlength: '120' }));
    this.reason = /** @type {HTMLInputElement} */ (h('input', { type: 'text', id: 'delete-reason', maxlength: '500' }));
    this.result = h('div', { class: 'deletion-result', 'aria-live': 'polite' });
    fill(place, h('form', { class: 'deletion', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.look();
    } },
    h('p', {}, translate('admin.deletion.lead')),
    h('div', { class: 'field' }, h('label', { for: 'delete-what' }, translate('admin.deletion.what')), this.what),
    h('button', { type: 'submit', class: 'button primary' }, icon('search'), translate('admin.deletion.look'))), this.result);
    scheme('categories');
  }

  get named() {
    const text = this.what.value.trim();
    return ID.test(text) ? { id: text.toLowerCase() } : { name: text };
  }

  async look() {
    if (!this.what.value.trim()) return;
    try {
      const { body } = await send('POST', '/api/admin/deletions', { json: { ...this.named, confirm: false } });
      this.offer(body.candidates ?? []);
    } catch (error) {
      this.refused(error);
    }
  }

  /** @param {any[]} candidates */
  offer(candidates) {
    const fault = h('p', { class: 'field-fault', role: 'alert' });
    this.reason.value = '';
    fill(this.result, h('h2', { tabindex: '-1' }, translate(candidates.length > 1 ? 'admin.deletion.which' : 'admin.deletion.sure')),
      h('div', { class: 'field' }, h('label', { for: 'delete-reason' }, translate('order.reason')),
        h('p', { class: 'section-note' }, translate('admin.deletion.reason.note')), this.reason), fault,
      h('ul', { class: 'account-list' }, ...candidates.map((one) => h('li', { class: 'fact-section account-line' },
        h('a', { href: `/devices/${one.id}`, target: '_blank' }, h('bdi', {}, one.name), ' ', icon('external')),
        h('span', { class: 'chip' }, label('categories', one.category)),
        h('span', { class: 'section-note' }, [one.id, formatDay(one.created_at, language())].filter(Boolean).join(' · ')),
        h('button', { type: 'button', class: 'button grave', onclick: () => this.remove(one, fault) }, icon('trash'), translate('admin.deletion.now'))))));
    this.result.querySelector('h2')?.focus();
  }

  /** @param {any} device @param {HTMLElement} fault */
  async remove(device, fault) {
    if (!this.reason.value.trim()) {
      fault.textContent = translate('order.reason.missing');
      this.reason.focus();
      return;
    }
    try {
      await send('POST', '/api/admin/deletions', { json: { id: device.id, confirm: true, reason: this.reason.value.trim() } });
      fill(this.result, h('p', { class: 'good' }, icon('check'), translate('admin.deletion.done', { name: device.name })),
        h('p', { class: 'section-note' }, translate('admin.deletion.done.more')));
      this.what.value = '';
    } catch (error) {
      this.refused(error);
    }
  }

  /** @param {unknown} error */
  refused(error) {
    if (error instanceof Refusal && error.status === 410) {
      const { deleted_at: at, deleted_by: by, reason } = error.problem;
      const why = has(`gone.reason.${reason}`) ? translate(`gone.reason.${reason}`) : reason;
      fill(this.result, h('p', {}, icon('info'), translate('admin.deletion.gone', { day: formatDay(at, language()) ?? '', by: by ? translate(`role.${by}`) : '' }), ' ', why ?? ''));
    } else if (error instanceof Refusal && error.status === 404) {
      fill(this.result, h('p', {}, icon('info'), translate('admin.deletion.unknown')));
    } else {
      fill(this.result, h('p', { class: 'field-fault', role: 'alert' }, trouble(error)));
    }
  }
}
