// @ts-check
// The link from a place that the user searched for to its page, and its border on the map.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { borderOf } from './border.js';
import { isAddress } from './place.js';
import { rememberPlace } from './stored.js';

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
      const border = await borderOf(mine, ZOOM);
      if (border && mine === shown) outline(border);
    },
  };
}
