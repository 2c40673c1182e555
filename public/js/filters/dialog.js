// @ts-check
// Dialog with all filters. A tick applies at once; the button closes the dialog and shows the
// number of results.

import { dialogHead, modal } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { newId } from '../fields/field.js';
import { explainButton } from '../glossary/definition.js';
import { plural, translate } from '../i18n.js';
import { filterCount, toggled } from '../state.js';
import { categoryIcon, scheme } from '../taxonomies.js';
import { resetFilters } from './bar.js';
import { FACETS, grouped } from './facets.js';

/** @typedef {import('../state.js').FilterStore} Store */
/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {import('./facets.js').Facet} Facet */

/** @param {Store} store */
export function filterDialog(store) {
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

  store.subscribe(() => {
    for (const box of element.querySelectorAll('input')) {
      box.checked = (store.current.filters[box.name] ?? []).includes(box.value);
    }
    tally(element, store);
  });
  return {
    /** @param {number | null} count devices in view under these filters */
    counted(count) {
      fill(done, count === null ? translate('filters.done') : plural('filters.show', count));
    },
    async open() {
      if (!groups.children.length) {
        const parts = await Promise.all(FACETS.map(async (facet, index) => facetGroup(facet, await scheme(facet.scheme),
          store, index === 0)));
        fill(groups, ...parts);
      }
      tally(element, store);
      dialog.open();
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

/** @param {Facet} facet @param {Map<string, Term>} terms @param {Store} store @param {boolean} first */
function facetGroup(facet, terms, store, first) {
  if (!terms.size) return null;
  const open = first || (store.current.filters[facet.name] ?? []).length > 0;
  const box = (/** @type {Term} */ term) => option(facet, term, store);
  const content = grouped(terms.values()).some((group) => group.leaves.length)
    ? tree(terms, box) : h('div', { class: 'options' }, ...[...terms.values()].map(box));
  return h('details', { class: 'facet', open },
    h('summary', {}, h('span', { class: 'facet-title' }, translate(facet.title)),
      h('span', { class: 'count', 'data-tally': facet.name }), icon('down')),
    explained(h('div', { role: 'group', 'aria-label': translate(facet.title) }, content)));
}

/**
 * A list with a button that shows the definitions of its terms.
 * @param {HTMLElement} list
 */
function explained(list) {
  list.prepend(explainButton(list));
  return list;
}

/**
 * Top-level terms with their child terms.
 * @param {Map<string, Term>} terms @param {(term: Term) => HTMLElement} box
 */
function tree(terms, box) {
  const groups = grouped(terms.values());
  const families = groups.filter((group) => group.leaves.length);
  const single = groups.filter((group) => !group.leaves.length);
  return h('div', { class: 'families' },
    ...families.map(({ root, leaves }) => h('div', { class: 'family', role: 'group', 'aria-label': root.label },
      h('p', { class: 'family-name', 'aria-hidden': 'true' }, root.label),
      h('div', { class: 'options' }, ...leaves.map(box)))),
    single.length > 0 && h('div', { class: 'family' },
      h('p', { class: 'family-name' }, translate('filters.more')),
      h('div', { class: 'options' }, ...single.map(({ root }) => box(root)))));
}

/** @param {Facet} facet @param {Term} term @param {Store} store */
function option(facet, term, store) {
  const note = term.definition ? newId('meaning') : null;
  const box = h('input', {
    'aria-describedby': note,
    type: 'checkbox', class: 'visually-hidden', name: facet.name, value: term.code,
    checked: (store.current.filters[facet.name] ?? []).includes(term.code),
    onchange: () => store.update({ filters: toggled(store.current.filters, facet.name, term.code) }, 'push'),
  });
  return h('label', { class: facet.icons ? 'option with-icon' : 'option', title: term.definition ?? null }, box,
    h('span', {}, facet.icons && icon(categoryIcon(term.code), 'category'),
      h('span', {}, term.label,
        note && h('small', { id: note, class: 'meaning', 'aria-hidden': 'true' }, term.definition ?? ''))));
}
