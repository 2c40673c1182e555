// @ts-check
// Loads the chart library when the first chart comes into view, and defines the common parts of all charts.

import { h, prefersStillness } from '../dom.js';
import { onTheme } from '../page/theme.js';
import { echarts, fetchECharts } from '../vendor.js';

/**
 * @typedef {object} Look the current colours of the page
 * @property {string} ink @property {string} soft @property {string} line @property {string} edge
 * @property {string} paper @property {string} raised @property {string} sea @property {string} ember
 * @property {string} beam @property {string} gone
 * @property {string} font @property {string[]} series which differ in hue and in lightness
 * @property {string} mark colour of patterns
 */

/** @returns {Look} */
function look() {
  const style = getComputedStyle(document.documentElement);
  const of = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const series = [];
  for (let place = 1; place <= 8; place += 1) series.push(of(`chart-${place}`));
  return {
    ink: of('ink'), soft: of('ink-soft'), line: of('line'), edge: of('edge'), paper: of('paper'), raised: of('raised'),
    sea: of('sea'),
    ember: of('ember'), beam: of('beam'), gone: of('gone'), font: style.getPropertyValue('--font'), series,
    mark: of('chart-mark'),
  };
}

/**
 * Patterns in addition to colours, one for each series; the first is plain.
 * @param {string} color
 */
export function decals(color) {
  const turn = Math.PI / 4;
  return [
    null,
    { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -turn, color },
    { symbol: 'circle', dashArrayX: [[7, 7], [0, 7, 7, 0]], dashArrayY: [6, 0], symbolSize: 0.55, color },
    { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [3, 6], rotation: turn, color },
    { symbol: 'rect', dashArrayX: [[6, 6], [0, 6, 6, 0]], dashArrayY: [6, 0], symbolSize: 1, color },
    { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: 0, color },
    { symbol: 'triangle', dashArrayX: [[8, 8], [0, 8, 8, 0]], dashArrayY: [7, 1], symbolSize: 0.7, color },
    { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: turn * 2, color },
  ].map((decal) => decal ?? { symbol: 'none', color: 'transparent' });
}

/**
 * The pattern of unknown values.
 * @param {Look} colours
 */
export function unknownPattern({ mark }) {
  return { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [3, 4], rotation: -Math.PI / 4, color: mark };
}

/** @typedef {(look: Look, width: number) => {option: any, height: number}} Draw for the current colours and width */

const PAPER = 620; // pixels: the width of a chart on a sheet of A4 or Letter

/** A printed chart is drawn at once: paper shows the first moment of a movement, without bars. */
let isPrinting = false;
// Before the listeners that draw the charts in the colours of paper.
addEventListener('beforeprint', () => { isPrinting = true; }, { capture: true });
addEventListener('afterprint', () => { isPrinting = false; }, { capture: true });

/** The parts that a new drawing replaces. The tooltip stays: removing it while it is visible breaks the library. */
const REPLACED = ['series', 'xAxis', 'yAxis', 'grid', 'legend'];

/** A chart that follows the theme, the available width and the setting for reduced motion. */
export class Chart {
  /** @param {(data: any) => void} [chosen] called with the data of a clicked mark */
  constructor(chosen) {
    this.canvas = h('div', { class: 'chart-canvas' });
    this.element = h('div', { class: 'chart', role: 'img' }, this.canvas);
    this.chosen = chosen;
    /** @type {Draw | null} */
    this.make = null;
    /** @type {any} */
    this.drawn = null;
    this.width = 0;
    onTheme(() => this.draw());
    for (const event of ['beforeprint', 'afterprint']) addEventListener(event, () => this.draw());
    new ResizeObserver(() => { if (Math.abs(this.element.clientWidth - this.width) > 1) this.draw(); })
      .observe(this.element);
  }

  /**
   * @param {Draw} make @param {string} words description of the chart for screen readers
   * @throws if the library cannot be loaded
   */
  async show(make, words) {
    this.make = make;
    this.element.setAttribute('aria-label', words);
    await fetchECharts();
    this.draw();
    this.element.classList.add('is-drawn');
  }

  draw() {
    const drawer = echarts();
    const width = isPrinting ? PAPER : this.element.clientWidth;
    if (!this.make || !drawer || !width) return;
    this.width = width;
    const colours = look();
    const { option, height } = this.make(colours, width);
    this.canvas.style.height = `${height}px`;
    if (!this.drawn) {
      this.drawn = drawer.init(this.canvas, null, { renderer: 'svg', width, height });
      this.drawn.on('click', (/** @type {any} */ event) => { if (event.data?.link) this.chosen?.(event.data.link); });
    }
    this.drawn.resize({ width, height });
    this.drawn.setOption({
      textStyle: { fontFamily: colours.font, color: colours.ink, fontSize: 14 },
      animation: !isPrinting && !prefersStillness(), animationDuration: 500, animationDurationUpdate: 300,
      ...option,
    }, { replaceMerge: REPLACED });
    if (isPrinting) this.drawn.getZr().refreshImmediately(); // The library waits for a frame, which paper has not.
  }

  /** Hides the chart until there are figures again. */
  rest() {
    this.make = null;
    this.element.hidden = true;
    this.element.classList.remove('is-drawn');
  }

  /** Removes the chart permanently. */
  remove() {
    this.rest();
    this.drawn?.dispose();
    this.drawn = null;
    this.element.remove();
  }
}

/**
 * The tooltip of a mark. It consists of elements because the Content-Security-Policy allows no styles in markup.
 * @param {Look} look @param {(parameters: any) => Node} words @param {object} [more]
 */
export function tooltip({ paper, edge, ink, font }, words, more = {}) {
  return {
    confine: true, transitionDuration: 0, backgroundColor: paper, borderColor: edge, padding: 10,
    textStyle: { color: ink, fontFamily: font, fontSize: 14 }, formatter: words, ...more,
  };
}

const LETTER = 7.2; // pixels of an average character
const NARROW = 420; // pixels: a narrower chart has no room for names next to its bars

/**
 * The axis of horizontal bars, the first at the top. The names are next to the bars in at most two lines, or above
 * them if there is no room.
 * @param {Look} look @param {string[]} names @param {number} width of the chart
 * @param {number} bars height in pixels of the bars of one name
 * @returns {{left: number, axis: any, pitch: number}} `pitch`: pixels from one name to the next
 */
export function nameAxis(look, names, width, bars) {
  const isAbove = width < NARROW;
  const room = isAbove ? width - 12 : Math.min(190, Math.round(width * 0.36));
  const most = Math.floor((room / LETTER) * (isAbove ? 1 : 1.7));
  const shown = names.map((name) => (name.length > most ? `${name.slice(0, most - 1).trimEnd()}…` : name));
  const place = isAbove
    ? { inside: true, align: 'left', verticalAlign: 'bottom', margin: 0, padding: [0, 0, bars / 2 + 4, 2] }
    : { width: room, overflow: 'break', lineHeight: 15 };
  return {
    left: isAbove ? 8 : room + 10,
    pitch: bars + (isAbove ? 30 : 16),
    axis: {
      type: 'category', inverse: true, data: names, z: 3, axisTick: { show: false },
      axisLine: { lineStyle: { color: look.edge } },
      axisLabel: {
        color: look.ink, fontSize: 14, fontFamily: look.font, interval: 0, ...place,
        formatter: (/** @type {string} */ _, /** @type {number} */ index) => shown[index],
      },
    },
  };
}

/**
 * The number of lines of a legend whose items wrap.
 * @param {string[]} titles @param {number} width
 */
export function legendLines(titles, width) {
  let [lines, used] = [1, 0];
  for (const title of titles) {
    const item = title.length * LETTER + 44;
    if (used > 0 && used + item > width) [lines, used] = [lines + 1, 0];
    used += item;
  }
  return lines;
}

/**
 * A legend above a chart.
 * @param {Look} look @param {object} [more]
 */
export function legend({ ink, font }, more = {}) {
  return {
    top: 0, left: 0, itemGap: 14, itemWidth: 22, itemHeight: 14,
    textStyle: { color: ink, fontFamily: font, fontSize: 14 }, ...more,
  };
}

/** @param {string} title @param {...string} lines */
export function bubble(title, ...lines) {
  return h('div', { class: 'chart-bubble' }, h('strong', {}, title), ...lines.map((line) => h('span', {}, line)));
}
