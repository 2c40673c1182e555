// @ts-check
// The heat map control: requests the counts in view, shows them, and explains the colours in a legend.

import { connection, isAbort, latestOnly, Outage, Refusal } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { boxText } from '../geography.js';
import { language, plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { onTheme, theme } from '../page/theme.js';
import { cellAt, cellBox, cellMiddle, densest, gridZoom, heatFeatures, heatPoints, heatSteps } from './heat.js';
import { PALETTES } from './palette.js';

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('./heat.js').Cell} Cell */
/** @typedef {import('./heat.js').Grid} Grid */
/** @typedef {import('./heat.js').HeatKind} HeatKind */
/** @typedef {import('./map-view.js').MapView} MapView */

const DEEPEST = 17; // zoom of the map after the user opens a square
const PAUSE = 220; // milliseconds without movement before the next request

export class HeatPane {
  /** @param {MapView} view @param {() => URLSearchParams} filters */
  constructor(view, filters) {
    this.view = view;
    this.filters = filters;
    this.ask = latestOnly();
    /** @type {HeatKind | null} */
    this.kind = null;
    this.asked = '';
    /** @type {{grid: Grid, steps: number[]} | null} */
    this.shown = null;
    this.legend = h('div', { class: 'heat-legend', role: 'group', 'aria-label': translate('heat.legend') });
    this.legend.hidden = true;
    onTheme(() => this.explain());
    view.map.on('moveend', () => this.later());
    connection.onRecovery(() => this.refresh());
  }

  /** @param {HeatKind | null} kind null: off */
  turn(kind) {
    if (kind === this.kind) return;
    this.kind = kind;
    this.asked = '';
    this.shown = null;
    this.legend.hidden = true;
    if (kind) {
      this.view.showHeat({ kind, features: { type: 'FeatureCollection', features: [] } });
      this.refresh();
      return;
    }
    this.view.showHeat(null);
    announce(translate('heat.off'));
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), PAUSE);
  }

  /** Requests the cells of the view, unless the map shows them already. */
  async refresh() {
    const { kind } = this;
    if (!kind) return;
    const parameters = this.filters();
    parameters.set('bbox', boxText(this.view.outerBox));
    parameters.set('grid', String(gridZoom(this.view.view.zoom, kind)));
    const path = `/api/statistics?${parameters}`;
    if (path === this.asked) return;
    this.asked = path;
    try {
      const { grid } = await this.ask(path);
      if (this.kind !== kind) return;
      const steps = heatSteps(densest(grid.cells)?.count ?? 1);
      this.shown = { grid, steps };
      this.view.showHeat({ kind, features: kind === 'smooth' ? heatPoints(grid) : heatFeatures(grid, steps) });
      this.explain();
      announce(this.words());
    } catch (error) {
      if (isAbort(error)) return;
      this.asked = '';
      if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
      this.legend.hidden = false;
      fill(this.legend, h('p', { role: 'alert' }, error.message || translate('outage')));
    }
  }

  /**
   * The square at a position; null if it contains no device, or if no squares are visible.
   * @param {import('../types').Position} position
   */
  cellAt(position) {
    return this.kind === 'squares' && this.shown ? cellAt(this.shown.grid, position) : null;
  }

  /**
   * The count of a cell, and buttons to zoom in or list its devices.
   * @param {Cell} cell @param {(box: Box) => void} list shows the devices in a box
   * @returns {HTMLElement}
   */
  article(cell, list) {
    const { zoom } = /** @type {{grid: Grid}} */ (this.shown).grid;
    const box = cellBox(cell, zoom);
    const near = this.view.placeAround(cellMiddle(cell, zoom));
    return h('article', {},
      h('p', { class: 'context-of' }, translate('heat.name')),
      h('h2', {}, plural('heat.cell', cell.count)),
      near && h('p', {}, translate('heat.cell.near', { place: near })),
      h('div', { class: 'form-acts' },
        h('button', { type: 'button', class: 'button', onclick: () => this.view.fit(box, DEEPEST) }, icon('plus'),
          translate('heat.cell.closer')),
        h('button', { type: 'button', class: 'button', onclick: () => list(box) }, icon('list'),
          translate('heat.cell.list'))));
  }

  /** The legend: the meaning of the colours, and how many devices are too imprecise for a cell. */
  explain() {
    if (!this.shown) return;
    const { grid, steps } = this.shown;
    const isSmooth = this.kind === 'smooth';
    this.legend.hidden = false;
    fill(this.legend,
      h('p', { class: 'heat-title' }, translate(isSmooth ? 'heat.smooth.title' : 'heat.title')),
      grid.cells.length > 0 && (isSmooth ? gradient() : colours(steps)),
      h('p', { class: 'heat-words' }, this.words()),
      grid.coarser > 0 && h('p', { class: 'heat-words' }, plural('heat.coarser', grid.coarser)));
  }

  /** The same as text, for users who cannot see the map. */
  words() {
    const { grid } = /** @type {{grid: Grid}} */ (this.shown);
    const most = densest(grid.cells);
    if (!most) return translate('heat.none');
    const near = this.view.placeAround(cellMiddle(most, grid.zoom));
    if (this.kind === 'smooth') {
      return [translate('heat.smooth.words'), near && translate('heat.smooth.most', { place: near })]
        .filter(Boolean).join(' ');
    }
    const words = plural('heat.most', grid.cells.length, { most: formatNumber(most.count, language()) });
    return near ? translate('heat.near', { words, place: near }) : words;
  }
}

/**
 * The colours of squares and the counts from which they apply.
 * @param {number[]} steps
 */
function colours(steps) {
  const { heat } = PALETTES[theme()];
  return h('ol', { class: 'heat-steps' }, ...steps.map((step, place) => {
    const swatch = h('span', { class: 'heat-swatch', 'aria-hidden': 'true' });
    swatch.style.background = heat[place];
    const last = steps[place + 1] ? steps[place + 1] - 1 : null;
    return h('li', {}, swatch, h('span', {}, range(step, last)));
  }));
}

/** The colours of the smooth heat map. It has no exact counts. */
function gradient() {
  const bar = h('span', { class: 'heat-bar', 'aria-hidden': 'true' });
  bar.style.background = `linear-gradient(to right, ${PALETTES[theme()].heat.join(', ')})`;
  return h('p', { class: 'heat-scale' }, h('span', {}, translate('heat.smooth.few')), bar,
    h('span', {}, translate('heat.smooth.many')));
}

/**
 * Such as «5–9» or «10 or more».
 * @param {number} first @param {number | null} last
 */
function range(first, last) {
  if (last === null) return translate('heat.from', { count: formatNumber(first, language()) });
  return first === last
    ? formatNumber(first, language())
    : `${formatNumber(first, language())}–${formatNumber(last, language())}`;
}
