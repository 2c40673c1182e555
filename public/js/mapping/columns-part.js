// @ts-check
// The columns of a list, each with its samples, fill rate and meaning.

import { fieldName } from '../devices/value-words.js';
import { h } from '../dom.js';
import { formatNumber, formatShare } from '../format.js';
import { has, language, translate } from '../i18n.js';
import { isDate, isPlace, USES } from './guess.js';
import { columnsOf } from './place-guess.js';

/** @typedef {import('./guess.js').Column} Column */
/** @typedef {import('./guess.js').Use} Use */
/** @typedef {import('./choices.js').Choices} Choices */

const UNITS = ['m', 'cm', 'ft', 'in'];
const SHOWN = 3; // samples of each column
/**
 * Meanings that a list has in one column only, or not at all.
 * @type {Record<string, readonly Use[]>}
 */
const RIVALS = { latitude: ['latitude', 'position'], longitude: ['longitude', 'position'],
  position: ['latitude', 'longitude', 'position'] };

/** @param {Use} use */
const useWords = (use) => (has(`wizard.use.${use}`) ? translate(`wizard.use.${use}`) : fieldName(use));

/**
 * @param {readonly Column[]} columns @param {number} rows @param {Choices} choices
 * @param {() => void} changed
 */
export function columnsTable(columns, rows, choices, changed) {
  /** @type {Map<string, (use: Use) => void>} */
  const setters = new Map();
  const choose = (/** @type {string} */ column, /** @type {Use} */ use) => {
    const rivals = isPlace(use) ? RIVALS[use] : use === 'id' ? [use] : [];
    for (const other of rivals) release(choices, other, column, setters);
    choices.uses[column] = use;
    changed();
  };
  return h('table', { class: 'is-stacked wizard-columns' },
    h('caption', { class: 'visually-hidden' }, translate('wizard.columns')),
    h('thead', {}, h('tr', {}, ...['column', 'samples', 'filled', 'use'].map((name) => (
      h('th', { scope: 'col' }, translate(`wizard.columns.${name}`)))))),
    h('tbody', {}, ...columns.map((column) => row(column, rows, choices, setters, choose, changed))));
}

/**
 * Takes a meaning that only one column can have from the other columns.
 * @param {Choices} choices @param {Use} use @param {string} column @param {Map<string, (use: Use) => void>} setters
 */
function release(choices, use, column, setters) {
  for (const other of Object.keys(choices.uses)) {
    if (other === column || choices.uses[other] !== use) continue;
    choices.uses[other] = '';
    setters.get(other)?.('');
  }
}

/**
 * @param {Column} column @param {number} rows @param {Choices} choices
 * @param {Map<string, (use: Use) => void>} setters
 * @param {(column: string, use: Use) => void} choose @param {() => void} changed
 */
function row(column, rows, choices, setters, choose, changed) {
  const name = column.column;
  const more = h('div', { class: 'wizard-more' });
  const select = /** @type {HTMLSelectElement} */ (h('select', {
    class: 'text-input', 'aria-label': translate('wizard.use.of', { column: name }), 'data-column': name,
  }, h('option', { value: '' }, translate('wizard.use.keep')),
  ...USES.map((use) => h('option', { value: use }, useWords(use)))));
  const draw = () => {
    select.value = choices.uses[name] ?? '';
    select.classList.toggle('is-used', select.value !== '' && select.value !== 'drop');
    more.replaceChildren(...detail(column, choices, changed));
  };
  setters.set(name, draw);
  draw();
  select.addEventListener('change', () => {
    choose(name, /** @type {Use} */ (select.value));
    draw();
  });
  const cell = (/** @type {string} */ part, /** @type {import('../dom.js').Child[]} */ ...content) => (
    h('td', { 'data-title': translate(`wizard.columns.${part}`) }, h('div', {}, ...content)));
  return h('tr', {},
    h('th', { scope: 'row' }, h('bdi', { class: 'wizard-name' }, name)),
    cell('samples', samples(column)), cell('filled', filled(column, rows)), cell('use', select, more));
}

/** @param {Column} column */
function samples({ column, kind, samples: texts }) {
  if (kind === 'list') {
    const pointer = column.startsWith('/') ? column : `/${column}`;
    return h('span', { class: 'section-note' }, translate('wizard.columns.list', { pointer }));
  }
  if (!texts.length) return h('span', { class: 'unknown' }, translate('wizard.columns.empty'));
  return h('ul', { class: 'wizard-samples' }, ...texts.slice(0, SHOWN).map((text) => h('li', {}, h('bdi', {}, text))));
}

/** @param {Column} column @param {number} rows */
function filled({ filled: count }, rows) {
  const share = rows ? count / rows : 0;
  return h('span', { class: 'wizard-share', title: formatNumber(count, language()) },
    h('meter', { min: 0, max: 1, value: share, 'aria-hidden': 'true' }), h('span', {}, formatShare(share, language())));
}

/**
 * Further questions about a column: the order of a date, the unit of a height.
 * @param {Column} column @param {Choices} choices @param {() => void} changed
 */
function detail(column, choices, changed) {
  const use = choices.uses[column.column];
  const [degrees] = Object.entries(choices.templates).find(([name, template]) => (
    name !== column.column && isPlace(choices.uses[name]) && columnsOf(template).includes(column.column))) ?? [];
  if (degrees && !use) {
    return [h('span', { class: 'section-note' }, translate('wizard.columns.joined', { column: degrees }))];
  }
  if (isDate(use) && column.date_formats.length > 1) {
    return [choice('format', column.column, column.date_formats.map((format) => [format, format.replace('*', '')]),
      choices.formats[column.column], (value) => {
        choices.formats[column.column] = value;
        changed();
      })];
  }
  if (isPlace(use) && (column.letter_o || column.samples.some((text) => /\dO|\bO\b|[°'"]\s*O/i.test(text)))) {
    const sides = /** @type {[string, string][]} */ (['', 'east', 'west'].map(
      (side) => [side, translate(side ? `wizard.letter_o.${side}` : 'wizard.choose')]));
    return [choice('letter_o', column.column, sides, choices.letterO, (value) => {
      choices.letterO = /** @type {'' | 'east' | 'west'} */ (value);
      changed();
    })];
  }
  if (use === 'height') {
    return [choice('unit', column.column, UNITS.map((unit) => [unit, unit]), choices.unit, (value) => {
      choices.unit = value;
      changed();
    })];
  }
  return [];
}

/**
 * @param {string} name @param {string} column @param {[string, string][]} options @param {string} value
 * @param {(value: string) => void} act
 */
function choice(name, column, options, value, act) {
  const select = /** @type {HTMLSelectElement} */ (h('select', {
    class: 'text-input', 'aria-label': `${translate(`wizard.${name}`)}: ${column}`,
    onchange: () => act(select.value),
  }, ...options.map(([code, words]) => h('option', { value: code, selected: code === value }, words))));
  return h('span', { class: 'wizard-detail' },
    h('span', { 'aria-hidden': 'true' }, translate(`wizard.${name}`)), select);
}
