// @ts-check
// Screen for the category: pictures with the likely categories first, and a search in names and
// definitions.

import { fill, h, icon } from '../../dom.js';
import { spotOf, suggestedName, withAnswer, withCategory } from '../../drafts/draft.js';
import { answerButton } from '../../fields/answers.js';
import { newId } from '../../fields/field.js';
import { termPicture } from '../../fields/pictures.js';
import { plural, translate } from '../../i18n.js';
import { announce } from '../../page/notices.js';
import { scheme } from '../../taxonomies.js';
import { likelyKinds, matching } from '../kinds.js';
import { needsComparison } from '../send.js';

/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../../taxonomies.js').Term} Term */

/**
 * @param {Wizard} wizard
 * @returns {Promise<Screen>}
 */
export async function categoryScreen(wizard) {
  const terms = await scheme('categories');
  const chosen = wizard.draft.properties.category ?? null;
  const name = newId('category');
  const tile = (/** @type {Term} */ term) => answerButton('radio', name,
    { code: term.code, label: term.label, picture: termPicture('categories', term.code) }, term.code === chosen);
  const group = (/** @type {string} */ title, /** @type {Term[]} */ list) => list.length > 0
    && h('div', { role: 'group', 'aria-label': title },
      h('p', { class: 'answers-title', 'aria-hidden': 'true' }, title),
      h('div', { class: 'answers answers-tiles' }, ...list.map(tile)));
  const all = [...terms.values()];
  const likely = likelyKinds(all, wizard.context.near().map((device) => device.category));
  const list = h('div', { class: 'kinds', role: 'radiogroup', 'aria-labelledby': 'add-title' });
  const search = /** @type {HTMLInputElement} */ (h('input', {
    type: 'search', class: 'text-input', 'aria-label': translate('add.category.search'),
    placeholder: translate('add.category.search'), autocomplete: 'off',
  }));
  const meaning = h('p', { class: 'field-note kind-meaning', 'aria-live': 'polite' });
  let now = chosen;

  const draw = () => {
    const words = search.value.trim();
    const found = words ? matching(all, words) : [];
    if (!words) {
      fill(list, group(translate('add.category.likely'), likely),
        group(translate('add.category.all'), all.filter((term) => !likely.includes(term))));
    } else if (found.length) {
      fill(list, group(translate('add.category.found'), found));
    } else {
      fill(list, h('p', { class: 'field-note' }, translate('add.category.none')),
        group(translate('add.category.all'), all.filter((term) => term.code === 'other')));
    }
    for (const input of list.querySelectorAll('input')) input.checked = input.value === now;
    if (words) announce(plural('add.category.count', found.length));
  };
  const say = () => { meaning.textContent = now ? terms.get(now)?.definition ?? '' : ''; };
  const take = async () => {
    const term = now ? terms.get(now) : undefined;
    if (!term) return;
    wizard.update((draft) => {
      const next = withCategory(draft, term);
      const before = terms.get(draft.properties.category)?.label;
      const isOwn = draft.properties.name && draft.properties.name !== suggestedName(before ?? '', spotOf(draft));
      return isOwn ? next : withAnswer(next, 'name', suggestedName(term.label, spotOf(next)));
    });
    const compares = await needsComparison(wizard);
    if (wizard.step !== 'category') return;
    wizard.isSending = false;
    if (compares) wizard.go('same');
    else wizard.next();
  };
  list.addEventListener('change', (event) => {
    now = /** @type {HTMLInputElement} */ (event.target).value;
    say();
    if (wizard.screen?.primary) {
      wizard.screen.primary.off = false;
      wizard.drawFoot();
    }
  });
  list.addEventListener('click', (event) => {
    const face = event.target instanceof Element && !event.target.matches('input') && event.target.closest('.answer');
    if (face && event.detail > 0) setTimeout(take);
  });
  list.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (!event.target.checked) event.target.click();
    take();
  });
  search.addEventListener('input', draw);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && search.value) {
      event.preventDefault();
      event.stopPropagation();
      search.value = '';
      draw();
    }
  });
  draw();
  say();
  return {
    title: translate('ask.category'),
    hint: translate('ask.category.hint'),
    room: 'full',
    body: [h('div', { class: 'kind-search' }, icon('search'), search), list, meaning],
    primary: { label: translate('add.next'), act: take, off: !chosen, symbol: 'right' },
  };
}
