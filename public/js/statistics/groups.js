// @ts-check
// A chart of devices by one property: bars and a table. Each row of the table filters by its group.

import { h, iconButton } from '../dom.js';
import { formatNumber, formatShare } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { Figure } from './figure.js';
import { groupRows, largest } from './figures.js';
import { bubble, nameAxis, tooltip, unknownPattern } from './library.js';
import { groupName, propertyName, wordsOf } from './names.js';
import { encodeQuestion, groupsPath, narrowed } from './question.js';

/** @typedef {import('./figures.js').Row} Row */
/** @typedef {import('./question.js').Question} Question */
/** @typedef {{current: Question, ask: (change: Partial<Question>) => void}} Asker the owner of the question */

const TOLD = 200; // groups in the table
const DRAWN = 10; // groups in the chart
const BAR = 18; // pixels

/**
 * @param {string} property @param {Asker} asker @param {(() => void) | null} remove null: the chart stays
 */
export function groupFigure(property, asker, remove) {
  const title = propertyName(property);
  const choose = (/** @type {string | null} */ key) => {
    const next = narrowed(asker.current, property, key);
    if (next) asker.ask({ filters: next.filters });
  };
  return new Figure({
    id: `by-${property}`, title,
    table: translate('statistics.table'),
    corner: remove && iconButton('close', translate('statistics.remove_chart', { title }),
      { class: 'figure-close', onclick: remove }),
    path: () => groupsPath(asker.current, [property], TOLD),
    link: () => encodeQuestion(asker.current),
    chosen: ({ key }) => choose(key),
    async read(answer) {
      await wordsOf(property);
      const overlap = answer.overlapping.includes(property);
      const rows = groupRows(answer, property);
      const shown = largest(rows, DRAWN, overlap);
      return {
        // One bar compares nothing: a sentence says it.
        draw: rows.length > 1
          ? (look, width) => bars(shown, property, look, width,
            (row) => !row.others && Boolean(narrowed(asker.current, property, row.key)))
          : null,
        words: translate('statistics.chart.words', {
          title,
          groups: shown.slice(0,
            5).map((row) => `${groupName(property, row)} ${formatNumber(row.count, language())}`).join('; '),
        }),
        note: overlap && rows.length > 1 ? translate('statistics.overlap') : '',
        empty: rows.length > 1 ? '' : rows.length ? onlyGroup(property, rows[0]) : translate('statistics.nothing'),
        table: rows.length ? table(title, property, rows, asker) : null,
      };
    },
  });
}

/**
 * The sentence for the only group of the devices.
 * @param {string} property @param {Row} row
 */
function onlyGroup(property, row) {
  return row.key === null && property !== 'country' && property !== 'source'
    ? translate('statistics.only_unknown')
    : plural('statistics.only', row.count, { group: groupName(property, row) });
}

/** @param {string} title @param {string} property @param {Row[]} rows @param {Asker} asker */
function table(title, property, rows, asker) {
  return h('table', { class: 'figures-table' },
    h('caption', { class: 'visually-hidden' }, title),
    h('thead', {},
      h('tr', {}, h('th', { scope: 'col' }, title), h('th', { scope: 'col' }, translate('statistics.devices')),
        h('th', { scope: 'col' }, translate('statistics.share')))),
    h('tbody', {}, ...rows.map((row) => h('tr', {},
      h('th', { scope: 'row', class: 'said' },
        row.others ? groupName(property, row) : narrowLink(asker, property, row.key)),
      h('td', {}, formatNumber(row.count, language())), h('td', {}, formatShare(row.share, language()))))));
}

/**
 * The name of a group, as a link that filters by it if a filter exists.
 * @param {Asker} asker @param {string} property @param {string | null} key
 */
function narrowLink(asker, property, key) {
  const name = h('bdi', {}, groupName(property, { key }));
  const next = narrowed(asker.current, property, key);
  if (!next) return name;
  return h('a', {
    href: encodeQuestion(next),
    onclick: (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      asker.ask({ filters: next.filters });
    },
  }, name);
}

/**
 * Horizontal bars, the largest first, so that there is room for their names.
 * @param {Row[]} rows @param {string} property @param {import('./library.js').Look} look @param {number} width
 * @param {(row: Row) => boolean} isLink
 */
function bars(rows, property, look, width, isLink) {
  const titles = rows.map((row) => groupName(property, row));
  const names = nameAxis(look, titles, width, BAR);
  const number = (/** @type {Row} */ { count, share }) =>
    `${formatNumber(count, language())}  ${formatShare(share, language())}`;
  const colour = (/** @type {Row} */ { key, others }) => (
    key === null ? { color: look.gone, decal: unknownPattern(look) } : others
      ? { color: look.edge }
      : { color: look.series[0] });
  return {
    height: rows.length * names.pitch + 12,
    option: {
      grid: { left: names.left, right: 92, top: 4, bottom: 4, outerBoundsMode: 'none' },
      xAxis: { type: 'value', show: false, min: 0 },
      yAxis: names.axis,
      tooltip: tooltip(look,
        ({ dataIndex }) => bubble(titles[dataIndex], plural('statistics.count', rows[dataIndex].count),
          translate('statistics.share_of_all', { share: formatShare(rows[dataIndex].share, language()) }))),
      series: [{
        type: 'bar', barWidth: BAR, barMinHeight: 2,
        data: rows.map((row) => ({
          value: row.count, link: isLink(row) ? { key: row.key } : null, cursor: isLink(row) ? 'pointer' : 'default',
          itemStyle: { ...colour(row), borderRadius: [0, 4, 4, 0] },
        })),
        label: {
          show: true, position: 'right', color: look.ink, fontFamily: look.font, fontSize: 14,
          formatter: (/** @type {{dataIndex: number}} */ { dataIndex }) => number(rows[dataIndex]),
        },
        emphasis: { itemStyle: { opacity: 0.8 } },
      }],
    },
  };
}
