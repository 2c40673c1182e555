// @ts-check
// A cross-tabulation of two properties that the reader selects: stacked bars, and a table.

import { h } from '../dom.js';
import { newId } from '../fields/field.js';
import { formatNumber } from '../format.js';
import { language, translate } from '../i18n.js';
import { Figure } from './figure.js';
import { crossing } from './figures.js';
import { bubble, decals, legend, legendLines, nameAxis, tooltip, unknownPattern } from './library.js';
import { groupName, propertyName, wordsOf } from './names.js';
import { encodeQuestion, groupsPath, PROPERTIES } from './question.js';

/** @typedef {import('./figures.js').Crossing} Crossing */
/** @typedef {import('./groups.js').Asker} Asker */

const TOLD = 10_000; // groups requested at most
const ROWS = 12;
const COLUMNS = 6;
const BAR = 20; // pixels
const LONGEST = 28; // characters of a name in the legend

/** @param {Asker} asker */
export function crossFigure(asker) {
  const first = chooser(translate('statistics.cross.first'));
  const second = chooser(translate('statistics.cross.second'));
  const change = (/** @type {0 | 1} */ place, /** @type {string} */ value) => {
    const next = /** @type {[string, string]} */ ([...asker.current.cross]);
    // The same property twice would be meaningless, so the two properties swap.
    if (next[1 - place] === value) next[1 - place] = next[place];
    next[place] = value;
    asker.ask({ cross: next });
  };
  first.select.addEventListener('change', () => change(0, first.select.value));
  second.select.addEventListener('change', () => change(1, second.select.value));
  const figure = new Figure({
    id: 'cross', level: 2, title: translate('statistics.cross'), table: translate('statistics.table'),
    controls: [
      h('p', { class: 'section-note' }, translate('statistics.cross.lead')),
      h('div', { class: 'figure-controls' }, first.element, second.element),
    ],
    path: () => groupsPath(asker.current, asker.current.cross, TOLD),
    link: () => encodeQuestion(asker.current),
    async read(answer) {
      const properties = asker.current.cross;
      await Promise.all(properties.map(wordsOf));
      const found = crossing(answer.groups, properties, ROWS, COLUMNS);
      const title = translate('statistics.cross.title',
        { first: propertyName(properties[0]), second: propertyName(properties[1]) });
      const overlaps = properties.filter((property) => answer.overlapping.includes(property));
      return {
        draw: found.rows.length > 1 ? (look, width) => stacks(found, properties, look, width) : null,
        words: translate('statistics.cross.words', { title }),
        note: overlaps.length ? translate('statistics.overlap') : '',
        empty: found.rows.length > 1 ? '' : translate(found.rows.length ? 'statistics.only_row' : 'statistics.nothing'),
        table: found.rows.length ? table(title, found, properties) : null,
      };
    },
  });
  return {
    figure,
    update() {
      [first.select.value, second.select.value] = asker.current.cross;
      figure.refresh();
    },
  };
}

/** @param {string} title */
function chooser(title) {
  const id = newId();
  const select = /** @type {HTMLSelectElement} */ (h('select', { class: 'text-input', id },
    ...PROPERTIES.map((property) => h('option', { value: property }, propertyName(property)))));
  return {
    select, element: h('div', { class: 'field' }, h('label', { class: 'field-label', for: id }, title), select),
  };
}

/** @param {string} title @param {Crossing} found @param {[string, string]} properties */
function table(title, { rows, columns, cells }, properties) {
  return h('div', { class: 'wide-table', tabindex: '0', role: 'region', 'aria-label': title },
    h('table', { class: 'figures-table' },
      h('caption', { class: 'visually-hidden' }, title),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, propertyName(properties[0])),
        ...columns.map((column) => h('th', { scope: 'col', class: 'said' },
          h('bdi', {}, groupName(properties[1], column)))))),
      h('tbody', {}, ...rows.map((row, place) => h('tr', {},
        h('th', { scope: 'row', class: 'said' }, h('bdi', {}, groupName(properties[0], row))),
        ...cells[place].map((count) => h('td', {}, formatNumber(count, language()))))))));
}

/**
 * @param {Crossing} found @param {[string, string]} properties @param {import('./library.js').Look} look
 * @param {number} width
 */
function stacks({ rows, columns, cells }, properties, look, width) {
  const bars = rows.map((row) => groupName(properties[0], row));
  const names = nameAxis(look, bars, width, BAR);
  const titles = columns.map((column) => groupName(properties[1], column));
  const patterns = decals(look.mark);
  const short = (/** @type {string} */ title) => (title.length > LONGEST ? `${title.slice(0, LONGEST - 1)}…` : title);
  const top = legendLines(titles.map(short), width) * 28 + 10;
  return {
    height: top + rows.length * names.pitch + 34,
    option: {
      legend: legend(look, { right: 0, icon: 'rect', formatter: short }),
      grid: { left: names.left, right: 24, top, bottom: 28, outerBoundsMode: 'none' },
      xAxis: {
        type: 'value', min: 0, minInterval: 1, splitNumber: width < 500 ? 3 : 5,
        axisLabel: { color: look.soft, formatter: (/** @type {number} */ value) => formatNumber(value, language()) },
        splitLine: { lineStyle: { color: look.line } },
      },
      yAxis: names.axis,
      tooltip: tooltip(look,
        ({ seriesIndex, dataIndex }) => bubble(bars[dataIndex],
          `${titles[seriesIndex]}: ${formatNumber(cells[dataIndex][seriesIndex], language())}`)),
      series: columns.map((column, place) => ({
        type: 'bar', stack: 'all', name: titles[place], barWidth: BAR,
        itemStyle: {
          ...(column.key === null
            ? { color: look.gone, decal: unknownPattern(look) }
            : { color: look.series[place % look.series.length], decal: patterns[place % patterns.length] }),
          borderColor: look.paper, borderWidth: 1,
        },
        data: cells.map((row) => row[place]), emphasis: { focus: 'series' },
      })),
    },
  };
}
