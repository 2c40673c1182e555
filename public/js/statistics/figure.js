// @ts-check
// The frame of every chart: title, drawing, table, definition, time of the count, and the download links. It requests
// its figures when it comes into view.

import { connection, getJSON, isAbort, Outage, Refusal } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { embedButton } from '../embed/button.js';
import { formatMoment } from '../format.js';
import { language, translate } from '../i18n.js';
import { Chart } from './library.js';
import { tablePath } from './question.js';

/** @typedef {import('./figures.js').Answer} Answer */
/**
 * The content of a figure for a response.
 * @typedef {object} Shown
 * @property {import('./library.js').Draw | null} draw null if the chart would be empty
 * @property {string} words a sentence that describes the chart
 * @property {HTMLElement | null} table
 * @property {string} [note] information that is necessary to read the chart
 * @property {string} [empty] the reason why there are no figures
 */
/**
 * @typedef {object} FigureOptions
 * @property {string} id
 * @property {string} title
 * @property {string} table caption of the table
 * @property {() => string | null} path of its figures in the API; null: no request
 * @property {(answer: Answer) => Promise<Shown> | Shown} read
 * @property {() => string} link address of the page with this figure
 * @property {(data: any) => void} [chosen] called with the data of a clicked mark
 * @property {2 | 3} [level] of its heading
 * @property {string} [idle] what to do first, while there is nothing to request
 * @property {(Node | null)[]} [controls] above the chart
 * @property {Node | null} [corner] next to the title
 */

const NEAR = '400px'; // distance from the window at which a figure starts to load

export class Figure {
  /** @param {FigureOptions} options */
  constructor(options) {
    this.options = options;
    const { id, title, level = 3, controls = [], corner = null } = options;
    this.chart = new Chart(options.chosen);
    this.state = h('div', { class: 'figure-state' });
    this.note = h('p', { class: 'section-note figure-note' });
    this.table = h('div', { class: 'figure-table' });
    this.tablePart = /** @type {HTMLDetailsElement} */ (h('details', { class: 'figure-details' },
      h('summary', {}, icon('list'), options.table), this.table));
    this.meaning = h('p', {});
    this.meaningPart = h('details', { class: 'figure-details figure-meaning' },
      h('summary', {}, icon('info'), translate('statistics.meaning')), this.meaning);
    this.date = h('span', { class: 'figure-date' });
    this.csv = h('a', { class: 'figure-way', download: '' }, icon('download'), translate('statistics.csv'));
    this.xlsx = h('a', { class: 'figure-way', download: '' }, icon('download'), translate('statistics.xlsx'));
    this.link = h('a', { class: 'figure-way' }, icon('share'), translate('statistics.link'));
    const embed = embedButton({ title, page: options.link, chart: id.replace(/^by-/, '') }, 'figure-way figure-embed');
    this.foot = h('div', { class: 'figure-foot' }, this.tablePart, this.meaningPart, this.csv, this.xlsx, this.link,
      embed, this.date);
    this.body = h('div', { class: 'figure-body' }, this.state, this.chart.element, this.note, this.foot);
    this.element = h('section', { class: 'paper figure', id, 'aria-labelledby': `${id}-title` },
      h('div', { class: 'figure-head' }, h(`h${level}`, { id: `${id}-title`, tabindex: '-1' }, title), corner),
      ...controls, this.body);
    /** @type {string | null | undefined} path of the visible figures; undefined: none yet */
    this.path = undefined;
    this.isNear = false;
    /** @type {AbortController | null} */
    this.asking = null;
    this.watch();
    this.bare();
  }

  watch() {
    this.observer = new IntersectionObserver((entries) => {
      this.isNear = entries.at(-1)?.isIntersecting ?? false;
      if (this.isNear) this.refresh();
    }, { rootMargin: NEAR });
    this.observer.observe(this.element);
  }

  /** The state before the figures are loaded. */
  bare() {
    for (const part of [this.chart.element, this.note, this.foot]) part.hidden = true;
    fill(this.state, h('span', { class: 'skeleton figure-skeleton' }));
  }

  /**
   * Requests new figures as soon as the frame is near the window.
   * @param {boolean} [anew] requests them even if they are visible
   * @param {boolean} [isAhead] also far from the window
   */
  async refresh(anew = false, isAhead = false) {
    this.link.setAttribute('href', `${this.options.link()}#${this.options.id}`);
    if (!this.isNear && !isAhead) return;
    const path = this.options.path();
    if (path === this.path && !anew) return;
    this.path = path;
    this.asking?.abort();
    if (path === null) {
      this.show(null, null);
      return;
    }
    const asking = new AbortController();
    this.asking = asking;
    this.body.setAttribute('aria-busy', 'true');
    try {
      const answer = await getJSON(path, { signal: asking.signal });
      const shown = await this.options.read(answer);
      if (!asking.signal.aborted) await this.show(answer, shown);
    } catch (error) {
      if (isAbort(error)) return;
      this.path = undefined;
      await this.fail(error);
    }
    if (this.asking === asking) this.body.removeAttribute('aria-busy');
  }

  /** @param {Answer | null} answer @param {Shown | null} shown */
  async show(answer, shown) {
    const has = Boolean(answer && shown?.table);
    const words = shown ? shown.empty : this.options.idle;
    fill(this.state, words ? h('p', { class: 'figure-empty' }, icon('info'), h('span', {}, words)) : null);
    this.foot.hidden = !has;
    this.note.textContent = shown?.note ?? '';
    this.note.hidden = !shown?.note;
    this.chart.element.hidden = !shown?.draw;
    this.element.classList.toggle('is-plain', answer !== null && !shown?.draw);
    if (answer && shown) {
      fill(this.table, shown.table);
      this.meaning.textContent = answer.definition;
      this.date.textContent = countedAt(answer.generated_at);
      this.csv.setAttribute('href', tablePath(this.options.path() ?? ''));
      this.xlsx.setAttribute('href', tablePath(this.options.path() ?? '', 'xlsx'));
    }
    if (!shown?.draw) {
      this.chart.rest();
      return;
    }
    try {
      await this.chart.show(shown.draw, shown.words);
    } catch {
      // The chart cannot be drawn, but the table contains the figures.
      this.chart.element.hidden = true;
      this.tablePart.open = true;
      fill(this.state,
        h('p', { class: 'figure-empty' }, icon('warning'), h('span', {}, translate('statistics.no_chart'))));
    }
  }

  /** @param {unknown} error */
  async fail(error) {
    if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
    const retry = () => this.refresh(true);
    fill(this.state, h('div', { class: 'figure-trouble', role: 'alert' }, icon('warning'),
      h('p', {}, error instanceof Outage ? error.message || translate('outage') : error.message),
      h('button', { type: 'button', class: 'button', onclick: retry }, translate('statistics.retry'))));
    for (const part of [this.chart.element, this.note, this.foot]) part.hidden = true;
    if (error instanceof Outage) connection.recovered().then(() => { if (this.path === undefined) this.refresh(); });
  }

  remove() {
    this.asking?.abort();
    this.observer?.disconnect();
    this.chart.remove();
    this.element.remove();
  }
}

/**
 * Such as «Counted on 21 November 2026 at 19:20».
 * @param {string} moment
 */
export function countedAt(moment) {
  return translate('statistics.counted', { moment: formatMoment(moment, language()) });
}
