// @ts-check
// One chart of the statistics in a frame. Links and bars open the statistics page in a new window.

import { fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { comparisonFigure } from '../statistics/comparison.js';
import { crossFigure } from '../statistics/crossing.js';
import { groupFigure } from '../statistics/groups.js';
import { whereName } from '../statistics/names.js';
import { decodeQuestion, encodeQuestion, PROPERTIES } from '../statistics/question.js';
import { timeFigure } from '../statistics/time.js';
import { scheme } from '../taxonomies.js';
import { CHART_WORDS } from './schemes.js';

/** @typedef {import('../statistics/groups.js').Asker} Asker */

/** @type {Record<string, (asker: Asker) => {figure: import('../statistics/figure.js').Figure, update: () => void}>} */
const MAKERS = { time: timeFigure, cross: crossFigure, compare: comparisonFigure };

/** @param {HTMLElement} content @param {string} chart @param {HTMLElement} wayOut */
export async function showChart(content, chart, wayOut) {
  const question = decodeQuestion(location.search);
  /** @type {Asker} */
  const asker = {
    current: question,
    ask: (change) => { window.open(encodeQuestion({ ...question, ...change }), '_blank', 'noopener'); },
  };
  await Promise.all(CHART_WORDS.map((name) => scheme(name).catch(() => null)));
  const where = await whereName(question);
  const made = make(chart, asker);
  if (!made) {
    fill(content, h('p', { class: 'embed-words' }, translate('embed.no_chart')), wayOut);
    return;
  }
  fill(content, made.figure.element,
    h('p', { class: 'embed-foot' }, h('span', {}, where), wayOut));
  made.update();
}

/** @param {string} chart @param {Asker} asker */
function make(chart, asker) {
  if (Object.hasOwn(MAKERS, chart)) return MAKERS[chart](asker);
  if (!PROPERTIES.includes(chart)) return null;
  const figure = groupFigure(chart, asker, null);
  return { figure, update: () => figure.refresh() };
}
