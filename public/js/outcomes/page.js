// @ts-check
// Outcomes of requests by organisation and by kind of device: two sortable tables, and an explanation of the
// figures.

import { connection, getJSON, Outage, Refusal } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { language, translate } from '../i18n.js';
import { COLUMNS, MINIMUM, readOutcomes, ROUNDED_TO, sorted } from '../ledger/outcomes.js';
import { instanceName } from '../page/brand.js';
import { announce } from '../page/notices.js';
import { startShell } from '../shell/shell.js';
import { label, scheme } from '../taxonomies.js';
import { outcomeNumber } from './practice.js';

/** @typedef {import('../ledger/outcomes.js').Column} Column */
/** @typedef {import('../ledger/outcomes.js').OutcomeRow} OutcomeRow */
/** @typedef {{rows: OutcomeRow[], minimum: number, roundedTo: number}} Whole */

const MOST_PAGES = 50;

async function start() {
  await startShell();
  document.title = `${translate('outcomes.title')} · ${instanceName()}`;
  await show();
}

/** @returns {Promise<void>} */
async function show() {
  try {
    const [operators, categories] = await Promise.all([whole('operator'), whole('category'), scheme('categories')]);
    draw(operators, categories);
  } catch (error) {
    if (error instanceof Outage) return connection.recovered().then(show);
    if (!(error instanceof Refusal)) throw error;
    fill(byId('content'),
      h('div', { class: 'refusal' }, h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('warning')),
        h('h1', {}, translate('list.trouble')), h('p', {}, error.message)));
  }
  return undefined;
}

/**
 * Loads all rows, so that they can be sorted.
 * @param {'operator' | 'category'} by @returns {Promise<Whole>}
 */
async function whole(by) {
  /** @type {OutcomeRow[]} */
  const rows = [];
  /** @type {string | null} */
  let next = null;
  let [minimum, roundedTo] = [MINIMUM, ROUNDED_TO];
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = readOutcomes(
      await getJSON(`/api/outcomes?by=${by}&limit=100${next ? `&cursor=${encodeURIComponent(next)}` : ''}`),
    );
    rows.push(...page.rows);
    ({ minimum, roundedTo, next } = page);
    if (!next) break;
  }
  return { rows, minimum, roundedTo };
}

/** @param {Whole} operators @param {Whole} categories */
function draw(operators, categories) {
  const { minimum, roundedTo } = operators;
  const day = [...operators.rows, ...categories.rows].map((row) => row.asOf).filter(Boolean).sort().at(-1);
  fill(byId('content'), h('div', { class: 'ledger outcomes' },
    h('header', { class: 'ledger-head' },
      h('h1', { tabindex: '-1' }, translate('outcomes.title')),
      h('p', { class: 'lead' }, translate('outcomes.lead')),
      day
        && h('p', { class: 'section-note' }, translate('outcomes.as_of', { day: formatDay(day, language()) ?? day }))),
    part('operator', operators),
    part('category', categories),
    h('section', { class: 'paper', 'aria-labelledby': 'outcomes-how' },
      h('h2', { id: 'outcomes-how' }, translate('outcomes.how')),
      h('p', {}, translate('outcomes.how.minimum', { minimum, rounded: roundedTo })),
      h('dl', { class: 'stored' },
        ...(/** @type {const} */ (['asked', 'honoured', 'refused', 'overdue', 'medianDays'])).map((name) => h('div', {},
          h('dt', {}, translate(`outcomes.${name}`)), h('dd', {}, translate(`outcomes.${name}.means`))))),
      h('p', { class: 'section-note' }, translate('outcomes.how.private')))));
}

/** @param {OutcomeRow} row */
const nameOf = (row) => (row.category ? label('categories', row.category) : row.name);

/** @param {'operator' | 'category'} by @param {Whole} found */
function part(by, { rows, minimum }) {
  const id = `outcomes-${by}`;
  return h('section', { class: 'paper', 'aria-labelledby': id },
    h('h2', { id }, translate(`outcomes.by.${by}`)),
    rows.length
      ? table(id, by, rows)
      : h('p', { class: 'outcomes-none' }, icon('info'), h('span', {}, translate('outcomes.none', { minimum }))));
}

/**
 * A table whose rows become cards on a narrow screen. The roles keep it a table for screen readers.
 * @param {string} id of its title @param {'operator' | 'category'} by @param {OutcomeRow[]} rows
 */
function table(id, by, rows) {
  /** @type {Column} */
  let column = 'asked';
  let isUp = false;
  const body = h('tbody', { role: 'rowgroup' });
  const heads =
    new Map(COLUMNS.map((name) => [name, h('th', { scope: 'col', role: 'columnheader', class: `outcome-${name}` },
      h('button', { type: 'button', class: 'sort', onclick: () => sort(name) }, columnName(by, name),
        h('span', { class: 'sort-mark', 'aria-hidden': 'true' })))]));
  const update = () => {
    for (const [name, head] of heads) {
      if (name === column) head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
      else head.removeAttribute('aria-sort');
    }
    fill(body, ...sorted(rows, column, isUp, nameOf, language()).map((row) => line(by, row)));
  };
  const sort = (/** @type {Column} */ name) => {
    isUp = name === column ? !isUp : name === 'name';
    column = name;
    update();
    announce(translate(isUp ? 'outcomes.sorted.up' : 'outcomes.sorted.down', { column: columnName(by, column) }));
  };
  update();
  return h('table', { class: 'outcomes-table', role: 'table', 'aria-labelledby': id },
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, ...heads.values())), body);
}

/** @param {'operator' | 'category'} by @param {Column} name */
function columnName(by, name) {
  return translate(name === 'name' ? `outcomes.name.${by}` : `outcomes.${name}`);
}

/** @param {'operator' | 'category'} by @param {OutcomeRow} row */
function line(by, row) {
  const name = h('bdi', {}, nameOf(row));
  const href = row.id ? `/operators/${encodeURIComponent(row.id)}` : row.category
    ? `/learn/${encodeURIComponent(row.category)}`
    : null;
  return h('tr', { role: 'row' },
    h('th', { scope: 'row', role: 'rowheader', class: 'said' }, href ? h('a', { href }, name) : name),
    ...COLUMNS.slice(1).map((column) => {
      const value = row[/** @type {Exclude<Column, 'name'>} */ (column)];
      return h('td', { role: 'cell' }, h('span', { class: 'cell-name', 'aria-hidden': 'true' }, columnName(by, column)),
        h('span', { class: 'cell-number' }, outcomeNumber(value)));
    }));
}

start();
