// @ts-check
// Further collections: layers of third parties, imported from a file and removable again.

import { connection, getJSON, Outage, send } from '../api.js';
import { ask } from '../dialog.js';
import { fill, h } from '../dom.js';
import { formatNumber } from '../format.js';
import { checkField, complaintFor, textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { moment } from '../moderation/detail.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { sizeFault } from '../mapping/upload-size.js';

/**
 * @typedef {object} Collection
 * @property {string} id
 * @property {string} title
 * @property {string} licence
 * @property {number} features
 * @property {string} file
 * @property {string | null} by
 * @property {string} created_at
 * @property {{name: string, kind: string}[]} properties
 * @property {{reason: string, count: number}[]} [skipped]
 */

const TEXTS = ['id', 'title', 'licence', 'attribution', 'description', 'url', 'layer', 'time'];
const NEEDED = new Set(['id', 'title', 'licence', 'attribution']);
const NOTED = new Set(['id', 'layer', 'time']);

export class Collections {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.outcome = h('div', { 'aria-live': 'polite' });
    this.list = h('div', {});
    this.form = h('div', {});
    fill(place, h('section', { class: 'fact-section' },
      h('h2', {}, translate('admin.collections.new')),
      h('p', { class: 'section-note' }, translate('admin.collections.lead')), this.form),
    this.outcome, h('h2', {}, translate('admin.collections.all')), this.list);
    this.begin();
    this.load();
  }

  begin() {
    const file = fileField();
    const texts = TEXTS.map((name) => textField({
      name, label: translate(`admin.collections.${name}`), isRequired: NEEDED.has(name),
      note: NOTED.has(name) ? translate(`admin.collections.${name}.note`) : null, type: name === 'url' ? 'url' : 'text',
    }));
    const replace = checkField({ name: 'replace', label: translate('admin.collections.replace') });
    const form = new Form({
      fields: [file, ...texts, replace], submit: translate('admin.collections.do'), act: (values) => this.add(values),
    });
    fill(this.form, form.element);
  }

  /** @param {Record<string, any>} values */
  async add(values) {
    const form = new FormData();
    for (const name of TEXTS) if (values[name]) form.append(name, values[name]);
    if (values.replace) form.append('replace', 'true');
    form.append('file', values.file);
    const { body } = await send('POST', '/api/admin/collections', { form });
    this.tell(/** @type {Collection} */ (body));
    this.begin();
    await this.load();
  }

  /**
   * Shows the result of an import.
   * @param {Collection} collection
   */
  tell(collection) {
    const skipped = collection.skipped ?? [];
    const heading = h('h2', { tabindex: '-1' }, translate('admin.collections.done', { title: collection.title }));
    fill(this.outcome, h('section', { class: 'fact-section' }, heading,
      h('p', {}, plural('admin.collections.features', collection.features)),
      skipped.length > 0 && h('ul', {}, ...skipped.map(({ reason, count }) => (
        h('li', {}, translate(`admin.collections.skipped.${reason}`, { count: number(count) }))))),
      h('p', {},
        h('a', { href: `/api/collections/${encodeURIComponent(collection.id)}/items` },
          translate('admin.collections.see')))));
    heading.focus();
  }

  async load() {
    try {
      const { collections } = await getJSON('/api/admin/collections');
      fill(this.list, collections.length
        ? h('ul', { class: 'account-list' }, ...collections.map((/** @type {Collection} */ one) => this.row(one)))
        : h('p', {}, translate('admin.collections.none')));
    } catch (error) {
      fill(this.list, h('p', { role: 'alert' }, trouble(error)));
      if (error instanceof Outage && connection.reach !== 'fine') connection.recovered().then(() => this.load());
    }
  }

  /** @param {Collection} collection */
  row(collection) {
    const facts = [
      plural('admin.collections.features', collection.features), collection.licence, moment(collection.created_at),
    ];
    return h('li', { class: 'fact-section account-line' },
      h('a', { href: `/api/collections/${encodeURIComponent(collection.id)}/items` }, h('bdi', {}, collection.title)),
      h('span', { class: 'section-note' }, h('bdi', {}, collection.id),
        ...facts.flatMap((fact) => [' · ', h('bdi', {}, fact)])),
      h('button', {
        type: 'button', class: 'button grave',
        'aria-label': translate('admin.collections.remove.of', { title: collection.title }),
        onclick: (/** @type {Event} */ event) => this.remove(collection,
          /** @type {HTMLElement} */ (event.currentTarget)),
      }, translate('admin.collections.remove')));
  }

  /** @param {Collection} collection @param {HTMLElement} button */
  async remove(collection, button) {
    const answer = await ask({
      title: translate('admin.collections.remove'),
      words: translate('admin.collections.remove.sure', { title: collection.title }),
      answers: [
        { value: 'no', label: translate('form.cancel') },
        { value: 'yes', label: translate('admin.collections.remove'), look: 'grave' },
      ],
    });
    if (answer !== 'yes') return;
    const isRemoved = await steadily(saidOver(button),
      () => send('DELETE', `/api/admin/collections/${encodeURIComponent(collection.id)}`), {
        refused: ({ status }) => status === 404, // 404: the response to the first request was lost
      });
    if (isRemoved) toast(translate('admin.collections.removed'));
    await this.load();
  }
}

/** @returns {import('../forms/fields.js').FormField} */
function fileField() {
  const control = /** @type {HTMLInputElement} */ (h('input', {
    type: 'file', id: 'collection-file', required: true, accept: '.geojson,.json,.geojsonl,.geojsons,.csv,.gpkg,.gz',
  }));
  const complaint = complaintFor(control, []);
  return {
    name: 'file', label: translate('admin.collections.file'), control, complain: complaint.say,
    element: h('div', { class: 'field' },
      h('label', { class: 'field-label', for: 'collection-file' }, translate('admin.collections.file')), control,
      complaint.element),
    value: () => control.files?.[0] ?? null,
    fault: () => (control.files?.[0] ? sizeFault(control.files[0]) : translate('admin.imports.file.missing')),
  };
}

/** @param {number} value */
function number(value) { return formatNumber(value, language()); }
