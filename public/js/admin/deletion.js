// @ts-check
// Deletes a device by its id or name. The page first lists the devices that match, and deletes one
// after confirmation.

import { send } from '../api.js';
import { lateName, nameOf } from '../devices/late-name.js';
import { ask } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { formatDay, locale } from '../format.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { has, language, plural, translate } from '../i18n.js';
import { itemMap } from '../moderation/item-map.js';
import { label, scheme } from '../taxonomies.js';
import { ago } from './figures.js';

const MOST_MAPS = 6; // browsers draw about 16 maps at a time, and each takes memory
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * @typedef {object} Candidate device that would be deleted
 * @property {string} id
 * @property {string} name
 * @property {string} category
 * @property {string} status
 * @property {boolean} hidden
 * @property {string | null} author
 * @property {string} created_at
 * @property {{coordinates: [longitude: number, latitude: number]} | null} geometry
 * @property {number} photos
 * @property {number} verdicts
 */
/** @typedef {import('../api.js').Refusal} Refusal */

export class Deletion {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.what = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', id: 'delete-what', autocomplete: 'off', spellcheck: 'false', required: true, maxlength: '120',
    }));
    this.reason = /** @type {HTMLInputElement} */ (h('input', { type: 'text', id: 'delete-reason', maxlength: '500' }));
    this.message = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', id: 'delete-message', maxlength: '500',
    }));
    this.result = h('div', { class: 'deletion-result', 'aria-live': 'polite' });
    fill(place, h('form', { class: 'deletion', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.look();
    } },
    h('p', {}, translate('admin.deletion.lead')),
    h('div', { class: 'field' }, h('label', { for: 'delete-what' }, translate('admin.deletion.what')), this.what),
    h('button', { type: 'submit', class: 'button primary' }, icon('search'), translate('admin.deletion.look'))),
    this.result);
    // Without these taxonomies the page shows the bare codes.
    Promise.all([scheme('categories'), scheme('statuses')]).catch(() => null);
  }

  get named() {
    const text = this.what.value.trim();
    return ID.test(text) ? { id: text.toLowerCase() } : { name: text };
  }

  async look() {
    if (!this.what.value.trim()) return;
    /** @type {Candidate[]} */
    let candidates = [];
    const isFound = await steadily(this.voice, async () => {
      const { body } = await send('POST', '/api/admin/deletions', { json: { ...this.named, confirm: false } });
      candidates = body.candidates ?? [];
    }, { refused: (refusal) => this.refused(refusal) });
    if (isFound) this.offer(candidates);
  }

  /** @returns {import('../forms/steadily.js').Voice} */
  get voice() {
    return {
      say: (words) => { if (words) fill(this.result, h('p', { class: 'field-fault', role: 'alert' }, ...words)); },
      isWanted: () => this.result.isConnected,
    };
  }

  /** @param {Candidate[]} candidates */
  offer(candidates) {
    const fault = h('p', { class: 'field-fault', role: 'alert' });
    this.reason.value = '';
    this.message.value = '';
    fill(this.result,
      h('h2', { tabindex: '-1' }, translate(candidates.length > 1 ? 'admin.deletion.which' : 'admin.deletion.sure')),
      h('div', { class: 'field' }, h('label', { for: 'delete-reason' }, translate('order.reason')),
        h('p', { class: 'section-note' }, translate('admin.deletion.reason.note')), this.reason), fault,
      h('div', { class: 'field' }, h('label', { for: 'delete-message' }, translate('admin.deletion.message')),
        h('p', { class: 'section-note' }, translate('admin.deletion.message.note')), this.message),
      h('ul', { class: 'account-list' },
        ...candidates.map((one, index) => h('li', {
          class: 'fact-section deletion-candidate', 'aria-labelledby': `name-${one.id}`,
        },
          h('div', { class: 'account-line' },
            h('h3', { id: `name-${one.id}` },
              h('a', { href: `/devices/${one.id}`, target: '_blank' }, lateName(one), ' ', icon('external'))),
            one.hidden && h('span', { class: 'chip is-on' }, translate('admin.deletion.hidden'))),
          h('dl', { class: 'facts' },
            ...facts(one).map(([key, value]) => h('div', {}, h('dt', {}, translate(key)),
              h('dd', { class: 'said' }, value)))),
          one.geometry && index < MOST_MAPS && itemMap(one),
          h('div', { class: 'form-acts' },
            h('button', { type: 'button', class: 'button grave', onclick: () => this.remove(one, fault) },
              icon('trash'), translate('admin.deletion.now')))))));
    this.result.querySelector('h2')?.focus();
  }

  /**
   * Deletes a device after a dialog that repeats its facts.
   * @param {Candidate} device @param {HTMLElement} fault
   */
  async remove(device, fault) {
    if (!this.reason.value.trim()) {
      fault.textContent = translate('order.reason.missing');
      this.reason.focus();
      return;
    }
    fault.textContent = '';
    const name = await nameOf(device);
    const answer = await ask({
      title: translate('admin.deletion.confirm', { name }),
      words: translate('admin.deletion.confirm.words'),
      more: h('dl', { class: 'facts' },
        ...facts(device).map(([key, value]) => h('div', {}, h('dt', {}, translate(key)),
          h('dd', { class: 'said' }, value)))),
      answers: [
        { value: 'keep', label: translate('form.cancel') },
        { value: 'delete', label: translate('admin.deletion.now'), look: 'grave' },
      ],
    });
    if (answer !== 'delete') return;
    const message = this.message.value.trim();
    const isDeleted = await steadily(saidIn(fault), () => send('POST', '/api/admin/deletions', {
      json: { id: device.id, confirm: true, reason: this.reason.value.trim(), ...(message && { message }) },
    }), {
      // 410 or 404: already deleted, possibly by a first request whose response was lost.
      refused: (refusal) => this.refused(refusal),
    });
    if (!isDeleted) return;
    fill(this.result, h('p', { class: 'good' }, icon('check'), translate('admin.deletion.done', { name })),
      h('p', { class: 'section-note' }, translate('admin.deletion.done.more')));
    this.what.value = '';
  }

  /**
   * Shows this page's own message for a 404 or 410 response.
   * @param {Refusal} refusal @returns {boolean} whether the response was one of them
   */
  refused({ status, problem }) {
    if (status === 410) {
      const { deleted_at: at, deleted_by: by, reason } = problem;
      const why = has(`gone.reason.${reason}`) ? translate(`gone.reason.${reason}`) : reason;
      fill(this.result,
        h('p', {}, icon('info'),
          translate('admin.deletion.gone', {
            day: formatDay(at, language()) ?? '', by: by ? translate(`role.${by}`) : '',
          }), ' ', why ?? ''));
    } else if (status === 404) {
      fill(this.result, h('p', {}, icon('info'), translate('admin.deletion.unknown')));
    }
    return status === 410 || status === 404;
  }
}

/**
 * Facts that distinguish devices of the same name, and the number of photos and verdicts deleted
 * with the device.
 * @param {Candidate} device
 * @returns {[key: string, value: string | Node][]}
 */
function facts({ id, category, status, created_at: at, author, photos, verdicts, geometry }) {
  const [longitude = NaN, latitude = NaN] = geometry?.coordinates ?? [];
  const place = Number.isFinite(longitude) && Number.isFinite(latitude)
    ? h('a', { href: `/?device=${id}`, target: '_blank' }, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`)
    : translate('unknown');
  const age = at ? ago(at, Date.now(), locale(language())) : '';
  return [
    ['admin.deletion.fact.category', label('categories', category)], ['admin.deletion.fact.place', place],
    ['admin.deletion.fact.added', [formatDay(at, language()), age].filter(Boolean).join(' · ')],
    ['admin.deletion.fact.author', author ?? translate('admin.deletion.fact.no_author')],
    ['admin.deletion.fact.status', label('statuses', status)],
    [
      'admin.deletion.fact.goes',
      [plural('admin.deletion.photos', photos ?? 0), plural('admin.deletion.verdicts', verdicts ?? 0)].join(', '),
    ],
    ['admin.deletion.fact.id', h('code', {}, id)],
  ];
}
