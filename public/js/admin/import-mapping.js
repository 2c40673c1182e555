// @ts-check
// The mapping of one import: its rules as a table, its text, and the file to download.

import { getJSON } from '../api.js';
import { fieldName } from '../devices/value-words.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { has, language, plural, translate } from '../i18n.js';
import { rowRulesOf, rulesOf } from '../mapping/rules.js';
import { trouble } from '../page/trouble.js';

/** @typedef {import('../mapping/report.js').ImportRun} ImportRun */
/** @typedef {import('../mapping/rules.js').Rule} Rule */

const COLUMNS = ['field', 'columns', 'rule'];

export class ImportMapping {
  /** @param {ImportRun} run @param {string} path */
  constructor(run, path) {
    this.run = run;
    this.path = path;
    /** @type {import('./import-facts.js').Source | null} */
    this.source = null;
    this.element = h('div', { class: 'import-mapping' });
  }

  async load() {
    const { run } = this;
    const name = h('p', {}, translate('admin.import.mapping.name'), ' ', h('code', {}, h('bdi', {}, run.mapping)));
    if (!run.has_mapping) {
      fill(this.element, name, h('p', { class: 'section-note' }, translate('admin.import.mapping.none')));
      return;
    }
    try {
      const mapping = await getJSON(`${this.path}/mapping`);
      this.source = mapping.source ?? null;
      const text = `${JSON.stringify(mapping, null, 2)}\n`;
      fill(this.element, name, table(rulesOf(mapping, run.columns?.used ?? [])), rowRules(mapping),
        h('p', {}, h('button', {
          type: 'button', class: 'button', 'data-act': 'download', onclick: () => download(text, mapping, run),
        }, icon('download'), translate('wizard.mapping.download'))),
        h('details', {}, h('summary', {}, translate('admin.import.mapping.text')),
          h('pre', {
            class: 'import-json', tabindex: '0', role: 'region', 'aria-label': translate('admin.import.mapping.text'),
          }, text)));
    } catch (error) {
      fill(this.element, name, h('p', { role: 'alert' }, trouble(error)));
    }
  }
}

/** @param {Rule[]} rules */
function table(rules) {
  return h('table', { class: 'is-stacked import-rules' },
    h('caption', { class: 'visually-hidden' }, translate('admin.import.mapping')),
    h('thead', {}, h('tr', {}, ...COLUMNS.map((name) => (
      h('th', { scope: 'col' }, translate(`admin.import.mapping.${name}`)))))),
    h('tbody', {}, ...rules.map(row)));
}

/** @param {Rule} rule */
function row(rule) {
  const key = `wizard.use.${rule.field}`;
  const words = [
    rule.value !== null && translate('admin.import.mapping.value', { value: rule.value }),
    rule.translated > 0 && plural('admin.import.mapping.translated', rule.translated),
    rule.isConditional && translate('admin.import.mapping.condition'),
  ].filter(Boolean);
  const cell = (/** @type {string} */ name, /** @type {import('../dom.js').Child[]} */ ...content) => (
    h('td', { 'data-title': translate(`admin.import.mapping.${name}`) }, h('div', {}, ...content)));
  return h('tr', {},
    h('th', { scope: 'row' }, has(key) ? translate(key) : fieldName(rule.field)),
    cell('columns', ...(rule.columns.length
      ? rule.columns.map((name) => h('code', { class: 'import-column' }, h('bdi', {}, name)))
      : [h('span', { class: 'section-note' }, translate('admin.import.mapping.no_column'))])),
    words.length ? cell('rule', words.join(' · ')) : h('td', {}));
}

/** @param {object} mapping */
function rowRules(mapping) {
  const rules = rowRulesOf(mapping);
  if (!rules.length) return null;
  return h('details', {},
    h('summary', {}, translate('admin.import.mapping.rows', { count: formatNumber(rules.length, language()) })),
    h('ul', {}, ...rules.map(({ kind, because }) => h('li', {},
      translate(`admin.import.rule.${kind}`), ' ', h('bdi', {}, because)))));
}

/** @param {string} text @param {any} mapping @param {ImportRun} run */
function download(text, mapping, run) {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  h('a', { href: address, download: `${mapping.source?.code || run.mapping}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
