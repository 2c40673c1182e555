// @ts-check
// The place or address that the user searched for: in the search field and outlined on the map. A place is also in
// the URL, an address is not.

import { placeOf } from '../places.js';
import { keepPlace } from './recent-places.js';

/** @typedef {import('../types').Place} Place */
/** @typedef {import('../types').Box} Box */

/**
 * @typedef {object} PlaceContext
 * @property {import('../state.js').Store} store
 * @property {(place: Place | null) => void} hold shows the place in the search field
 * @property {(box: Box | null) => void} outline shows the place on the map
 */

export class ChosenPlace {
  /** @param {PlaceContext} context */
  constructor(context) {
    this.context = context;
    /** @type {Place | null} */
    this.shown = null;
    const { store } = context;
    store.subscribe((state, before) => { if (state.place !== before.place) this.show(state.place); });
    if (store.current.place) this.show(store.current.place);
  }

  /** @param {Place} place */
  choose(place) {
    this.known = place;
    keepPlace(place);
    this.context.store.update({ place: String(place.id), spot: null }, 'push');
  }

  /**
   * Shows an address, which has no id and stays out of the URL: it may be a home.
   * @param {Place} place
   */
  hold(place) {
    this.context.store.update({ place: null, spot: null }, 'push');
    this.present(place);
  }

  /** Shows no place any more. */
  release() {
    this.present(null);
    if (this.context.store.current.place !== null) this.context.store.update({ place: null }, 'push');
  }

  /** @param {Place | null} place */
  present(place) {
    this.shown = place;
    this.context.hold(place);
    this.context.outline(place?.bbox?.length === 4 ? /** @type {Box} */ (place.bbox) : null);
  }

  /** @param {string | null} id */
  async show(id) {
    const place = id === null ? null : await this.find(id);
    if (this.context.store.current.place !== id) return; // the user has chosen another place
    this.present(place);
  }

  /** @param {string} id */
  async find(id) { return String(this.known?.id) === id ? this.known ?? null : placeOf(id); }
}
