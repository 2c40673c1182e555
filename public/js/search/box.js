// @ts-check
// The search field for places, addresses, devices, categories and coordinates: a combobox with suggestions.

import { connection, isAbort, latestOnly } from '../api.js';
import { ITEMS } from '../devices/list-request.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { language, translate } from '../i18n.js';
import { creditWords } from '../map/credit-words.js';
import { announce } from '../page/notices.js';
import { keepPlaces } from '../places/nearest.js';
import { placeLabel } from '../places/place.js';
import { scheme } from '../taxonomies.js';
import { groupTitle, suggestionRow, titleOf } from './rows.js';
import { matchingCategories, matchingGroups, suggestions } from './suggestions.js';

/** @typedef {import('./suggestions.js').Suggestion} Suggestion */

const PAUSE = 180; // milliseconds after the last key
const PLACES = 6; // places and addresses

export class SearchBox {
  /**
   * @param {HTMLElement} element
   * @param {object} context
   * @param {(suggestion: Suggestion) => void} context.choose
   * @param {() => void} [context.release] called when the user clears the place that the field holds
   * @param {() => import('../types').Position} [context.middle] the middle of the map, for the nearest address
   */
  constructor(element, { choose, release, middle }) {
    this.choose = choose;
    this.release = release;
    this.middle = middle;
    /** @type {string | null} the name of the chosen place, which stays in the field */
    this.held = null;
    this.askPlaces = latestOnly();
    this.askDevices = latestOnly();
    /** @type {Suggestion[]} */
    this.found = [];
    this.active = -1;
    this.credit = '';
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
      if (!this.input.value) this.letGo();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), PAUSE);
    });
    this.input.addEventListener('focus', () => {
      if (this.held !== null) this.input.select();
      this.look();
    });
    this.input.addEventListener('click', () => { if (this.list.hidden) this.look(); });
    this.input.addEventListener('keydown', (event) => this.press(event));
    element.addEventListener('focusout', (event) => {
      if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) this.hide();
    });
    // Keeps the focus in the field while the user taps a suggestion.
    this.list.addEventListener('pointerdown', (event) => event.preventDefault());
    connection.onRecovery(() => { if (document.activeElement === this.input) this.look(); });
  }

  /** What the user typed: nothing while the field holds a chosen place. */
  get typed() {
    return this.input.value === this.held ? '' : this.input.value;
  }

  /** Requests suggestions for the text. Local suggestions appear at once. */
  async look() {
    clearTimeout(this.timer);
    const { typed } = this;
    const turn = ++this.turn;
    this.waiting = false;
    const [groups, terms] = await Promise.all(['category_groups', 'categories'].map(async (name) => (
      [...(await scheme(name).catch(() => new Map())).values()])));
    if (turn !== this.turn) return;
    const own = {
      groups: matchingGroups(typed, groups),
      categories: matchingCategories(typed, terms, typed.trim() ? 4 : terms.length),
    };
    const found = { ...own, places: [], devices: [] };
    if (typed.trim().length < 2) {
      this.show(suggestions(typed, found));
      return;
    }
    this.waiting = true;
    this.show(suggestions(typed, found));
    const q = encodeURIComponent(typed.trim());
    const answers = await Promise.allSettled([
      this.askPlaces(`/api/places?q=${q}&limit=${PLACES}${this.near}`),
      this.askDevices(`${ITEMS}?q=${q}&limit=5&properties=manufacturer&with=places&lang=${language()}`),
    ]);
    if (answers.some((answer) => answer.status === 'rejected' && isAbort(answer.reason))) return;
    const [places, devices] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : {}));
    /** @type {import('../types').DeviceFeature[]} */
    const features = devices.features ?? [];
    keepPlaces(features.map(({ geometry }) => geometry.coordinates), devices.places ?? []);
    if (turn !== this.turn || typed !== this.typed) return;
    this.waiting = false;
    this.credit = places.attribution ?? '';
    this.show(suggestions(typed, { ...own, places: places.places ?? [], devices: features }));
    if (!this.list.hidden) announce(translate('search.count', { count: this.found.length }));
  }

  /** The parameter for the middle of the map, to about a kilometre: an exact one would say where a user looks. */
  get near() {
    return this.middle ? `&near=${this.middle().map((degrees) => degrees.toFixed(2)).join(',')}` : '';
  }

  /** @param {Suggestion[]} found */
  show(found) {
    if (document.activeElement !== this.input) return;
    this.found = found;
    this.active = -1;
    /** @type {HTMLElement[]} */
    const parts = [];
    let title = '';
    found.forEach((suggestion, index) => {
      if (titleOf(suggestion) !== title) parts.push(groupTitle(titleOf(suggestion)));
      title = titleOf(suggestion);
      parts.push(suggestionRow(suggestion, index, () => this.take(index)));
      if (suggestion.kind === 'address' && found[index + 1]?.kind !== 'address' && this.credit) {
        parts.push(h('p', { class: 'suggestions-credit', 'aria-hidden': 'true' }, creditWords(this.credit)));
      }
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
    this.letGo();
    this.hold(null);
    this.input.focus();
    this.look();
  }

  /** Releases the chosen place, if the field holds one. */
  letGo() {
    if (this.held === null) return;
    this.held = null;
    this.release?.();
  }

  /**
   * Shows the chosen place in the field until the user clears it; null empties the field.
   * @param {import('../types').Place | null} place
   */
  hold(place) {
    this.held = place && placeLabel(place);
    this.input.value = this.held ?? '';
    this.clearButton.hidden = !place;
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
    this.input.value = this.held ?? '';
    this.clearButton.hidden = this.held === null;
    this.input.blur();
    this.choose(suggestion);
  }
}
