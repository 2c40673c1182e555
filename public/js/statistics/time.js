// @ts-check
// Devices over time: the total, and the devices added, confirmed and removed in each interval.

import { h } from '../dom.js';
import { newId } from '../fields/field.js';
import { formatDate, formatDay, formatNumber } from '../format.js';
import { segments } from '../fields/segments.js';
import { language, translate } from '../i18n.js';
import { Figure } from './figure.js';
import { intervalKey } from './figures.js';
import { bubble, decals, legend, tooltip } from './library.js';
import { encodeQuestion, INTERVALS, seriesPath } from './question.js';

/** @typedef {import('./groups.js').Asker} Asker */
/** @typedef {import('./figures.js').Step} Step */

const HAPPENED = /** @type {const} */ (['added', 'confirmed', 'removed']);
const ALL = /** @type {const} */ (['standing', ...HAPPENED]);

/** @param {Asker} asker */
export function timeFigure(asker) {
  const intervals = segments({
    legend: translate('statistics.interval'), legendLook: 'field-label', chosen: asker.current.interval,
    options: INTERVALS.map((value) => ({ value, words: translate(`statistics.interval.${value}`) })),
    choose: (interval) => asker.ask({ interval }),
  });
  const from = dayField(translate('statistics.from'), (day) => asker.ask({ from: day }));
  const to = dayField(translate('statistics.to'), (day) => asker.ask({ to: day }));
  const figure = new Figure({
    id: 'time', level: 2, title: translate('statistics.time'), table: translate('statistics.table'),
    controls: [
      h('p', { class: 'section-note' }, translate('statistics.time.lead')),
      h('div', { class: 'figure-controls' }, intervals.element, from.element, to.element),
    ],
    path: () => seriesPath(asker.current),
    link: () => encodeQuestion(asker.current),
    read(answer) {
      const steps = /** @type {Step[]} */ (answer.series);
      const { interval } = asker.current;
      const last = steps.at(-1);
      return {
        draw: steps.length > 1 ? (look, width) => lines(steps, interval, look, width) : null,
        words: last ? translate('statistics.time.words', {
          first: stepName(steps[0], interval), last: stepName(last, interval),
          before: formatNumber(steps[0].standing, language()), after: formatNumber(last.standing, language()),
        }) : '',
        empty: steps.length > 1 ? '' : translate(steps.length ? 'statistics.only_step' : 'statistics.nothing'),
        table: steps.length ? table(steps, interval) : null,
      };
    },
  });
  return {
    figure,
    update() {
      const { current } = asker;
      intervals.show(current.interval);
      from.input.value = current.from ?? '';
      to.input.value = current.to ?? '';
      figure.refresh();
    },
  };
}

/** @param {string} title @param {(day: string | null) => void} choose */
function dayField(title, choose) {
  const id = newId();
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'date', class: 'text-input', id, max: new Date().toISOString().slice(0, 10),
    onchange: () => choose(input.value || null),
  }));
  return {
    input, element: h('div', { class: 'field day-field' }, h('label', { class: 'field-label', for: id }, title), input),
  };
}

/** @param {Step} step @param {string} interval */
function stepName({ start }, interval) {
  const name = interval === 'day' || interval === 'week'
    ? formatDay(start, language())
    : formatDate(intervalKey(start, interval), language());
  return interval === 'week' ? translate('statistics.week_of', { day: name ?? start }) : name ?? start;
}

/** @param {Step[]} steps @param {string} interval */
function table(steps, interval) {
  const title = translate('statistics.time');
  return h('div', { class: 'wide-table', tabindex: '0', role: 'region', 'aria-label': title },
    h('table', { class: 'figures-table' },
      h('caption', { class: 'visually-hidden' }, title),
      h('thead', {},
        h('tr', {}, h('th', { scope: 'col' }, translate(`statistics.interval.${interval}`)),
          ...ALL.map((column) => h('th', { scope: 'col' }, translate(`statistics.time.${column}`))))),
      h('tbody', {},
        ...[...steps].reverse().map((step) => h('tr', {}, h('th', { scope: 'row' }, stepName(step, interval)),
          ...ALL.map((column) => h('td', {}, formatNumber(step[column], language()))))))));
}

/**
 * The total above and the changes below, with a common time axis.
 * @param {Step[]} steps @param {string} interval @param {import('./library.js').Look} look @param {number} width
 */
function lines(steps, interval, look, width) {
  const keys = steps.map(({ start }) => intervalKey(start, interval));
  const narrow = width < 500;
  const top = narrow ? 62 : 36;
  const patterns = decals(look.mark);
  const colours = [look.series[0], look.series[1], look.series[2], look.series[3]];
  const axis = (/** @type {number} */ gridIndex) => ({
    type: 'value', gridIndex, min: 0, minInterval: 1, splitNumber: gridIndex ? 2 : 3,
    axisLabel: { color: look.soft, formatter: (/** @type {number} */ value) => formatNumber(value, language()) },
    splitLine: { lineStyle: { color: look.line } },
  });
  const times = (/** @type {number} */ gridIndex, /** @type {boolean} */ show) => ({
    type: 'category', gridIndex, data: keys, axisTick: { show: false }, axisLine: { lineStyle: { color: look.edge } },
    axisLabel: { show, color: look.soft, hideOverlap: true },
  });
  const left = narrow ? 48 : 60;
  return {
    height: top + 300,
    option: {
      legend: legend(look),
      grid: [
        { left, right: 12, top, height: 140, outerBoundsMode: 'none' },
        { left, right: 12, top: top + 168, height: 100, outerBoundsMode: 'none' },
      ],
      xAxis: [times(0, false), times(1, true)],
      yAxis: [axis(0), axis(1)],
      tooltip: tooltip(look, (points) => {
        const step = steps[points[0].dataIndex];
        return bubble(stepName(step, interval),
          ...ALL.map((column) =>
            `${translate(`statistics.time.${column}`)}: ${formatNumber(step[column], language())}`));
      }, { trigger: 'axis', axisPointer: { type: 'line', lineStyle: { color: look.edge } } }),
      axisPointer: { link: [{ xAxisIndex: 'all' }] },
      series: [
        {
          type: 'line', name: translate('statistics.time.standing'), data: steps.map(({ standing }) => standing),
          xAxisIndex: 0, yAxisIndex: 0, step: 'end',
          showSymbol: steps.length < 40, symbol: 'circle', symbolSize: 5, lineStyle: { width: 2, color: colours[0] },
          itemStyle: { color: colours[0] }, areaStyle: { color: colours[0], opacity: 0.14 },
        },
        ...HAPPENED.map((column, place) => ({
          type: 'bar', name: translate(`statistics.time.${column}`), data: steps.map((step) => step[column]),
          xAxisIndex: 1, yAxisIndex: 1, barMaxWidth: 14,
          itemStyle: { color: colours[place + 1], decal: patterns[place + 1] },
        })),
      ],
    },
  };
}
