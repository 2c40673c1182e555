// @ts-check
// The ends and stops of a way: typed, searched, tapped on the map, or the own position.

import { getUnnamed } from '../api.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { newId } from '../fields/field.js';
import { formatPosition } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { announce, toast } from '../page/notices.js';
import { parseCoordinates } from '../places/coordinates.js';
import { locate, locateTrouble } from '../places/locate.js';
import { placeContext, placeLabel } from '../places/place.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {{position: Position | null, name: string, element: HTMLElement, input: HTMLInputElement}} Stop */

export const MOST_STOPS = 5; // between start and destination
const PLACES = 6;

export class StopList {
  /**
   * @param {object} acts
   * @param {() => void} acts.changed
   * @param {() => Promise<Position | null>} acts.pick lets the user choose a place on the map
   */
  constructor({ changed, pick }) {
    this.changed = changed;
    this.pick = pick;
    /** @type {Stop[]} */
    this.stops = [];
    this.list = h('ol', { class: 'route-stops' });
    this.more = h('button', {
      type: 'button', class: 'button', 'data-act': 'add-stop', onclick: () => this.insert(),
    }, icon('plus'), translate('routes.add_stop'));
    this.turn = h('button', {
      type: 'button', class: 'button', 'data-act': 'swap', onclick: () => this.swap(),
    }, icon('refresh'), translate('routes.swap'));
    this.element = h('div', { class: 'route-ends' }, this.list,
      h('div', { class: 'form-acts' }, this.more, this.turn));
    this.stops = [this.made(), this.made()];
    this.draw();
  }

  /** The chosen places; null while a place is missing. @returns {Position[] | null} */
  get positions() {
    const found = this.stops.flatMap(({ position }) => (position ? [position] : []));
    return found.length === this.stops.length ? found : null;
  }

  /** @returns {Stop} */
  made() {
    const id = newId('stop');
    const results = h('ul', { class: 'route-found', id: `${id}-found` });
    const input = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', class: 'text-input', id, autocomplete: 'off', spellcheck: 'false', maxlength: '200',
      enterkeyhint: 'search', placeholder: translate('routes.place'),
    }));
    const label = h('label', { class: 'field-label', for: id });
    const find = iconButton('search', translate('routes.find'), { class: 'framed', 'data-act': 'find' });
    const map = iconButton('crosshair', translate('routes.on_map'), { class: 'framed', 'data-act': 'on-map' });
    const here = iconButton('locate', translate('routes.here'), { class: 'framed', 'data-act': 'here' });
    const remove = iconButton('close', translate('routes.remove_stop'), { class: 'framed', 'data-act': 'remove' });
    /** @type {Stop} */
    const stop = {
      position: null, name: '', input,
      element: h('li', {}, label, h('div', { class: 'route-place' }, input, find, map, here, remove), results),
    };
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.find(stop, results);
    });
    input.addEventListener('input', () => {
      stop.position = null;
      stop.name = '';
      fill(results);
    });
    find.addEventListener('click', () => this.find(stop, results));
    map.addEventListener('click', async () => {
      const position = await this.pick();
      if (position) this.set(stop, position);
      map.focus();
    });
    here.addEventListener('click', () => this.locate(stop));
    remove.addEventListener('click', () => this.remove(stop));
    return stop;
  }

  draw() {
    const last = this.stops.length - 1;
    this.stops.forEach(({ element }, place) => {
      const name = place === 0 ? translate('routes.from') : place === last ? translate('routes.to')
        : translate('routes.stop', { number: place });
      const label = element.querySelector('label');
      if (label) label.textContent = name;
      const remove = /** @type {HTMLElement | null} */ (element.querySelector('[data-act="remove"]'));
      if (remove) remove.hidden = this.stops.length < 3;
      element.setAttribute('data-stop', place === 0 ? 'from' : place === last ? 'to' : String(place));
    });
    fill(this.list, ...this.stops.map(({ element }) => element));
    this.more.hidden = this.stops.length >= MOST_STOPS + 2;
  }

  insert() {
    const stop = this.made();
    this.stops.splice(-1, 0, stop);
    this.draw();
    stop.input.focus();
  }

  /** @param {Stop} stop */
  remove(stop) {
    this.stops = this.stops.filter((one) => one !== stop);
    this.draw();
    this.more.focus();
    this.changed();
  }

  swap() {
    this.stops.reverse();
    this.draw();
    this.changed();
  }

  /**
   * @param {Stop | 'from' | 'to'} which @param {Position} position @param {string} [name]
   */
  set(which, position, name = formatPosition(...position)) {
    const stop = which === 'from' ? this.stops[0] : which === 'to' ? this.stops[this.stops.length - 1] : which;
    stop.position = position;
    stop.name = name;
    stop.input.value = name;
    fill(stop.element.querySelector('.route-found') ?? stop.element);
    this.changed();
  }

  /** @param {Stop} stop */
  async locate(stop) {
    try {
      const { position } = await locate();
      this.set(stop, position, translate('routes.own_place'));
    } catch (error) {
      toast(translate(locateTrouble(error)));
    }
  }

  /**
   * Asks for places with a name. Coordinates are read without asking.
   * @param {Stop} stop @param {HTMLElement} results
   */
  async find(stop, results) {
    const text = stop.input.value.trim();
    if (!text || (stop.position && text === stop.name)) return;
    const typed = parseCoordinates(text);
    if (typed) {
      this.set(stop, [typed.longitude, typed.latitude]);
      return;
    }
    /** @type {import('../types').Place[]} */
    let places = [];
    try {
      const { body } = await getUnnamed(`/api/places?q=${encodeURIComponent(text)}&limit=${PLACES}&lang=${language()}`);
      places = body.places ?? [];
    } catch {
      fill(results, h('li', { class: 'complaint' }, translate('routes.search_failed')));
      announce(translate('routes.search_failed'));
      return;
    }
    if (!places.length) {
      fill(results, h('li', { class: 'complaint' }, translate('routes.nothing_found')));
      announce(translate('routes.nothing_found'));
      return;
    }
    fill(results, ...places.map((place) => h('li', {}, h('button', {
      type: 'button', class: 'route-hit', onclick: () => {
        this.set(stop, [place.longitude, place.latitude], placeLabel(place));
        stop.input.focus();
      },
    }, h('span', { dir: 'auto', class: 'said' }, placeLabel(place)), h('small', {}, placeContext(place))))));
    /** @type {HTMLElement | null} */ (results.querySelector('button'))?.focus();
    announce(plural('search.count', places.length));
  }
}
