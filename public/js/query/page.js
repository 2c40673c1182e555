// @ts-check
// The query page: conditions on any property, their number of devices as one types, and the result as a table, a map, a
// chart, or the text for a program. The address contains the query.

import { withLanguage } from '../address.js';
import { connection, isAbort, latestOnly, Outage, Refusal } from '../api.js';
import { feedLink } from '../data/feed.js';
import { takeButton } from '../data/take-button.js';
import { ITEMS } from '../devices/list-request.js';
import { byId, fill, h, icon } from '../dom.js';
import { newId } from '../fields/field.js';
import { plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { announce } from '../page/notices.js';
import { startShell } from '../shell/shell.js';
import { createStore, emptyState, encodeState } from '../state.js';
import { emptyQuestion, encodeQuestion } from '../statistics/question.js';
import { Builder } from './builder.js';
import { filterText, readFilter } from './conditions.js';
import { kindOf, loadProperties } from './properties.js';
import { Results } from './results.js';
import { decodeQuery, encodeQuery, parametersOf } from './address.js';

/** @typedef {import('./address.js').QueryState} QueryState */

const PAUSE = 300; // milliseconds after the last key

async function start() {
  await startShell();
  document.title = `${translate('query.title')} · ${instanceName()}`;
  try {
    await loadProperties();
  } catch (error) {
    if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
    fill(byId('content'), h('p', { role: 'alert' }, error instanceof Refusal ? error.message : translate('outage')));
    await connection.recovered();
    location.reload();
    return;
  }
  new Page(createStore(decodeQuery(location.search))).begin();
}

class Page {
  /** @param {import('../state.js').StoreOf<QueryState>} store */
  constructor(store) {
    this.store = store;
    this.ask = latestOnly();
    this.builder = new Builder((query) => {
      const filter = filterText(query, (name) => kindOf(name));
      this.text.value = filter;
      this.set(filter, 'replace');
    });
    const id = newId('query-text');
    this.text = /** @type {HTMLTextAreaElement} */ (h('textarea', {
      class: 'text-input query-text', id, rows: '3', spellcheck: 'false', autocapitalize: 'off', maxlength: '8192',
      'aria-describedby': `${id}-trouble`, oninput: () => {
        this.set(this.text.value.trim(), 'replace');
        this.showConditions();
      },
    }));
    this.trouble = h('p', { class: 'complaint', id: `${id}-trouble`, role: 'alert' });
    this.byHand = h('p', { class: 'field-note' }, translate('query.by_hand'));
    this.count = h('p', { class: 'query-count', role: 'status' });
    this.results = new Results(store);
  }

  begin() {
    const { store } = this;
    const parameters = () => parametersOf(store.current);
    const map = h('a', { class: 'button' }, icon('map'), translate('query.to_map'));
    const statistics = h('a', { class: 'button' }, icon('chart'), translate('query.to_statistics'));
    const address = () => {
      const { filter } = store.current;
      map.setAttribute('href', encodeState({ ...emptyState(), filter }).slice(1));
      statistics.setAttribute('href', encodeQuestion({ ...emptyQuestion(), filter }));
    };
    fill(byId('content'), h('div', { class: 'query' },
      h('header', { class: 'statistics-head' }, h('h1', { tabindex: '-1' }, translate('query.title')),
        h('p', { class: 'lead' }, translate('query.lead'))),
      h('section', { class: 'paper query-form', 'aria-label': translate('query.conditions') },
        h('h2', {}, translate('query.conditions')), this.builder.element, this.byHand,
        h('div', { class: 'field' },
          h('label', { class: 'field-label', for: this.text.id }, translate('query.text')), this.text,
          h('p', { class: 'field-note' }, `${translate('query.text.note')} `,
            h('a', { href: '/api/docs' }, translate('query.text.more'))), this.trouble)),
      h('div', { class: 'query-summary' }, this.count,
        h('div', { class: 'query-acts' }, map, statistics, takeButton(() => ({ filters: parameters(), box: null })),
          feedLink(parameters))),
      this.results.element));
    store.subscribe((now, before, how) => {
      if (how !== 'travel') this.keepAddress(how);
      address();
      if (now.filter !== before.filter) this.refreshSoon();
    });
    addEventListener('popstate', () => {
      const state = decodeQuery(location.search);
      if (encodeQuery(state) === encodeQuery(store.current)) return;
      store.update(state, 'travel');
      this.showText();
    });
    connection.onRecovery(() => this.refresh());
    address();
    this.showText();
    this.refresh();
  }

  /** @param {string} filter @param {import('../state.js').Step} how */
  set(filter, how) {
    if (filter !== this.store.current.filter) this.store.update({ filter }, how);
  }

  /** @param {import('../state.js').Step} how */
  keepAddress(how) {
    const language = new URLSearchParams(location.search).get('lang');
    const address = withLanguage(encodeQuery(this.store.current), language) + location.hash;
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(history.state, '', address);
  }

  showText() {
    this.text.value = this.store.current.filter;
    this.showConditions();
  }

  /** Shows the conditions of the text; a text that no conditions could make stands alone. */
  showConditions() {
    const query = readFilter(this.text.value, (name) => kindOf(name));
    this.byHand.hidden = query !== null;
    this.builder.element.hidden = query === null;
    if (query) this.builder.load(query);
  }

  refreshSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), PAUSE);
  }

  /** Counts the devices, then shows the result. */
  async refresh() {
    const parameters = parametersOf(this.store.current);
    parameters.set('limit', '1');
    this.count.setAttribute('aria-busy', 'true');
    try {
      const { numberMatched } = await this.ask(`${ITEMS}?${parameters}`);
      this.trouble.textContent = '';
      this.text.removeAttribute('aria-invalid');
      this.count.textContent = plural('query.count', numberMatched);
      announce(this.count.textContent);
      this.results.refresh(numberMatched);
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
      const words = error instanceof Refusal ? error.message : translate('outage');
      this.trouble.textContent = words;
      if (error instanceof Refusal) this.text.setAttribute('aria-invalid', 'true');
      this.count.textContent = translate('query.count.none');
      this.results.clear();
    }
    this.count.removeAttribute('aria-busy');
  }
}

start();
