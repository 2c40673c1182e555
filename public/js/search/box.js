// @ts-check
// The search field for places, devices, categories and coordinates: a combobox with suggestions.

import { connection, isAbort, latestOnly } from '../api.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { scheme } from '../taxonomies.js';
import { suggestionRow, groupTitle } from './rows.js';
import { matchingCategories, suggestions } from './suggestions.js';

/** @typedef {import('./suggestions.js').Suggestion} Suggestion */

const PAUSE = 180; // milliseconds after the last key

export class SearchBox {
  /** @param {HTMLElement} element @param {(suggestion: Suggestion) => void} choose */
  constructor(element, choose) {
    this.choose = choose;
    this.askPlaces = latestOnly();
    this.askDevices = latestOnly();
    /** @type {Suggestion[]} */
    this.found = [];
    this.active = -1;
    this.waiting = false;
    // Incremented by each request and each hiding, so that a late response can be recognised and ignored.
    this.turn = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.input = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', id: 'search', class: 'search-input', role: 'combobox', autocomplete: 'off', spellcheck: 'false',
      enterkeyhint: 'search', maxlength: '200', 'aria-expanded': 'false', 'aria-controls': 'suggestions',
      'aria-autocomplete': 'list',
      'aria-label': translate('search.label'), placeholder: translate('search.placeholder'),
    }));
    this.list = h('div',
      {
        class: 'suggestions', id: 'suggestions', role: 'listbox', tabindex: '-1',
        'aria-label': translate('search.suggestions'),
      });
    this.list.hidden = true;
    this.clearButton = iconButton('close', translate('search.clear'),
      { class: 'search-clear', onclick: () => this.clear() });
    this.clearButton.hidden = true;
    element.append(icon('search'), this.input, this.clearButton, this.list);
    this.listen(element);
  }

  /** @param {HTMLElement} element */
  listen(element) {
    this.input.addEventListener('input', () => {
      this.clearButton.hidden = !this.input.value;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), PAUSE);
    });
    this.input.addEventListener('focus', () => this.look());
    this.input.addEventListener('click', () => { if (this.list.hidden) this.look(); });
    this.input.addEventListener('keydown', (event) => this.press(event));
    element.addEventListener('focusout', (event) => {
      if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) this.hide();
    });
    // Keeps the focus in the field while the user taps a suggestion.
    this.list.addEventListener('pointerdown', (event) => event.preventDefault());
    connection.onRecovery(() => { if (document.activeElement === this.input) this.look(); });
  }

  /** Requests suggestions for the text. Local suggestions appear at once. */
  async look() {
    clearTimeout(this.timer);
    const typed = this.input.value;
    const turn = ++this.turn;
    this.waiting = false;
    const terms = [...(await scheme('categories').catch(() => new Map())).values()];
    if (turn !== this.turn) return;
    const categories = matchingCategories(typed, terms, typed.trim() ? 3 : terms.length);
    const found = { categories, places: [], devices: [] };
    if (typed.trim().length < 2) {
      this.show(suggestions(typed, found));
      return;
    }
    this.waiting = true;
    this.show(suggestions(typed, found));
    const q = encodeURIComponent(typed.trim());
    const answers = await Promise.allSettled([
      this.askPlaces(`/api/places?q=${q}&limit=5`), this.askDevices(`/api/collections/devices/items?q=${q}&limit=5`),
    ]);
    if (answers.some((answer) => answer.status === 'rejected' && isAbort(answer.reason))) return;
    if (turn !== this.turn || typed !== this.input.value) return;
    const [places, devices] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : {}));
    this.waiting = false;
    this.show(suggestions(typed,
      { categories, places: (places.places ?? []).slice(0, 5), devices: devices.features ?? [] }));
    if (!this.list.hidden) announce(translate('search.count', { count: this.found.length }));
  }

  /** @param {Suggestion[]} found */
  show(found) {
    if (document.activeElement !== this.input) return;
    this.found = found;
    this.active = -1;
    /** @type {HTMLElement[]} */
    const parts = [];
    let kind = '';
    found.forEach((suggestion, index) => {
      if (suggestion.kind !== kind) parts.push(groupTitle(suggestion.kind));
      kind = suggestion.kind;
      parts.push(suggestionRow(suggestion, index, () => this.take(index)));
    });
    if (this.waiting) {
      parts.push(h('p', { class: 'suggestions-wait', 'aria-hidden': 'true' }, translate('search.looking')));
    }
    fill(this.list, ...parts);
    this.list.hidden = !parts.length;
    this.input.setAttribute('aria-expanded', String(!this.list.hidden));
    this.input.removeAttribute('aria-activedescendant');
  }

  hide() {
    clearTimeout(this.timer);
    this.turn += 1;
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  clear() {
    this.input.value = '';
    this.clearButton.hidden = true;
    this.input.focus();
    this.look();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { length } = this.found;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (this.list.hidden) this.look();
      else if (length) {
        this.move(
          (this.active + (event.key === 'ArrowDown' ? 1 : -1) + length
            + (this.active < 0 && event.key === 'ArrowUp' ? 1 : 0)) % length,
        );
      }
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (length && !this.list.hidden) this.take(Math.max(0, this.active));
    } else if (event.key === 'Escape') {
      if (this.list.hidden) this.clear();
      this.hide();
    }
  }

  /** @param {number} index */
  move(index) {
    this.active = index;
    for (const row of this.list.querySelectorAll('[role=option]')) {
      const chosen = row.id === `suggestion-${index}`;
      row.setAttribute('aria-selected', String(chosen));
      if (chosen) row.scrollIntoView({ block: 'nearest' });
    }
    this.input.setAttribute('aria-activedescendant', `suggestion-${index}`);
  }

  /** @param {number} index */
  take(index) {
    const suggestion = this.found[index];
    if (!suggestion) return;
    this.hide();
    this.input.value = '';
    this.clearButton.hidden = true;
    this.input.blur();
    this.choose(suggestion);
  }
}
