// @ts-check
// The statistics page: one question, which the address contains, and the figures that answer it.

import { withLanguage } from '../address.js';
import { connection, getJSON, isAbort, Outage, Refusal } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { newId } from '../fields/field.js';
import { filterBar, resetFilters } from '../filters/bar.js';
import { filterDialog } from '../filters/dialog.js';
import { NAMED, schemeOf } from '../filters/facets.js';
import { viewOfBox } from '../geography.js';
import { expectLanguage, plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { announce, toast } from '../page/notices.js';
import { startShell } from '../shell/shell.js';
import { createStore, emptyState, encodeState } from '../state.js';
import { label, scheme } from '../taxonomies.js';
import { expectECharts } from '../vendor.js';
import { AreaBox } from './area-box.js';
import { comparisonFigure } from './comparison.js';
import { crossFigure } from './crossing.js';
import { readBox } from './figures.js';
import { groupFigure } from './groups.js';
import { headline, headlineSkeleton } from './headline.js';
import { placeOf, propertyName, whereName } from './names.js';
import { decodeQuestion, encodeQuestion, PROPERTIES, sameDevices, wholePath } from './question.js';
import { timeFigure } from './time.js';

/** @typedef {import('./question.js').Question} Question */
/** @typedef {import('../state.js').StoreOf<Question>} QuestionStore */
/** @typedef {import('./groups.js').Asker} Asker */

const WORDS = ['categories', 'category_groups', 'glossary'];
const CALM = 2_000; // milliseconds after a question until the figures out of view are loaded

async function start() {
  expectLanguage(); // Requests for terms name it before the words of the page have arrived.
  const store = createStore(decodeQuestion(location.search));
  const schemes = new Set([
    ...WORDS, ...Object.keys(store.current.filters).filter((name) => !NAMED.includes(name)).map(schemeOf),
  ]);
  const named = Promise.all([...schemes].map((name) => scheme(name).catch(() => null)));
  expectECharts();
  await Promise.all([startShell(), named]);
  document.title = `${translate('statistics.title')} · ${instanceName()}`;
  keepAddress(store);
  new Page(store).begin();
}

/**
 * Synchronises the address and the question.
 * @param {QuestionStore} store
 */
function keepAddress(store) {
  store.subscribe((question, _, how) => {
    if (how === 'travel') return;
    const address = withLanguage(encodeQuestion(question), new URLSearchParams(location.search).get('lang'));
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(history.state, '', address);
  });
  addEventListener('popstate', () => {
    // Links within the page also trigger this event, but do not change the question.
    const question = decodeQuestion(location.search);
    if (encodeQuestion(question) !== encodeQuestion(store.current)) store.update(question, 'travel');
  });
}

class Page {
  /** @param {QuestionStore} store */
  constructor(store) {
    this.store = store;
    /** The bounding box of the map from which the user came. */
    this.seen = store.current.box;
    /** @type {Asker} */
    this.asker = {
      get current() { return store.current; },
      ask: (change) => store.update(change, 'push'),
    };
    this.whole = h('section', { class: 'whole-part', 'aria-labelledby': 'whole-title' });
    /** @type {Map<string, import('./figure.js').Figure>} */
    this.groups = new Map();
    this.grid = h('div', { class: 'figure-grid' });
    this.more = h('ul', { class: 'chips', 'aria-labelledby': 'more-charts' });
    this.cross = crossFigure(this.asker);
    this.time = timeFigure(this.asker);
    this.comparison = comparisonFigure(this.asker);
    this.others = [this.cross, this.time, this.comparison];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
  }

  begin() {
    const { store } = this;
    const dialog = filterDialog(store, () => {
      const { box, place } = store.current;
      return { ...(box && { bbox: box }), ...(place && { place }) };
    });
    this.dialog = dialog;
    this.category = this.categoryField();
    this.area = new AreaBox({
      id: 'area', title: translate('statistics.area'), placeholder: translate('statistics.area.placeholder'),
      fixed: () => this.areas(), choose: ({ value }) => this.goTo(value),
    });
    this.map = h('a', { class: 'button' }, icon('map'), translate('statistics.map'));
    const copy = h('button', { type: 'button', class: 'button', onclick: copyAddress }, icon('copy'),
      translate('statistics.copy'));
    const bar = h('div', { class: 'filter-bar statistics-filters' });
    const title = (/** @type {string} */ id, /** @type {string} */ key) => h('h2', { id }, translate(key));
    fill(byId('content'), h('div', { class: 'statistics' },
      h('header', { class: 'statistics-head' }, h('h1', { tabindex: '-1' }, translate('statistics.title')),
        h('p', { class: 'lead' }, translate('statistics.lead'))),
      h('section', { class: 'paper question', 'aria-label': translate('statistics.question') },
        h('div', { class: 'question-fields' }, this.category.element, this.area.element), bar),
      this.whole,
      h('div', { class: 'figures' },
        h('section', { class: 'figures-part', 'aria-labelledby': 'groups-title' },
          title('groups-title', 'statistics.groups'), this.grid,
          h('div', { class: 'more-charts' },
            h('p', { id: 'more-charts', tabindex: '-1' }, translate('statistics.more')), this.more)),
        h('section', { class: 'figures-part' }, this.cross.figure.element, this.time.figure.element)),
      h('section', { class: 'figures-part' }, this.comparison.figure.element),
      h('p', { class: 'statistics-more section-note' }, `${translate('statistics.programs')} `,
        h('a', { href: '/api/docs' }, translate('statistics.programs.more')), ' ',
        h('a', { href: '/query' }, translate('menu.query')))));
    filterBar(bar, store, () => dialog.open(), () => [], this.map, copy);
    store.subscribe((question, before) => {
      if (question.box) this.seen = question.box;
      this.update(before);
    });
    connection.onRecovery(() => { if (!this.total) this.count(); });
    this.update(null);
    this.reveal();
  }

  /** Scrolls to the chart that the address names. The browser could not do so before the chart was drawn. */
  reveal() {
    const figure = document.getElementById(location.hash.slice(1));
    if (!figure?.classList.contains('figure')) return;
    figure.scrollIntoView();
    focusHead(figure);
  }

  /** @param {Question | null} before */
  update(before) {
    const { current } = this.store;
    this.category?.show();
    this.showArea();
    if (!before || !sameDevices(current, before)) this.count();
    this.drawCharts();
    this.cross.update();
    this.time.update();
    this.comparison.update();
    this.completeSoon();
  }

  /** Loads the figures that are not in view, one after the other, so that a printed page has all of them. */
  completeSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(async () => {
      const { waiting } = this;
      for (const figure of [...this.groups.values(), ...this.others.map((one) => one.figure)]) {
        await new Promise((rested) => { (globalThis.requestIdleCallback ?? setTimeout)(rested); });
        if (waiting !== this.waiting) return;
        if (figure.element.isConnected) await figure.refresh(false, true);
      }
    }, CALM);
  }

  /** Loads the total, to which all other figures refer. */
  async count() {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const path = wholePath(this.store.current);
    const title = h('h2', { id: 'whole-title', class: 'visually-hidden' }, translate('statistics.headline'));
    if (this.total === undefined) fill(this.whole, title, headlineSkeleton());
    this.whole.setAttribute('aria-busy', 'true');
    try {
      const [answer, where] = await Promise.all([
        getJSON(path, { signal: asking.signal }), whereName(this.store.current),
      ]);
      if (asking.signal.aborted) return;
      this.total = answer.total;
      this.dialog?.counted(answer.total);
      fill(this.whole, title, ...(answer.total ? headline(answer, where, path) : [this.nothing(where)]));
      document.body.classList.toggle('counts-nothing', answer.total === 0);
      announce(plural('statistics.announce', answer.total, { where }));
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
      this.total = undefined;
      fill(this.whole, title, h('div', { class: 'figure-trouble', role: 'alert' }, icon('warning'),
        h('p', {}, error instanceof Outage ? error.message || translate('outage') : error.message),
        h('button', { type: 'button', class: 'button', onclick: () => this.count() }, translate('statistics.retry'))));
    }
    if (this.asking === asking) this.whole.removeAttribute('aria-busy');
  }

  /** @param {string} where */
  nothing(where) {
    return h('div', { class: 'whole-nothing' },
      h('p', { class: 'whole' }, h('strong', { class: 'whole-number' }, '0'), ' ',
        h('span', { class: 'whole-words' }, plural('statistics.whole', 0, { where }))),
      h('p', {}, translate('statistics.none')),
      h('div', { class: 'form-acts' },
        h('button', { type: 'button', class: 'button', onclick: () => resetFilters(this.store) },
          translate('filters.reset')),
        h('button', { type: 'button', class: 'button', onclick: () => this.goTo('all') },
          translate('statistics.area.all'))));
  }

  categoryField() {
    const id = newId();
    const select = /** @type {HTMLSelectElement} */ (h('select', {
      class: 'text-input', id, onchange: () => {
        const { category: _, ...rest } = this.store.current.filters;
        this.asker.ask({ filters: select.value ? { ...rest, category: [select.value] } : rest });
      },
    }));
    const show = async () => {
      const terms = [...(await scheme('categories').catch(() => new Map())).values()];
      const chosen = this.store.current.filters.category ?? [];
      fill(select, h('option', { value: '' }, translate('statistics.category.all')),
        chosen.length > 1
          && h('option', { value: chosen.join() }, plural('statistics.category.several', chosen.length)),
        ...terms.map((term) => h('option', { value: term.code }, label('categories', term.code))));
      select.value = chosen.join();
    };
    return {
      show,
      element: h('div', { class: 'field' },
        h('label', { class: 'field-label', for: id }, translate('filters.category')), select),
    };
  }

  /** The areas that need no typing. */
  areas() {
    return [
      { value: 'all', name: translate('statistics.area.all'), symbol: 'globe' },
      ...(this.seen ? [{ value: 'map', name: translate('statistics.area.map'), symbol: 'map' }] : []),
    ];
  }

  /** @param {string} area «all», «map», «place:2267057» or «country:PT» */
  goTo(area) {
    const { country: _, ...filters } = this.store.current.filters;
    const [kind, code] = area.split(':');
    this.asker.ask({
      filters: kind === 'country' ? { ...filters, country: [code] } : filters,
      place: kind === 'place' ? code : null, box: kind === 'map' ? this.seen : null,
    });
  }

  /** Shows the name of the area in its field, and links to the map of the same area. */
  async showArea() {
    const { current } = this.store;
    const name = await whereName(current);
    const place = current.place ? await placeOf(current.place).catch(() => null) : null;
    if (current !== this.store.current) return;
    this.area?.show(name);
    const box = readBox(current.box)
      ?? (place?.bbox?.length === 4 ? /** @type {import('../geography.js').Box} */ (place.bbox) : null);
    const { clientWidth, clientHeight } = document.documentElement;
    // On a wide window the list covers a part of the map; on a narrow one the field and the sheet do.
    const view = box
      && (clientWidth < 800
        ? viewOfBox(box, clientWidth, clientHeight - 164)
        : viewOfBox(box, clientWidth - 400, clientHeight));
    const { filters, words, filter } = current;
    // With its name, so that the map shows and counts the same place.
    const address = encodeState({ ...emptyState(), filters, words, filter, view, place: current.place });
    for (const link of [this.map, byId('back')]) link?.setAttribute('href', address.slice(1));
  }

  drawCharts() {
    const { charts } = this.store.current;
    for (const [property, figure] of this.groups) {
      if (charts.includes(property)) continue;
      figure.remove();
      this.groups.delete(property);
    }
    for (const property of charts) {
      const figure = this.groups.get(property) ?? groupFigure(property, this.asker, () => this.removeChart(property));
      this.groups.set(property, figure);
      if (this.grid.children[charts.indexOf(property)] !== figure.element) {
        this.grid.insertBefore(figure.element, this.grid.children[charts.indexOf(property)] ?? null);
      }
      figure.refresh();
    }
    const left = PROPERTIES.filter((property) => !charts.includes(property));
    fill(this.more,
      ...left.map((property) => h('li', {},
        h('button', { type: 'button', class: 'chip', onclick: () => this.addChart(property) },
          icon('plus'), propertyName(property)))));
    this.more.closest('.more-charts')?.toggleAttribute('hidden', !left.length);
  }

  /** @param {string} property */
  addChart(property) {
    this.asker.ask({ charts: [...this.store.current.charts, property] });
    const figure = this.groups.get(property)?.element;
    figure?.scrollIntoView({ block: 'nearest' });
    if (figure) focusHead(figure);
  }

  /** @param {string} property */
  removeChart(property) {
    this.asker.ask({ charts: this.store.current.charts.filter((other) => other !== property) });
    announce(translate('statistics.removed_chart', { title: propertyName(property) }));
    byId('more-charts').focus({ preventScroll: true });
  }
}

/** @param {HTMLElement} figure */
function focusHead(figure) {
  /** @type {HTMLElement | null} */ (figure.querySelector('.figure-head > [tabindex]'))?.focus({ preventScroll: true });
}

async function copyAddress() {
  try {
    await navigator.clipboard.writeText(location.href);
    toast(translate('statistics.copied'));
  } catch {
    toast(translate('statistics.copy_by_hand'));
  }
}

start();
