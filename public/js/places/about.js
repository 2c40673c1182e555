// @ts-check
// The operators in a place that the user searched for, the link to its page, and its border on the map.

import { getJSON } from '../api.js';
import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { rememberPlace } from '../known-places.js';
import { late } from '../late.js';
import { placeOf } from '../places.js';
import { borderOf } from './border.js';
import { isAddress } from './place.js';

/** @typedef {import('../types').Place} Place */

const ZOOM = 12; // of the drawing: the border of a town on a screen

/** @param {(border: import('../types').Feature) => void} outline draws a border on the map */
export function aboutPlace(outline) {
  const words = h('span', {});
  const link = h('a', { class: 'button' }, icon('chart'), words);
  const operators = h('p', { class: 'about-operators' });
  const element = h('div', { class: 'about-place', hidden: true }, operators, link);
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
      link.setAttribute('href', `/places/${shown.id}`);
      const mine = shown;
      operators.textContent = '';
      late(import('./whose.js')).then(async ({ whosePath, whoseWords }) => {
        const answer = await getJSON(whosePath(String(mine.id)));
        if (mine === shown) operators.textContent = whoseWords(answer);
      }).catch(() => undefined); // Its page has the figures, too.
      // A place that this browser kept from an earlier search has only its name and box.
      const known = mine.bordered === undefined ? await placeOf(String(mine.id)) : mine;
      const border = known && await borderOf(known, ZOOM);
      if (border && mine === shown) outline(border);
    },
  };
}
