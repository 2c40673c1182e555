// @ts-check
// Dialog with all filters. A tick applies at once; the button closes the dialog and shows the
// number of results.

import { dialogHead, modal } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { explainButton } from '../glossary/definition.js';
import { plural, translate } from '../i18n.js';
import { filterCount } from '../state.js';
import { scheme } from '../taxonomies.js';
import { resetFilters } from './bar.js';
import { facetCounts } from './counts.js';
import { FACETS } from './facets.js';
import { FacetOptions } from './options.js';

/** @typedef {import('../state.js').FilterStore} Store */

const PATIENCE = 300; // milliseconds that the dialog waits for the counts

/**
 * @param {Store} store
 * @param {() => Record<string, string>} area the area whose devices are counted: `bbox` or `place`
 */
export function filterDialog(store, area) {
  const groups = h('div', { class: 'dialog-body' });
  const done = h('button', { type: 'button', class: 'button primary', onclick: () => dialog.close() });
  const reset = h('button', { type: 'button', class: 'button', onclick: () => resetFilters(store) },
    translate('filters.reset'));
  const dialog = modal({ class: 'filters', 'aria-labelledby': 'filters-title' }, [
    dialogHead({ id: 'filters-title' }, translate('filters.title'), () => dialog.close()),
    groups,
    h('div', { class: 'dialog-foot' }, reset, done),
  ], { isKept: true, closesOutside: true });
  const { element } = dialog;
  /** @type {FacetOptions[]} */
  let facets = [];
  let turn = 0;

  /** @param {boolean} isFirst whether the dialog opens, so that values may move */
  async function count(isFirst) {
    turn += 1;
    const asked = turn;
    const counts = await facetCounts(store.current, area());
    if (asked !== turn) return;
    for (const one of facets) {
      const own = counts.get(one.facet.name);
      if (own && isFirst) one.sort(own);
      if (own) one.show(own);
    }
  }

  store.subscribe(() => {
    for (const box of element.querySelectorAll('input')) {
      box.checked = (store.current.filters[box.name] ?? []).includes(box.value);
    }
    tally(element, store);
    if (element.open) count(false);
  });
  return {
    /** @param {number | null} number devices in view under these filters */
    counted(number) {
      fill(done, number === null ? translate('filters.done') : plural('filters.show', number));
    },
    async open() {
      if (!facets.length) {
        const [schemes] = await Promise.all([
          Promise.all(FACETS.map((facet) => scheme(facet.scheme))),
          scheme('category_groups').catch(() => null), // without it there are no groups
        ]);
        facets = FACETS.map((facet, index) => new FacetOptions(facet, schemes[index], store))
          .filter((_, index) => schemes[index].size > 0);
        fill(groups, ...facets.map((one, index) => facetPart(one, store, index === 0)));
      }
      tally(element, store);
      const pause = new Promise((resolve) => { setTimeout(resolve, PATIENCE); });
      await Promise.race([count(true), pause]);
      if (!element.open) dialog.open(); // a second tap may have opened it meanwhile
    },
  };
}

/**
 * Shows the number of ticks in each group.
 * @param {HTMLElement} dialog @param {Store} store
 */
function tally(dialog, store) {
  for (const mark of dialog.querySelectorAll('[data-tally]')) {
    const count = (store.current.filters[mark.getAttribute('data-tally') ?? ''] ?? []).length;
    mark.textContent = count ? String(count) : '';
    mark.toggleAttribute('hidden', !count);
  }
  dialog.querySelector('.dialog-foot .button')?.toggleAttribute('disabled', filterCount(store.current) === 0);
}

/** @param {FacetOptions} options @param {Store} store @param {boolean} first */
function facetPart({ facet, element }, store, first) {
  const open = first || (store.current.filters[facet.name] ?? []).length > 0;
  return h('details', { class: 'facet', open },
    h('summary', {}, h('span', { class: 'facet-title' }, translate(facet.title)),
      h('span', { class: 'count', 'data-tally': facet.name }), icon('down')),
    explained(h('div', { role: 'group', 'aria-label': translate(facet.title) }, element)));
}

/**
 * A list with a button that shows the definitions of its terms.
 * @param {HTMLElement} list
 */
function explained(list) {
  list.prepend(explainButton(list));
  return list;
}
