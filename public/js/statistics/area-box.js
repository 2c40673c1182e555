// @ts-check
// A field for an area: a combobox with places of the gazetteer and countries that have devices.

import { getJSON, isAbort, latestOnly } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatCountry } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { placeContext, placeLabel } from '../places/place.js';
import { folded } from '../words.js';
import { rememberPlace } from './names.js';

/** @typedef {import('../search/suggestions.js').Place} Place */
/**
 * A row of the list.
 * @typedef {object} Choice
 * @property {string} value «place:2267057», «country:PT», or a value of the caller
 * @property {string} name @property {string} [context] @property {string} symbol
 * @property {Place} [place]
 */

const PAUSE = 180; // milliseconds after the last key
const MOST = 6; // of each kind

/** @type {Promise<string[]> | undefined} codes of countries with devices, sorted by number of devices */
let countries;

function countriesWithDevices() {
  countries ??= getJSON('/api/statistics?group_by=country&limit=300').then(
    ({ groups }) => groups.map((/** @type {{country: string | null}} */ group) => group.country).filter(Boolean),
    () => {
      countries = undefined;
      return [];
    });
  return countries;
}

/**
 * A country is selected by its borders, any other place by its bounding box.
 * @param {Place & {kind?: string}} place @returns {Choice}
 */
function choiceOf(place) {
  if (place.kind === 'country' && place.country) {
    return { value: `country:${place.country}`, name: place.name, symbol: 'globe' };
  }
  return { value: `place:${place.id}`, name: placeLabel(place), context: placeContext(place), symbol: 'city', place };
}

export class AreaBox {
  /**
   * @param {object} options
   * @param {string} options.id
   * @param {string} options.title label above the field
   * @param {string} [options.placeholder]
   * @param {() => Choice[]} options.fixed the rows of the list while the field is empty
   * @param {(choice: Choice) => void} options.choose
   * @param {boolean} [options.withCountries] false: only places with a position, of which each choice has one
   */
  constructor({ id, title, placeholder = '', fixed, choose, withCountries = true }) {
    this.id = id;
    this.fixed = fixed;
    this.choose = choose;
    this.withCountries = withCountries;
    this.ask = latestOnly();
    /** @type {Choice[]} */
    this.found = [];
    this.active = -1;
    /** Incremented by each request, so that a late response can be recognised and ignored. */
    this.turn = 0;
    this.shown = '';
    this.input = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', id, class: 'text-input area-input', role: 'combobox', autocomplete: 'off', spellcheck: 'false',
      maxlength: '200',
      'aria-expanded': 'false', 'aria-controls': `${id}-list`, 'aria-autocomplete': 'list', placeholder,
    }));
    this.list = h('div',
      { class: 'suggestions area-list', id: `${id}-list`, role: 'listbox', tabindex: '-1', 'aria-label': title });
    this.list.hidden = true;
    this.element = h('div', { class: 'field area-field' },
      h('label', { class: 'field-label', for: id }, title),
      h('div', { class: 'area-box' }, icon('search'), this.input, this.list));
    this.listen();
  }

  /**
   * Shows the selected area.
   * @param {string} name
   */
  show(name) {
    this.shown = name;
    const isHere = document.activeElement === this.input;
    if (isHere && !this.list.hidden) return;
    this.input.value = name;
    // Typing replaces the selected place.
    if (isHere) this.input.select();
  }

  listen() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    this.input.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.look(this.input.value), PAUSE);
    });
    this.input.addEventListener('focus', () => {
      this.input.select();
      this.look('');
    });
    this.input.addEventListener('click', () => { if (this.list.hidden) this.look(''); });
    this.input.addEventListener('keydown', (event) => this.press(event));
    this.element.addEventListener('focusout', (event) => {
      if (event.relatedTarget instanceof Node && this.element.contains(event.relatedTarget)) return;
      clearTimeout(timer);
      this.hide();
      this.input.value = this.shown;
    });
    this.list.addEventListener('pointerdown', (event) => event.preventDefault());
  }

  /** @param {string} typed */
  async look(typed) {
    const words = folded(typed);
    const fixed = words ? [] : this.fixed();
    if (!words && !fixed.length && !this.withCountries) {
      this.hide();
      return;
    }
    if (fixed.length) this.offer(fixed); // needs no request
    this.turn += 1;
    const { turn } = this;
    const named = (this.withCountries ? await countriesWithDevices() : [])
      .map((code) => ({ value: `country:${code}`, name: formatCountry(code, language()), symbol: 'globe' }));
    const matching = named.filter(({ name }) => folded(name).split(/[\s-]+/).some((part) => part.startsWith(words))
      || folded(name).startsWith(words));
    if (turn !== this.turn) return; // the user typed or selected something else in the meantime
    if (!words) {
      this.offer([...fixed, ...named.slice(0, MOST)]);
      return;
    }
    try {
      const { places } = words.length < 2
        ? { places: [] }
        : await this.ask(`/api/places?q=${encodeURIComponent(typed.trim())}&limit=${MOST}`);
      if (turn !== this.turn) return;
      const choices = [...matching.slice(0, MOST), ...places.map(choiceOf)];
      this.offer(choices.filter(({ value, place }, index) => (this.withCountries || place)
        && choices.findIndex((other) => other.value === value) === index));
      announce(plural('search.count', this.found.length));
    } catch (error) {
      if (!isAbort(error)) this.offer(matching.slice(0, MOST));
    }
  }

  /** @param {Choice[]} found */
  offer(found) {
    if (document.activeElement !== this.input) return;
    const chosen = this.found[this.active]?.value;
    this.found = found;
    this.active = -1;
    fill(this.list, ...found.map((choice, index) => h('div', {
      class: 'suggestion', role: 'option', id: `${this.id}-${index}`, 'aria-selected': 'false',
      onclick: () => this.take(index),
    }, icon(choice.symbol), h('span', { class: 'suggestion-words' },
      h('span', { class: 'said' }, choice.name), choice.context && h('small', { class: 'said' }, choice.context)))),
    !found.length && h('p', { class: 'suggestions-wait' }, translate('statistics.area.none')));
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.input.removeAttribute('aria-activedescendant');
    const again = found.findIndex(({ value }) => value === chosen);
    if (again >= 0) this.move(again);
  }

  hide() {
    this.turn += 1;
    this.list.hidden = true;
    this.active = -1;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { length } = this.found;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (this.list.hidden) this.look('');
      else if (length) {
        this.move(event.key === 'ArrowDown'
          ? (this.active + 1) % length
          : (Math.max(this.active, 0) - 1 + length) % length);
      }
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (length && !this.list.hidden) this.take(Math.max(0, this.active));
    } else if (event.key === 'Escape' && !this.list.hidden) {
      event.stopPropagation();
      this.hide();
      this.input.value = this.shown;
    }
  }

  /** @param {number} index */
  move(index) {
    this.active = index;
    for (const row of this.list.querySelectorAll('[role=option]')) {
      const chosen = row.id === `${this.id}-${index}`;
      row.setAttribute('aria-selected', String(chosen));
      if (chosen) row.scrollIntoView({ block: 'nearest' });
    }
    this.input.setAttribute('aria-activedescendant', `${this.id}-${index}`);
  }

  /** @param {number} index */
  take(index) {
    const choice = this.found[index];
    if (!choice) return;
    if (choice.place) rememberPlace(choice.place);
    this.hide();
    this.input.value = this.shown;
    this.choose(choice);
  }
}
