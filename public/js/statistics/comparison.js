// @ts-check
// A comparison of cities and countries under the same filters: shares, counts and densities.

import { fill, h, icon } from '../dom.js';
import { newId } from '../fields/field.js';
import { formatMeasure, formatNumber, formatShare } from '../format.js';
import { language, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { AreaBox } from './area-box.js';
import { Figure } from './figure.js';
import { HEADLINE } from './figures.js';
import { bubble, decals, legend, nameAxis, tooltip } from './library.js';
import { areaName } from './names.js';
import { comparisonPath, encodeQuestion, MEASURES, MOST_AREAS } from './question.js';

/** @typedef {import('./figures.js').Figures} Figures */
/** @typedef {import('./groups.js').Asker} Asker */
/** @typedef {{name: string, figures: Figures}} Line */

const MARK = 16; // pixels of a bar

/** @param {Asker} asker */
export function comparisonFigure(asker) {
  const { current: start } = asker;
  const box = new AreaBox({
    id: 'compare-area', title: translate('statistics.compare.add'),
    placeholder: translate('statistics.area.placeholder'), fixed: () => [],
    choose: ({ value, name }) => {
      const { compare } = asker.current;
      if (!compare.includes(value)) asker.ask({ compare: [...compare, value].slice(-MOST_AREAS) });
      announce(translate('statistics.compare.added', { area: name }));
    },
  });
  const chips = h('ul', { class: 'chips', 'aria-label': translate('statistics.compare.areas') });
  const id = newId();
  const measure = /** @type {HTMLSelectElement} */ (h('select',
    { class: 'text-input', id, onchange: () => asker.ask({ measure: measure.value }) },
    ...MEASURES.map((value) => h('option', { value, selected: value === start.measure },
      translate(`statistics.measure.${value}`)))));
  const figure = new Figure({
    id: 'compare', level: 2, title: translate('statistics.compare'), table: translate('statistics.table'),
    controls: [
      h('p', { class: 'section-note' }, translate('statistics.compare.lead')),
      h('div', { class: 'figure-controls' }, box.element,
        h('div', { class: 'field' }, h('label', { class: 'field-label', for: id }, translate('statistics.measure')),
          measure)),
      chips,
    ],
    path: () => (asker.current.compare.length ? comparisonPath(asker.current) : null),
    link: () => encodeQuestion(asker.current),
    idle: translate('statistics.compare.idle'),
    async read(answer) {
      const names = await Promise.all(answer.areas.map(({ area }) => areaName(area)));
      /** @type {Line[]} */
      const lines = [
        ...answer.areas.map((figures, place) => ({ name: names[place], figures })),
        { name: translate('statistics.area.all'), figures: answer },
      ];
      const { measure: chosen } = asker.current;
      return {
        draw: (look, width) => marks(lines, chosen, look, width),
        words: translate('statistics.compare.words',
          { areas: lines.map(({ name, figures }) => `${name} ${formatNumber(figures.total, language())}`).join('; ') }),
        table: table(lines),
      };
    },
  });
  figure.tablePart.open = true;
  let drawn = start.measure;
  return {
    figure,
    update() {
      const { compare, measure: chosen } = asker.current;
      measure.value = chosen;
      drawChips(chips, compare, asker);
      figure.refresh(drawn !== chosen);
      drawn = chosen;
    },
  };
}

/** @param {HTMLElement} chips @param {string[]} areas @param {Asker} asker */
async function drawChips(chips, areas, asker) {
  const names = await Promise.all(areas.map(areaName));
  if (areas !== asker.current.compare) return;
  fill(chips, ...areas.map((area, place) => h('li', {}, h('button', {
    type: 'button', class: 'chip is-on', 'aria-label': translate('statistics.compare.remove', { area: names[place] }),
    onclick: () => {
      asker.ask({ compare: asker.current.compare.filter((other) => other !== area) });
      document.getElementById('compare-area')?.focus();
    },
  }, h('bdi', {}, names[place]), icon('close')))));
  chips.hidden = !areas.length;
}

/** @param {number | null} number */
const measured = (number) => (number === null ? '–' : formatMeasure(number, language()));

/** @param {Line[]} lines */
function table(lines) {
  const title = translate('statistics.compare');
  const columns = [
    ...HEADLINE.map((name) =>
      ({
        title: translate(`statistics.${name}`),
        of: (/** @type {Figures} */ one) => formatShare(one.headline[name].share, language()),
      })),
    {
      title: translate('statistics.square_kilometres'),
      of: (/** @type {Figures} */ one) => measured(one.square_kilometres),
    },
    {
      title: translate('statistics.density'),
      of: (/** @type {Figures} */ one) => measured(one.devices_per_square_kilometre),
    },
  ];
  return h('div', { class: 'wide-table', tabindex: '0', role: 'region', 'aria-label': title },
    h('table', { class: 'figures-table' },
      h('caption', { class: 'visually-hidden' }, title),
      h('thead', {},
        h('tr', {}, h('th', { scope: 'col' }, translate('statistics.area')),
          h('th', { scope: 'col' }, translate('statistics.devices')),
          ...columns.map((column) => h('th', { scope: 'col' }, column.title)))),
      h('tbody', {},
        ...lines.map(({ name, figures }) => h('tr', {}, h('th', { scope: 'row', class: 'said' }, h('bdi', {}, name)),
          h('td', {}, formatNumber(figures.total, language())),
          ...columns.map((column) => h('td', {}, column.of(figures))))))));
}

/**
 * @typedef {object} DrawnFigure
 * @property {string} title
 * @property {(figures: Figures) => number | null} of
 * @property {(value: number | null) => string} say
 */
/** @param {string} measure @returns {DrawnFigure[]} */
function drawnFigures(measure) {
  if (measure === 'total') {
    return [
      {
        title: translate('statistics.devices'), of: ({ total }) => total,
        say: (value) => formatNumber(value ?? 0, language()),
      },
    ];
  }
  if (measure === 'density') {
    return [
      { title: translate('statistics.density'), of: (figures) => figures.devices_per_square_kilometre, say: measured },
    ];
  }
  return HEADLINE.map((name) =>
    ({
      title: translate(`statistics.${name}`), of: ({ headline }) => headline[name].share,
      say: (value) => formatShare(value, language()),
    }));
}

/** @param {Line[]} lines @param {string} measure @param {import('./library.js').Look} look @param {number} width */
function marks(lines, measure, look, width) {
  const drawn = drawnFigures(measure);
  const names = nameAxis(look, lines.map(({ name }) => name), width, drawn.length * (MARK + 3));
  const patterns = decals(look.mark);
  const several = drawn.length > 1;
  const narrow = width < 620;
  const top = several ? (narrow ? 112 : 36) : 8;
  return {
    height: top + lines.length * names.pitch + 8,
    option: {
      legend: several
        ? legend(look,
          narrow
            ? {
              orient: 'vertical', itemGap: 6,
              textStyle: { color: look.ink, fontFamily: look.font, fontSize: 14, width: width - 50, overflow: 'break' },
            }
            : {})
        : { show: false },
      grid: { left: names.left, right: 64, top, bottom: 4, outerBoundsMode: 'none' },
      xAxis: { type: 'value', show: false, min: 0, ...(several ? { max: 1 } : {}) },
      yAxis: names.axis,
      tooltip: tooltip(look, ({ seriesIndex, dataIndex }) => {
        const { title, of, say } = drawn[seriesIndex];
        return bubble(lines[dataIndex].name, `${title}: ${say(of(lines[dataIndex].figures))}`);
      }),
      series: drawn.map(({ title, of, say }, place) => ({
        type: 'bar', name: title, barWidth: MARK, barGap: '18%',
        itemStyle: { color: look.series[place], decal: patterns[place], borderRadius: [0, 4, 4, 0] },
        data: lines.map(({ figures }) => of(figures)),
        label: {
          show: true, position: 'right', color: look.ink, fontFamily: look.font, fontSize: 14,
          formatter: (/** @type {{dataIndex: number}} */ { dataIndex }) => say(of(lines[dataIndex].figures)),
        },
      })),
    },
  };
}
