// @ts-check
// The result of a query: a table, a map, a chart, or the text for a program. Only the one that is shown is loaded.

import { showMap } from '../embedded/map.js';
import { fill, h } from '../dom.js';
import { newId } from '../fields/field.js';
import { copyButton } from '../forms/copy.js';
import { segments } from '../fields/segments.js';
import { translate } from '../i18n.js';
import { settings } from '../page/start.js';
import { groupFigure } from '../statistics/groups.js';
import { propertyName } from '../statistics/names.js';
import { emptyQuestion, encodeQuestion, PROPERTIES } from '../statistics/question.js';
import { LOOKS, parametersOf } from './address.js';
import { snippets } from './snippets.js';
import { Table } from './table.js';

/** @typedef {import('./address.js').QueryState} QueryState */
/** @typedef {import('../statistics/question.js').Question} Question */

export class Results {
  /** @param {import('../state.js').StoreOf<QueryState>} store */
  constructor(store) {
    this.store = store;
    /** @type {import('../map/map-view.js').MapView | null} */
    this.map = null;
    /** The result on the page: a repeated refresh of the same result does nothing. */
    this.shown = '';
    this.table = new Table(
      () => ({ parameters: parametersOf(store.current), columns: store.current.columns }),
      (columns) => store.update({ columns }, 'replace'));
    this.content = h('div', { class: 'query-content' });
    this.looks = segments({
      legend: translate('query.look'), legendLook: 'visually-hidden', look: 'query-looks', chosen: store.current.look,
      options: LOOKS.map((value) => ({ value, words: translate(`query.look.${value}`) })),
      choose: (look) => store.update({ look }, 'replace'),
    });
    this.element = h('section', { class: 'query-results', 'aria-label': translate('query.result') },
      this.looks.element, this.content);
    store.subscribe((now, before) => {
      if (now.look !== before.look || now.by !== before.by) {
        this.looks.show(now.look);
        this.show();
      }
    });
  }

  /** @param {number} count of devices */
  refresh(count) {
    this.count = count;
    this.show();
  }

  /** Removes the result of the last query: the server refused this one or did not respond. */
  clear() {
    this.count = undefined;
    this.shown = '';
    this.map?.map.remove();
    this.map = null;
    fill(this.content);
  }

  show() {
    if (this.count === undefined) return;
    const { filter, look, by } = this.store.current;
    const wanted = JSON.stringify([filter, look, by, this.count]);
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.map?.map.remove();
    this.map = null;
    if (!this.count && look !== 'code') {
      fill(this.content, h('p', { class: 'query-nothing' }, translate('query.nothing')));
      return;
    }
    switch (look) {
      case 'table':
        fill(this.content, this.table.element);
        this.table.refresh();
        break;
      case 'map': this.showMap(wanted); break;
      case 'chart': this.showChart(by); break;
      default: this.showCode();
    }
  }

  /** @param {string} wanted */
  async showMap(wanted) {
    const place = h('div', { class: 'query-map' });
    fill(this.content, place);
    const map = await showMap(place, await settings(), h('span', {}));
    // The reader may have chosen another result while the map loaded.
    if (this.shown === wanted) this.map = map;
    else map?.map.remove();
  }

  /** @param {string} by */
  showChart(by) {
    const id = newId('query-by');
    /** @type {Question} */
    const question = { ...emptyQuestion(), filter: this.store.current.filter };
    const figure = groupFigure(by, {
      current: question, ask: (change) => { location.assign(encodeQuestion({ ...question, ...change })); },
    }, null);
    fill(this.content, h('div', { class: 'field query-by' },
      h('label', { class: 'field-label', for: id }, translate('query.by')),
      h('select', {
        class: 'text-input', id, onchange: (/** @type {Event} */ event) => {
          this.store.update({ by: /** @type {HTMLSelectElement} */ (event.target).value }, 'replace');
          this.content.querySelector('select')?.focus();
        },
      }, ...PROPERTIES.map((name) => h('option', { value: name, selected: name === by }, propertyName(name))))),
    figure.element);
    figure.refresh();
  }

  showCode() {
    fill(this.content, h('div', { class: 'query-code' },
      ...snippets(location.origin, parametersOf(this.store.current)).map(({ id, code }) => {
        const shown = h('code', {}, code);
        return h('section', { class: 'query-snippet', 'aria-label': translate(`query.code.${id}`) },
          h('h3', {}, translate(`query.code.${id}`)), h('pre', { tabindex: '0' }, shown),
          copyButton(code, translate('query.copy'), shown));
      })));
  }
}
