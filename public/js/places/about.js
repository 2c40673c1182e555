// @ts-check
// The link from a place that the user searched for to its page, and its border on the map.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { rememberPlace } from '../known-places.js';
import { placeOf } from '../places.js';
import { borderOf } from './border.js';
import { isAddress } from './place.js';

/** @typedef {import('../types').Place} Place */

const ZOOM = 12; // of the drawing: the border of a town on a screen

/** @param {(border: import('../types').Feature) => void} outline draws a border on the map */
export function aboutPlace(outline) {
  const words = h('span', {});
  const element = h('a', { class: 'button about-place', hidden: true }, icon('chart'), words);
  /** @type {Place | null} */
  let shown = null;
  return {
    element,
    /** @param {Place | null} place */
    async show(place) {
      shown = place && place.id && !isAddress(place) ? place : null;
      element.hidden = !shown;
      if (!shown) return;
      rememberPlace(shown);
      words.textContent = translate('place.about', { place: shown.name });
      element.setAttribute('href', `/places/${shown.id}`);
      const mine = shown;
      // A place that this browser kept from an earlier search has only its name and box.
      const known = mine.bordered === undefined ? await placeOf(String(mine.id)) : mine;
      const border = known && await borderOf(known, ZOOM);
      if (border && mine === shown) outline(border);
    },
  };
}
